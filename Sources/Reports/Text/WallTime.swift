import FoundationEssentials

/// Times of the wall clock as reports write them: ISO 8601 in UTC to the second.
enum WallTime {
    /// Stands where a format demands a time and nobody knows it.
    static let unknown = "1970-01-01T00:00:00Z"

    /// Returns the time that is some nanoseconds after another one, or nil if that one has another form.
    static func text(_ start: String, plusNanoseconds nanoseconds: Int64) -> String? {
        guard let date = try? Date(start, strategy: .iso8601) else { return nil }
        return (date + Double(nanoseconds) / 1e9).formatted(.iso8601)
    }
}
