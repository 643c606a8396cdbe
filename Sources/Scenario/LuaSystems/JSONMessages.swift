import JSON
import Machines

/// What the sides of a chat say in messages of JSON, as a script declares it: `system { json = { … } }`.
struct JSONMessages: Hashable {
    /// What the server sends.
    let fromServer: DeclaredMessages

    /// What clients send.
    let fromClients: DeclaredMessages

    /// What ends each message, where a text may hold several of them, or a part of one; nil if each text is one. At the
    /// end of a text a whole message need not have it.
    let separator: String?

    /// The members of a declaration.
    static let members = [
        ParameterDeclaration(
            "by", .string, optional: true, "The member that names the kind of a message; \"type\" unless given."),
        ParameterDeclaration(
            "from_server", .json, optional: true,
            "What the server sends, by kind: the members by name, each with a type; a kind that is a number is its text, `[\"1\"] = {}`."
        ),
        ParameterDeclaration("from_client", .json, optional: true, "What clients send, likewise."),
        ParameterDeclaration(
            "separator", .string, optional: true,
            "What ends each message, where a text may hold several of them, or a part of one, but need not end a whole one at the end of a text; each text is one message unless given."
        ),
    ]

    /// Reads a declaration.
    ///
    /// - Parameters:
    ///   - table: What the script gave, checked against ``members``.
    ///   - events: The events of clients that the script declares.
    ///   - place: Where it stands, for messages.
    /// - Throws: ``UsageError`` that says what is wrong and what to do.
    init(_ table: JSONObject, events: [EventDeclaration], of place: String) throws(UsageError) {
        let member = table["by"]?.string ?? "type"
        guard !member.isEmpty else {
            throw UsageError("\(place): by is the name of a member, such as \"type\", and not empty")
        }
        self.fromServer = DeclaredMessages(
            from: .server, by: member,
            try Self.messages(table["from_server"], events: events, of: "\(place).from_server"))
        self.fromClients = DeclaredMessages(
            from: .clients, by: member, try Self.messages(table["from_client"], events: [], of: "\(place).from_client"))
        self.separator = table["separator"]?.string
        guard self.separator?.isEmpty != true else {
            throw UsageError("\(place): separator is a text such as \"\\x1e\" or \"\\n\", and not empty")
        }
    }

    private static func messages(
        _ value: JSONValue?, events: [EventDeclaration], of place: String
    ) throws(UsageError) -> [DeclaredMessage] {
        guard let value else { return [] }
        guard let kinds = value.object else {
            throw UsageError(
                "\(place) takes a table of kinds with their members, such as { message = { text = \"string\" } }; a kind "
                    + "that is a number is its text, as in { [\"1\"] = {} }")
        }
        var messages: [DeclaredMessage] = []
        for (kind, members) in kinds {
            let declared = try LuaSystemDeclaration.parameters(members, of: "\(place).\(kind)")
            let event = events.first { $0.kind.rawValue == kind }
            messages.append(try DeclaredMessage(kind, declared, event: event, of: place))
        }
        return messages
    }
}
