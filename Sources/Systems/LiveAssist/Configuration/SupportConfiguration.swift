import JSON
import Machines

/// What `startSupport` is given.
struct SupportConfiguration: Hashable, Sendable {
    /// Whose session it is to be.
    struct Session: Hashable, Sendable {
        let correlationID: String
        let sessionToken: String
        let auditName: String
        /// User-to-user information.
        let uui: String
    }

    /// Who is called, and how.
    struct Call: Hashable, Sendable {
        let destination: String
        let videoMode: String
        let isAgentWindowOnTop: Bool
    }

    /// How the server is reached, and reached again.
    struct Connection: Hashable, Sendable {
        let server: String
        let acceptsSelfSigned: Bool
        let usesCookies: Bool
        /// The limit of the whole session.
        let timeout: Duration
        let initialTimeout: Duration
        let retryIntervals: [Duration]
        /// The limits of attempts to reconnect; the last one holds for all further ones, zero for none.
        let reconnectTimeouts: [Duration]
    }

    /// What the agent does not see of the screen.
    struct Masks: Hashable, Sendable {
        let hidingTags: Set<Int64>
        let maskingTags: Set<Int64>
        let maskColor: String
        let permissionColors: [String: String]
    }

    /// How shared documents are shown.
    struct Documents: Hashable, Sendable {
        /// Margins of a document's window in pixels.
        struct Margins: Hashable, Sendable {
            let left: Int
            let right: Int
            let top: Int
            let bottom: Int
        }

        let margins: Margins?
        let canClose: Bool
    }

    /// Which of the SDK's questions the script answers.
    struct Delegates: Hashable, Sendable {
        let hasScreenShare: Bool
        let hasCobrowse: Bool
        let hasConnection: Bool
        let hasPush: Bool

        /// Who is asked when an agent wants to co-browse.
        var cobrowseCallback: CobrowseCallback {
            // The agent delegate comes before the screen-share delegate, which comes before the default prompt.
            if self.hasCobrowse { return .agentCobrowse }
            return self.hasScreenShare ? .screenShare : .prompt
        }
    }

    /// All properties by the guide's names, defaults included.
    let values: JSONObject
    let session: Session
    let call: Call
    let connection: Connection
    let masks: Masks
    let documents: Documents
    let delegates: Delegates
    let keepsAnnotations: Bool
    let agentName: String

    /// Returns options by the guide's names, whichever were used.
    ///
    /// - Throws: ``ConfigurationError`` if a property is given by two of its names.
    static func named(_ options: JSONObject) throws(ConfigurationError) -> JSONObject {
        var named = options
        for property in ConfigurationProperty.all where !property.aliases.isEmpty {
            let names = ([property.name] + property.aliases).filter { options[$0] != nil }
            guard names.count < 2 else {
                throw ConfigurationError(
                    "\(names.joined(separator: " and ")) are names of one option; give one of them")
            }
            guard let name = names.first, name != property.name else { continue }
            named[property.name] = options[name]
            named[name] = nil
        }
        return named
    }

    /// Reads a configuration; what is not given has the default of its source.
    ///
    /// - Throws: ``ConfigurationError`` if values contradict each other.
    init(_ options: JSONObject) throws(ConfigurationError) {
        let options = try Self.named(options)
        let source = DefaultsSource(rawValue: options["defaults"]?.string ?? "guide") ?? .guide
        var values: JSONObject = [:]
        for property in ConfigurationProperty.all {
            values[property.name] = options[property.name] ?? property.value(for: source)
        }
        self.values = values
        self.session = Session(values)
        self.call = Call(values)
        self.connection = Connection(values)
        self.masks = Masks(values)
        self.documents = Documents(values)
        self.delegates = Delegates(values)
        self.keepsAnnotations = values.flag("keepAnnotationsOnChange")
        self.agentName = values.text("agentName")
        for color in [self.masks.maskColor] + self.masks.permissionColors.values.sorted() {
            guard MaskColor.isKnown(color) else {
                throw ConfigurationError(
                    "\"\(color)\" is no color; write #rrggbb or a name\(TextDistance.hint(color, among: MaskColor.names))"
                )
            }
        }
        let token = self.session.sessionToken
        guard token.utf8.count <= 4096, token.isVisibleASCII else {
            throw ConfigurationError(
                "sessionToken is printable ASCII of at most 4096 bytes; take it from the short code")
        }
    }
}

/// The three ways in which a request to co-browse reaches the application.
enum CobrowseCallback: Hashable, Sendable {
    case agentCobrowse
    case screenShare
    /// The SDK's own prompt; once it was accepted, every agent is admitted.
    case prompt
}
