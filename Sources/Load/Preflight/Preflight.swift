internal import Metrics
internal import RunRecord

/// What a run needs of this machine, reckoned before the first socket is opened.
public struct Preflight: Hashable, Sendable {
    /// One way to make room.
    public enum Proposal: Hashable, Sendable {
        /// The process raises its own limit of descriptors; no reason to refuse.
        case raiseDescriptors(to: Int)
        /// Somebody raises the limit of descriptors that the process may not pass.
        case raiseHardDescriptors(to: Int, from: Int)
        /// Connections come from so many addresses; those to add stand by.
        case addSources(count: Int, suggestion: [String])
        /// The machine needs more memory.
        case addMemory(needed: Int, free: Int)
        /// The run is shared out to so many processes or machines in all.
        case addShards(count: Int)
    }

    /// How many users are there at once at most, in this shard.
    public let users: Int
    /// How many connections they have.
    public let connections: Int
    /// How many descriptors the process needs.
    public let descriptors: Int
    /// How many connections one source address carries to one destination: half of the ports, since beyond that the
    /// system takes ever longer to find a free one.
    public let connectionsPerSource: Int
    /// How many source addresses the connections need.
    public let sources: Int
    /// How many bytes of memory the users take.
    public let memory: Int
    /// How many messages the users send in a second.
    public let messagesSent: Double
    /// How many messages arrive at users in a second.
    public let messagesDelivered: Double
    /// What to do, in the order in which it is cheapest; empty if the machine has all that is needed.
    public let proposals: [Proposal]

    /// Whether the run cannot be made on this machine as it is.
    public var isRefused: Bool {
        self.proposals.contains { if case .raiseDescriptors = $0 { false } else { true } }
    }

    /// How many descriptors are set aside for files, reports and the event loops, defined here.
    static let spareDescriptors = 64

    /// How many bytes of memory are set aside for the process itself, defined here.
    static let spareMemory = 64 << 20

    /// Reckons what a plan needs.
    ///
    /// - Parameters:
    ///   - plan: The plan of this shard.
    ///   - profile: What one user needs.
    ///   - machine: What the machine gives.
    public init(_ plan: LoadPlan, profile: UserProfile, machine: MachineFacts) {
        let loads = plan.workloads.map { ExpectedLoad($0, shard: plan.shard, profile: profile) }
        let users = ExpectedLoad.peak(\.users, of: loads)
        let connections = Self.whole(Double(users) * max(profile.connections, 0))
        let descriptors = Self.whole(
            Double(connections) + Double(machine.openDescriptors) + Double(Self.spareDescriptors))
        let perSource = max(machine.ports.count / 2, 1)
        let sources = max(1, connections / perSource + (connections % perSource > 0 ? 1 : 0))
        let memory = Self.whole(Double(users) * Double(max(profile.memory, 0)) + Double(Self.spareMemory))
        var proposals: [Proposal] = []
        // How many times over the machine would be needed, beside addresses that can be added.
        var times = 1.0
        if descriptors > machine.descriptors.hard {
            proposals.append(.raiseHardDescriptors(to: descriptors, from: machine.descriptors.hard))
            let free = machine.descriptors.hard - machine.openDescriptors - Self.spareDescriptors
            times = max(times, Double(connections) / Double(max(free, 1)))
        } else if descriptors > machine.descriptors.soft {
            proposals.append(.raiseDescriptors(to: descriptors))
        }
        let given = max(machine.sources.count, 1)
        if sources > given {
            let suggestion =
                machine.isLoopback ? Self.loopbackAddresses(sources, beside: machine.sources) : []
            proposals.append(.addSources(count: sources, suggestion: suggestion))
            times = max(times, Double(sources) / Double(given))
        }
        if memory > machine.memory {
            proposals.append(.addMemory(needed: memory, free: machine.memory))
            times = max(times, Double(memory - Self.spareMemory) / Double(max(machine.memory - Self.spareMemory, 1)))
        }
        let shards = Self.whole((times * Double(plan.shard.count)).rounded(.up))
        if shards > plan.shard.count, shards <= plan.userCount { proposals.append(.addShards(count: shards)) }
        self.users = users
        self.connections = connections
        self.descriptors = descriptors
        self.connectionsPerSource = perSource
        self.sources = sources
        self.memory = memory
        self.messagesSent = ExpectedLoad.peak(\.messagesSent, of: loads)
        self.messagesDelivered = ExpectedLoad.peak(\.messagesDelivered, of: loads)
        self.proposals = proposals
    }

    /// The figures and proposals as lines for people.
    public var lines: [String] {
        self.linesOfOneMachine
            + self.proposals.compactMap { if case .addShards = $0 { $0.description } else { nil } }
    }

    /// The figures, and what would make room on this machine, as lines for people.
    public var linesOfOneMachine: [String] {
        [
            "\(NumberText.counted(self.users, "user")) at once, \(NumberText.counted(self.connections, "connection")) from "
                + "\(NumberText.counted(self.sources, "source address", "source addresses")), "
                + "\(NumberText.counted(self.descriptors, "descriptor")), \(Self.megabytes(self.memory)) of memory",
            "\(Self.rate(self.messagesSent)) messages per second sent, \(Self.rate(self.messagesDelivered)) delivered",
        ] + self.proposals.compactMap { if case .addShards = $0 { nil } else { $0.description } }
    }

    /// 127.0.0.2 and on, beside those that are given; the network has 16 million of them.
    private static func loopbackAddresses(_ count: Int, beside given: [String]) -> [String] {
        var addresses = given
        var number = 2
        while addresses.count < min(count, 10_000) {
            let address = "127.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
            if number & 255 != 0, number & 255 != 255, !addresses.contains(address) { addresses.append(address) }
            number += 1
        }
        return addresses
    }

    /// A number of things as an integer; numbers beyond any machine stay below the end of the range.
    private static func whole(_ value: Double) -> Int {
        value.isNaN ? 0 : Int(min(max(value.rounded(.up), 0), 1e15))
    }

    static func megabytes(_ bytes: Int) -> String { "\((bytes + (1 << 20) - 1) >> 20) MiB" }

    private static func rate(_ value: Double) -> String {
        value < 10 && value > 0 ? "\((value * 10).rounded() / 10)" : "\(Self.whole(value.rounded()))"
    }
}
