import JSON
import Machines

/// What `startSupport` is given.
struct SupportConfiguration: Hashable, Sendable {
    /// Margins of a document's window in pixels.
    struct Margins: Hashable, Sendable {
        let left: Int
        let right: Int
        let top: Int
        let bottom: Int
    }

    /// All properties by the guide's names, defaults included.
    let values: JSONObject

    let destination: String
    let videoMode: String
    let correlationID: String
    let auditName: String
    let acceptsSelfSigned: Bool
    let usesCookies: Bool
    let isAgentWindowOnTop: Bool
    let hidingTags: Set<Int64>
    let maskingTags: Set<Int64>
    let maskColor: String
    let timeout: Duration
    let sessionToken: String
    let documentMargins: Margins?
    let canCloseDocuments: Bool
    let keepsAnnotations: Bool
    let hasScreenShareDelegate: Bool
    let hasCobrowseDelegate: Bool
    let hasConnectionDelegate: Bool
    let hasPushDelegate: Bool
    let uui: String
    let retryIntervals: [Duration]
    let reconnectTimeouts: [Duration]
    let initialTimeout: Duration
    let agentName: String
    let permissionColors: [String: String]
    let server: String

    /// Reads a configuration; what is not given has the default of its source.
    ///
    /// - Throws: ``ConfigurationError`` if values contradict each other.
    init(_ options: JSONObject) throws(ConfigurationError) {
        let source = DefaultsSource(rawValue: options["defaults"]?.string ?? "guide") ?? .guide
        var values: JSONObject = [:]
        for property in ConfigurationProperty.all {
            let given = ([property.name] + property.aliases).lazy.compactMap { options[$0] }.first
            values[property.name] = given ?? property.value(for: source)
        }
        func text(_ name: String) -> String { values[name]?.string ?? "" }
        func flag(_ name: String) -> Bool { values[name]?.bool ?? false }
        func seconds(_ name: String) -> Duration { Duration(scriptSeconds: values[name]?.double ?? 0) ?? .zero }
        func list(_ name: String) -> [Duration] {
            (values[name]?.array ?? []).prefix(100).compactMap { $0.double.flatMap(Duration.init(scriptSeconds:)) }
        }
        self.values = values
        self.destination = text("destination")
        self.videoMode = text("videoMode")
        self.correlationID = text("correlationId")
        self.auditName = text("auditName")
        self.acceptsSelfSigned = flag("acceptSelfSignedCerts")
        self.usesCookies = flag("useCookies")
        self.isAgentWindowOnTop = flag("isAgentWindowOnTop")
        self.hidingTags = Set((values["hidingTags"]?.array ?? []).compactMap(\.integer))
        self.maskingTags = Set((values["maskingTags"]?.array ?? []).compactMap(\.integer))
        self.maskColor = text("maskColor")
        self.timeout = seconds("timeout")
        self.sessionToken = text("sessionToken")
        self.documentMargins = values["documentViewConstraints"]?.object.map { margins in
            func side(_ name: String) -> Int { Int(clamping: max(0, min(margins[name]?.integer ?? 0, 32_767))) }
            return Margins(left: side("left"), right: side("right"), top: side("top"), bottom: side("bottom"))
        }
        self.canCloseDocuments = flag("addSharedDocCloseListener")
        self.keepsAnnotations = flag("keepAnnotationsOnChange")
        self.hasScreenShareDelegate = flag("screenShareRequestedDelegate")
        self.hasCobrowseDelegate = flag("agentCobrowseDelegate")
        self.hasConnectionDelegate = flag("connectionDelegate")
        self.hasPushDelegate = flag("pushDelegate")
        self.uui = text("uui")
        self.retryIntervals = list("retryIntervals")
        self.reconnectTimeouts = list("maxReconnectTimeouts")
        self.initialTimeout = seconds("initialConnectTimeout")
        self.agentName = text("agentName")
        self.permissionColors = Dictionary(
            (values["permissionsColors"]?.object ?? [:]).map { ($0.0.lowercased(), $0.1.string ?? "") },
            uniquingKeysWith: { _, last in last })
        self.server = text("server")
        guard self.sessionToken.utf8.count <= 4096, self.sessionToken.isVisibleASCII else {
            throw ConfigurationError(
                "sessionToken is printable ASCII of at most 4096 bytes; take it from the short code")
        }
    }

    /// Who is asked when an agent wants to co-browse.
    var cobrowseCallback: CobrowseCallback {
        // The agent delegate comes before the screen-share delegate, which comes before the default prompt.
        if self.hasCobrowseDelegate { return .agentCobrowse }
        return self.hasScreenShareDelegate ? .screenShare : .prompt
    }

    /// The limit of an attempt to reconnect, counted from zero; nil for none.
    func reconnectTimeout(attempt: Int) -> Duration? {
        guard !self.reconnectTimeouts.isEmpty else { return nil }
        let limit = self.reconnectTimeouts[min(attempt, self.reconnectTimeouts.count - 1)]
        return limit > .zero ? limit : nil
    }
}

/// The three ways in which a request to co-browse reaches the application.
enum CobrowseCallback: Hashable, Sendable {
    case agentCobrowse
    case screenShare
    /// The SDK's own prompt; once it was accepted, every agent is admitted.
    case prompt
}
