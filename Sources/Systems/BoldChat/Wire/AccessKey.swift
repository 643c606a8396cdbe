import Machines

/// The key that names a BoldChat account and lets a client in.
///
/// Vendor forms: `AccountID:ApiSettingId:ApiKey`, the same with a fourth part that names a server set (such as `eu`),
/// the older `AccountID:ApiKey`, and a private key of eight `Name:Value` parts separated by `;`.
struct AccessKey: Hashable, Sendable {
    /// The key that the simulated server and a client without a key of their own agree on; defined here.
    static let rehearsal = "1000100010001:2000200020002:rehearsal"

    /// The account, which stands in every path.
    let accountID: String

    /// What proves the right to use the account, without the server set.
    let credential: String

    /// The part of the vendor's host names after `api`, or nil for the first server set.
    let serverSet: String?

    /// Whether this is the eight-part form, which is sent as it is.
    let isPrivate: Bool

    /// Reads a key.
    ///
    /// - Returns: Nil if the key has none of the known forms or one of its parts is empty.
    init?(_ text: String) {
        let named = Self.split(text, at: UInt8(ascii: ";"))
        if named.count == Self.privateNames.count {
            var values: [String] = []
            for (part, name) in zip(named, Self.privateNames) {
                guard part.hasPrefix(name + ":") else { return nil }
                values.append(String(part.dropFirst(name.count + 1)))
            }
            guard !values[0].isEmpty else { return nil }
            self.accountID = values[0]
            self.credential = named.dropLast().joined(separator: ";")
            self.serverSet = values[7].isEmpty ? nil : values[7]
            self.isPrivate = true
            return
        }
        let parts = Self.split(text, at: UInt8(ascii: ":")).map(String.init)
        guard 2...4 ~= parts.count, !parts.contains(""),
            text.isVisibleASCII || !text.contains(where: \.isWhitespace)
        else { return nil }
        self.accountID = parts[0]
        self.credential = parts.prefix(3).joined(separator: ":")
        self.serverSet = parts.count == 4 ? parts[3] : nil
        self.isPrivate = false
    }

    private static func split(_ text: String, at separator: UInt8) -> [Substring] {
        text.utf8.split(separator: separator, omittingEmptySubsequences: false).map(Substring.init)
    }

    private static let privateNames = [
        "AccountID", "ChatWindowDefID", "WebsiteDefID", "OperatorID", "DepartmentID", "Timestamp", "Key", "ServerSet",
    ]

    /// The value of the `auth` parameter and of the Basic scheme.
    var authorization: String { self.isPrivate ? self.credential : Base64.encode(Array(self.credential.utf8)) }

    /// The vendor's REST origin for this key.
    ///
    /// A server set that is a domain of its own (`*.boldchat.*`, `*.bold360.*`) stands for the whole host.
    var vendorOrigin: String {
        guard let set = self.serverSet else { return "https://api.boldchat.com" }
        if set.contains(".") { return "https://" + set }
        return "https://api\(set.hasPrefix("-") ? set : "-" + set).boldchat.com"
    }
}
