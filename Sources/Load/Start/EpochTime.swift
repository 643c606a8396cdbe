import Machines

/// A point in time that several machines mean alike: nanoseconds since 1970 UTC, from the wall clock.
///
/// Only the start of a run is told by it; everything after the start is measured on the run's own time line.
public struct EpochTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Nanoseconds since 1970 UTC.
    public var nanoseconds: Int64

    /// Creates a time.
    ///
    /// - Parameter nanoseconds: Nanoseconds since 1970 UTC.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Reads a time as RFC 3339, section 5.6 writes it: `2026-11-21T12:00:00Z`, with up to nine digits of a fraction of
    /// a second, and `Z` or a numeric offset.
    ///
    /// - Returns: Nil if the text has another form or names a day that does not exist.
    public init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t")
        else { return nil }
        var position = 19
        var fraction: Int64 = 0
        if bytes[position] == UInt8(ascii: ".") {
            position += 1
            var digits = 0
            while position < bytes.count, let digit = Self.digit(bytes[position]) {
                digits += 1
                guard digits <= 9 else { return nil }
                fraction = fraction * 10 + digit
                position += 1
            }
            guard digits > 0 else { return nil }
            for _ in digits..<9 { fraction *= 10 }
        }
        guard let offset = Self.offsetSeconds(bytes[position...]) else { return nil }
        let base = String(decoding: bytes[..<10], as: UTF8.self) + "T" + String(decoding: bytes[11..<19], as: UTF8.self)
        guard let milliseconds = Timestamp.epochMilliseconds(base + "Z"),
            // A 31st of February would be read as a day of March; a leap second is that of the next minute.
            Timestamp.text(epochMilliseconds: milliseconds).hasPrefix(base) || base.hasSuffix(":60")
        else { return nil }
        let seconds = milliseconds / 1000 - offset
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        self.nanoseconds = product + fraction
    }

    public var description: String {
        // Rounded down, also before 1970; as a Double, nanoseconds would not be exact.
        let (milliseconds, rest) = self.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Timestamp.text(epochMilliseconds: rest < 0 ? milliseconds - 1 : milliseconds)
    }

    public static func < (left: EpochTime, right: EpochTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the time a duration later; the sum stops at the ends of the 64-bit range instead of trapping.
    public static func + (time: EpochTime, duration: Duration) -> EpochTime {
        EpochTime(nanoseconds: (Instant(nanoseconds: time.nanoseconds) + duration).nanoseconds)
    }

    /// Returns the duration from the right time to the left one.
    public static func - (left: EpochTime, right: EpochTime) -> Duration {
        .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds)
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte - UInt8(ascii: "0")) : nil
    }

    /// Reads `Z` or `+hh:mm`.
    private static func offsetSeconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let bytes = Array(bytes)
        if bytes == [UInt8(ascii: "Z")] || bytes == [UInt8(ascii: "z")] { return 0 }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
            bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
        else { return nil }
        let digits = [bytes[1], bytes[2], bytes[4], bytes[5]].compactMap(Self.digit)
        guard digits.count == 4, digits[0] * 10 + digits[1] < 24, digits[2] < 6 else { return nil }
        let seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
        return bytes[0] == UInt8(ascii: "-") ? -seconds : seconds
    }
}
