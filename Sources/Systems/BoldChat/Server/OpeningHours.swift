import JSON
import Machines

/// When a desk is open, in UTC; defined here.
struct OpeningHours: Hashable, Sendable {
    /// The first minute of the day that is open.
    let opensAt: Int64
    /// The first minute of the day that is closed again; smaller than ``opensAt`` for hours over midnight.
    let closesAt: Int64
    /// The days on which the desk opens, Monday is 1; empty for all. Hours over midnight are those of the day on which
    /// they begin.
    let days: [Int64]

    /// Reads `{ from = "09:00", to = "17:30", days = { 1, 2, 3 } }`.
    init(_ members: JSONObject) throws(ConfigurationError) {
        guard let opens = Self.minute(members.text("from")), let closes = Self.minute(members.text("to")) else {
            throw ConfigurationError(
                "'hours' needs 'from' and 'to' as \"HH:MM\" in UTC, such as { from = \"09:00\", to = \"17:30\" }")
        }
        self.opensAt = opens
        self.closesAt = closes
        self.days = (members["days"]?.array ?? []).compactMap(\.integer)
        if let day = self.days.first(where: { !(1...7).contains($0) }) {
            throw ConfigurationError("'days' of 'hours' are numbers from 1 (Monday) to 7 (Sunday), not \(day)")
        }
    }

    private static func minute(_ text: String?) -> Int64? {
        let parts = (text ?? "").split(separator: ":")
        guard parts.count == 2, let hour = Int64(parts[0]), let minute = Int64(parts[1]) else { return nil }
        guard 0...24 ~= hour, 0..<60 ~= minute, hour * 60 + minute <= 1440 else { return nil }
        return hour * 60 + minute
    }

    /// Returns whether the desk is open at a time in milliseconds since 1970 UTC.
    func isOpen(atEpochMilliseconds time: Int64) -> Bool {
        let minutes = time / 60_000
        let minute = (minutes % 1440 + 1440) % 1440
        let isAfterMidnight = self.closesAt < self.opensAt && minute < self.closesAt
        // 1970-01-01 was a Thursday.
        let day = ((minutes - minute) / 1440 + 3 - (isAfterMidnight ? 1 : 0)) % 7
        guard self.days.isEmpty || self.days.contains((day + 7) % 7 + 1) else { return false }
        if self.opensAt <= self.closesAt { return self.opensAt..<self.closesAt ~= minute }
        return minute >= self.opensAt || isAfterMidnight
    }
}
