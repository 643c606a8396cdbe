import Machines

/// What a connection needs to know: where to, and how patient it is.
struct ConnectionSettings: Hashable, Sendable {
    /// Where the chat server is and which conversation is meant.
    var address: ChannelAddress

    /// Whether the channel demands a token.
    var needsToken: Bool

    /// Whether the token goes in the handshake's header in place of the first frame.
    var sendsTokenInHeader: Bool

    /// How often to try again after the first failure.
    var maximumAttempts: Int

    /// The time between two tries.
    var retryInterval: Duration

    /// Whether to fall back to HTTP requests.
    var canPoll: Bool

    /// How long to poll before a WebSocket is tried again.
    var upgradeInterval: Duration

    /// After how long an open connection is closed and opened anew.
    static let refreshInterval = Duration.seconds(3000)

    /// After how long a token counts as taken.
    static let tokenGrace = Duration.seconds(10)

    /// How long a closing handshake may take before the connection is dropped; defined here.
    static let closeTimeout = Duration.seconds(5)

    /// The tries before polling, which do not follow the configuration.
    static let triesBeforePolling = (attempts: 5, interval: Duration.seconds(2))

    /// How many polls may fail in a row.
    static let pollFailureLimit = 5

    /// Reads the configuration.
    init(_ settings: ClientSettings, address: ChannelAddress) {
        self.address = address
        self.needsToken = settings.flag("clientAuthEnabled")
        self.sendsTokenInHeader = settings.text("authTransport") == "header"
        self.canPoll = settings.flag("enableLongPolling")
        self.maximumAttempts = self.canPoll ? Self.triesBeforePolling.attempts : settings.count("reconnectMaxAttempts")
        self.retryInterval = self.canPoll ? Self.triesBeforePolling.interval : settings.span("reconnectInterval")
        self.upgradeInterval = settings.span("upgradeToWebSocketInterval")
    }
}
