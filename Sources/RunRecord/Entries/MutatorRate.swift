/// How many scenarios passed whose rows try a bot with the same mutator.
///
/// Scenarios that broke or were skipped say nothing about the bot; they are counted beside the rate.
public struct MutatorRate: Hashable, Sendable {
    /// The mutator, such as `typos`.
    public var mutator: String

    /// How many passed, at whichever attempt.
    public var passed: Int

    /// How many did not, those included that were expected to fail.
    public var failed: Int

    /// How many broke.
    public var errors: Int

    /// How many were skipped.
    public var skipped: Int

    /// Creates a rate.
    public init(mutator: String, passed: Int = 0, failed: Int = 0, errors: Int = 0, skipped: Int = 0) {
        self.mutator = mutator
        self.passed = passed
        self.failed = failed
        self.errors = errors
        self.skipped = skipped
    }

    /// How many were played to an end that says something about the bot.
    public var played: Int { self.passed &+ self.failed }

    /// The part of those that passed, from 0 to 1; nil if there are none.
    public var rate: Double? { self.played == 0 ? nil : Double(self.passed) / Double(self.played) }

    /// What people read: `7 of 8 passed (87.5 %), 1 error`.
    public var text: String {
        let share = self.rate.map { " (\(TryRate.percent($0)) %)" }
        let errors = self.errors == 0 ? "" : self.errors == 1 ? ", 1 error" : ", \(self.errors) errors"
        let skipped = self.skipped == 0 ? "" : ", \(self.skipped) skipped"
        return "\(self.passed) of \(self.played) passed\(share ?? "")\(errors)\(skipped)"
    }

    /// Adds up the rates of the same mutators, in the order of their names.
    public static func sums(of rates: [MutatorRate]) -> [MutatorRate] {
        var sums: [String: MutatorRate] = [:]
        for rate in rates {
            var sum = sums[rate.mutator] ?? MutatorRate(mutator: rate.mutator)
            sum.passed &+= rate.passed
            sum.failed &+= rate.failed
            sum.errors &+= rate.errors
            sum.skipped &+= rate.skipped
            sums[rate.mutator] = sum
        }
        return sums.values.sorted { $0.mutator < $1.mutator }
    }
}
