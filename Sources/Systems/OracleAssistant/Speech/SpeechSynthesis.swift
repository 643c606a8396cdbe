import JSON
import Machines

/// Reading messages aloud (chapters "Speech Synthesis" and "Speech Service Injection").
struct SpeechSynthesis: Sendable {
    /// A voice of the server.
    struct Voice: Hashable, Sendable {
        let name: String
        /// The language tag.
        let language: String
        let isDefault: Bool
    }

    /// A text that is being read.
    struct Reading: Hashable, Sendable {
        let request: UInt64
        let text: String
        let voice: Voice?
    }

    /// Functions of the script that read in place of the client.
    struct Service: Sendable {
        let speak: ScriptFunction?
        let stop: ScriptFunction?
        /// Asked before the user speaks, so that the client falls silent.
        let isSpeaking: ScriptFunction?
    }

    /// At most this many texts wait to be read.
    static let queueLimit = 100

    /// Whether anything is read aloud.
    let isEnabled: Bool
    /// What reads in place of the client.
    let service: Service?
    private let preferences: [(language: String, name: String?)]

    /// Whether messages are not read by themselves.
    var isMuted: Bool

    /// The voices; nil until the server has named them.
    var voices: [Voice]?

    /// The request for the voices.
    var voicesRequest: UInt64?

    private var requestCount: UInt64 = 0

    /// What is being read.
    var reading: Reading?

    /// What is to be read next.
    var queue: [String] = []

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.isEnabled = settings.flag("enableSpeechSynthesis")
        self.isMuted = settings.flag("initSpeechSynthesisMuted")
        let service = settings.values["ttsService"]?.object
        self.service = service.map { members in
            Service(
                speak: members["speak"]?.integer.map(ScriptFunction.init),
                stop: (members["stop_speech"] ?? members["stopSpeech"])?.integer.map(ScriptFunction.init),
                isSpeaking: (members["is_speaking"] ?? members["isSpeaking"])?.integer.map(ScriptFunction.init))
        }
        self.preferences = (settings.values["speechSynthesisVoicePreferences"]?.array ?? []).compactMap { value in
            (value["lang"]?.string).map { ($0.lowercased(), value["name"]?.string) }
        }
    }

    /// Chooses a voice: one that is preferred by language and name, else the default of a preferred language, else the
    /// default.
    static func choose(_ voices: [Voice], preferences: [(language: String, name: String?)]) -> Voice? {
        for (language, name) in preferences {
            if let name, let voice = voices.first(where: { $0.language.lowercased() == language && $0.name == name }) {
                return voice
            }
        }
        for (language, _) in preferences {
            let fitting = voices.filter { $0.language.lowercased() == language }
            if let voice = fitting.first(where: \.isDefault) ?? fitting.first { return voice }
        }
        return voices.first(where: \.isDefault) ?? voices.first
    }

    /// The voice to read with.
    var voice: Voice? { Self.choose(self.voices ?? [], preferences: self.preferences) }

    /// Reads the server's list of voices; nil if it is none.
    static func voices(in body: [UInt8]) -> [Voice]? {
        guard let list = (try? JSONReader.read(body))?["voices"]?.array else { return nil }
        return list.prefix(1000).compactMap { value in
            guard let name = value["name"]?.string else { return nil }
            return Voice(
                name: name, language: value["culture"]?.string ?? "", isDefault: value["default"]?.bool ?? false)
        }
    }

    /// Returns the number of the next request.
    mutating func nextRequest() -> UInt64 {
        self.requestCount += 1
        return self.requestCount
    }

    /// Forgets what is to be read.
    mutating func stop() -> [OracleEffect] {
        let effects = [self.reading?.request, self.voicesRequest].compactMap { number in
            number.map { OracleEffect.cancel(.voices($0)) }
        }
        self.reading = nil
        self.voicesRequest = nil
        self.queue = []
        return effects
    }
}
