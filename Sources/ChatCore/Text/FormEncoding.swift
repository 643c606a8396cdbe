/// The `application/x-www-form-urlencoded` form of names and values, and percent-encoding for URLs.
public enum FormEncoding {
    /// Returns pairs as a form body: `name=value&name=value`.
    public static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(Self.percentEncode($0.0))=\(Self.percentEncode($0.1))" }.joined(separator: "&")
    }

    /// Reads the pairs of a form body or a query; `+` is a space, broken escapes stay as they are.
    public static func decode(_ text: some StringProtocol) -> [(String, String)] {
        text.split(separator: "&", omittingEmptySubsequences: true).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? Self.percentDecode(parts[1], plusIsSpace: true) : ""
            return (Self.percentDecode(parts[0], plusIsSpace: true), value)
        }
    }

    /// Returns a text with every byte but the unreserved ones (RFC 3986 §2.3) as `%XX`.
    public static func percentEncode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if Self.isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(contentsOf: [Self.digit(byte >> 4), Self.digit(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text with `%XX` replaced by the byte; what is not valid UTF-8 then is repaired.
    public static func percentDecode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = Self.byte(rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }

    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
