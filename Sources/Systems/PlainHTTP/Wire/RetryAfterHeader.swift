import Machines

/// When a server says that it may be asked again (RFC 9110 section 10.2.3).
enum RetryAfterHeader {
    /// The most digits that are read; more would be thousands of years.
    private static let mostDigits = 10

    /// The end of the year 9999, after which dates have another form.
    private static let endOfDates: Int64 = 253_402_300_799_999

    /// Reads the value of a `Retry-After` field.
    ///
    /// - Parameters:
    ///   - value: A count of seconds, or a date.
    ///   - epochMilliseconds: The wall-clock time, in milliseconds since 1970 UTC.
    /// - Returns: How long to wait, zero for a date in the past; nil if the value is neither of both.
    static func delay(_ value: String, epochMilliseconds: Int64) -> Duration? {
        let digits = value.utf8
        if !digits.isEmpty, digits.count <= Self.mostDigits, digits.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return Int64(value).map { .seconds($0) }
        }
        let now = min(max(epochMilliseconds, 0), Self.endOfDates)
        let year = Int(Timestamp.text(epochMilliseconds: now).prefix(4)) ?? 2000
        guard let date = HTTPDate.epochMilliseconds(value, year: year) else { return nil }
        return .milliseconds(max(0, date - now))
    }
}
