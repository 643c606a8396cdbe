import JSON
import MachineKit
import Machines

@testable import OracleAssistant

/// What walks through the parts of a client are made of.
enum PartFixture {
    static func configuration(_ options: JSONObject = [:]) -> ClientConfiguration {
        ClientConfiguration(origin: "http://oda.test", target: ["channel_id": "c"], options: options)
    }

    static func settings(_ options: JSONObject = [:]) throws -> ClientSettings {
        try ClientSettings(Self.configuration(options))
    }

    /// A moment at which the client is connected, unless another status is given.
    static func moment(_ status: ConnectionStatus = .open, isPolling: Bool = false, isStreaming: Bool = false)
        -> ClientMoment
    {
        let address = ChannelAddress(authority: "oda.test", isSecure: false, channelID: "c", userID: "u")
        return ClientMoment(
            now: .start, epochMilliseconds: 0, address: address, status: status, isPolling: isPolling,
            isStreaming: isStreaming, token: nil, thread: nil)
    }

    static func envelope(_ payload: JSONObject, from source: String = "BOT", id: String? = nil) -> Envelope {
        var members: JSONObject = ["messagePayload": .object(payload), "source": .string(source)]
        members["msgId"] = id.map { .string($0) }
        return Envelope(members: members)
    }

    static func text(_ words: String, from source: String = "BOT", id: String? = nil) -> Envelope {
        Self.envelope(["type": "text", "text": .string(words)], from: source, id: id)
    }
}
