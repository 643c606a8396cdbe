import HTTPTypes
import JSON
import Machines

/// Who may use the channel at one moment, as its administrator and the faults have it.
struct ChannelGate: Sendable {
    /// What somebody is told for whom there is no room.
    static let full = Response(error: "The server knows as many users as it can.", .serviceUnavailable)

    let channel: ServerChannel
    let faults: ServerFaults
    /// The wall-clock time since 1970 UTC.
    let epochMilliseconds: Int64

    /// The user of a token for this channel; nil if it is not taken.
    func user(of token: String) -> String? { try? self.user(of: token, asked: self.channel.id) }

    private func user(of token: String, asked channelID: String) throws(TokenRejection) -> String {
        try self.channel.user(of: token, asked: channelID, epochSeconds: Double(self.epochMilliseconds) / 1000)
    }

    /// Whether the token of a request is that of its user.
    func takes(_ token: String, of asked: ChannelRequest) -> Bool {
        (try? self.user(of: token, asked: asked.channelID)) == asked.userID
    }

    /// Whether a request names the channel, and a user.
    func knows(_ asked: ChannelRequest) -> Bool { asked.channelID == self.channel.id && !asked.userID.isEmpty }

    /// Returns why an HTTP request is not taken, or nil if it is.
    ///
    /// - Parameter fault: The fault that a script sets for requests of this kind.
    func obstacle(to asked: ChannelRequest, _ fault: ServerFaults.Switch?) -> Response? {
        if let status = fault.flatMap({ self.faults.number($0) }) {
            return Response(error: "The server refuses.", .init(code: status))
        }
        guard self.knows(asked) else {
            return Response(error: "The channel or the user is unknown.", .notFound)
        }
        guard self.channel.isEnabled else { return Response(error: "The channel is disabled.", .forbidden) }
        guard self.channel.demandsToken else { return nil }
        guard let token = asked.bearer, self.takes(token, of: asked) else {
            return Response(error: "The token is missing or not taken.", .unauthorized)
        }
        return nil
    }
}

extension Response {
    /// An error in the form of the simulated server, which is defined here.
    init(error message: String, _ status: HTTPResponse.Status) {
        self.init(json: ["error": .string(message)], status: status)
    }
}
