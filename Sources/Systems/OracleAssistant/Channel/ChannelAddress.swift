import HTTPTypes
import JSON
import Machines

/// Where a channel's chat server is and which conversation is meant.
///
/// The paths are those of the vendor's web client; the path segment of its iOS and Android clients is not public, so
/// `iossdk` and `androidsdk` are defined here.
struct ChannelAddress: Hashable, Sendable {
    /// The path segments that name a kind of client.
    static let segments = ["websdk", "iossdk", "androidsdk"]

    /// Host and port.
    var authority: String

    /// Whether TLS is used.
    var isSecure: Bool

    /// The kind of client, a path segment.
    var segment = "websdk"

    /// The channel.
    var channelID: String

    /// The user.
    var userID: String

    /// Whether query values are percent-encoded; the vendor's client stopped doing so with release 22.
    var encodesQuery = false

    /// Returns the request that opens the WebSocket of a conversation.
    func socketRequest(token: String?) -> HTTPRequest {
        self.request(
            .get, scheme: self.isSecure ? "wss" : "ws", path: "/chat/v1/chats/sockets/\(self.segment)", token: token)
    }

    /// Returns a request to an HTTP endpoint of the same server.
    ///
    /// - Parameters:
    ///   - path: The path, such as `/chat/v1/attachments`.
    ///   - extra: Parameters that stand before the channel's, percent-encoded.
    func httpRequest(
        _ method: HTTPRequest.Method, path: String, extra: [(String, String)] = [], token: String?
    ) -> HTTPRequest {
        self.request(method, scheme: self.isSecure ? "https" : "http", path: path, extra: extra, token: token)
    }

    /// Returns the request that opens the speech recognition for a locale.
    func speechRequest(locale: String, hasToken: Bool) -> HTTPRequest {
        var extra = [("encodeURI", "audio/raw")]
        if hasToken { extra.append(("jwtInBody", "true")) }
        return self.request(
            .get, scheme: self.isSecure ? "wss" : "ws", path: "/voice/stream/recognize/\(locale)/generic",
            extra: extra, token: nil)
    }

    private func request(
        _ method: HTTPRequest.Method, scheme: String, path: String, extra: [(String, String)] = [], token: String?
    ) -> HTTPRequest {
        let pairs = [("channelId", self.channelID), ("userId", self.userID)]
        var parameters = pairs.map { "\($0.0)=\(self.queryValue($0.1))" }.joined(separator: "&")
        if !extra.isEmpty { parameters = FormEncoding.encode(extra) + "&" + parameters }
        var head = HTTPRequest(method: method, scheme: scheme, authority: self.authority, path: path + "?" + parameters)
        if let token { head.headerFields[.authorization] = "Bearer \(token)" }
        return head
    }

    /// Without encoding, only what would break the request line is encoded; defined here.
    private func queryValue(_ text: String) -> String {
        if self.encodesQuery { return FormEncoding.percentEncode(text) }
        return text.unicodeScalars.map { scalar in
            let breaks = !(0x21...0x7E).contains(scalar.value) || "#&%+".unicodeScalars.contains(scalar)
            return breaks ? FormEncoding.percentEncode(String(scalar)) : String(scalar)
        }.joined()
    }

    /// Splits a configured URL: a leading `http://` or `https://` is taken off whatever its case, and a path.
    ///
    /// - Returns: Host and port, and whether the scheme asks for TLS; nil if the URL is empty.
    static func split(_ url: String) -> (authority: String, isSecure: Bool?)? {
        let lowered = url.lowercased()
        for (prefix, isSecure) in [("https://", true), ("http://", false), ("wss://", true), ("ws://", false)]
        where lowered.hasPrefix(prefix) {
            let rest = String(url.dropFirst(prefix.count)).prefix { $0 != "/" }
            return rest.isEmpty ? nil : (String(rest), isSecure)
        }
        let host = url.prefix { $0 != "/" }
        return host.isEmpty ? nil : (String(host), nil)
    }
}
