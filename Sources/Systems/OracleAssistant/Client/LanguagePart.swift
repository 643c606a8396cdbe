import JSON
import Machines

/// The language that the user has chosen (chapter "Multi-Lingual Chat").
///
/// | language | input | → language | actions |
/// |---|---|---|---|
/// | any | `chosen`, connected | the chosen one, or detection | clears the messages; tells the skill; `language_changed` |
/// | any | `chosen`, not connected | unchanged | `error` |
/// | any | `sessionBegan`, the chat has languages or one was chosen | unchanged | tells the skill |
/// | any | `sessionBegan` otherwise | unchanged | |
struct LanguagePart: Sendable {
    /// What happens to the language.
    enum Input: Sendable {
        /// The messages are cleared first.
        case chosen(String?, isOpen: Bool)
        case sessionBegan
    }

    private let languages: MultiLanguage

    /// The language that was chosen; nil for detection.
    private(set) var language: String?

    /// Whether a language was chosen, also one of no menu; the choice outlives the session.
    private var isChosen = false

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.languages = MultiLanguage(settings)
        self.language = self.languages.primary
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .chosen(let tag, let isOpen):
            guard isOpen else {
                return [.fail("ConnectionNone", "The language can be set only while connected.")]
            }
            self.language = self.languages.resolve(tag)
            self.isChosen = true
            var fields = JSONObject()
            fields["language"] = self.language.map { .string($0) }
            fields["label"] = .string(self.languages.label(of: self.language))
            return [.clearMessages, self.announcement, .emit(.languageChanged, fields)]
        case .sessionBegan: return self.languages.isConfigured || self.isChosen ? [self.announcement] : []
        }
    }

    /// The language as scripts read it; null for detection.
    var tag: JSONValue { self.language.map { .string($0) } ?? .null }

    /// What the menu shows.
    var menu: JSONValue {
        .array(
            self.languages.menu.map { language in
                [
                    "language": .string(language.tag), "label": .string(language.label),
                    "selected": .bool(language.tag == (self.language ?? MultiLanguage.undetermined)),
                ]
            })
    }

    private var announcement: ClientAction {
        let profile: JSONObject =
            self.language.map { ["languageTag": .string($0)] } ?? ["languageTag": .null, "locale": .null]
        return .transmit(["profile": .object(profile)])
    }
}
