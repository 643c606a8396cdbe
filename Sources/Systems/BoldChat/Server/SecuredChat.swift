import JSON
import Machines

/// The values of a chat that only a customer's own server can have made.
///
/// The vendor encrypts them with PGP. Here they carry a keyed checksum instead, so that a test needs no keyring; the
/// form `signature:{"Data":{…},"Unsecured":[…]}` and the checksum are defined here and protect nothing outside a
/// rehearsal.
enum SecuredChat {
    /// What a signature covers.
    struct Content: Hashable, Sendable {
        var values: [String: String]
        /// The names that may be sent in the clear.
        var unsecured: [String]
    }

    /// Returns signed values, as the `secured` option takes them.
    static func sign(_ values: [String: String], unsecured: [String], secret: String) -> String {
        let data = JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let content: JSONValue = ["Data": .object(data), "Unsecured": .array(unsecured.map { .string($0) })]
        return "\(Self.signature(of: content.description, secret: secret)):\(content)"
    }

    /// Returns what was signed, or nil if the signature is not that of the secret.
    static func open(_ text: String?, secret: String) -> Content? {
        guard let parts = text?.split(separator: ":", maxSplits: 1), parts.count == 2,
            parts[0] == Self.signature(of: String(parts[1]), secret: secret),
            let members = (try? JSONReader.read(String(parts[1])))?.object
        else { return nil }
        var values: [String: String] = [:]
        for (key, value) in members["Data"]?.object ?? [:] { values[key] = CreationOptions.text(value) }
        return Content(values: values, unsecured: (members["Unsecured"]?.array ?? []).compactMap(\.string))
    }

    private static func signature(of data: String, secret: String) -> String {
        let seed = RandomSource.seed(RandomSource.seed(0, for: secret), for: data)
        return String(RandomSource.seed(seed, for: secret), radix: 16)
    }
}
