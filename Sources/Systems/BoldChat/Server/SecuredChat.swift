import ChatCore
import JSON

/// The values of a chat that only a customer's own server can have made.
///
/// The vendor encrypts them with PGP. Here they carry a keyed checksum instead, so that a test needs no keyring; the
/// form `signature:Data` and the checksum are defined here and protect nothing outside a rehearsal.
enum SecuredChat {
    /// Returns signed values, as the `secured` option takes them.
    static func sign(_ values: [String: String], secret: String) -> String {
        let data = JSONValue.object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        return "\(Self.signature(of: data.description, secret: secret)):\(data)"
    }

    /// Returns whether a text was signed with a secret.
    static func isValid(_ text: String?, secret: String) -> Bool {
        guard let parts = text?.split(separator: ":", maxSplits: 1), parts.count == 2 else { return false }
        return parts[0] == Self.signature(of: String(parts[1]), secret: secret)
    }

    private static func signature(of data: String, secret: String) -> String {
        let seed = RandomSource.seed(RandomSource.seed(0, for: secret), for: data)
        return String(RandomSource.seed(seed, for: secret), radix: 16)
    }
}
