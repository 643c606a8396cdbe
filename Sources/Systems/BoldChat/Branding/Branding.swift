import JSON
import Machines

/// The texts that a chat window shows, by the vendor's keys. The keys are the vendor's, the texts are defined here.
enum Branding {
    /// The texts of a language over the English ones; asked for with every text of every screen.
    static func texts(for language: String) -> [String: String] {
        Self.builtTexts[language] ?? Self.build(for: language)
    }

    private static func build(for language: String) -> [String: String] {
        guard let own = Self.source(of: language).flatMap({ BrandingTranslations.all[$0] }) else { return Self.english }
        return Self.english.merging(own) { $1 }
    }

    /// The language whose texts a language shows: its own, or those of another country; nil for the English ones.
    static func source(of language: String) -> String? {
        if BrandingTranslations.all[language] != nil { return language }
        let code = language.prefix { $0 != "-" }
        return BrandingTranslations.all.keys.sorted().first { $0.hasPrefix("\(code)-") }
    }

    /// The texts of a language as the wire has them, in the order of their keys.
    ///
    /// Every chat begins with them, so they are put together once a process and not once a chat.
    static func members(for language: String) -> JSONObject {
        Self.builtMembers[language] ?? Self.englishMembers
    }

    /// Returns texts in the order of their keys.
    static func members(_ texts: [String: String]) -> JSONObject {
        JSONObject(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// The beginning of the keys that are the vendor's alone; an account may have others of its own.
    private static let reserved = "api#"

    /// Returns a key that a script gives a text for, if it is one of the vendor's or the account's own.
    static func checked(_ key: String) throws(ConfigurationError) -> String {
        guard key.hasPrefix(self.reserved), self.english[key] == nil else { return key }
        throw ConfigurationError(
            "'branding' has a text for \"\(key)\", which is no key of the vendor's"
                + TextDistance.hint(
                    key, among: self.english.keys,
                    otherwise: "a key of the account's own does not begin with \(self.reserved)"))
    }

    private static let englishMembers = Self.members(Self.english)

    private static let builtTexts = Dictionary(
        uniqueKeysWithValues: LanguageList.all.map { ($0, Self.build(for: $0)) })

    private static let builtMembers = Dictionary(
        uniqueKeysWithValues: LanguageList.all.filter { Self.source(of: $0) != nil }.map {
            ($0, Self.members(Self.texts(for: $0)))
        })

    /// The texts of en-US.
    static let english: [String: String] = [
        "api#prechat#intro": "Please tell us a little before we start.",
        "api#prechat#start": "Start chat",
        "api#prechat#required": "required",
        "api#postchat#intro": "How did we do?",
        "api#postchat#done": "Done",
        "api#postchat#emailed": "The transcript is on its way to you.",
        "api#postchat#submitted": "Thank you for your answers.",
        "api#postchat#submitted_and_emailed": "Thank you for your answers. The transcript is on its way to you.",
        "api#unavailable#intro": "Nobody can chat right now. Leave us a message instead.",
        "api#unavailable#no_operators": "Nobody can chat right now.",
        "api#unavailable#unavailable_hours_operators": "We are closed at this hour.",
        "api#unavailable#unavailable_blocked": "Chat is not open to you.",
        "api#unavailable#unavailable_max_queue": "Too many visitors are waiting.",
        "api#unavailable#unavailable_limit": "The limit of chats is reached.",
        "api#unavailable#unavailable": "Chat is not available.",
        "api#unavailable#emailed": "Your message was sent.",
        "api#unsecure#message": "This chat could not be secured.",
        "api#chat#waiting_for_operator": "Somebody will be with you shortly.",
        "api#chat#operators_busy": "Everybody is busy at the moment.",
        "api#chat#queue_position": "Your position in the queue:",
        "api#chat#unavailable_email": "Leave a message instead",
        "api#chat#ended": "The chat has ended.",
        "api#chat#operator_ended": "The operator has ended the chat.",
        "api#chat#close": "Close",
        "api#chat#send": "Send",
        "api#chat#send_message": "Write a message",
        "api#chat#end": "End chat",
        "api#chat#operator": "Operator",
        "api#chat#disconnected": "The connection is lost.",
        "api#chat#reconnecting": "Connecting again…",
        "api#chat#is_typing": "is typing",
        "api#chat#are_typing": "are typing",
        "api#chat#and_conjuction": "and",
        "api#chat#toggle#show": "Show the original",
        "api#chat#toggle#hide": "Hide the original",
        "api#email#error": "This is not an e-mail address.",
        "api#email#transcript": "Send the transcript",
        "api#phone#error": "This is not a phone number.",
        "api#input#error": "This value cannot be used.",
        "api#department#available": "online",
        "api#department#unavailable": "offline",
        "api#generic#required_fields": "Please fill in:",
        "api#generic#error_title": "Something went wrong",
        "api#generic#you": "You",
        "api#generic#yes": "Yes",
        "api#generic#no": "No",
        "api#generic#cancel": "Cancel",
        "api#activeassist#prompt": "May we look at this page with you?",
        "api#activeassist#message": "We are looking at this page together.",
        "custom#common#miscellaneous#video_prompt": "May we talk by video?",
        "custom#common#buttons#video_accept_button": "Start video",
        "custom#common#buttons#video_decline_button": "No video",
        "custom#common#active_assist#active_assist_cobrowse_prompt": "May we browse together?",
    ]

    /// The title of a chat before the account's texts have arrived, as the vendor's clients have it built in.
    static func title(for language: String) -> String { language.hasPrefix("pt") ? "Bate-papo" : "Chat" }

    /// Whether a language is written from right to left.
    static func isRightToLeft(_ language: String) -> Bool { language.hasPrefix("he") || language.hasPrefix("ar") }
}
