import JSON
import Machines

/// A recording on its way to the speech recognition (chapter "Speech Recognition").
struct SpeechState: Sendable {
    private enum State { case idle, opening, speaking, waiting }

    /// The locales that the recognition takes: those of the vendor's document and those its web client adds.
    static let locales = [
        "en-us", "en-au", "en-uk", "en-gb", "en-in", "fr-fr", "de-de", "it-it", "pt-br", "es-es", "hi-in",
    ]

    /// How much sound goes into one frame.
    static let chunk = Duration.milliseconds(100)

    /// Whether the user can speak at all.
    let isEnabled: Bool

    /// Whether what was understood is sent at once.
    let sendsItself: Bool

    /// The language that is spoken.
    var locale: String

    private var state = State.idle
    /// Which connection to the recognition it is, counted from 1.
    private var number: UInt64 = 0
    private var recording = Recording(tone: 0, seconds: 0, amplitude: 0)
    private var position = 0

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.isEnabled = settings.flag("enableSpeechRecognition")
        self.sendsItself = settings.flag("enableAutoSendSpeechResponse")
        self.locale = (settings.word("speechLocale") ?? "en-us").lowercased()
    }

    /// Whether a recording goes on.
    var isRecording: Bool { self.state != .idle }

    /// Whether the locale is one that the recognition takes.
    var hasSupportedLocale: Bool { Self.locales.contains(self.locale) }

    /// Whether a connection is that of the recording.
    func owns(_ number: UInt64) -> Bool { self.state != .idle && number == self.number }

    /// Begins to record.
    mutating func start(_ recording: Recording, _ address: ChannelAddress, hasToken: Bool)
        -> [OracleEffect]
    {
        self.state = .opening
        self.recording = recording
        self.position = 0
        self.number += 1
        let request = address.speechRequest(locale: self.locale, hasToken: hasToken)
        return [.open(.recognition(self.number), request, subprotocols: [])]
    }

    /// A connection has opened; returns whether it is that of the recording.
    mutating func opened(_ number: UInt64) -> Bool {
        guard self.owns(number), self.state == .opening else { return false }
        self.state = .speaking
        return true
    }

    /// Returns what goes first over the new connection.
    func first(token: String?) -> [OracleEffect] {
        (token.map { [.transmit(.recognition(self.number), .text("Bearer \($0)"))] } ?? []) + [
            .setTimer(.sound, Self.chunk)
        ]
    }

    /// Returns the next piece of sound and how loud it is; no piece when there is no more.
    mutating func next() -> (effects: [OracleEffect], level: Double?) {
        guard self.state == .speaking else { return ([], nil) }
        let count = max(self.recording.rate / 10, 1)
        let samples = self.recording.samples.dropFirst(self.position).prefix(count)
        guard !samples.isEmpty else { return (self.finish(), nil) }
        self.position += samples.count
        let bytes = samples.flatMap { sample -> [UInt8] in
            let pattern = UInt16(bitPattern: sample)
            return [UInt8(pattern & 255), UInt8(pattern >> 8)]
        }
        return (
            [.transmit(.recognition(self.number), .binary(bytes)), .setTimer(.sound, Self.chunk)],
            Recording.level(of: samples)
        )
    }

    /// Says that the user is done.
    mutating func finish() -> [OracleEffect] {
        guard self.state == .speaking else { return [] }
        self.state = .waiting
        return [.cancelTimer(.sound), .transmit(.recognition(self.number), .text("Done"))]
    }

    /// Ends the recording.
    mutating func stop() -> [OracleEffect] {
        defer { self.state = .idle }
        switch self.state {
        case .idle: return []
        case .opening: return [.abort(.recognition(self.number))]
        case .speaking, .waiting:
            return [.cancelTimer(.sound), .close(.recognition(self.number), code: 1000, reason: "")]
        }
    }

    /// The connection of the recording has gone.
    mutating func lost() -> [OracleEffect] {
        self.state = .idle
        return [.cancelTimer(.sound)]
    }
}
