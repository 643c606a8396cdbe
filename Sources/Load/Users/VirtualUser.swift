public import Machines

/// Who a user of a run is: a pure function of the run's shape and seed and the user's number.
///
/// No process has to be told about the users of another one: it computes them.
public struct VirtualUser: Hashable, Sendable {
    /// The number of the user in the whole run, over all workloads and shards, counted from zero.
    public var number: Int

    /// The place of the workload in the shape.
    public var workload: Int

    /// The number of the user in its workload, counted from zero.
    public var member: Int

    /// The role, if the workload has roles.
    public var role: String?

    /// The scenario that the user plays; nil stands for the only one of the file.
    public var scenario: String?

    /// The room, if the workload has rooms.
    public var room: Room?

    /// The seed of everything that is random about the user.
    public var seed: UInt64

    /// The name under which the user signs in, such as `user-17`.
    public var name: String { "user-\(self.number)" }

    /// An address that no mail ever reaches (RFC 2606, section 3).
    public var email: String { "\(self.name)@example.com" }

    /// A password or token of 32 hexadecimal digits, for servers that take any.
    public var token: String {
        var random = self.random.derived(for: "token")
        return random.hexadecimalDigits(32)
    }

    /// The randomness of the user, from its beginning.
    public var random: RandomSource { RandomSource(seed: self.seed) }
}
