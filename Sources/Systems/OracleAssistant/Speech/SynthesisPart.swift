import HTTPTypes
import JSON
import Machines

/// Reading messages aloud, by the server or by functions of the script (chapters "Speech Synthesis" and "Speech Service
/// Injection").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `messageShown`, not muted, `speakAsked`; functions of the script read | unchanged | calls the function |
/// | idle | `messageShown`, not muted, `speakAsked`; no voices known | asking | asks for the voices |
/// | idle | `messageShown`, not muted, `speakAsked`; voices known | reading | asks for the sound |
/// | asking, reading | `messageShown`, not muted, `speakAsked` | unchanged | `error` where too many wait |
/// | asking | `answered` with voices | reading | asks for the sound |
/// | asking | `answered` otherwise | idle | `error`; what waits is dropped |
/// | reading | `answered`, more waits | reading | `speech_spoken` or `error`; asks for the next sound |
/// | reading | `answered`, nothing waits | idle | `speech_spoken` or `error` |
/// | asking, reading | `stopAsked` | idle | cancels the request; `speech_stopped` |
/// | reading | `recordingBegan` | idle | the same |
/// | any | `recordingBegan`, functions of the script read | unchanged | asks whether the script is speaking |
/// | any | `muted` | unchanged | |
/// | any | `scriptReturned` | unchanged, idle if the script was speaking | `speech_spoken`, `speech_stopped` |
/// | any | `stopped` | idle | cancels the request |
struct SynthesisPart: Sendable {
    /// What happens to reading aloud.
    enum Input: Sendable {
        case messageShown(Payload)
        case speakAsked(String)
        case stopAsked
        case muted(Bool)
        /// The user speaks, so the client falls silent; defined here.
        case recordingBegan
        case answered(UInt64, Result<Response, TransportFailure>)
        case scriptReturned(ScriptContinuation.Speech, Result<JSONValue, ScriptCallFailure>)
        case stopped
    }

    private enum State {
        case idle
        case asking(UInt64)
        case reading(UInt64, text: String, SpeechVoice?)
    }

    /// Functions of the script that read in place of the client.
    private struct Service {
        let speak: ScriptFunction?
        let stop: ScriptFunction?
        /// Asked before the user speaks, so that the client falls silent.
        let isSpeaking: ScriptFunction?

        init(_ members: JSONObject) {
            self.speak = members["speak"]?.integer.map(ScriptFunction.init)
            self.stop = (members["stop_speech"] ?? members["stopSpeech"])?.integer.map(ScriptFunction.init)
            self.isSpeaking = (members["is_speaking"] ?? members["isSpeaking"])?.integer.map(ScriptFunction.init)
        }
    }

    /// At most this many texts wait to be read; further ones are an error, which is defined here.
    static let queueLimit = 100

    private let isEnabled: Bool
    private let hasToken: Bool
    private let service: Service?
    private let preferences: [SpeechVoice.Preference]
    private var state = State.idle
    /// Nil until the server has named them.
    private var voices: [SpeechVoice]?
    private var requestCount: UInt64 = 0
    private var queue: [String] = []
    /// How many calls of the script's function that reads aloud have not come back.
    private var speakingFunctions = 0

    /// Whether messages are not read by themselves.
    private(set) var isMuted: Bool

    /// Whether the server reads a text.
    var isReading: Bool { if case .reading = self.state { true } else { false } }

    /// Whether something is being read aloud, by the server or by functions of the script that have not returned.
    var isSpeaking: Bool { self.isReading || self.speakingFunctions > 0 }

