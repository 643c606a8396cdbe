/// What scripts can do with the simulated server of a system.
public struct ServerDeclaration: Sendable {
    /// What scripts can call on it.
    public let methods: [MethodDeclaration]

    /// What scripts can read of it.
    public let properties: [PropertyDeclaration]

    /// The options with which a script starts one (`t:server(system, options)`).
    public let options: [ParameterDeclaration]

    /// Makes the machine, or nil if there is none that could be made without a script.
    public let make: (@Sendable (ServerConfiguration) throws(ConfigurationError) -> DrivenServer)?

    /// Creates a declaration.
    public init(
        methods: [MethodDeclaration] = [], properties: [PropertyDeclaration] = [],
        options: [ParameterDeclaration] = [],
        make: (@Sendable (ServerConfiguration) throws(ConfigurationError) -> DrivenServer)? = nil
    ) {
        self.methods = methods
        self.properties = properties
        self.options = options
        self.make = make
    }
}
