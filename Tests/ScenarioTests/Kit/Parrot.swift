import JSON
import Machines

/// A client that observes what the script tells it to observe, at once or later: expectations are tested with it, and
/// no protocol is in the way.
struct ParrotClient: ClientMachine {
    enum Action: Sendable {
        case say(String)
        case later(Duration, String)
        case squawk(String)
        case fail(String)
    }

    enum Keys: MachineKeys {
        enum Timer: MachineTimer {
            case says(String, number: Int)

            var description: String {
                switch self {
                case .says(let text, let number): "\(text) (\(number))"
                }
            }
        }

        typealias Exchange = Never
        typealias Connection = Never
    }

    static let commands = CommandSet<Action>([
        CommandDeclaration(
            "say", Parameter.string("text", "What it observes."), summary: "Observes a message.", as: { .say($0) }),
        CommandDeclaration(
            "later", Parameter.duration("delay", "When."), Parameter.string("text", "What it observes."),
            summary: "Observes a message later.", as: { .later($0, $1) }),
        CommandDeclaration(
            "squawk", Parameter.string("text", "What it observes."), summary: "Observes noise.", as: { .squawk($0) }),
        CommandDeclaration(
            "fail", Parameter.string("message", "What it observes."), summary: "Observes an error.",
            as: { .fail($0) }),
    ])

    static let system = ChatSystem(
        name: "parrot", title: "Parrots",
        client: ClientDeclaration(
            name: "bird", methods: Self.commands.methods,
            properties: [PropertyDeclaration("said", .integer, "How often it has spoken.")], options: []
        ) { _ in KeyedClientAdapter(ParrotClient()) },
        events: [
            EventDeclaration(.message, [ParameterDeclaration("text", .string, "What it said.")], "It spoke."),
            EventDeclaration(.squawk, [ParameterDeclaration("text", .string, "What it said.")], "It squawked."),
            EventDeclaration(.error, [ParameterDeclaration("message", .string, "What is wrong.")], "It failed."),
        ], noise: [EventPattern(.squawk)], absences: [.typing: "A parrot has no typing indicators"])

    private var said = 0
    private var timers = 0
    var identity: JSONObject { [:] }
    var properties: JSONObject { ["said": .integer(Int64(self.said))] }

    mutating func handle(_ input: Input, in step: inout Step) {
        guard case .timerFired(.says(let text, _)) = input else { return }
        self.say(text, in: &step)
    }

    private mutating func say(_ text: String, in step: inout Step) {
        self.said += 1
        step.ask(.emit(ChatEvent(.message, ["text": .string(text)])))
    }

    mutating func perform(_ action: Action, in step: inout Step) -> CommandOutcome {
        switch action {
        case .say(let text): self.say(text, in: &step)
        case .later(let delay, let text):
            self.timers += 1
            step.ask(.setTimer(.says(text, number: self.timers), delay))
        case .squawk(let text): step.ask(.emit(ChatEvent(.squawk, ["text": .string(text)])))
        case .fail(let message): step.ask(.emit(ChatEvent(.error, ["message": .string(message)])))
        }
        return .done(.null)
    }

    mutating func tearDown(in step: inout Step) {}
}

extension EventKind {
    static let squawk = EventKind("squawk")
}
