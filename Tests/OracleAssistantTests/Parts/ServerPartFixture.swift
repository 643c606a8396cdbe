import HTTPTypes
import JSON
import Machines

@testable import OracleAssistant

/// What walks through the parts of the simulated server are made of.
enum ServerPartFixture {
    /// The gate of a channel `c` at the start of a run.
    static func gate(_ options: JSONObject = [:], faults: JSONObject = [:]) throws -> ChannelGate {
        let channel = try ServerChannel(JSONObject([("channel_id", JSONValue.string("c"))]).merging(options))
        var all = ServerFaults()
        for (name, value) in faults { _ = all.set(name, value) }
        return ChannelGate(channel: channel, faults: all, epochMilliseconds: 1_000_000)
    }

    /// A token of the user `u` that the channel takes.
    static func token(_ gate: ChannelGate, user: String = "u") -> String {
        gate.channel.makeToken(["userId": .string(user)], epochSeconds: 1_000)
    }

    static func asked(_ path: String = "/chat/v1/chats/sockets/websdk", channel: String = "c", token: String? = nil)
        -> ChannelRequest
    {
        ChannelRequest(Self.request(path, channel: channel, token: token).head)
    }

    static func request(
        _ path: String, channel: String = "c", token: String? = nil, _ fields: HTTPFields = [:], body: String = ""
    ) -> Request {
        var fields = fields
        if let token { fields[.authorization] = "Bearer " + token }
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "oda.test", path: path + "?channelId=\(channel)&userId=u",
            headerFields: fields)
        return Request(head, body: Array(body.utf8))
    }

    static func envelope(_ text: String) -> Envelope {
        Envelope(members: ["messagePayload": ["type": "text", "text": .string(text)]])
    }
}
