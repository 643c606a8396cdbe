/// The `application/x-www-form-urlencoded` form of names and values, and percent-encoding for URLs.
public enum FormEncoding {
    /// Returns pairs as a form body: `name=value&name=value`.
    public static func encode(_ pairs: [(String, String)]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pairs.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 2 })
        for (name, value) in pairs {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            Self.append(name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            Self.append(value, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the pairs of a form body or a query; `+` is a space unless it is said not to be, and broken escapes stay
    /// as they are.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = true) -> [(String, String)] {
        let bytes = Array(text.utf8)
        return bytes.split(separator: UInt8(ascii: "&")).map { pair in
            guard let middle = pair.firstIndex(of: UInt8(ascii: "=")) else {
                return (Self.decoded(pair, plusIsSpace: plusIsSpace), "")
            }
            return (
                Self.decoded(pair[..<middle], plusIsSpace: plusIsSpace),
                Self.decoded(pair[(middle + 1)...], plusIsSpace: plusIsSpace)
            )
        }
    }

    /// Returns the first name that two pairs of a form body have; nil if each has its own.
    public static func repeatedName(in text: some StringProtocol) -> String? {
        var names: Set<String> = []
        return Self.decode(text).first { !names.insert($0.0).inserted }?.0
    }

    /// Returns a text with every byte but the unreserved ones (RFC 3986 section 2.3) as `%XX`.
    public static func percentEncode(_ text: String) -> String {
        var bytes: [UInt8] = []
        Self.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if Self.isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 15))
            }
        }
    }

    /// Returns a text with `%XX` replaced by the byte; what is not valid UTF-8 then is repaired.
    public static func percentDecode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        Self.decoded(Array(text.utf8)[...], plusIsSpace: plusIsSpace)
    }

    private static func decoded(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(decoding: text, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "%"), index + 2 < text.endIndex, let high = Self.nibble(text[index + 1]),
                let low = Self.nibble(text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
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

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
