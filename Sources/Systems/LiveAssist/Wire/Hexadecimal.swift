/// The hexadecimal form in which the SIP User-to-User header carries the UUI.
enum Hexadecimal {
    /// Returns the UTF-8 bytes of a text as lower-case digits.
    static func encode(_ text: String) -> String {
        var digits: [UInt8] = []
        for byte in text.utf8 {
            digits.append(Self.digit(byte >> 4))
            digits.append(Self.digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the text of hexadecimal digits, or nil if they are none or no UTF-8.
    static func decode(_ text: String) -> String? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2), digits.count <= 65_536 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16),
                digits[index] != UInt8(ascii: "+"), digits[index] != UInt8(ascii: "-")
            else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
