import JSON
import LuaRuntime
import Machines

/// What actors of one role of a chat system observe; worked out once for all of them.
final class ActorVocabulary {
    /// The kinds of events that they can observe.
    let eventKinds: Set<EventKind>

    /// Whether texts come as events that the system names itself, which is one in Lua without `message`.
    let namesTexts: Bool

    /// What is known of the events of one kind.
    private final class Kind {
        let kind: EventKind

        /// The fields that they have, with their types.
        let fieldTypes: [String: ScriptType]

        /// What refuses misspelt fields of events that a script holds.
        let members: MemberGuard

        init(_ kind: EventKind, fieldTypes: [String: ScriptType]) {
            self.kind = kind
            self.fieldTypes = fieldTypes
            self.members = MemberGuard(
                of: "the event \(kind.rawValue)", names: fieldTypes.keys + ObservedEvent.ownFields)
        }
    }

    private let kinds: [EventKind: Kind]

    /// The kind that was asked for last: users of a load test observe the same one again and again.
    private var lastKind: Kind?

    /// Whether events have no other fields than the declared ones.
    private let isClosed: Bool

    /// What refuses to be asked for a capture that no alternative of an expectation has, by the names that they have.
    private var captureGuards: [[String]: MemberGuard] = [:]

    private static let mostCaptureGuards = 64

    private let noise: [EventKind: [EventPattern]]

    /// What the product does not have, by the events that would tell of it.
    private let absences: [EventKind: String]

    /// The commands by which an actor asks for events that do not come without.
    let commandsBefore: [EventKind: String]

    /// - Parameter isClosed: Whether events have no other fields than the declared ones: those of systems in Lua, which
    ///   cannot emit others. The systems that come with the program tell of what a server adds.
    init(
        events: [EventDeclaration], noise: [EventPattern], absences: [EventKind: String], isClosed: Bool = false
    ) {
        self.isClosed = isClosed
        self.commandsBefore = Dictionary(
            events.compactMap { event in event.command.map { (event.kind, $0) } }, uniquingKeysWith: { $1 })
        self.eventKinds = Set(events.map(\.kind))
        self.namesTexts = isClosed && !self.eventKinds.contains(.message)
        // A kind that is declared twice, for two profiles, has the fields of both.
        self.kinds = Dictionary(
            uniqueKeysWithValues: Dictionary(grouping: events, by: \.kind).map { kind, events in
                let types = Dictionary(
                    events.flatMap(\.fields).map { ($0.name, $0.type) },
                    uniquingKeysWith: { $0 == $1 ? $0 : .either([$0, $1]) })
                return (kind, Kind(kind, fieldTypes: types))
            })
        self.noise = Dictionary(grouping: noise, by: \.kind)
        self.absences = absences
    }

    /// Returns an event as scripts see it.
    ///
    /// - Parameters:
    ///   - captures: What an expectation captured of it.
    ///   - names: The names under which it may have captured something.
    func scriptEvent(
        _ event: LoggedEvent, captures: JSONObject = [:], among names: () -> [String] = { [] }
    ) -> ObservedEvent {
        ObservedEvent(
            logged: event, members: self.kind(event.event.kind)?.members,
            captures: captures.isEmpty ? nil : NamedMembers(captures, self.captureGuard(names())))
    }

    private func kind(_ kind: EventKind) -> Kind? {
        if let lastKind = self.lastKind, lastKind.kind == kind { return lastKind }
        guard let found = self.kinds[kind] else { return nil }
        self.lastKind = found
        return found
    }

    private func captureGuard(_ names: [String]) -> MemberGuard {
        if let made = self.captureGuards[names] { return made }
        if self.captureGuards.count == Self.mostCaptureGuards { self.captureGuards = [:] }
        let made = MemberGuard(of: "captures", names: names, isClosed: true)
        self.captureGuards[names] = made
        return made
    }

