import Machines

/// A message of JSON as a script declares it.
struct DeclaredMessage: Hashable {
    /// What the member says that names the kind; a kind that is a number is its digits.
    let kind: String

    /// The members that it has besides; others may come with them.
    let members: [ParameterDeclaration]

    /// The event of clients that is named as the kind is, if the script declares one.
    let event: EventDeclaration?

    /// - Throws: ``UsageError`` if a member is of a type that no message can hold.
    init(_ kind: String, _ members: [ParameterDeclaration], event: EventDeclaration?, of place: String)
        throws(UsageError)
    {
        if let foreign = members.first(where: { LuaTypeReader.isOfScripts($0.type) }) {
            throw UsageError(
                "\(place).\(kind): \(foreign.name) cannot be an actor, a function or a file, for no message holds one")
        }
        self.kind = kind
        self.members = members
        self.event = event
    }

    /// How scripts write the place of a handler for it in a table: `.hello`, or `["session.update"]`.
    var index: String {
        let key = LuaLiteral.key(self.kind)
        return key.hasPrefix("[") ? key : ".\(key)"
    }
}
