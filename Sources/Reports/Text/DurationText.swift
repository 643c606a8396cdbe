/// Durations as people read them in reports.
enum DurationText {
    /// Returns a duration with its two largest units, or with up to three decimals of one: `850ms`, `2.35s`, `4m 10s`.
    static func text(nanoseconds: Int64) -> String {
        let microseconds = max(0, nanoseconds) / 1_000
        switch microseconds {
        case 0: return "0s"
        case ..<1_000: return "\(microseconds)us"
        case ..<1_000_000: return Self.decimal(microseconds, decimals: microseconds < 10_000 ? 1 : 0) + "ms"
        case ..<60_000_000: return Self.decimal(microseconds / 1_000, decimals: 3) + "s"
        case ..<3_600_000_000: return Self.pair(microseconds / 1_000_000, "m", "s")
        default: return Self.pair(microseconds / 60_000_000, "h", "m")
        }
    }

    /// Returns seconds with a point and three decimals, as JUnit files hold them: `2.350`.
    static func seconds(nanoseconds: Int64) -> String {
        // Rounded to the nearest millisecond, half a millisecond up.
        let milliseconds = max(0, nanoseconds) / 1_000_000 + (max(0, nanoseconds) % 1_000_000 >= 500_000 ? 1 : 0)
        return "\(milliseconds / 1_000).\(String(1_000 + milliseconds % 1_000).dropFirst())"
    }

    /// A number given in thousandths, with at most that many decimals and no zeros at the end.
    private static func decimal(_ thousandths: Int64, decimals: Int) -> String {
        var fraction = String(1_000 + thousandths % 1_000).dropFirst().prefix(decimals)
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? "\(thousandths / 1_000)" : "\(thousandths / 1_000).\(fraction)"
    }

    private static func pair(_ value: Int64, _ large: String, _ small: String) -> String {
        value % 60 == 0 ? "\(value / 60)\(large)" : "\(value / 60)\(large) \(value % 60)\(small)"
    }
}

extension Duration {
    /// Whole nanoseconds, in which records have times; the most or the least that there are where it is longer.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = self.components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isStillTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLong || isStillTooLong ? (seconds < 0 ? .min : .max) : sum
    }
}
