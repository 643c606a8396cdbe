import JSON
import Machines

/// A recording on its way to the speech recognition (chapter "Speech Recognition").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | idle | `started`, speech allowed and the client connected | opening | falls silent; opens the connection |
/// | any | `started` otherwise | unchanged | `error` |
/// | opening | `opened` | speaking | `recording_started`; the token; sets the timer |
/// | speaking | `pieceDue` | speaking | a piece of sound; sets the timer; `speech_level` |
/// | speaking | `pieceDue`, no more sound, `finishAsked` | waiting | says that the user is done |
/// | idle | `finishAsked` | idle | refused |
/// | opening, speaking, waiting | `received`, a part of the words | unchanged | `speech_partial` |
/// | opening, speaking, waiting | `received`, the words | idle | `speech_final`, `recording_stopped`; sends or places them |
/// | opening, speaking, waiting | `received`, an error or no words, `openFailed`, `closed` | idle | `recording_stopped`, `error` |
/// | any | `localeSet` | unchanged | |
/// | any | `stopped` | idle | closes the connection |
struct RecognitionPart: Sendable {
    enum State: String, CaseIterable, Sendable {
        case idle, opening, speaking, waiting
    }

    /// What happens to the recording. Connections are numbered from 1.
    enum Input: Sendable {
        /// Whether the device lets the user record.
        case started(Recording, isPermitted: Bool, ClientMoment)
        case finishAsked
        case localeSet(String)
        case opened(UInt64, token: String?)
        case openFailed(UInt64, TransportFailure)
        case received(UInt64, WebSocketMessage)
        case closed(UInt64, WebSocketClosure)
        case pieceDue
        case stopped
    }

    /// The vendor's codes of errors.
    static let errorCodes = [
        "NotAvailable", "NotReady", "NoAPI", "ProcessingFailure", "TooMuchSpeechTimeout", "NoResponse",
        "NoSpeechTimeout", "NoWebServer", "MultipleConnection",
    ].map { "Recognition\($0)" }

    /// The locales that the recognition takes: those of the vendor's document and those its web client adds.
    static let locales = [
        "en-us", "en-au", "en-uk", "en-gb", "en-in", "fr-fr", "de-de", "it-it", "pt-br", "es-es", "hi-in",
    ]

    /// How much sound goes into one frame.
    private static let chunk = Duration.milliseconds(100)

    private let settings: ClientSettings
    /// The language that is spoken.
    private var locale: String
    private(set) var state = State.idle
    private var number: UInt64 = 0
    private var recording = Recording(tone: 0, seconds: 0, amplitude: 0)
    private var position = 0

    /// Creates a part that records nothing.
    init(_ settings: ClientSettings) {
        self.settings = settings
        self.locale = (settings.text("speechLocale") ?? "en-us").lowercased()
    }

