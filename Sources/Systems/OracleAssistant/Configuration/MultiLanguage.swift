import JSON
import Machines

/// The languages of a chat (chapter "Multi-Lingual Chat").
struct MultiLanguage: Sendable {
    /// A language that the user can choose.
    struct Language: Hashable, Sendable {
        /// The language tag, such as `fr`.
        let tag: String
        /// The words in the menu.
        let label: String
    }

    /// The property as scripts write it; the vendor's spelling of its members counts too.
    static let scriptType: ScriptType = {
        let languages = ScriptType.list(
            .record([
                parameter("lang", .string, "The language tag."),
                optional("label", .string, "The words in the menu; the client's own, or the tag, unless given."),
            ]))
        return .record([
            optional("supported_languages", languages, "The languages of the menu."),
            optional("supportedLanguages", languages, "Another name of supported_languages."),
            optional("primary_language", .string, "The one to begin with; that of the profile unless given."),
            optional("primaryLanguage", .string, "Another name of primary_language."),
        ])
    }()

    /// The tag by which scripts ask for detection.
    static let undetermined = "und"

    /// The languages whose words the client has itself.
    static let natives = ["ar", "de", "en", "es", "fr", "it", "nl", "pt"]

    /// The languages that were passed.
    let supported: [Language]

    /// The language to begin with; nil for detection.
    private(set) var primary: String?

    /// Whether the chat has languages at all.
    let isConfigured: Bool

    private let detectLabel: String

    /// Returns what is wrong with the property, or nil if nothing is.
    static func problem(in value: JSONValue?) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let members = value.object else { return "multi_lang_chat takes a table" }
        let languages = Self.languages(members)
        if languages?.contains(where: { ($0["lang"]?.string ?? "").isEmpty }) ?? false {
            return "each of multi_lang_chat's supported_languages needs a lang"
        }
        if languages == nil, members["primary_language"] == nil, members["primaryLanguage"] == nil {
            return "multi_lang_chat needs supported_languages or primary_language"
        }
        return nil
    }

    private static func languages(_ members: JSONObject) -> [JSONValue]? {
        (members["supported_languages"] ?? members["supportedLanguages"])?.array
    }

    /// Reads the property.
    init(_ settings: ClientSettings) {
        let members = settings.values["multiLangChat"]?.object
        self.isConfigured = members != nil
        self.detectLabel = settings.strings.text("odais_language_detect")
        self.supported = (members.flatMap(Self.languages) ?? []).compactMap { value in
            guard let tag = value["lang"]?.string else { return nil }
            let own = Self.natives.contains(tag) ? settings.strings.text("odais_language_\(tag)") : tag
            return Language(tag: tag, label: value["label"]?.string ?? own)
        }
        self.primary = nil
        let given = members?["primary_language"] ?? members?["primaryLanguage"]
        // Left out, it is what the user's profile says.
        let profile = settings.values["initUserProfile"]?["profile"]
        let told = given ?? profile?["languageTag"] ?? profile?["locale"]
        self.primary = self.resolve(told?.string)
    }

    /// Whether the menu is there: it takes two languages.
    var hasMenu: Bool { self.supported.count >= 2 }

    /// What the menu shows, detection first.
    var menu: [Language] {
        self.hasMenu ? [Language(tag: Self.undetermined, label: self.detectLabel)] + self.supported : []
    }

    /// Returns the tag to use for one that was asked for; nil stands for detection.
    ///
    /// A tag that is not in the menu means detection; without languages any tag will do.
    func resolve(_ tag: String?) -> String? {
        guard let tag, tag != Self.undetermined, !tag.isEmpty else { return nil }
        return self.supported.isEmpty || self.supported.contains { $0.tag == tag } ? tag : nil
    }

    /// Returns the words for a tag.
    func label(of tag: String?) -> String {
        guard let tag else { return self.detectLabel }
        return self.supported.first { $0.tag == tag }?.label ?? tag
    }
}
