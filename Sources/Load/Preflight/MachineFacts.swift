/// What the machine gives to this process.
public struct MachineFacts: Hashable, Sendable {
    /// How many descriptors a process may have open (`RLIMIT_NOFILE`).
    public struct DescriptorLimit: Hashable, Sendable {
        /// How many it may have open now.
        public var soft: Int

        /// How many it may allow itself.
        public var hard: Int

        /// Creates a limit.
        ///
        /// - Parameters:
        ///   - soft: How many descriptors the process may have open now.
        ///   - hard: How many it may allow itself.
        public init(soft: Int, hard: Int) {
            self.soft = soft
            self.hard = hard
        }
    }

    /// How many descriptors the process may have open.
    public var descriptors: DescriptorLimit

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
    ///   - descriptors: How many descriptors the process may have open.
    ///   - openDescriptors: How many descriptors are open before the first connection.
    ///   - ports: The ports that the system takes for outgoing connections.
    ///   - memory: How many bytes of memory are free.
    ///   - sources: The addresses that connections may come from.
    ///   - isLoopback: Whether the destinations are on the loopback network.
    public init(
        descriptors: DescriptorLimit, openDescriptors: Int, ports: ClosedRange<Int>, memory: Int,
        sources: [String] = [], isLoopback: Bool = false
    ) {
        self.descriptors = descriptors
        self.openDescriptors = openDescriptors
        self.ports = ports
        self.memory = memory
        self.sources = sources
        self.isLoopback = isLoopback
    }
}
