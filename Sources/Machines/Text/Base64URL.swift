/// Base64 with the alphabet for URLs and without padding (RFC 4648 section 5), as JSON Web Signatures use it.
public enum Base64URL {
    /// Returns bytes as text.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        let digits = Base64.encode(bytes).utf8.compactMap { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: digit
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Reads text, or returns nil if it is not of this form.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }), text.utf8.count % 4 != 1 else { return nil }
        let digits = text.utf8.map { digit in
            switch digit {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: digit
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return Base64.decode(String(decoding: digits + padding, as: UTF8.self))
    }
}
