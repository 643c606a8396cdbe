/// Times as chat protocols write them: UTC, ISO 8601, to the millisecond.
public enum Timestamp {
    /// Returns `yyyy-MM-ddTHH:mm:ss.SSSZ` for a count of milliseconds since 1970 UTC.
    public static func text(epochMilliseconds: Int64) -> String {
        let milliseconds = ((epochMilliseconds % 86_400_000) + 86_400_000) % 86_400_000
        let (year, month, day) = Self.civil(day: (epochMilliseconds - milliseconds) / 86_400_000)
        let seconds = milliseconds / 1000
        return "\(Self.pad(year, 4))-\(Self.pad(month, 2))-\(Self.pad(day, 2))T"
            + "\(Self.pad(seconds / 3600, 2)):\(Self.pad(seconds / 60 % 60, 2)):\(Self.pad(seconds % 60, 2))"
            + ".\(Self.pad(milliseconds % 1000, 3))Z"
    }

    /// Reads `yyyy-MM-ddTHH:mm:ssZ`, with or without milliseconds.
    ///
    /// - Returns: Milliseconds since 1970 UTC, or nil if the text has another form or names a day that there is not.
    public static func epochMilliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 || bytes.count == 24, bytes.last == UInt8(ascii: "Z"),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes.count == 20 || bytes[19] == UInt8(ascii: "."),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
            1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 61
        else { return nil }
        let fraction = bytes.count == 24 ? Self.number(bytes[20..<23]) : 0
        let dayNumber = Self.dayNumber(year, month, day)
        // Otherwise the 31st of February would be a day of March.
        guard let fraction, Self.civil(day: dayNumber) == (year, month, day) else { return nil }
        let seconds = ((dayNumber * 24 + hour) * 60 + minute) * 60 + second
        return seconds * 1000 + fraction
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Days since 1970-01-01 of a date of the Gregorian calendar; years are counted from March so that leap days come
    /// last.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
