import HTTPTypes
import JSON
import Machines

/// What the simulated recognition understands, for it cannot listen.
struct ServerHearing: Sendable {
    /// What it makes of one recording.
    struct Utterance: Sendable {
        /// The words in the end; empty if nothing was understood.
        let text: String
        /// The words on the way.
        let partials: [String]
        /// An error in place of words.
        let error: String?
    }

    /// The voices that read aloud unless a script names others.
    static let voices: [JSONValue] = [
        ["name": "Anna", "culture": "en-us", "default": true], ["name": "Ben", "culture": "en-us", "default": false],
        ["name": "Claire", "culture": "fr-fr", "default": true], ["name": "Dora", "culture": "de-de", "default": true],
    ]

    /// What comes next, first the next recording.
    var utterances: [Utterance] = []

    /// Numbers the recognitions.
    var lastNumber = 0

    /// Creates one that understands what a script says; a list of texts or tables.
    init(_ value: JSONValue? = nil) {
        for element in value?.array ?? [] { self.expect(element) }
    }

    /// Adds what a recording says.
    mutating func expect(_ value: JSONValue) {
        guard self.utterances.count < 1000 else { return }
        let text = value.string ?? value["text"]?.string ?? ""
        let words = text.split(separator: " ")
        let partials =
            value["partials"]?.array?.compactMap(\.string)
            ?? (1..<max(words.count, 1)).map { words.prefix($0).joined(separator: " ") }
        self.utterances.append(Utterance(text: text, partials: partials, error: value["error"]?.string))
    }
}

extension OracleServer {
    /// Accepts a connection of the recognition.
    mutating func acceptSpeech(
        _ connection: ConnectionID, _ asked: ChannelRequest, locale: String, in step: inout Step
    ) {
        guard asked.channelID == self.channel.id, RecognitionPart.locales.contains(locale) else {
            step.ask(.refuse(connection, Response(text: "The channel or the locale is unknown.\n", status: .notFound)))
            return
        }
        step.ask(.accept(connection, subprotocol: nil))
        var known = Connection(userID: asked.userID, isAuthenticated: !self.channel.demandsToken, isSpeech: true)
        known.locale = locale
        self.connections[connection] = known
    }

    /// Takes in the token, sound or the end of it.
    mutating func heard(_ connection: ConnectionID, _ message: WebSocketMessage, in step: inout Step) {
        guard let known = self.connections[connection] else { return }
        switch message {
        case .text(let text) where text.hasPrefix("Bearer "):
            let seconds = Double(self.epochMilliseconds(at: step.now)) / 1000
            let user = try? self.channel.user(
                of: String(text.dropFirst(7)), asked: self.channel.id, epochSeconds: seconds)
            guard user == known.userID else {
                step.ask(.close(connection, code: 1008, reason: "AuthFailed"))
                return
            }
            self.connections[connection]?.isAuthenticated = true
        case .binary(let bytes):
            guard known.isAuthenticated else {
                step.ask(.close(connection, code: 1008, reason: "AuthFailed"))
                return
            }
            let before = known.sound
            self.connections[connection]?.sound = min(before, 1 << 30) + bytes.count
            // One partial result for each piece of sound, as long as there are any.
            let pieces = before / max(bytes.count, 1)
            if let utterance = self.hearing.utterances.first, pieces < utterance.partials.count {
                self.say(
                    "partialResult", utterance.partials[pieces], number: self.hearing.lastNumber + 1, connection, &step)
            }
        case .text("Done"):
            guard known.isAuthenticated else { return }
            step.ask(.setTimer(.hear(connection), .milliseconds(200)))
        case .text: break
        }
    }

    /// The recognition has had its time to think.
    mutating func hearNext(_ connection: ConnectionID, in step: inout Step) {
        guard self.connections[connection] != nil else { return }
        let utterance = self.hearing.utterances.isEmpty ? nil : self.hearing.utterances.removeFirst()
        self.hearing.lastNumber += 1
        if let error = utterance?.error {
            let value: JSONValue = ["event": "error", "code": .string(error)]
            step.ask(.transmit(connection, .text(value.description)))
        } else {
            self.say("finalResult", utterance?.text ?? "", number: self.hearing.lastNumber, connection, &step)
        }
    }

    private func say(
        _ event: String, _ text: String, number: Int, _ connection: ConnectionID, _ step: inout Step
    ) {
        let value: JSONValue = [
            "event": .string(event), "nbest": [["utterance": .string(text)]],
            "requestId": .string("speech-\(number)"), "resultCode": "200",
        ]
        step.ask(.transmit(connection, .text(value.description)))
    }
}
