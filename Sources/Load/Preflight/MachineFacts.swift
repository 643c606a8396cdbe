/// What the machine gives to this process.
public struct MachineFacts: Hashable, Sendable {
    /// How many descriptors the process may have open, and how many it may allow itself.
    public var descriptors: (soft: Int, hard: Int) {
        get { (self.softDescriptors, self.hardDescriptors) }
        set { (self.softDescriptors, self.hardDescriptors) = newValue }
    }
    private var softDescriptors: Int
    private var hardDescriptors: Int

    /// How many descriptors are open before the first connection.
    public var openDescriptors: Int

    /// The ports that the system takes for outgoing connections (`net.ipv4.ip_local_port_range`).
    public var ports: ClosedRange<Int>

    /// How many bytes of memory are free.
    public var memory: Int

    /// The addresses that connections may come from; empty stands for the one that the system chooses.
    public var sources: [String]

    /// Whether the destinations are on the loopback network, where 127.0.0.2 and further addresses cost nothing.
    public var isLoopback: Bool

    /// Creates facts.
    ///
    /// - Parameters:
    ///   - descriptors: How many descriptors the process may have open, and how many it may allow itself.
    ///   - openDescriptors: How many descriptors are open before the first connection.
    ///   - ports: The ports that the system takes for outgoing connections.
    ///   - memory: How many bytes of memory are free.
    ///   - sources: The addresses that connections may come from.
    ///   - isLoopback: Whether the destinations are on the loopback network.
    public init(
        descriptors: (soft: Int, hard: Int), openDescriptors: Int, ports: ClosedRange<Int>, memory: Int,
        sources: [String] = [], isLoopback: Bool = false
    ) {
        self.softDescriptors = descriptors.soft
        self.hardDescriptors = descriptors.hard
        self.openDescriptors = openDescriptors
        self.ports = ports
        self.memory = memory
        self.sources = sources
        self.isLoopback = isLoopback
    }
}
