import Machines

/// The languages that the vendor lists for visitors.
enum LanguageList {
    /// What is used where a language is not set up.
    static let fallback = "en-US"

    /// The fallback and the 41 codes of the vendor's list.
    static let all = [
        "en-US", "af-ZA", "ar", "bn-BD", "bg-BG", "zh-CN", "zh-TW", "hr-HR", "cs-CZ", "da-DK", "nl-NL", "en-GB",
        "fi-FI",
        "fr-FR", "fr-CA", "de-DE", "el-GR", "he-IL", "hi-IN", "hu-HU", "is-IS", "id-ID", "ga-IE", "it-IT", "ja-JP",
        "ko-KR", "ms-MY", "nb-NO", "nn-NO", "pl-PL", "pt-PT", "pt-BR", "pa-IN", "ro-RO", "ru-RU", "sk-SK", "es-ES",
        "sv-SE", "th-TH", "tr-TR", "uk-UA", "vi-VN",
    ]

    /// Returns the language that is used for one that was asked for: itself if it is set up, the first one of a code
    /// without a country, else en-US.
    ///
    /// - Parameter languages: Those that the account is set up with.
    static func chosen(for asked: String, among languages: [String]) -> String {
        let wanted = asked.lowercased()
        return languages.first { $0.lowercased() == wanted } ?? languages.first {
            $0.lowercased().hasPrefix(wanted + "-")
        }
            ?? Self.fallback
    }

    /// Returns a language that an account is set up with, if the vendor has it.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - place: What names it, for the message.
    static func checked(_ language: String, in place: String) throws(ConfigurationError) -> String {
        guard self.all.contains(language) else {
            throw ConfigurationError(
                "'\(place)' names the language \"\(language)\", which the vendor does not list"
                    + TextDistance.hint(language, among: self.all))
        }
        return language
    }
}
