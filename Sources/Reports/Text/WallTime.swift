import FoundationEssentials

/// Times of the wall clock as reports write them: ISO 8601 in UTC to the second.
enum WallTime {
    /// Stands where a format demands a time and nobody knows it.
    static let unknown = "1970-01-01T00:00:00Z"

    /// Reads a time; nil if the text has another form.
    static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

    /// Returns the time that is some nanoseconds after another one, or nil if that one has another form.
    static func text(_ start: String, plusNanoseconds nanoseconds: Int64) -> String? {
        Self.date(start).map { ($0 + Double(nanoseconds) / 1e9).formatted(.iso8601) }
    }
}
