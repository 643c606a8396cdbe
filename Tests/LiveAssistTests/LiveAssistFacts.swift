import JSON
import Testing

/// What the vendor's page *Session Configuration* says, as facts of our own making; ``ConfigurationTests`` compares them with
/// the page itself where that lies beside the checkout.
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

    /// The labels of the arguments of the two initializers.
    static let labels = [
        "acceptSelfSignedCerts", "addSharedDocCloseLink", "agentName", "auditName", "autoStart", "connection",
        "connectionDelegate", "correlationId", "destination", "documentViewConstraints", "hidingTags",
        "initialConnectionTimeout", "isAgentWindowOnTop", "isProgrammaticUI", "keepAnnotationsOnChange", "maskColor",
        "maskingTags", "maxReconnectTimeouts", "permissionsColors", "pushDelegate", "retryIntervals",
        "screenShareRequestedDelegate", "server", "sessionToken", "timeout", "useCookies", "uui", "videoMode",
    ]
}
