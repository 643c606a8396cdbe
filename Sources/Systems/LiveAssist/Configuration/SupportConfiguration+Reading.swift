import JSON
import Machines

extension SupportConfiguration.Session {
    /// Reads the group from all properties.
    init(_ values: JSONObject) {
        self.init(
            correlationID: values.text("correlationId"), sessionToken: values.text("sessionToken"),
            auditName: values.text("auditName"), uui: values.text("uui"))
    }
}

extension SupportConfiguration.Call {
    /// Reads the group from all properties.
    init(_ values: JSONObject) {
        self.init(
            destination: values.text("destination"), videoMode: values.text("videoMode"),
            isAgentWindowOnTop: values.flag("isAgentWindowOnTop"))
    }
}

extension SupportConfiguration.Connection {
    /// Reads the group from all properties.
    init(_ values: JSONObject) {
        func seconds(_ name: String) -> Duration { Duration(scriptSeconds: values[name]?.double ?? 0) ?? .zero }
        func list(_ name: String) -> [Duration] {
            (values[name]?.array ?? []).prefix(100).compactMap { $0.double.flatMap(Duration.init(scriptSeconds:)) }
        }
        self.init(
            server: values.text("server"), acceptsSelfSigned: values.flag("acceptSelfSignedCerts"),
            usesCookies: values.flag("useCookies"), timeout: seconds("timeout"),
            initialTimeout: seconds("initialConnectTimeout"), retryIntervals: list("retryIntervals"),
            reconnectTimeouts: list("maxReconnectTimeouts"))
    }
}

extension SupportConfiguration.Masks {
    /// Reads the group from all properties.
    init(_ values: JSONObject) {
        func tags(_ name: String) -> Set<Int64> { Set((values[name]?.array ?? []).compactMap(\.integer)) }
        self.init(
            hidingTags: tags("hidingTags"), maskingTags: tags("maskingTags"), maskColor: values.text("maskColor"),
            permissionColors: Dictionary(
                (values["permissionsColors"]?.object ?? [:]).map { ($0.0.lowercased(), $0.1.string ?? "") },
                uniquingKeysWith: { _, last in last }))
    }
}

extension SupportConfiguration.Documents {
    /// Reads the group from all properties.
    init(_ values: JSONObject) {
        let margins = values["documentViewConstraints"]?.object.map { margins in
            func side(_ name: String) -> Int { Int(clamping: max(0, min(margins[name]?.integer ?? 0, 32_767))) }
            return Margins(left: side("left"), right: side("right"), top: side("top"), bottom: side("bottom"))
        }
        self.init(margins: margins, canClose: values.flag("addSharedDocCloseListener"))
    }
}

extension SupportConfiguration.Delegates {
    /// Reads the group from all properties.
    init(_ values: JSONObject) {
        self.init(
            hasScreenShare: values.flag("screenShareRequestedDelegate"),
            hasCobrowse: values.flag("agentCobrowseDelegate"), hasConnection: values.flag("connectionDelegate"),
            hasPush: values.flag("pushDelegate"))
    }
}

extension JSONObject {
    /// The text of a property; empty if it is none.
    func text(_ name: String) -> String { self[name]?.string ?? "" }

    /// Whether a property is set to true.
    func flag(_ name: String) -> Bool { self[name]?.bool ?? false }
}