    /// Whether a recording goes on.
    var isRecording: Bool { self.state != .idle }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .started(let recording, let isPermitted, let moment):
            if let refusal = self.refusal(isPermitted: isPermitted, moment) { return [refusal] }
            return [.silence, self.start(recording, moment.address)]
        case .finishAsked:
            guard self.isRecording else { return [.answer(.refused("no recording goes on"))] }
            return self.state == .speaking ? self.finish() : []
        case .localeSet(let locale):
            self.locale = locale.lowercased()
            return []
        case .opened(let number, let token):
            guard self.owns(number), self.state == .opening else { return [] }
            return self.began(token: self.settings.flag("clientAuthEnabled") ? token : nil)
        case .openFailed(let number, let failure):
            guard self.owns(number) else { return [] }
            return self.fail(code: "RecognitionNoWebServer", message: failure.message)
        case .received(let number, .text(let text)):
            guard self.owns(number), let value = try? JSONReader.read(text) else { return [] }
            return self.received(value, text)
        case .received: return []
        case .closed(let number, let closure):
            guard self.owns(number) else { return [] }
            let message = "The recognition ended (\(closure.code) \(closure.reason))."
            return self.fail(code: "RecognitionNoResponse", message: message)
        case .pieceDue: return self.state == .speaking ? self.nextPiece() : []
        case .stopped: return self.stop()
        }
    }

    /// Whether a connection is that of the recording.
    private func owns(_ number: UInt64) -> Bool { self.isRecording && number == self.number }

    // MARK: Recording

    /// Returns why nothing can be recorded, or nil if something can.
    private func refusal(isPermitted: Bool, _ moment: ClientMoment) -> ClientAction? {
        let refusal: (code: String, key: String)? =
            if !self.settings.flag("enableSpeechRecognition") {
                ("RecognitionNotAvailable", "odais_speech_error")
            } else if !isPermitted {
                ("RecognitionNotAvailable", "odais_speech_permission_denied")
            } else if !Self.locales.contains(self.locale) {
                ("RecognitionNotAvailable", "odais_speech_unsupported_locale")
            } else if !moment.isOpen {
                ("RecognitionNotReady", "odais_speech_error")
            } else if self.isRecording {
                ("RecognitionMultipleConnection", "odais_speech_error")
            } else {
                nil
            }
        return refusal.map { .fail($0.code, self.settings.words($0.key), self.alert) }
    }

    /// The title of the alerts about speech.
    private var alert: JSONObject { ["title": .string(self.settings.words("odais_alert"))] }

    private mutating func start(_ recording: Recording, _ address: ChannelAddress) -> ClientAction {
        self.state = .opening
        self.recording = recording
        self.position = 0
        self.number += 1
        let request = address.speechRequest(locale: self.locale, hasToken: self.settings.flag("clientAuthEnabled"))
        return .perform(.open(.recognition(self.number), request, subprotocols: []))
    }

    private mutating func began(token: String?) -> [ClientAction] {
        self.state = .speaking
        let fields: JSONObject = [
            "locale": .string(self.locale), "prompt": .string(self.settings.words("odais_speech_start")),
        ]
        let proof = token.map { ClientAction.perform(.transmit(.recognition(self.number), .text("Bearer \($0)"))) }
        return [.emit(.recordingStarted, fields)] + (proof.map { [$0] } ?? [])
            + [.perform(.setTimer(.sound, Self.chunk))]
    }

    private mutating func nextPiece() -> [ClientAction] {
        let count = max(self.recording.rate / 10, 1)
        let samples = self.recording.samples.dropFirst(self.position).prefix(count)
        guard !samples.isEmpty else { return self.finish() }
        self.position += samples.count
        let bytes = samples.flatMap { sample -> [UInt8] in
            let pattern = UInt16(bitPattern: sample)
            return [UInt8(pattern & 255), UInt8(pattern >> 8)]
        }
        let level = Recording.level(of: samples)
        // The limits of the visualizer are not public; these are defined here.
        let verdict = level < 0.02 ? "too_soft" : level > 0.5 ? "too_loud" : "good"
        let fields: JSONObject = ["level": .double((level * 1000).rounded() / 1000), "verdict": .string(verdict)]
        return [
            .perform(.transmit(.recognition(self.number), .binary(bytes))),
            .perform(.setTimer(.sound, Self.chunk)), .emit(.speechLevel, fields),
        ]
    }

    /// Says that the user is done.
    private mutating func finish() -> [ClientAction] {
        self.state = .waiting
        return [.perform(.cancelTimer(.sound)), .perform(.transmit(.recognition(self.number), .text("Done")))]
    }

    // MARK: What the recognition says

    private mutating func received(_ value: JSONValue, _ text: String) -> [ClientAction] {
        let words = value["nbest"]?[0]?["utterance"]?.string ?? ""
        switch value["event"]?.string {
        case "partialResult": return [.emit(.speechPartial, ["text": .string(words)], raw: value)]
        case "finalResult":
            guard !words.isEmpty else { return self.fail(code: "RecognitionNoSpeechTimeout", message: text) }
            return self.stop() + self.understood(words, value)
        case "error": return self.fail(code: value["code"]?.string ?? "RecognitionProcessingFailure", message: text)
        default: return []
        }
    }

    private func understood(_ words: String, _ value: JSONValue) -> [ClientAction] {
        let sendsItself = self.settings.flag("enableAutoSendSpeechResponse")
        var fields: JSONObject = ["text": .string(words), "sent": .bool(sendsItself)]
        fields["request_id"] = value["requestId"]
        let events: [ClientAction] = [
            .emit(.speechFinal, fields, raw: value), .emit(.recordingStopped, ["reason": "recognized"]),
        ]
        guard sendsItself else { return events + [.placeText(words)] }
        var metadata = JSONObject()
        metadata["speechId"] = value["requestId"]
        let message = Outgoing(["type": "text", "text": .string(words)], kind: .visible, metadata: metadata)
        return events + [.send(message)]
    }

    // MARK: The end

    private mutating func stop() -> [ClientAction] {
        defer { self.state = .idle }
        switch self.state {
        case .idle: return []
        case .opening: return [.perform(.abort(.recognition(self.number)))]
        case .speaking, .waiting:
            return [
                .perform(.cancelTimer(.sound)),
                .perform(.close(.recognition(self.number), code: 1000, reason: "")),
            ]
        }
    }

    /// The recording has come to nothing.
    private mutating func fail(code: String, message: String) -> [ClientAction] {
        let key =
            switch code {
            case "RecognitionNoSpeechTimeout": "odais_no_speech_error"
            case "RecognitionTooMuchSpeechTimeout": "odais_too_much_speech_error"
            default: "odais_speech_error"
            }
        let details = self.alert.merging(["detail": .string(message)])
        return self.stop() + [
            .emit(.recordingStopped, ["reason": "failed"]), .fail(code, self.settings.words(key), details),
        ]
    }
}
