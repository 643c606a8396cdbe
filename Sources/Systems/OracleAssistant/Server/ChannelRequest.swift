import HTTPTypes
import Machines

/// What a client's request says: where to, for which channel and user, with which token.
struct ChannelRequest: Sendable {
    /// The path without the query.
    let path: String

    /// The parameters, percent-decoded; clients encode them or not.
    let query: [String: String]

    /// The token of the header.
    let bearer: String?

    /// Reads a request.
    init(_ head: HTTPRequest) {
        let named = PathAndQuery(head)
        self.path = named.path
        self.query = named.parameters(plusIsSpace: false)
        let authorization = head.headerFields[.authorization] ?? ""
        self.bearer = authorization.hasPrefix("Bearer ") ? String(authorization.dropFirst(7)) : nil
    }

    /// The channel.
    var channelID: String { self.query["channelId"] ?? "" }
    /// The user.
    var userID: String { self.query["userId"] ?? "" }
}
