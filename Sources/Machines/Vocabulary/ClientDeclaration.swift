/// What scripts can do with a client of a system.
public struct ClientDeclaration: Sendable {
    /// What a client is called in reports unless the script names it, such as `visitor`.
    public let name: String

    /// What scripts can call on it.
    public let methods: [MethodDeclaration]

    /// What scripts can read of it.
    public let properties: [PropertyDeclaration]

    /// The options with which a script makes one (`t:actor(system, options)`).
    public let options: [ParameterDeclaration]

    /// Makes the machine.
    public let make: @Sendable (ClientConfiguration) throws(ConfigurationError) -> DrivenClient

    /// Creates a declaration.
    public init(
        name: String = "client", methods: [MethodDeclaration], properties: [PropertyDeclaration] = [],
        options: [ParameterDeclaration],
        make: @escaping @Sendable (ClientConfiguration) throws(ConfigurationError) -> DrivenClient
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.options = options
        self.make = make
    }
}
