import Machines

/// The time stamps of the service, which mixes `Z`, `+00:00` and `+0000`, and milli- and microseconds.
enum ServiceTime {
    /// Reads a time stamp in any of the forms seen.
    ///
    /// - Returns: Ticks of 100 ns since 1970 UTC, or nil if the text has another form.
    static func ticks(_ text: String) -> Int64? {
        guard text.utf8.count <= 40, text.utf8.count >= 20 else { return nil }
        let bytes = Array(text.utf8)
        guard let seconds = Timestamp.epochMilliseconds(String(decoding: bytes[..<19], as: UTF8.self) + "Z") else {
            return nil
        }
        var rest = bytes[19...]
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            guard !digits.isEmpty, digits.count <= 9 else { return nil }
            rest = rest.dropFirst(digits.count)
            for place in 0..<7 {
                let digit = place < digits.count ? digits[digits.startIndex + place] - 0x30 : 0
                fraction = fraction * 10 + Int64(digit)
            }
        }
        guard let offset = Self.offsetSeconds(String(decoding: rest, as: UTF8.self)) else { return nil }
        return (seconds - offset * 1000) * 10_000 + fraction
    }

    /// Returns the form that the service writes most: UTC with microseconds and `Z`.
    static func text(ticks: Int64) -> String {
        // Times before 1970 count downwards, and their fractions upwards all the same.
        let fraction = (ticks % 10_000 + 10_000) % 10_000
        let milliseconds = (ticks - fraction) / 10_000
        let digits = String(fraction / 10)
        return Timestamp.text(epochMilliseconds: milliseconds).dropLast()
            + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }

    private static func offsetSeconds(_ text: String) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.utf8.count == 4, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(digits),
            number / 100 < 24, number % 100 < 60
        else { return nil }
        return (number / 100 * 3600 + number % 100 * 60) * (sign == "-" ? -1 : 1)
    }
}
