import Machines

/// Base64 with the alphabet for URLs and without padding (RFC 4648 §5), as JSON Web Signatures use it.
enum Base64URL {
    /// Returns bytes as text.
    static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(
            Base64.encode(bytes).compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// Reads text, or returns nil if it is not of this form.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.contains(where: { "+/=".contains($0) }), text.utf8.count % 4 != 1 else { return nil }
        let standard = text.map { character -> Character in
            switch character {
            case "-": "+"
            case "_": "/"
            default: character
            }
        }
        return Base64.decode(String(standard) + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
