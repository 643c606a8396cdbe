/// Finds the highest load that holds what is asked for, by trials at one level after another.
///
/// The level doubles until one does not hold; then the gap between the highest that held and the lowest that did not is
/// halved until it is a twentieth. Trials vary, so no level counts as broken for one trial alone, and the level that is
/// told in the end has held more often than not.
///
/// | state | a trial held | did not hold | the generator was not fit |
/// |---|---|---|---|
/// | ramp, no level has failed | twice the level | once more; when it has failed twice: halve | the same |
/// | halving between `low` and `high` | it is `low` | once more; when it has failed twice it is `high` | the same |
/// | confirming `low` | found | once more; when it has failed twice it is `high`, the level below is `low` | the same |
///
/// What broke only where the generator was strained is never told as the limit of the server.
public struct CapacitySearch: Sendable {
    /// What a trial came to.
    public enum Finding: String, Hashable, Sendable {
        /// Everything that is asked for held.
        case held
        /// Something did not, although the generator was fit.
        case broken
        /// The generator was strained, so nobody can tell.
        case generatorStrained
    }

    /// What bounds the capacity from above.
    public enum Limit: String, Hashable, Sendable {
        /// What is asked for did not hold at a higher level.
        case server
        /// The generator was strained at a higher level.
        case generator
        /// The search was not to go further.
        case ceiling
    }

    /// What was found.
    public struct Capacity: Hashable, Sendable {
        /// The highest level that held, 0 if none did.
        public let level: Int
        /// The lowest level that did not; nil if the search reached its ceiling.
        public let broken: Int?
        /// Why it is no more.
        public let limit: Limit
        /// How many trials it took.
        public let trials: Int
    }

    /// What to do next.
    public enum Step: Hashable, Sendable {
        /// Load the server with a level, and tell what came of it.
        case trial(level: Int)
        /// Nothing: the search is over.
        case found(Capacity)
    }

    private struct Votes {
        var held = 0
        var broken = 0
        var strained = 0

        /// What the trials of a level agree on; a first trial that held is believed until the end.
        func decision(needsConfirmation: Bool) -> Finding? {
            if self.held >= (needsConfirmation ? 2 : 1), self.held > self.broken + self.strained { return .held }
            guard self.broken + self.strained >= 2 else { return nil }
            return self.broken > self.strained ? .broken : .generatorStrained
        }
    }

    /// The gap that remains, as a share of the level.
    private static let tolerance = 0.05

    private let ceiling: Int
    private var level: Int
    private var votes: [Int: Votes] = [:]
    /// The levels that held, in rising order.
    private var held: [Int] = []
    private var high: (level: Int, limit: Limit)?
    private var trials = 0

    /// - Parameters:
    ///   - start: The level of the first trial, at least 1.
    ///   - ceiling: The level that is not passed, at least `start`.
    public init(from start: Int, to ceiling: Int) {
        self.level = max(start, 1)
        self.ceiling = max(ceiling, self.level)
    }

    /// How many more trials there are if all of them hold: as many as it takes to come to the ceiling.
    public var trialsIfAllHold: Int {
        var search = self
        while case .trial = search.step { search.note(.held) }
        return search.trials - self.trials
    }

    private var low: Int { self.held.last ?? 0 }

    /// Whether the gap is small enough.
    private func isNarrow(_ high: Int) -> Bool {
        high - self.low <= max(1, Int(Double(self.low) * Self.tolerance))
    }

    /// What to do next.
    public var step: Step {
        guard let high = self.high else {
            // The ramp has come to its end without a failure.
            if self.low == self.ceiling, self.votes[self.low]?.decision(needsConfirmation: true) == .held {
                return .found(Capacity(level: self.low, broken: nil, limit: .ceiling, trials: self.trials))
            }
            return .trial(level: self.level)
        }
        guard self.isNarrow(high.level) else { return .trial(level: self.level) }
        if self.low == 0 || self.votes[self.low]?.decision(needsConfirmation: true) == .held {
            return .found(
                Capacity(level: self.low, broken: high.level, limit: high.limit, trials: self.trials))
        }
        return .trial(level: self.low)
    }

    /// Takes note of what the trial of ``step`` came to.
    public mutating func note(_ finding: Finding) {
        guard case .trial(let level) = self.step else { return }
        self.trials += 1
        switch finding {
        case .held: self.votes[level, default: Votes()].held += 1
        case .broken: self.votes[level, default: Votes()].broken += 1
        case .generatorStrained: self.votes[level, default: Votes()].strained += 1
        }
        let isConfirming = self.held.last == level
        switch self.votes[level]?.decision(needsConfirmation: isConfirming) {
        case .held?: self.hold(level, isConfirming)
        case .broken?: self.fail(level, .server)
        case .generatorStrained?: self.fail(level, .generator)
        case nil: break
        }
    }

    private mutating func hold(_ level: Int, _ isConfirming: Bool) {
        guard !isConfirming else { return }
        self.held.append(level)
        if let high = self.high {
            self.level = self.middle(below: high.level)
        } else {
            self.level = level > self.ceiling / 2 ? self.ceiling : level * 2
        }
    }

    private mutating func fail(_ level: Int, _ limit: Limit) {
        self.held.removeAll { $0 >= level }
        self.high = (level, limit)
        self.level = self.middle(below: level)
    }

    private func middle(below high: Int) -> Int { max(self.low + (high - self.low) / 2, 1) }
}
