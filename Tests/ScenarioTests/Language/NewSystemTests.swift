import JSON
import Machines
import RunRecord
import Testing
import Transport

@testable import Scenario

/// A system that nothing else in the product knows: all of it stands in this file, as a new system's stands in its
/// folder.
private struct PigeonClient: ClientMachine {
    enum Action: Sendable {
        case release(message: String, flight: Int64?)
    }

    enum Keys: MachineKeys {
        enum Timer: MachineTimer {
            case flight(String)

            var description: String {
                switch self {
                case .flight(let message): "flight of \(message)"
                }
            }
        }

        typealias Exchange = Never
        typealias Connection = Never
    }

    static let commands = CommandSet<Action>([
        CommandDeclaration(
            "release", Parameter.string("message", "What it carries."),
            Parameter.integer("flight", "How long it flies, in seconds; 60 unless given.").optional,
            summary: "Lets a pigeon fly.", as: { .release(message: $0, flight: $1) })
    ])

    static let system = ChatSystem(
        name: "pigeon", title: "Medium pigeons",
        client: ClientDeclaration(
            name: "keeper", methods: Self.commands.methods,
            properties: [PropertyDeclaration("released", .integer, "How many pigeons have flown.")], options: []
        ) { _ in KeyedClientAdapter(PigeonClient()) },
        events: [
            EventDeclaration(
                .pigeonBack, [ParameterDeclaration("message", .string, "What it carried.")], "A pigeon is back.")
        ], noise: [])

    private var released: Int64 = 0
    var identity: JSONObject { [:] }
    var properties: JSONObject { ["released": .integer(self.released)] }

    mutating func handle(_ input: Input, in step: inout Step) {
        guard case .timerFired(.flight(let message)) = input else { return }
        step.ask(.emit(ChatEvent(.pigeonBack, ["message": .string(message)])))
    }

    mutating func perform(_ action: Action, in step: inout Step) -> CommandOutcome {
        switch action {
        case .release(let message, let flight):
            self.released += 1
            step.ask(.setTimer(.flight(message), .seconds(flight ?? 60)))
            return .done(.null)
        }
    }

    mutating func tearDown(in step: inout Step) {}
}

extension EventKind {
    fileprivate static let pigeonBack = EventKind("pigeon_back")
}

@Suite("A system that the product does not know")
struct NewSystemTests {
    /// Plays a scenario with the system; returns how it ended.
    private func end(of body: String) throws -> ScenarioEnd {
        let settings = ExecutionSettings(
            systems: [PigeonClient.system], projectRoot: "/", workingDirectory: "/",
            project: ProjectConfiguration(),
            destination: .named("loft", ProjectConfiguration.Target(url: "http://loft.test")), seed: 1)
        let source = """
            local pigeon = require "pigeon"
            scenario("a message", function(t)
                local ada = t:actor(pigeon)
                \(body)
            end)
            """
        return try ScriptRun(source, settings: settings).end
    }

    @Test("scenarios use its commands, properties and events without a change to the engine or the language")
    func plays() throws {
        let end = try self.end(
            of: """
                ada:release("come home", 90)
                assert(ada.released == 1)
                ada:expect("pigeon_back", { message = "come home" }, { within = "2m" })
                """)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test("what it does not have is refused with what was meant: methods, arguments, events and fields")
    func refusals() throws {
        let mistakes = [
            (#"ada:relaese("a")"#, "release"), ("ada:release()", "message"), (#"ada:release("a", "soon")"#, "flight"),
            (#"ada:expect "pigeon_bcak""#, "did you mean \"pigeon_back\"?"),
            (#"ada:expect("pigeon_back", { mesage = "a" })"#, "did you mean \"message\"?"),
        ]
        for (body, hint) in mistakes {
            let end = try self.end(of: body)
            #expect(end.outcome == .error, "\(body)")
            #expect(end.problems.first?.message.contains(hint) == true, "\(end.problems)")
        }
    }

    @Test("editors and the reference page know it from the same declarations")
    func references() {
        let page = ReferencePage(systems: [PigeonClient.system]).markdown
        #expect(page.contains("`keeper:release(message, flight?)`"))
        #expect(page.contains("- `released` (integer): How many pigeons have flown."))
        #expect(page.contains("**`pigeon_back`**"))
        let stubs = LuaStubs(systems: [PigeonClient.system]).files.map(\.text).joined()
        #expect(stubs.contains("release(message, flight)"))
        #expect(stubs.contains("---@field released integer How many pigeons have flown."))
        #expect(stubs.contains("pigeon_back"))
    }
}
