/// Base64 with the standard alphabet and padding (RFC 4648 section 4).
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns bytes as base64 text.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        Self.encode(Array(bytes))
    }

    /// Returns bytes as base64 text.
    public static func encode(_ bytes: [UInt8]) -> String {
        let length = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: length) { text in
            var place = 0
            var index = 0
            while index < bytes.count {
                let count = min(3, bytes.count - index)
                var bits = UInt32(bytes[index]) << 16
                if count > 1 { bits |= UInt32(bytes[index + 1]) << 8 }
                if count > 2 { bits |= UInt32(bytes[index + 2]) }
                for position in 0..<4 {
                    text[place + position] =
                        position > count
                        ? UInt8(ascii: "=") : Self.alphabet[Int(bits >> UInt32(18 - 6 * position)) & 63]
                }
                place += 4
                index += 3
            }
            return length
        }
    }

    /// Reads base64 text.
    ///
    /// - Returns: Nil if a character, the length or the padding is wrong.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let padding = characters.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var bits: UInt32 = 0
        for (index, character) in characters.enumerated() {
            let isPadding = index >= characters.count - padding
            guard let value = isPadding ? 0 : Self.value(of: character) else { return nil }
            bits = bits << 6 | value
            if index % 4 == 3 {
                bytes.append(contentsOf: [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)])
            }
        }
        bytes.removeLast(padding)
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
