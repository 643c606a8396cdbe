import JSON
import Machines

/// One property of the vendor's `Configuration`: its names, its type and its defaults.
///
/// The developer guide and the initializer of the SDK disagree on some defaults; a script chooses which ones count.
struct ConfigurationProperty: Hashable, Sendable {
    /// The name in the guide's table, or in the initializer where the table lacks it.
    let name: String

    /// Other spellings that are read as well.
    let aliases: [String]

    let type: ScriptType

    /// The default of the guide; nil where the guide has none.
    let guideDefault: JSONValue?

    /// The default of the initializer.
    let initializerDefault: JSONValue

    /// What it does here; one sentence.
    let summary: String

    private init(
        _ name: String, _ type: ScriptType, guide: JSONValue?, initializer: JSONValue? = nil, aliases: [String] = [],
        _ summary: String
    ) {
        self.name = name
        self.aliases = aliases
        self.type = type
        self.guideDefault = guide
        self.initializerDefault = initializer ?? guide ?? .null
        self.summary = summary
    }

    /// A delegate is the script itself: true means that the script answers.
    private static func delegate(_ name: String, _ summary: String) -> ConfigurationProperty {
        ConfigurationProperty(name, .boolean, guide: .null, initializer: .null, summary)
    }

    /// All properties, those of the guide's table first, in its order.
    static let all: [ConfigurationProperty] = Self.guide + Self.initializerOnly

    private static let guide = [
        ConfigurationProperty(
            "destination", .string, guide: "",
            "User name of the agent or group, or a full SIP URI; empty when a call exists."),
        ConfigurationProperty(
            "videoMode", .choice(["full", "agentOnly", "none"]), guide: "full", "Whose video the call shows."),
        ConfigurationProperty("correlationId", .string, guide: "", "The id of the co-browsing session."),
        ConfigurationProperty(
            "auditName", .string, guide: "", "The consumer's name in event logs; percent-encoded here."),
        ConfigurationProperty(
            "acceptSelfSignedCerts", .boolean, guide: false, "Whether any certificate of the server is accepted."),
        ConfigurationProperty(
            "useCookies", .boolean, guide: false, "Whether the server's cookies go with the WebSocket handshake."),
        ConfigurationProperty(
            "isAgentWindowOnTop", .boolean, guide: false, "Whether the agent's window of a call asks to be topmost."),
        ConfigurationProperty(
            "hidingTags", .list(.integer), guide: [], "Tags of elements drawn as black rectangles for the agent."),
        ConfigurationProperty(
            "maskingTags", .list(.integer), guide: [], "Tags of elements drawn as boxes in the mask color."),
        ConfigurationProperty(
            "maskColor", .string, guide: "black", "The color of those boxes, by its name or as #rrggbb."),
        ConfigurationProperty(
            "timeout", .duration, guide: 5.0, "How long the server may take to answer the session request."),
        ConfigurationProperty("sessionToken", .string, guide: "", "The token of a session that exists already."),
        ConfigurationProperty(
            "documentViewConstraints",
            .record([
                ParameterDeclaration("left", .integer, optional: true, "Pixels."),
                ParameterDeclaration("right", .integer, optional: true, "Pixels."),
                ParameterDeclaration("top", .integer, optional: true, "Pixels."),
                ParameterDeclaration("bottom", .integer, optional: true, "Pixels."),
            ]), guide: .null, "The margins of a shared document's window."),
        ConfigurationProperty(
            "addSharedDocCloseListener", .boolean, guide: true, aliases: ["addSharedDocCloseLink"],
            "Whether agent and consumer can close a shared document."),
        ConfigurationProperty(
            "keepAnnotationsOnChange", .boolean, guide: false,
            "Whether annotations stay when the content behind them changes."),
        Self.delegate("screenShareRequestedDelegate", "Whether the script answers requests for screen sharing."),
        Self.delegate("agentCobrowseDelegate", "Whether the script follows agents and admits each of them."),
        Self.delegate("connectionDelegate", "Whether connection events carry the delegate's callbacks."),
        Self.delegate("pushDelegate", "Whether the script answers for pushed documents; they are accepted otherwise."),
        ConfigurationProperty(
            "uui", .string, guide: "", "User-to-User information, sent in hexadecimal; ignored with a session token."),
        ConfigurationProperty(
            "retryIntervals", .list(.duration), guide: [1.0, 2.0, 4.0, 8.0, 16.0, 32.0], initializer: [],
            "The time before each automatic attempt to reconnect; empty for none."),
        ConfigurationProperty(
            "maxReconnectTimeouts", .list(.duration), guide: [5.0], initializer: [0.0],
            aliases: ["maxReconnectionTimeouts"],
            "How long each attempt may take; the last value repeats, zero is no limit."),
        ConfigurationProperty(
            "initialConnectTimeout", .duration, guide: 30.0, initializer: 0.0, aliases: ["initialConnectionTimeout"],
            "How long the first connection may take; zero is no limit."),
        ConfigurationProperty(
            "isProgrammaticUI", .boolean, guide: false, "Kept and shown; without a user interface it has no effect."),
    ]

    private static let initializerOnly = [
        ConfigurationProperty(
            "server", .string, guide: nil, initializer: "",
            "Host or URL without path; the target's unless given, and only of the target's host."),
        ConfigurationProperty(
            "autoStart", .boolean, guide: nil, initializer: false,
            "Kept and shown; an actor starts support when the script says so, with `start_support`."),
        ConfigurationProperty(
            "agentName", .string, guide: nil, initializer: "", "The name shown for an agent who tells none."),
        ConfigurationProperty(
            "permissionsColors", .map(.string), guide: nil, initializer: [:],
            "The color of boxes by permission marker; the mask color unless given."),
        ConfigurationProperty(
            "connection", .boolean, guide: nil, initializer: false,
            "Kept and shown; its meaning is not published."),
    ]

    /// The default that counts.
    func value(for source: DefaultsSource) -> JSONValue {
        switch source {
        case .guide: self.guideDefault ?? self.initializerDefault
        case .initializer: self.initializerDefault
        }
    }
}

/// Whose defaults count where the vendor contradicts itself.
enum DefaultsSource: String, CaseIterable, Hashable, Sendable {
    /// The table of the developer guide, whose prose says that it holds.
    case guide
    /// The signature of the SDK's initializer.
    case initializer
}
