import JSON
import LuaRuntime
import Machines

/// What actors of one role of a chat system observe; worked out once for all of them.
final class ActorVocabulary {
    /// Whose it is, of a system that comes with the program.
    struct Key: Hashable {
        let system: String

        /// What they are in the system.
        let role: String

        /// Whether they must expect what others of the role need not.
        let isStrict: Bool
    }

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

    /// The fields whose values vary from run to run by declaration.
    let varyingFields: Set<String>

    private let kinds: [EventKind: Kind]

    /// The kind that was asked for last: users of a load test observe the same one again and again.
    private var lastKind: Kind?

    /// Whether events have no other fields than the declared ones.
    let isClosed: Bool

    /// What refuses to be asked for a capture that no alternative of an expectation has, by the names that they have.
    private var captureGuards: [[String]: MemberGuard] = [:]

    private static let mostCaptureGuards = 64

    private let noise: [EventKind: [EventPattern]]

    /// What the product does not have, by the events that would tell of it.
    let absences: [EventKind: String]

    /// The events, besides those of every system, by which a client tells that not all is well.
    let troubles: [EventPattern]

    /// The commands by which an actor asks for events that do not come without.
    let commandsBefore: [EventKind: String]

    /// The kinds of events that tell that a connection has ended. An error is none, for it may have any cause.
    let ends: Set<EventKind>

    /// Those that do in every system that has them.
    private static let commonEnds: Set<EventKind> = [.disconnected, .reconnecting]

    /// - Parameter isClosed: Whether events have no other fields than the declared ones: those of systems in Lua, which
    ///   cannot emit others. The systems that come with the program tell of what a server adds.
    init(
        events: [EventDeclaration], noise: [EventPattern], absences: [EventKind: String],
        troubles: [EventPattern] = [], isClosed: Bool = false
    ) {
        self.isClosed = isClosed
        self.commandsBefore = Dictionary(
            events.compactMap { event in event.command.map { (event.kind, $0) } }, uniquingKeysWith: { $1 })
        self.eventKinds = Set(events.map(\.kind))
        self.varyingFields = Set(events.flatMap(\.fields).filter(\.variesByRun).map(\.name))
        self.ends = Self.commonEnds.intersection(self.eventKinds).union(events.filter(\.tellsEnd).map(\.kind))
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
        self.troubles = troubles
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

    /// The fields that events of a kind have, with their types; nil if none of the kind are observed.
    func fieldTypes(of kind: EventKind) -> [String: ScriptType]? { self.kind(kind)?.fieldTypes }

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
    var noiseKinds: Set<EventKind> {
        Set(self.noise.filter { $0.value.contains { $0.fields.isEmpty } }.keys)
    }
}
