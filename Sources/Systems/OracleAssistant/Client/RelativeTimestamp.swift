import Machines

/// The age of the latest message in words (chapter "Absolute and Relative Timestamps").
enum RelativeTimestamp {
    private static let minute: Int64 = 60, hour: Int64 = 3600, day: Int64 = 86_400
    // A month counts 30 days and a year 365; defined here.
    private static let month: Int64 = 30 * 86_400, year: Int64 = 365 * 86_400

    /// Returns the words for an age.
    static func text(age: Duration, strings: StringTable) -> String {
        let seconds = max(age.components.seconds, 0)
        func count(_ unit: Int64) -> String { "\(seconds / unit)" }
        return switch seconds {
        case ..<10: strings.text("odais_timestamp_now")
        case ..<self.minute: strings.text("odais_timestamp_seconds")
        case ..<self.hour: strings.text("odais_timestamp_minutes", count(self.minute))
        case ..<self.day: strings.text("odais_timestamp_hours", count(self.hour))
        case ..<self.month: strings.text("odais_timestamp_days", count(self.day))
        case ..<self.year: strings.text("odais_timestamp_months", count(self.month))
        default: strings.text("odais_timestamp_years", count(self.year))
        }
    }

    /// Returns the time until the words change.
    static func untilChange(age: Duration) -> Duration {
        let seconds = max(age.components.seconds, 0)
        let unit: Int64 =
            switch seconds {
            case ..<self.minute: 0
            case ..<self.hour: self.minute
            case ..<self.day: self.hour
            case ..<self.month: self.day
            case ..<self.year: self.month
            default: self.year
            }
        let next: Int64 =
            switch seconds {
            case ..<10: 10
            case ..<self.minute: self.minute
            case ..<self.year: min((seconds / unit + 1) * unit, self.year)
            default: (seconds / unit + 1) * unit
            }
        return .seconds(next) - max(age, .zero)
    }
}
