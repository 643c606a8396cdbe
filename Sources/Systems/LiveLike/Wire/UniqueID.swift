import ChatCore

/// Identifiers as the vendor makes them: UUIDs of version 4 in lower case (RFC 9562 §5.4).
enum UniqueID {
    private static let variants = Array("89ab")

    /// Returns a new identifier.
    static func make(_ random: inout RandomSource) -> String {
        let digits = random.hexadecimalDigits(32)
        var text = ""
        text.reserveCapacity(36)
        for (place, digit) in digits.enumerated() {
            if place == 8 || place == 12 || place == 16 || place == 20 { text.append("-") }
            switch place {
            case 12: text.append("4")
            case 16: text.append(Self.variants[(digit.hexDigitValue ?? 0) % 4])
            default: text.append(digit)
            }
        }
        return text
    }
}
