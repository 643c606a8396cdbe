import JSON
import Machines
import RunRecord

@testable import Load

/// A run played in virtual time: users end after times that only the seed, the user and the iteration decide.
struct PlayedRun {
    var starts: [PacingAction.Start] = []
    var stops: [Int: Int] = [:]
    var aborted: [(user: Int, at: Instant)] = []
    /// Who was aborted and had never ended an iteration, or was stuck.
    var short: Set<Int> = []
    var resumed: [Int] = []
    var accounts: [PacingAccount] = []
    var isFinished = false
    var end = Instant.start
    /// The most users at once.
    var peak = 0

    var account: PacingAccount { self.accounts.reduce(into: PacingAccount()) { $0 += $1 } }

    /// Plays a plan.
    ///
    /// - Parameters:
    ///   - length: How long an iteration takes; nil for one that never ends by itself.
    ///   - lag: By how much the loop is late each time; from a seeded source.
    ///   - stop: When to stop early.
    ///   - settle: How much of an iteration comes behind its script.
    ///   - fails: Whether an iteration fails.
    ///   - yield: What an iteration comes to that fails.
    init(
        _ plan: LoadPlan, lag: ClosedRange<Int64> = 0...0, stop: Instant? = nil, within: Duration? = nil,
        settle: Duration = .zero, fails: (_ user: Int, _ iteration: Int) -> Bool = { _, _ in false },
        yield: IterationYield = .nothing,
        length: (_ user: Int, _ iteration: Int) -> Duration?
    ) {
        var pacing = RunPacing(plan)
        var random = RandomSource(seed: 99)
        var playing: [Int: (end: Instant, serial: Int)] = [:]
        var iterations: [Int: Int] = [:]
        var serial = 0
        var now = Instant.start
        var stop = stop
        for _ in 0..<5_000_000 {
            while let action = pacing.next(at: now) {
                switch action {
                case .start(let start):
                    serial += 1
                    iterations[start.user] = start.iteration
                    self.starts.append(start)
                    playing[start.user] = (
                        length(start.user, start.iteration).map { now + $0 } ?? Instant(nanoseconds: .max), serial
                    )
                    self.peak = max(self.peak, playing.count)
                case .stop(let user): self.stops[user, default: 0] += 1
                case .resume(let user): self.resumed.append(user)
                case .abort(let user, let isShort):
                    self.aborted.append((user, now))
                    if isShort { self.short.insert(user) }
                    playing[user] = nil
                }
            }
            let ended = playing.filter { $0.value.end <= now }.sorted { $0.value.serial < $1.value.serial }
            if !ended.isEmpty {
                for (user, _) in ended {
                    playing[user] = nil
                    pacing.ended(
                        user: user, at: now, scriptEnd: now + (.zero - settle),
                        yield: fails(user, iterations[user] ?? 0) ? yield : .something)
                }
                continue
            }
            if let instant = stop, instant <= now {
                pacing.stop(at: now, within: within)
                stop = nil
                continue
            }
            let next = [pacing.wake, playing.values.map(\.end).min(), stop].compactMap { $0 }.min()
            guard let next, next.nanoseconds < .max, !(pacing.isFinished && playing.isEmpty) else { break }
            now = max(next, now) + .nanoseconds(Int64.random(in: lag, using: &random))
        }
        self.end = now
        self.isFinished = pacing.isFinished
        self.accounts = pacing.accounts
    }
}

/// Reads a shape that the test knows to be right.
func shape(_ table: JSONValue) throws -> LoadShape { try LoadShape(table) }

/// Lengths of iterations from 1 ms to 400 ms by user and iteration.
func someLength(_ user: Int, _ iteration: Int) -> Duration {
    var random = RandomSource(seed: UInt64(user) << 32 ^ UInt64(iteration))
    return .microseconds(Int64.random(in: 1000...400_000, using: &random))
}
