import JSON
import Machines
import Synchronization

@testable import BoldChat

/// The client of the product, watched from outside: every change of its machines' states and every event goes into a
/// ledger.
///
/// What happens once a scenario has ended is the harness's doing and not counted.
struct TracingClient: ClientMachine {
    typealias Keys = BoldChatClient.Keys

    static var commands: CommandSet<VisitorCommand> { BoldChatClient.commands }

    private var client: BoldChatClient
    private let profile: String
    private let ledger: CoverageLedger
    private var isTornDown = false

    init(_ configuration: ClientConfiguration, ledger: CoverageLedger) throws(ConfigurationError) {
        self.client = try BoldChatClient(configuration)
        self.profile = self.client.view.settings.profile.name
        self.ledger = ledger
    }

    var identity: JSONObject { self.client.identity }
    var properties: JSONObject { self.client.properties }
    var absences: [EventKind: String] { self.client.absences }

    mutating func handle(_ input: Input, in step: inout Step) {
        let before = MachineStates(self.client.view)
        self.client.handle(input, in: &step)
        self.note(step, since: before)
    }

    mutating func perform(_ command: VisitorCommand, in step: inout Step) -> CommandOutcome {
        let before = MachineStates(self.client.view)
        let outcome = self.client.perform(command, in: &step)
        self.note(step, since: before)
        return outcome
    }

    mutating func tearDown(in step: inout Step) {
        self.isTornDown = true
        self.client.tearDown(in: &step)
    }

    private func note(_ step: Step, since before: MachineStates) {
        guard !self.isTornDown else { return }
        let events = step.effects.compactMap { if case .emit(let event) = $0 { event } else { nil } }
        self.ledger.note(profile: self.profile, before.changes(to: MachineStates(self.client.view)), events)
        if let screen = self.client.properties["screen"] { self.ledger.note(screen: screen) }
    }
}

/// What the clients of a run have gone through.
final class CoverageLedger: Sendable {
    /// How often something was seen, by profile.
    typealias Counts = [String: Int]

    private struct Pages: Sendable {
        var changes: [StateStep: Counts] = [:]
        var callbacks: [String: Counts] = [:]
        var strays: Set<String> = []
        var screenMembers: Set<String> = []
    }

    private let pages = Mutex(Pages())

    func note(profile: String, _ changes: [StateStep], _ events: [ChatEvent]) {
        self.pages.withLock { pages in
            for change in changes { pages.changes[change, default: [:]][profile, default: 0] += 1 }
            for event in events {
                for witness in CallbackWitness.all where witness.isMet(event, changes) {
                    pages.callbacks[witness.name, default: [:]][profile, default: 0] += 1
                }
            }
        }
    }

    /// Looks for members of a screen that its declaration has not.
    func note(screen: JSONValue) {
        self.pages.withLock { Self.look(at: screen, ScreenShape.type, "screen", &$0) }
    }

    private static func look(at value: JSONValue, _ type: ScriptType, _ path: String, _ pages: inout Pages) {
        switch (type, value) {
        case (_, .null): break
        case (.record(let members), .object(let object)):
            for (name, value) in object {
                guard let member = members.first(where: { $0.name == name }) else {
                    pages.strays.insert("\(path).\(name)")
                    continue
                }
                pages.screenMembers.insert("\(path).\(name)")
                self.look(at: value, member.type, "\(path).\(name)", &pages)
            }
        case (.list(let element), .array(let values)):
            for value in values { self.look(at: value, element, path, &pages) }
        case (.string, .string), (.boolean, .bool): break
        case (.choice(let words), .string(let word)):
            if !words.contains(word) { pages.strays.insert("\(path): \(word)") }
        default: pages.strays.insert("\(path): \(value.description.prefix(60))")
        }
    }

    var strayScreenMembers: [String] { self.pages.withLock { $0.strays.sorted() } }
    var screenMembers: Set<String> { self.pages.withLock { $0.screenMembers } }
    var changes: [StateStep: Counts] { self.pages.withLock { $0.changes } }
    var callbacks: [String: Counts] { self.pages.withLock { $0.callbacks } }
}
