import JSON
import Machines
import Patterns

/// How one member of rooms behaves; the options of an actor over those of its target.
struct ClientOptions: Sendable {
    /// By which way messages are sent and history is read.
    enum Carriage: String, Sendable {
        /// The service's own REST interface (SDKs since 2022).
        case rest
        /// Straight to the message carrier (older SDKs).
        case pubnub
    }

    /// Who the member is.
    struct Identity: Sendable {
        let accessToken: String?
        let nickname: String?
        let avatarURL: String?
        /// `shouldDisplayAvatar`: whether messages go out with the avatar.
        let displaysAvatar: Bool
    }

    /// The largest page of history (vendor's *Chat Session* page).
    static let pageLimit = 25

    let platform: Platform
    let carriage: Carriage
    let clientID: String
    /// `ChatSessionConfig.roomID`; both spellings of the vendor's page are read.
    let roomID: String?
    let identity: Identity
    let links: URLDetector
    let includesFiltered: Bool
    /// Whether an own message raises the new-message callback at once, as the vendor's SDK does.
    let echoesOwn: Bool
    /// `allowDiscardOwnPublishedMessageInSubscription`.
    let discardsOwnEcho: Bool
    let pageSize: Int
    /// The pause before the next try of the subscribe loop.
    let retryPause: RetryPause
    /// Whether events carry the wire form; without it a room of many members takes less memory.
    let keepsRaw: Bool
    /// A list keeps at most this many messages; the oldest leave it.
    let messageLimit: Int

    /// Reads the options.
    ///
    /// - Throws: ``ConfigurationError`` if a value cannot be used.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        let options = configuration.target.merging(configuration.options)
        let platform = Platform(rawValue: options["platform"]?.string ?? "ios") ?? .iOS
        self.platform = platform
        self.carriage = Carriage(rawValue: options["carriage"]?.string ?? "rest") ?? .rest
        self.clientID = options["client_id"]?.string ?? "repartee"
        self.roomID = options["roomID"]?.string ?? options["roomId"]?.string
        self.identity = Identity(
            accessToken: options["access_token"]?.string, nickname: options["nickname"]?.string,
            avatarURL: options["avatarURL"]?.string, displaysAvatar: options["shouldDisplayAvatar"]?.bool ?? false)
        let content = options["contentSession"]?.object ?? [:]
        func setting(_ name: String) -> JSONValue? { options[name] ?? content[name] }
        self.links = URLDetector(
            isEnabled: setting("enableChatMessageURLs")?.bool ?? (platform == .iOS),
            pattern: try setting("chatMessageUrlPatterns")?.string.map(Self.linkPattern))
        self.includesFiltered = options["includeFilteredChatMessages"]?.bool ?? false
        self.echoesOwn = options["echo_own"]?.bool ?? true
        self.discardsOwnEcho = options["allowDiscardOwnPublishedMessageInSubscription"]?.bool ?? true
        self.pageSize = try Self.pageSize(options)
        self.retryPause = RetryPause(options, on: platform)
        self.keepsRaw = options["raw"]?.bool ?? true
        let limit = options["message_limit"]?.integer ?? 5_000
        guard 1...100_000 ~= limit else {
            throw ConfigurationError("message_limit is a number from 1 to 100000, not \(limit)")
        }
        self.messageLimit = Int(limit)
    }

    /// Returns how many messages a page of history is asked for with.
    ///
    /// `messageHistoryLimit` is of the older SDK, which does not know the limit of the vendor's page; its carrier
    /// answers with at most 25 all the same. That it counts for either carriage is defined here.
    private static func pageSize(_ options: JSONObject) throws(ConfigurationError) -> Int {
        let (name, limit) =
            options["messageHistoryLimit"] == nil ? ("page_size", Self.pageLimit) : ("messageHistoryLimit", 100)
        guard name == "page_size" || options["page_size"] == nil else {
            throw ConfigurationError("messageHistoryLimit and page_size are one thing; give one of them")
        }
        let size = options[name]?.integer ?? Int64(Self.pageLimit)
        guard 1...Int64(limit) ~= size else {
            throw ConfigurationError("\(name) is a number from 1 to \(limit), not \(size)")
        }
        return Int(size)
    }

    private static func linkPattern(_ pattern: String) throws(ConfigurationError) -> TextRegex {
        do throws(RegexError) { return try TextRegex(pattern) } catch {
            throw ConfigurationError("chatMessageUrlPatterns \(pattern) cannot be read: \(error.message)")
        }
    }

    /// How often the spoiler-free queue looks at the play head (200 ms on iOS, 500 ms on Android).
    var playHeadInterval: Duration { self.platform == .iOS ? .milliseconds(200) : .milliseconds(500) }
}
