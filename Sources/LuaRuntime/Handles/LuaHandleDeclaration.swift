public import JSON

/// What scripts can do with the objects of one type.
public struct LuaHandleDeclaration {
    /// The name for messages and for the text form, such as `visitor`.
    public let name: String

    /// The methods by name.
    public let methods: [(String, HostFunction)]

    /// Serves members that are not methods; receives the member's name as its argument 1.
    public let member: HostFunction?

    /// Returns the text form; the type's name and a number unless given.
    public let text: ((AnyObject) -> String)?

    /// Returns the members that `pairs` goes through; nil where it goes through none.
    public let members: ((AnyObject) -> JSONObject)?

    /// Creates a declaration.
    ///
    /// - Parameters:
    ///   - name: The name for messages and for the text form.
    ///   - methods: The methods by name.
    ///   - member: Serves members that are not methods.
    ///   - text: Returns the text form.
    ///   - members: Returns the members that `pairs` goes through.
    public init(
        name: String, methods: [(String, HostFunction)], member: HostFunction? = nil,
        text: ((AnyObject) -> String)? = nil, members: ((AnyObject) -> JSONObject)? = nil
    ) {
        self.name = name
        self.methods = methods
        self.member = member
        self.text = text
        self.members = members
    }
}
