import JSON
import Machines

/// A recording on its way to the speech recognition (chapter "Speech Recognition").
struct SpeechState: Sendable {
    private enum State { case idle, opening, speaking, waiting }

    /// The locales that the recognition takes: those of the vendor's document and those its web client adds.
    static let locales = [
        "en-us", "en-au", "en-uk", "en-gb", "en-in", "fr-fr", "de-de", "it-it", "pt-br", "es-es", "hi-in",
    ]

    /// The timer of the next piece of sound.
    static let timer: TimerName = "speech.chunk"

    /// How much sound goes into one frame.
    static let chunk = Duration.milliseconds(100)

    /// Whether the user can speak at all.
    let isEnabled: Bool

    /// Whether what was understood is sent at once.
    let sendsItself: Bool

    /// The language that is spoken.
    var locale: String

    private var state = State.idle
    private var connection = ConnectionID(firstConnection)
    private var recording = Recording(tone: 0, seconds: 0, amplitude: 0)
    private var position = 0

    /// Connections of the chat are numbered from 1, those of the recognition from here.
    private static let firstConnection: UInt64 = 1 << 40

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
    func owns(_ connection: ConnectionID) -> Bool { self.state != .idle && connection == self.connection }

    /// Begins to record.
    mutating func start(_ recording: Recording, _ address: ChannelAddress, hasToken: Bool) -> [ClientEffect] {
        self.state = .opening
        self.recording = recording
        self.position = 0
        self.connection = ConnectionID(self.connection.number + 1)
        let request = address.speechRequest(locale: self.locale, hasToken: hasToken)
        return [.open(self.connection, request, subprotocols: [])]
    }

    /// A connection has opened; returns whether it is that of the recording.
    mutating func opened(_ connection: ConnectionID) -> Bool {
        guard self.owns(connection), self.state == .opening else { return false }
        self.state = .speaking
        return true
    }

    /// Returns what goes first over the new connection.
    func first(token: String?) -> [ClientEffect] {
        (token.map { [.transmit(self.connection, .text("Bearer \($0)"))] } ?? []) + [.setTimer(Self.timer, Self.chunk)]
    }

    /// Returns the next piece of sound and how loud it is; no piece when there is no more.
    mutating func next() -> (effects: [ClientEffect], level: Double?) {
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
            [.transmit(self.connection, .binary(bytes)), .setTimer(Self.timer, Self.chunk)],
            Recording.level(of: samples)
        )
    }

    /// Says that the user is done.
    mutating func finish() -> [ClientEffect] {
        guard self.state == .speaking else { return [] }
        self.state = .waiting
        return [.cancelTimer(Self.timer), .transmit(self.connection, .text("Done"))]
    }

    /// Ends the recording.
    mutating func stop() -> [ClientEffect] {
        defer { self.state = .idle }
        switch self.state {
        case .idle: return []
        case .opening: return [.abort(self.connection)]
        case .speaking, .waiting: return [.cancelTimer(Self.timer), .close(self.connection, code: 1000, reason: "")]
        }
    }

    /// The connection of the recording has gone.
    mutating func lost() -> [ClientEffect] {
        self.state = .idle
        return [.cancelTimer(Self.timer)]
    }
}
