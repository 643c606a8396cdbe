import BoldChat
import JSON
import Machines
import Secrets
import Testing

@testable import Scenario

@Suite("A conversation by hand as the text of a scenario")
struct ScenarioWriterTests {
    private static let say = MethodDeclaration("say", [.init("text", .string, "The text.")], "Says something.")
    private static let accept = MethodDeclaration(
        "accept", [.init("visitor", .actor, "Who."), .init("note", .string, optional: true, "Why.")], "Accepts.")

    private static func text(_ contents: [(Duration, PlayedStep.Content)], states: [ScenarioWriter.EndState] = [])
        -> [String]
    {
        let server = PlayedActor(name: "server", role: .server, variable: "server", options: [:])
        let ada = PlayedActor(name: "Ada", role: .client, variable: "ada", options: [:])
        let sam = PlayedActor(name: "Sam", role: .party("agent"), variable: "sam", options: [:])
        let steps =
            [server, ada, sam].map { PlayedStep(at: .zero, version: 1, content: .joined($0)) }
            + contents.map { PlayedStep(at: $0.0, version: 1, content: $0.1) }
        return ScenarioWriter(module: "boldchat", system: BoldChatSystem.system, secrets: SecretMasker())
            .text(steps, ending: states, at: .milliseconds(250)).split(separator: "\n").dropFirst(6).dropLast().map {
                $0.trimmed
            }
    }

    @Test("those who play are made in their order")
    func cast() {
        let ada = PlayedActor(name: "Ada", role: .client, variable: "ada", options: ["link": "long_poll"])
        let server = PlayedActor(name: "server", role: .server, variable: "server", options: ["queue": 2])
        let text = ScenarioWriter(module: "boldchat", system: BoldChatSystem.system, secrets: SecretMasker())
            .text([server, ada].map { PlayedStep(at: .zero, version: 1, content: .joined($0)) }, ending: [], at: .zero)
        #expect(
            text == """
                -- Played by hand on the page of `repartee serve --ui`.
                local boldchat = require "boldchat"

                scenario("a conversation that was played by hand", function(t)
                    local server = t:server(boldchat, { queue = 2 })
                    local ada = t:actor(boldchat, { link = "long_poll", name = "Ada" })
                end)

                """)
    }

    @Test("a system that is called server is not taken for its server")
    func holder() {
        let server = PlayedActor(name: "server", role: .server, variable: "server", options: [:])
        let text = ScenarioWriter(module: "server", system: BoldChatSystem.system, secrets: SecretMasker())
            .text([PlayedStep(at: .zero, version: 1, content: .joined(server))], ending: [], at: .zero)
        #expect(text.contains(#"local server_2 = require "server""#))
        #expect(text.contains("local server = t:server(server_2)"))
    }

    @Test("commands have their arguments in order, and actors by their variables")
    func commands() {
        let lines = Self.text([
            (.zero, .commanded(actor: "Sam", method: Self.accept, arguments: ["visitor": "Ada"])),
            (.zero, .commanded(actor: "Sam", method: Self.say, arguments: ["text": "\") os.exit() --"])),
        ])
        #expect(lines == ["sam:accept(ada)", #"sam:say("\") os.exit() --")"#])
    }

    @Test("only messages and what is no noise are expected, and only what is the same each time")
    func events() {
        let lines = Self.text([
            (.zero, .observed(actor: "Ada", event: ChatEvent(.typing, ["active": true]), isNoise: true)),
            (
                .zero,
                .observed(
                    actor: "Ada", event: ChatEvent(.message, ["id": "7", "text": "Hello", "time": "12:00"]),
                    isNoise: true)
            ),
            (
                .zero,
                .observed(
                    actor: "Ada", event: ChatEvent(.message, ["text": .string(String(repeating: "a", count: 501))]),
                    isNoise: false)
            ),
        ])
        #expect(lines == [#"ada:expect("message", { text = "Hello" })"#, #"ada:expect("message")"#])
    }

    @Test("of noise what was seen last before a command is expected, for the person had waited for it")
    func seen() {
        let say = PlayedStep.Content.commanded(actor: "Ada", method: Self.say, arguments: ["text": "a"])
        let noise = { (kind: EventKind) in
            PlayedStep.Content.observed(actor: "Ada", event: ChatEvent(kind), isNoise: true)
        }
        let lines = Self.text([
            (.zero, noise(.accepted)), (.zero, noise(.connected)), (.zero, noise(.typing)), (.zero, say),
            (.zero, noise(.connected)), (.zero, .observed(actor: "Ada", event: ChatEvent(.ended), isNoise: false)),
            (.zero, say), (.zero, noise(.connected)),
        ])
        #expect(lines == [#"ada:expect("connected")"#, #"ada:say("a")"#, #"ada:expect("ended")"#, #"ada:say("a")"#])
    }

    @Test("pauses stay where they were, and what was refused is left out")
    func pauses() {
        let say = { (text: String) in
            PlayedStep.Content.commanded(actor: "Ada", method: Self.say, arguments: ["text": .string(text)])
        }
        let lines = Self.text([
            (.milliseconds(400), say("a")), (.milliseconds(1600), say("b")), (.milliseconds(1900), say("c")),
            (.milliseconds(1900), .refused(step: 5, message: "no")), (.milliseconds(2600), say("d")),
        ])
        #expect(
            lines == [#"ada:say("a")"#, #"think("2s")"#, #"ada:say("b")"#, #"think("1s")"#, #"ada:say("d")"#])
    }

    @Test("how it ends stands at the end")
    func end() {
        let states = [ScenarioWriter.EndState(variable: "ada", property: "chat_state", value: "ended")]
        #expect(Self.text([], states: states) == [#"think("300ms")"#, #"expect(ada.chat_state, "ended")"#])
    }

    @Test(
        "variables are names of Lua that nobody has",
        arguments: [
            ("Sam", [], "sam"), ("Sam", ["sam"], "sam_2"), ("Ada Byron", [], "ada_byron"), ("end", [], "end_2"),
            ("t", [], "t_2"), ("Math", [], "math_2"), ("JSON", [], "json_2"), ("2nd", [], "actor"), ("Zoë", [], "zo__"),
            ("😀", ["actor"], "actor_2"), ("", [], "actor"),
        ] as [(String, Set<String>, String)])
    func variables(name: String, others: Set<String>, variable: String) {
        #expect(VariableName.make(of: name, besides: others) == variable)
    }
}

extension Substring {
    fileprivate var trimmed: String { String(self.drop { $0 == " " }) }
}