    /// Whether an event tells that somebody else has come.
    var tellsOfOthers: Bool { !self.eventKinds.isDisjoint(with: [.accepted, .agentJoined, .chatStarted]) }

    /// Whether the system says that nothing need expect an event.
    func isNoise(_ event: ChatEvent) -> Bool {
        self.noise[event.kind]?.contains { $0.matches(event) } ?? false
    }

    /// The kinds of which every event is noise.
    private var noiseKinds: Set<EventKind> {
        Set(self.noise.filter { $0.value.contains { $0.fields.isEmpty } }.keys)
    }

    /// Checks that a silence of an actor can be broken, if the script does not say by which event.
    ///
    /// - Parameters:
    ///   - name: The name of the actor.
    ///   - absences: What it never observes as it is set up.
    ///   - isAllowed: Whether the scenario lets all events of a kind pass.
    /// - Throws: ``UsageError`` where every event is noise.
    func checkSilence(
        of name: String, lacking absences: [EventKind: String] = [:], isAllowed: (EventKind) -> Bool
    ) throws(UsageError) {
        let noise = self.noiseKinds
        let present = self.eventKinds.subtracting(absences.keys)
        guard present.allSatisfy({ noise.contains($0) || isAllowed($0) }) else { return }
        let kinds = present.map(\.rawValue).sorted()
        throw UsageError(
            "\(name):expect_silence cannot fail without an event: whatever \(name) observes (\(kinds.joined(separator: ", "))) "
                + "need not be expected and breaks no silence; name the event, "
                + "as in \(name):expect_silence(\"1s\", \"\(kinds.first { $0 != "connected" } ?? "message")\")")
    }

    /// Returns the mistake of looking for an event that an actor never observes.
    ///
    /// - Parameter absence: What is not there, as the beginning of a sentence.
    func absent(_ kind: EventKind, because absence: String, of name: String) -> UsageError {
        UsageError("\(absence), so \(name) never observes \"\(kind.rawValue)\"")
    }

    /// Checks that an actor can observe what a script expects of it.
    ///
    /// - Parameter name: The name of the actor.
    /// - Throws: ``UsageError`` that names the event and what the actor observes.
    func check(_ matcher: EventMatcher, of name: String) throws(UsageError) {
        guard let kind = matcher.kind else { return }
        guard self.kind(kind) != nil else {
            if let absence = self.absences[kind] {
                throw self.absent(kind, because: absence, of: name)
            }
            let known = self.eventKinds.map(\.rawValue).sorted()
            throw UsageError(
                "\(name) never observes \"\(kind.rawValue)\""
                    + TextDistance.hint(kind.rawValue, among: known, listing: "it observes"))
        }
        guard let known = self.kind(kind)?.fieldTypes else { return }
        if let whole = matcher.whole {
            let fields = known.keys.sorted().map { ParameterDeclaration($0, known[$0] ?? .json, "") }
            if let contradiction = whole.contradiction(to: .record(fields), at: "the event") {
                // One that names what was meant needs no further advice.
                let example = known["text"] != nil ? "text" : known.keys.min() ?? "raw"
                let advice = contradiction.hasSuffix("?") ? "" : "; ask for its fields, as in { \(example) = … }"
                throw UsageError("\(kind.rawValue) of \(name): \(contradiction)\(advice)")
            }
        }
        for field in matcher.fields where field.name != "raw" {
            if let type = known[field.name] {
                guard let contradiction = field.matcher.contradiction(to: type, at: field.name) else { continue }
                throw UsageError("\(kind.rawValue) of \(name): \(contradiction)")
            }
            // Where servers add fields, only those that are declared in almost these letters are refused.
            guard self.isClosed || TextDistance.suggestion(for: field.name, among: known.keys) != nil else { continue }
            throw UsageError(
                UnknownMember.text(
                    field.name, of: "\(kind.rawValue) of \(name)", as: "field", among: known.keys.sorted()))
        }
    }
}
