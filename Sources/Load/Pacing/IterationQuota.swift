/// How often the users of a workload play.
enum IterationQuota: Sendable {
    /// Until time is up.
    case unlimited
    /// Each user so many times.
    case perUser(Int)
    /// All users together so many times: of all iterations, those that fall to the shard's own users.
    case shared(SharedIterations)

    init(_ executor: Executor, members: [Int]) {
        switch executor {
        case .perUserIterations(_, let iterations, _): self = .perUser(iterations)
        case .sharedIterations(let users, let iterations, _):
            self = .shared(SharedIterations(total: iterations, users: users, members: members))
        default: self = .unlimited
        }
    }

    /// How many iterations a shard's users play in all; nil if time decides.
    func planned(users: Int) -> Int? {
        switch self {
        case .unlimited: nil
        case .perUser(let iterations): iterations * users
        case .shared(let shared): shared.count
        }
    }

    /// Returns whether a user that has played so many times may play again.
    func allows(played: Int) -> Bool {
        switch self {
        case .unlimited: true
        case .perUser(let iterations): played < iterations
        case .shared(let shared): shared.taken < shared.count
        }
    }

    /// Takes the next iteration of a user that has played so many times.
    mutating func take(played: Int) -> Int {
        guard case .shared(var shared) = self else { return played }
        defer { self = .shared(shared) }
        return shared.take()
    }
}
