import RunRecord
import Statistics

/// Which soft checks a try came to, and whether they held.
struct CheckResults: Hashable, Sendable {
    /// Whether a check held each time.
    private(set) var results: [ScriptPosition: Bool] = [:]

    /// About how many bytes the rate of a check takes in the record.
    static func weight(of position: ScriptPosition) -> Int { 512 + position.file.utf8.count }

    /// Notes that the try came to a check.
    ///
    /// - Returns: Whether it had not come to it before.
    mutating func note(_ position: ScriptPosition, holds: Bool) -> Bool {
        let known = self.results[position]
        self.results[position] = (known ?? true) && holds
        return known == nil
    }

    /// Adds them to the rates of the tries before.
    ///
    /// - Parameters:
    ///   - earlier: The rates of the tries before.
    ///   - file: The scenario's own.
    ///   - confidence: That of the intervals.
    ///   - text: What stands at a place; asked of checks that no try before came to.
    /// - Returns: The rates in the order of their lines, those of the scenario's own file first.
    func added(
        to earlier: [CheckRate], of file: String, confidence: Double, text: (ScriptPosition) -> String
    ) -> [CheckRate] {
        var rates: [ScriptPosition: CheckRate] = [:]
        for rate in earlier { rates[ScriptPosition(file: rate.file ?? file, line: rate.line)] = rate }
        for (position, holds) in self.results {
            var rate =
                rates[position]
                ?? CheckRate(
                    file: position.file == file ? nil : position.file, line: position.line, text: text(position),
                    rate: TryRate(tries: 0, passed: 0, low: 0, high: 1))
            rate.rate.tries += 1
            rate.rate.passed += holds ? 1 : 0
            let interval = RateInterval(passed: rate.rate.passed, of: rate.rate.tries, confidence: confidence)
            (rate.rate.low, rate.rate.high) = (interval.low, interval.high)
            rates[position] = rate
        }
        return rates.values.sorted { ($0.file ?? "", $0.line) < ($1.file ?? "", $1.line) }
    }
}
