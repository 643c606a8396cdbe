import HTTPTypes
import JSON
import Machines

/// The server's side of the recognition of speech: it understands what a script says, for it cannot listen.
///
/// | a connection's state | input | → state | actions |
/// |---|---|---|---|
/// | none | `upgradeAsked`, a known channel and locale, no need of a token | listening | accepts |
/// | none | `upgradeAsked`, a known channel and locale | unknown | accepts |
/// | none | `upgradeAsked` otherwise | none | refuses |
/// | unknown | `received` a token that is taken | listening | |
/// | unknown, listening | `received` another token | unchanged | closes |
/// | unknown | `received` sound | unknown | closes |
/// | listening | `received` sound | listening | a partial result, if there is another one |
/// | listening | `received` `Done` | listening | sets the timer |
/// | unknown, listening | `thinkingOver` | unchanged | the final result, or an error |
/// | unknown, listening | `closed` | none | |
struct ServerRecognitionPart: Sendable {
    /// What happens to the recognition.
    enum Input: Sendable {
        case upgradeAsked(ConnectionID, ChannelRequest, locale: String)
        case received(ConnectionID, WebSocketMessage)
        /// The recognition has had its time to think.
        case thinkingOver(ConnectionID)
        case closed(ConnectionID)
    }

    /// What it makes of one recording.
    private struct Utterance: Sendable {
        /// The words in the end; empty if nothing was understood.
        let text: String
        /// The words on the way.
        let partials: [String]
        /// An error in place of words.
        let error: String?
    }

    private struct Listener: Sendable {
        let userID: String
        var isAuthenticated: Bool
        /// The pieces of sound of the present recording that came.
        var pieces = 0
    }

    private var listeners: [ConnectionID: Listener] = [:]
    /// What comes next, first the next recording.
    private var utterances: [Utterance] = []
    /// Numbers the recognitions.
    private var lastNumber = 0

    /// At most this many recordings are expected at once.
    static let limit = 1000

    /// Creates one that understands nothing so far.
    init() {}

    /// Creates one that understands what a script says; a list of texts or tables.
    ///
    /// - Throws: ``ConfigurationError`` if there are too many.
    init(_ value: JSONValue?) throws(ConfigurationError) {
        for element in value?.array ?? [] {
            if let problem = self.expect(element) { throw ConfigurationError("speech: \(problem)") }
        }
    }

    /// How many connections there are.
    var count: Int { self.listeners.count }

    /// Whether a connection belongs to the recognition.
    func has(_ connection: ConnectionID) -> Bool { self.listeners[connection] != nil }

    /// Whether the server knows that a connection is its user's.
    func isAuthenticated(_ connection: ConnectionID) -> Bool {
        self.listeners[connection]?.isAuthenticated == true
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ gate: ChannelGate) -> [OracleServer.Effect] {
        switch input {
        case .upgradeAsked(let connection, let asked, let locale):
            guard gate.knows(asked), RecognitionPart.locales.contains(locale) else {
                let text = "The channel, the user or the locale is unknown.\n"
                return [.refuse(connection, Response(text: text, status: .notFound))]
            }
            guard gate.channel.isEnabled else {
                return [.refuse(connection, Response(text: "The channel is disabled.\n", status: .forbidden))]
            }
            self.listeners[connection] = Listener(
                userID: asked.userID, isAuthenticated: !gate.channel.demandsToken)
            return [.accept(connection, subprotocol: nil)]
        case .received(let connection, let message): return self.take(message, from: connection, gate)
        case .thinkingOver(let connection): return self.finish(connection)
        case .closed(let connection):
            self.listeners[connection] = nil
            return []
        }
    }

    /// Notes what another recording will say; returns why not if there is no room for it.
    mutating func expect(_ value: JSONValue) -> String? {
        guard self.utterances.count < Self.limit else {
            return "at most \(Self.limit) recordings are expected at once; let some of them come before the next"
        }
        let text = value.string ?? value["text"]?.string ?? ""
        let words = text.split(separator: " ")
        let partials =
            value["partials"]?.array?.compactMap(\.string)
            ?? (1..<max(words.count, 1)).map { words.prefix($0).joined(separator: " ") }
        self.utterances.append(Utterance(text: text, partials: partials, error: value["error"]?.string))
        return nil
    }

    private mutating func take(
        _ message: WebSocketMessage, from connection: ConnectionID, _ gate: ChannelGate
    ) -> [OracleServer.Effect] {
        guard let listener = self.listeners[connection] else { return [] }
        switch message {
        case .text(let text) where text.hasPrefix("Bearer "):
            guard gate.user(of: String(text.dropFirst(7))) == listener.userID else {
                return [.close(connection, code: 1008, reason: "AuthFailed")]
            }
            self.listeners[connection]?.isAuthenticated = true
            return []
        case .binary:
            guard listener.isAuthenticated else { return [.close(connection, code: 1008, reason: "AuthFailed")] }
            self.listeners[connection]?.pieces += 1
            // One partial result for each piece of sound, as long as there are any.
            guard let utterance = self.utterances.first, listener.pieces < utterance.partials.count else { return [] }
            let words = utterance.partials[listener.pieces]
            return [Self.result("partialResult", words, number: self.lastNumber + 1, connection)]
        case .text("Done"):
            return listener.isAuthenticated ? [.setTimer(.hear(connection), .milliseconds(200))] : []
        case .text: return []
        }
    }

    private mutating func finish(_ connection: ConnectionID) -> [OracleServer.Effect] {
        guard self.listeners[connection] != nil else { return [] }
        self.listeners[connection]?.pieces = 0
        let utterance = self.utterances.isEmpty ? nil : self.utterances.removeFirst()
        self.lastNumber += 1
        if let error = utterance?.error {
            let value: JSONValue = ["event": "error", "code": .string(error)]
            return [.transmit(connection, .text(value.description))]
        }
        return [Self.result("finalResult", utterance?.text ?? "", number: self.lastNumber, connection)]
    }

    private static func result(
        _ event: String, _ text: String, number: Int, _ connection: ConnectionID
    ) -> OracleServer.Effect {
        let value: JSONValue = [
            "event": .string(event), "nbest": [["utterance": .string(text)]],
            "requestId": .string("speech-\(number)"), "resultCode": "200",
        ]
        return .transmit(connection, .text(value.description))
    }
}
