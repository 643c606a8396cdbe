/// Reads the dates of HTTP in all three forms that a recipient must accept (RFC 9110 section 5.6.7).
public enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads a date.
    ///
    /// - Parameters:
    ///   - text: Such as `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    ///     `Sun Nov  6 08:49:37 1994`.
    ///   - year: The year that it is, for dates with two digits of the year: none is meant to be more than 50 years
    ///     ahead.
    /// - Returns: Milliseconds since 1970 UTC, or nil if the text has another form.
    public static func epochMilliseconds(_ text: String, year: Int) -> Int64? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" })
        guard words.count == 6 || words.count == 5 else { return nil }
        // The oldest form has the year at its end and names no zone.
        let isOldest = words.count == 5
        guard isOldest || words[5] == "GMT",
            let day = Self.number(words[isOldest ? 2 : 1], digits: 1...2),
            let month = Self.months.firstIndex(of: String(words[isOldest ? 1 : 2])),
            let written = Self.number(words[isOldest ? 4 : 3], digits: 2...4)
        else { return nil }
        let clock = words[isOldest ? 3 : 4]
        guard clock.utf8.count == 8 else { return nil }
        let full = words[isOldest ? 4 : 3].utf8.count == 2 ? Self.century(of: written, year: year) : written
        return Timestamp.epochMilliseconds(
            "\(Self.pad(full, 4))-\(Self.pad(month + 1, 2))-\(Self.pad(day, 2))T\(clock)Z")
    }

    private static func century(of shortYear: Int, year: Int) -> Int {
        let candidate = year / 100 * 100 + shortYear
        return candidate > year + 50 ? candidate - 100 : candidate
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }

    private static func pad(_ value: Int, _ width: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
