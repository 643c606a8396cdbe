import JSON

/// The properties of the vendor's table "Network Configuration", and those of the connection that its clients have.
enum NetworkProperties {
    /// The properties, first those of the table.
    static let all: [Setting] = [
        Setting("url", .text, default: nil, .acts, "The URL of the chat server; the target's unless given."),
        Setting("channelId", .text, default: nil, .acts, "The channel; the target's unless given."),
        Setting(
            "userId", .text, default: nil, .acts,
            "The user; `user-`, the time in milliseconds, `-` and five digits unless given."),
        Setting(
            "authToken", aliases: ["token"], .text, default: nil, .acts,
            "A token for a channel that demands authentication; see also token_provider and token_fixture."),
        Setting(
            "clientAuthEnabled", .flag, default: nil, .acts,
            "Whether the channel demands a token; true if there is a source of tokens."),
        Setting(
            "authTransport", .choice(["frame", "header"]), default: "frame", .acts,
            "Whether the token goes in the first frame, as web clients do, or in the header of the handshake."),
        Setting(
            "channel", .choice(ChannelAddress.segments), default: "websdk", .acts,
            "The path segment that names the kind of client."),
        Setting(
            "enableSecureConnection", .flag, default: nil, .acts,
            "Whether TLS is used; as the URL's scheme says unless given."),
        Setting(
            "encodeQuery", .flag, default: false, .acts,
            "Whether query values are percent-encoded, as the vendor's clients did before release 22."),
        Setting(
            "reconnectMaxAttempts", .count(0...1000), default: 5, .acts,
            "How often the client tries again after the first failure; 5 unless given."),
        Setting(
            "reconnectInterval", .seconds(0...3600), default: 5, .acts,
            "The time between two tries; 5 seconds unless given."),
        Setting(
            "enableLongPolling", .flag, default: false, .acts,
            "Whether the client falls back to HTTP requests when no WebSocket opens."),
        Setting(
            "upgradeToWebSocketInterval", .seconds(1...86_400), default: 300, .acts,
            "How long requests are polled before a WebSocket is tried again; 300 seconds unless given."),
        Setting(
            "sdkVersion", .text, default: "25.02", .acts, "The version that the client tells the server."),
        Setting("sdkMetadata", .json, default: nil, .acts, "Members to add to the metadata of every message."),
        Setting("threadId", .text, default: nil, .acts, "The thread that messages belong to."),
        Setting(
            "enableCancelResponse", .flag, default: false, .acts,
            "Whether messages carry a number by which their answers can be dropped."),
        Setting("deviceToken", .text, default: nil, .acts, "Where push notifications would go."),
        Setting(
            "deviceType", .choice(["ios", "android", "desktop"]), default: "ios", .acts,
            "The kind of device of the device token."),
    ]
}
