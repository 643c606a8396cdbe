import JSON

/// What is a credential by its name alone, and is hidden although no script has called it a secret.
///
/// - header fields: `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`, `X-API-Key`, `X-Auth-Token` and
///   `X-CSRF-Token`
/// - members of JSON and of forms, and parameters of URLs, by the names below, however they are put together (`apiKey`,
///   `api_key`, `API-Key`)
/// - the part of a URL that stands before its host (`https://ada:opensesame@…`)
///
/// A member that is called just `token` may be anything: a piece of a streamed answer, the name of a file. It is hidden
/// where its value looks like a credential: at least 16 characters, letters and digits, without a space.
public enum CredentialNames {
    /// The names of members, in small letters and without `-` and `_`.
    static let memberNames: Set<String> = [
        "password", "passwd", "passphrase", "pwd", "secret", "clientsecret", "secretkey", "apikey", "apisecret",
        "accesskey", "privatekey", "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken",
        "bearertoken", "authorization", "proxyauthorization", "cookie", "setcookie", "xapikey", "xauthtoken",
        "xcsrftoken",
    ]

    /// The names of header fields, spelled like ``memberNames``.
    static let headerNames: Set<String> = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "xapikey", "xauthtoken", "xcsrftoken",
    ]

    /// The longest of the names, with room for what may join its words.
    static let longestName = 24

    /// Spells a name as it stands in the lists.
    static func spelled(_ name: some Sequence<UInt8>) -> String {
        String(
            decoding: name.lazy.filter { !Self.isJoint($0) }.map { byte in
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
            }, as: UTF8.self)
    }

    /// Whether a text could be a token of an account, and is not a word or a piece of an answer.
    static func looksLikeToken(_ text: some Collection<UInt8>) -> Bool {
        text.count >= 16 && text.allSatisfy { $0 > 0x20 }
            && text.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            && text.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    /// Whether a name could be one of a credential: its first two letters and its last one are those of such a name,
    /// and it is as long. Told without making a text of it, for every member of every entry is asked for.
    static func mayBeOne(_ name: String) -> Bool { Self.mayBeOne(name.utf8) }

    /// Whether the bytes of a name could be one of a credential.
    static func mayBeOne(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        guard 3...Self.longestName ~= bytes.count, let first = bytes.first, let last = bytes.last else { return false }
        // What joins words may also stand around them.
        let second = bytes[bytes.index(after: bytes.startIndex)]
        guard !Self.isJoint(first), !Self.isJoint(second), !Self.isJoint(last) else { return true }
        guard Self.ends[Int(last & 0x1F)] & Self.bit(of: first) != 0 else { return false }
        let ends = Self.letters(first, second, last)
        return Self.shapes.contains { $0.ends == ends && $0.length <= bytes.count }
    }

    private static func isJoint(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") }

    /// The first two letters and the last one of each name, and how many it has at least.
    private static let shapes = (Self.memberNames + ["token"]).map { name in
        let bytes = Array(name.utf8)
        return (ends: Self.letters(bytes[0], bytes[1], bytes[bytes.count - 1]), length: bytes.count)
    }

    private static func letters(_ first: UInt8, _ second: UInt8, _ last: UInt8) -> UInt32 {
        UInt32(first & 0x1F) << 16 | UInt32(second & 0x1F) << 8 | UInt32(last & 0x1F)
    }

    /// For each last letter of a name the first ones, a bit each: enough to tell most names.
    private static let ends = Self.shapes.reduce(into: [UInt32](repeating: 0, count: 32)) { ends, shape in
        ends[Int(shape.ends & 0x1F)] |= 1 << (shape.ends >> 16)
    }

    /// The bit of a letter, small or capital; others share them.
    private static func bit(of letter: UInt8) -> UInt32 { 1 << UInt32(letter & 0x1F) }

    /// Returns the value of a member that is a credential with everything hidden in it; nil for any other member.
    static func masked(_ value: JSONValue, of name: String) -> JSONValue? {
        guard Self.mayBeOne(name) else { return nil }
        let spelled = Self.spelled(name.utf8)
        if spelled == "token", let text = value.string, Self.looksLikeToken(text.utf8) {
            return .string(SecretMasker.mask)
        }
        guard Self.memberNames.contains(spelled) else { return nil }
        return Self.masked(value)
    }

    /// Whether a member is a credential with something to hide in it.
    static func isOne(_ value: JSONValue, of name: String) -> Bool { Self.masked(value, of: name) != nil }

    private static func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: value
        case .string(let text): text.isEmpty ? value : .string(SecretMasker.mask)
        case .integer, .double, .numeral: .string(SecretMasker.mask)
        case .array(let elements): .array(elements.map { Self.masked($0) })
        case .object(let members): .object(JSONObject(members.map { ($0, Self.masked($1)) }))
        }
    }
}
