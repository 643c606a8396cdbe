import JSON
import Machines

/// A voice of the server (chapter "Speech Synthesis").
struct SpeechVoice: Hashable, Sendable {
    let name: String
    /// The language tag.
    let language: String
    let isDefault: Bool

    /// A voice that the configuration prefers; without a name any of the language.
    struct Preference: Hashable, Sendable {
        /// The language tag in lower case.
        let language: String
        let name: String?
    }

    /// The voices that a configuration prefers, as scripts write them.
    static let preferences = ScriptType.list(
        .record([
            parameter("lang", .string, "The language tag."),
            optional("name", .string, "The voice; any of the language unless given."),
        ]))

    /// Chooses a voice: one that is preferred by language and name, else the default of a preferred language, else the
    /// default.
    static func choose(_ voices: [SpeechVoice], preferences: [Preference]) -> SpeechVoice? {
        for preference in preferences {
            guard let name = preference.name else { continue }
            let voice = voices.first { $0.language.lowercased() == preference.language && $0.name == name }
            if let voice { return voice }
        }
        for preference in preferences {
            let fitting = voices.filter { $0.language.lowercased() == preference.language }
            if let voice = fitting.first(where: \.isDefault) ?? fitting.first { return voice }
        }
        return voices.first(where: \.isDefault) ?? voices.first
    }

    /// Reads the server's list of voices; nil if it is none.
    static func list(in body: [UInt8]) -> [SpeechVoice]? {
        guard let list = (try? JSONReader.read(body))?["voices"]?.array else { return nil }
        return list.prefix(1000).compactMap { value in
            guard let name = value["name"]?.string else { return nil }
            return SpeechVoice(
                name: name, language: value["culture"]?.string ?? "", isDefault: value["default"]?.bool ?? false)
        }
    }
}
