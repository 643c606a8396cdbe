import JSON
import Testing

/// What the vendor's page *Session Configuration* says, as facts of our own making; ``ConfigurationTests`` compares
/// them with the page itself where that lies beside the checkout.
enum LiveAssistFacts {
    /// A property and the value that it has unless set.
    struct Row: Sendable, Equatable, CustomTestStringConvertible {
        let property: String
        let defaultValue: JSONValue
        var testDescription: String { self.property }

        init(_ property: String, _ defaultValue: JSONValue) {
            self.property = property
            self.defaultValue = defaultValue
        }
    }

    /// The table of properties, in its order; what stands for a behavior or for nothing is null.
    static let rows = [
        Row("destination", ""),
        Row("videoMode", "full"),
        Row("correlationId", ""),
        Row("auditName", ""),
        Row("acceptSelfSignedCerts", false),
        Row("useCookies", false),
        Row("isAgentWindowOnTop", false),
        Row("hidingTags", []),
        Row("maskingTags", []),
        Row("maskColor", "black"),
        Row("timeout", 5.0),
        Row("sessionToken", ""),
        Row("documentViewConstraints", .null),
        Row("addSharedDocCloseListener", true),
        Row("keepAnnotationsOnChange", false),
        Row("screenShareRequestedDelegate", .null),
        Row("agentCobrowseDelegate", .null),
        Row("connectionDelegate", .null),
        Row("pushDelegate", .null),
        Row("uui", ""),
        Row("retryIntervals", [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]),
        Row("maxReconnectTimeouts", [5.0]),
        Row("initialConnectTimeout", 30.0),
        Row("isProgrammaticUI", false),
    ]

    /// What else the page names: types, addresses and rules.
    static let others = [
        "maxReconnectionTimeouts", "VideoMode.full", "VideoMode.agentOnly", "VideoMode.none", "Configuration",
        "initWithServer", "startSupport", "startSupport error", "parseURL", "assistSDKScreenShareRequested",
        "AgentCobrowseDelegate", "agentCobrowse before screenShare", "the prompt without delegates",
        "ASDKConnectionStatusDelegate", "PushAuthorizationDelegate", "DocumentViewConstraints", "ShortCode",
        "shortCode", "session-token", "cid", "shortcode/create", "shortcode/create auditName", "shortcode/consumer",
        "shortcode/consumer auditName", "shortcode/agent", "a code used by both is over",
        "the agent's token of a code", "life of a code", "escalation of a call", "no destination with a token",
        "uui only in trusted mode", "uui in hexadecimal", "an empty list is no attempt", "the last limit repeats",
        "a destination makes the call",
    ]

    /// The labels of the arguments of the two initializers.
    static let labels = [
        "acceptSelfSignedCerts", "addSharedDocCloseLink", "agentName", "auditName", "autoStart", "connection",
        "connectionDelegate", "correlationId", "destination", "documentViewConstraints", "hidingTags",
        "initialConnectionTimeout", "isAgentWindowOnTop", "isProgrammaticUI", "keepAnnotationsOnChange", "maskColor",
        "maskingTags", "maxReconnectTimeouts", "permissionsColors", "pushDelegate", "retryIntervals",
        "screenShareRequestedDelegate", "server", "sessionToken", "timeout", "useCookies", "uui", "videoMode",
    ]
}
