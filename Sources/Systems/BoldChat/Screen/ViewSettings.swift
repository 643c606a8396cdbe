import JSON
import Machines

/// How the screen is put together: which templates, and which of their outlets are connected.
struct ViewSettings: Hashable, Sendable {
    /// An outlet of one template.
    private struct Place: Hashable, Sendable {
        let template: ScreenTemplate
        let outlet: ScreenOutlet
    }

    /// Names that replace the standard ones.
    private var names: [ScreenTemplate: String] = [:]
    /// Outlets that a template leaves unconnected: what they do is missing, everything else works.
    private var disconnected: Set<Place> = []
    /// The page that the history is shown in, by the vendor's setting; nil for the framework's own.
    let historyPage: String?
    /// Whether a button in the form submits it; else one in the navigation bar, outside the screen.
    let hasSubmitCell: Bool
    /// Whether the action `endChatPressed` is connected, which it is not in the vendor's template.
    let connectsEndChat: Bool

    /// The vendor's setting for the page that the history is shown in.
    static let historyPageSetting = "chatHistoryHtmlName"

    /// Reads the options of an actor.
    init(_ options: JSONObject) throws(ConfigurationError) {
        let settings = options["view_settings"]?.object ?? [:]
        self.historyPage = settings.text(Self.historyPageSetting)
        self.hasSubmitCell = options["submit_cell"]?.bool ?? true
        self.connectsEndChat = options.truth("connect_end_chat_pressed")
        for (setting, value) in settings where setting != Self.historyPageSetting {
            guard let template = ScreenTemplate(rawValue: setting) else {
                let known = ScreenTemplate.allCases.map(\.rawValue) + [Self.historyPageSetting]
                throw ConfigurationError(
                    "'\(setting)' is not a setting of the view\(TextDistance.hint(setting, among: known))")
            }
            let name = value.string ?? ""
            guard !name.isEmpty, !name.lowercased().hasSuffix(".xib") else {
                throw ConfigurationError(
                    "'\(setting)' is the name of a template without its extension, such as \"\(template.standardName)\"; "
                        + "it was \"\(name)\"")
            }
            self.names[template] = name
        }
        for name in (options["disconnected_outlets"]?.array ?? []).compactMap(\.string) {
            self.disconnected.formUnion(try Self.places(name))
        }
    }

    /// Reads `outlet`, which is meant in all templates that have it, or `template.outlet`.
    private static func places(_ name: String) throws(ConfigurationError) -> [Place] {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var templates = ScreenTemplate.allCases
        if parts.count == 2 {
            guard let template = ScreenTemplate(rawValue: parts[0]) else {
                let hint = TextDistance.hint(parts[0], among: templates.map(\.rawValue))
                throw ConfigurationError(
                    "'\(parts[0])' of 'disconnected_outlets' is not a setting of a template\(hint)")
            }
            templates = [template]
        }
        let known = templates.flatMap(\.outlets)
        guard let outlet = ScreenOutlet(rawValue: parts[parts.count - 1]), known.contains(outlet) else {
            let names = ScreenOutlet.allCases.filter(known.contains).map(\.rawValue)
            let hint = TextDistance.hint(parts[parts.count - 1], among: names)
            throw ConfigurationError("'\(name)' of 'disconnected_outlets' is not an outlet\(hint)")
        }
        return templates.filter { $0.outlets.contains(outlet) }.map { Place(template: $0, outlet: outlet) }
    }

    /// The name of a template.
    func name(_ template: ScreenTemplate) -> String { self.names[template] ?? template.standardName }

    /// Whether a template has an outlet connected.
    func connects(_ outlet: ScreenOutlet, of template: ScreenTemplate) -> Bool {
        !self.disconnected.contains(Place(template: template, outlet: outlet))
    }
}
