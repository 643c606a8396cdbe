import JSON
import Machines
import RunRecord
import Transport

/// What is looked at of an execution to judge what a fault made of it.
struct FaultTrace {
    /// Something that a client told: that not all is well.
    struct Trouble: Hashable {
        let at: Instant
        /// How many entries of the record came before it.
        let place: Int
        /// The event without what differs from play to play.
        let text: String
    }

    private(set) var end: ScenarioEnd?
    private(set) var troubles: [Trouble] = []

    /// The systems of the actors.
    private(set) var systems: Set<String> = []

    /// Whether it ended because a client in Lua failed by itself (`me:fail`), which says what was wrong.
    private(set) var isGivenUp = false

    /// The names of the clients of systems in Lua.
    private var scriptedClients: [String] = []

    /// How often each text was sent by a command, and how often it was observed by somebody else.
    private(set) var sent: [String: Int] = [:]
    private(set) var observed: [String: Int] = [:]

    /// How many steps it took.
    var stepCount = 0

    /// The play of a part that it shares with others and that did not go well at its end, as in an `after_all`.
    var failedPart: SharedCase?

    /// Whether it did not come to its end within so many steps that it never will.
    var isEndless = false

    /// How many entries of the record there were.
    private var entryCount = 0

    /// The fields that say what is wrong.
    private static let tellingFields = ["code", "reason", "message", "status", "body", "text"]

    /// The names of the commands that send a text to somebody where the system does not declare which do.
    private static let sendingCommands: Set<String> = ["say", "reply", "quote", "send_text", "send"]

    /// Events by which clients of all systems tell that not all is well, whatever lets them tell it.
    private static let troubles: [EventPattern] = [
        EventPattern(.disconnected), EventPattern(.reconnecting), EventPattern(.error), EventPattern(.unavailable),
        EventPattern(.rateLimited), EventPattern(.response, ["ok": false]),
        EventPattern(.streamEnded, ["complete": false]),
        EventPattern(.ended, ["reason": "error"]), EventPattern(.message, ["failed": true]),
    ]

    /// Takes in an entry of the record of the execution.
    ///
    /// - Parameters:
    ///   - systems: The systems by name, without those of the project itself.
    ///   - actor: Returns an actor by its name, as it is at this moment; nil if it is none.
    mutating func take(
        _ entry: RunEntry, _ systems: [String: ChatSystem], of actor: (String) -> (any TracedActor)?
    ) {
        self.entryCount += 1
        switch entry {
        case .happened(_, let at, let runEvent):
            self.take(runEvent, at: Instant(nanoseconds: at), systems, actor)
        case .scenarioEnded(let end):
            self.end = end
            guard let problem = end.problems.first, [.gaveUp, .disconnected].contains(problem.kind) else { break }
            self.isGivenUp = self.scriptedClients.contains { problem.message.hasPrefix("\($0): ") }
        case .runStarted, .scenarioStarted, .runEnded: break
        }
    }

    private mutating func take(
        _ runEvent: RunEvent, at instant: Instant, _ systems: [String: ChatSystem],
        _ actor: (String) -> (any TracedActor)?
    ) {
        switch runEvent {
        case .actorJoined(let name, let system, _):
            if systems[system] == nil, actor(name)?.isClient ?? false { self.scriptedClients.append(name) }
            self.systems.insert(system)
        case .commanded(let name, let command, let arguments, _):
            for text in Self.texts(sentBy: Command(command, arguments), of: actor(name)) {
                self.sent[text, default: 0] += 1
            }
        case .observed(let name, _, let kind, let fields, _):
            guard let actor = actor(name) else { return }
            let event = ChatEvent(EventKind(kind), fields)
            guard actor.isClient else {
                if let text = actor.text(shownBy: event) { self.observed[text, default: 0] += 1 }
                return
            }
            // What a client tells of its own texts is no second arrival.
            guard actor.answersAnEnd || (Self.troubles + actor.troubles).contains(where: { $0.matches(event) })
            else { return }
            let told = Self.tellingFields.compactMap { name in
                fields[name].map { "\(name)=\($0.string ?? $0.description)" }
            }
            self.troubles.append(
                Trouble(at: instant, place: self.entryCount, text: "\(name): \(kind) \(told.joined(separator: " "))"))
        default: break
        }
    }

    /// Returns the texts that a command sends: the declared one, or all that it is given if it has the name of one that
    /// sends.
    private static func texts(sentBy command: Command, of actor: (any TracedActor)?) -> [String] {
        if let text = actor?.text(sentBy: command) { return [text] }
        guard Self.sendingCommands.contains(command.name) else { return [] }
        return command.arguments.compactMap { $0.1.string }
    }

    /// The first thing that a client told since an instant that it does not tell without the fault, or not so early:
    /// the connection that a scenario closes in its end is no excuse for one that is closed before.
    func trouble(since instant: Instant, notIn other: FaultTrace) -> Trouble? {
        var known: [String: [Int]] = [:]
        for trouble in other.troubles.reversed() { known[trouble.text, default: []].append(trouble.place) }
        for trouble in self.troubles {
            if let place = known[trouble.text]?.last, place <= trouble.place {
                known[trouble.text]?.removeLast()
            } else if trouble.at >= instant {
                return trouble
            }
        }
        return nil
    }

    /// A text that arrived more often than it was sent, and than it does without the fault.
    func doubledText(comparedWith other: FaultTrace) -> String? {
        self.observed.filter { text, count in
            guard let sent = self.sent[text] else { return false }
            return count > sent && count - sent > (other.observed[text] ?? 0) - (other.sent[text] ?? 0)
        }.keys.min()
    }
}
