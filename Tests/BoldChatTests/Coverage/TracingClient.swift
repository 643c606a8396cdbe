import JSON
import Machines
import Synchronization

@testable import BoldChat

/// The client of the product, watched: every transition of its machines and every event goes into a ledger.
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

    mutating func handle(_ input: Input, in step: inout Step) {
        self.client.trace = []
        self.client.handle(input, in: &step)
        self.note(step)
    }

    mutating func perform(_ command: VisitorCommand, in step: inout Step) -> CommandOutcome {
        self.client.trace = []
        let outcome = self.client.perform(command, in: &step)
        self.note(step)
        return outcome
    }

    mutating func tearDown(in step: inout Step) {
        self.isTornDown = true
        self.client.tearDown(in: &step)
    }

    private func note(_ step: Step) {
        guard !self.isTornDown else { return }
        let events = step.effects.compactMap { if case .emit(let event) = $0 { event } else { nil } }
        self.ledger.note(profile: self.profile, self.client.trace ?? [], events)
        if let screen = self.client.properties["screen"] { self.ledger.note(screen: screen) }
    }
}

/// What the clients of a run have gone through.
final class CoverageLedger: Sendable {
    /// How often something was seen, by profile.
    typealias Counts = [String: Int]

    private struct Pages: Sendable {
        var transitions: [CoverageRow: Counts] = [:]
        var callbacks: [String: Counts] = [:]
        var strays: Set<String> = []
        var screenMembers: Set<String> = []
    }

    private let pages = Mutex(Pages())

    func note(profile: String, _ transitions: [Transition], _ events: [ChatEvent]) {
        self.pages.withLock { pages in
            for transition in transitions where transition.from != transition.to || transition.isAnswered {
                pages.transitions[CoverageRow(transition), default: [:]][profile, default: 0] += 1
            }
            for event in events {
                for witness in CallbackWitness.all where witness.isMet(event, transitions) {
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
    var transitions: [CoverageRow: Counts] { self.pages.withLock { $0.transitions } }
    var callbacks: [String: Counts] { self.pages.withLock { $0.callbacks } }
}

/// A transition without what does not matter to its coverage.
struct CoverageRow: Hashable, Sendable, CustomStringConvertible {
    let machine: Transition.Machine
    let from: String
    let input: String
    let to: String

    init(_ transition: Transition) {
        self.machine = transition.machine
        self.from = transition.from
        self.input = transition.input
        self.to = transition.to
    }

    init(_ machine: Transition.Machine, _ from: String, _ input: String, _ to: String) {
        self.machine = machine
        self.from = from
        self.input = input
        self.to = to
    }

    var description: String {
        self.from == self.to
            ? "\(self.machine.rawValue)  \(self.from) on \(self.input)"
            : "\(self.machine.rawValue)  \(self.from) → \(self.to) on \(self.input)"
    }
}