    /// Whether the voices are asked for.
    var isAsking: Bool { if case .asking = self.state { true } else { false } }

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.isEnabled = settings.flag("enableSpeechSynthesis")
        self.hasToken = settings.flag("clientAuthEnabled")
        self.isMuted = settings.flag("initSpeechSynthesisMuted")
        self.service = settings.values["ttsService"]?.object.map(Service.init)
        self.preferences = (settings.values["speechSynthesisVoicePreferences"]?.array ?? []).compactMap { value in
            (value["lang"]?.string).map {
                SpeechVoice.Preference(language: $0.lowercased(), name: value["name"]?.string)
            }
        }
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ moment: ClientMoment) -> [ClientAction] {
        switch input {
        case .messageShown(let payload):
            guard self.isEnabled, !self.isMuted, let text = Self.words(of: payload), !text.isEmpty else { return [] }
            return self.speak(text, moment)
        case .speakAsked(let text): return self.speak(text, moment)
        case .stopAsked: return self.fallSilent()
        case .muted(let isMuted):
            self.isMuted = isMuted
            return []
        case .recordingBegan:
            if let function = self.service?.isSpeaking { return [.call(.speech(.isSpeaking), function, [])] }
            return self.isReading ? self.fallSilent() : []
        case .answered(let number, let result): return self.answered(number, result, moment)
        case .scriptReturned(.speaking(let text), _):
            self.speakingFunctions = max(0, self.speakingFunctions - 1)
            return [.emit(.speechSpoken, ["text": .string(text), "service": "script"])]
        case .scriptReturned(.fallingSilent, _): return [.emit(.speechStopped)]
        case .scriptReturned(.isSpeaking, .success(true)): return self.fallSilent()
        case .scriptReturned(.isSpeaking, _): return []
        case .stopped: return self.stop()
        }
    }

    /// What is read of a message.
    private static func words(of payload: Payload) -> String? {
        let written: String? = if case .text(let message) = payload { message.words } else { nil }
        return payload.content.voice?.spokenText ?? written
    }

    // MARK: Reading

    private mutating func speak(_ text: String, _ moment: ClientMoment) -> [ClientAction] {
        guard self.isEnabled else {
            return [.fail("TtsNotAvailable", "Reading aloud is switched off (enable_speech_synthesis).")]
        }
        if let function = self.service?.speak {
            self.speakingFunctions += 1
            return [.call(.speech(.speaking(text)), function, [.string(text)])]
        }
        guard self.queue.count < Self.queueLimit else {
            return [.fail("TooManyMessages", "The text is not read aloud, for \(Self.queueLimit) wait.")]
        }
        self.queue.append(text)
        return self.readNext(moment)
    }

    private mutating func readNext(_ moment: ClientMoment) -> [ClientAction] {
        guard case .idle = self.state, !self.queue.isEmpty else { return [] }
        let token = self.hasToken ? moment.token : nil
        self.requestCount += 1
        guard let voices else {
            self.state = .asking(self.requestCount)
            let head = moment.address.httpRequest(.get, path: "/tts/voices", token: token)
            return [.perform(.send(.voices(self.requestCount), Request(head)))]
        }
        let text = self.queue.removeFirst()
        let voice = SpeechVoice.choose(voices, preferences: self.preferences)
        self.state = .reading(self.requestCount, text: text, voice)
        let extra = [("text", text), ("stream", "chunked"), ("voice", voice?.name ?? "")]
        let head = moment.address.httpRequest(.get, path: "/tts/speak", extra: extra, token: token)
        return [.perform(.send(.voices(self.requestCount), Request(head)))]
    }

    private mutating func answered(
        _ number: UInt64, _ result: Result<Response, TransportFailure>, _ moment: ClientMoment
    ) -> [ClientAction] {
        let body = (try? result.get()).flatMap { $0.head.status.kind == .successful ? $0.body : nil }
        switch self.state {
        case .asking(number):
            self.state = .idle
            return self.voicesNamed(body) + self.readNext(moment)
        case .reading(number, let text, let voice):
            self.state = .idle
            return [Self.spoken(text, voice, body)] + self.readNext(moment)
        case .idle, .asking, .reading: return []
        }
    }

    private static func spoken(_ text: String, _ voice: SpeechVoice?, _ body: [UInt8]?) -> ClientAction {
        guard let body else { return .fail("TtsNotAvailable", "The server could not read the text aloud.") }
        var fields: JSONObject = ["text": .string(text), "service": "server"]
        fields["voice"] = voice.map { .string($0.name) }
        fields["language"] = voice.map { .string($0.language) }
        fields["size"] = .integer(Int64(body.count))
        return .emit(.speechSpoken, fields)
    }

    /// Takes in the server's list of voices, or that there is none: what waits cannot be read aloud then, and the next
    /// text asks for them again (defined here).
    private mutating func voicesNamed(_ body: [UInt8]?) -> [ClientAction] {
        if let body, let voices = SpeechVoice.list(in: body) {
            self.voices = voices
            return []
        }
        self.queue = []
        return [.fail("TtsNotAvailable", "The server did not name its voices.")]
    }

    // MARK: Silence

    private mutating func fallSilent() -> [ClientAction] {
        let actions = self.stop()
        guard let function = self.service?.stop else { return actions + [.emit(.speechStopped)] }
        return actions + [.call(.speech(.fallingSilent), function, [])]
    }

    /// Forgets what is to be read.
    private mutating func stop() -> [ClientAction] {
        defer {
            self.state = .idle
            self.queue = []
            self.speakingFunctions = 0
        }
        switch self.state {
        case .idle: return []
        case .asking(let number), .reading(let number, _, _): return [.perform(.cancel(.voices(number)))]
        }
    }
}
