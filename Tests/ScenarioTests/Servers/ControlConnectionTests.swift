import JSON
import Machines
import PlainWebSocket
import RunRecord
import Testing
import Transport

@testable import Scenario

@Suite("The end of a control connection that asks")
struct ControlConnectionTests {
    /// A control port that answers each message with the same one, and tells by which code connections end.
    private struct Port: ServerMachine {
        let reply: WebSocketMessage
        let properties: JSONObject = [:]

        mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
            switch input {
            case .upgradeRequested(let id, _): step.ask(.accept(id, subprotocol: ControlMessage.subprotocol))
            case .received(let id, _): step.ask(.transmit(id, self.reply))
            case .closed(_, let closure):
                step.ask(.emit(party: "", ChatEvent(.disconnected, ["code": .integer(Int64(closure.code))])))
            case .requested, .linkOpened, .requestAbandoned, .timerFired, .scriptReturned: break
            }
        }

        mutating func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
            .done(.null)
        }
    }

    private static func port(
        answering reply: WebSocketMessage, on network: MemoryNetwork, _ scheduler: any Scheduler,
        closed: @escaping (JSONValue?) -> Void = { _ in }
    ) throws -> (url: String, driver: ServerDriver) {
        let listener = try network.listen(on: .loopback, identity: nil)
        let driver = ServerDriver(
            machine: Port(reply: reply), label: "port", listener: listener, scheduler: scheduler,
            random: RandomSource(seed: 1), callScript: { _, _, _ in }, emit: { closed($1.fields["code"]) })
        return (listener.origin, driver)
    }

    /// What comes of two messages that are answered like this, and the codes by which the connection was closed then.
    private static func outputs(
        of reply: WebSocketMessage
    ) throws -> (outputs: [ControlConnection.Output], codes: [JSONValue?]) {
        let clock = ManualClock()
        let network = MemoryNetwork(scheduler: clock)
        var codes: [JSONValue?] = []
        let port = try Self.port(answering: reply, on: network, clock) { codes.append($0) }
        defer { port.driver.close() }
        var outputs: [ControlConnection.Output] = []
        let made = ControlConnection(
            url: port.url, network: network, scheduler: clock, random: RandomSource(seed: 2),
            configuration: ClientDriverConfiguration(), tell: { outputs.append($0) })
        let connection = try #require(made)
        #expect(connection.send(["method": "list"]) == 1 && connection.send(["method": "list"]) == 2)
        clock.advance(by: .seconds(1))
        let closed = codes
        connection.close()
        return (outputs, closed)
    }

    @Test("an answer goes to the message of its number, and an event to its party")
    func messages() throws {
        let answered = try Self.outputs(of: .text(#"{"id":1,"result":{"origin":"a"}}"#))
        let answer = ControlConnection.Output.answer(1, .success(["origin": "a"]))
        #expect(answered.outputs == [answer, answer] && answered.codes.isEmpty)
        let refused = ControlConnection.Output.answer(2, .failure(ControlRefusal("no")))
        #expect(try Self.outputs(of: .text(#"{"id":2,"error":"no"}"#)).outputs == [refused, refused])
        let failed = ControlConnection.Output.answer(2, .failure(ControlRefusal("no", .expect)))
        let failure = #"{"id":2,"error":"no","kind":"expect"}"#
        #expect(try Self.outputs(of: .text(failure)).outputs == [failed, failed])
        let called = try Self.outputs(of: .text(#"{"event":"call","call":3,"function":4}"#)).outputs
        #expect(called.first == .call(3, ["event": "call", "call": 3, "function": 4]))
        let event = try Self.outputs(of: .text(#"{"event":"message","party":"Sam"}"#)).outputs
        #expect(event.first == .event("message", party: "Sam", ["event": "message", "party": "Sam"]))
    }

    @Test("a server that has ended is told with whose fault it is")
    func ended() throws {
        let text = #"{"event":"server_failed","message":"no","category":"failure","kind":"expect"}"#
        #expect(try Self.outputs(of: .text(text)).outputs.first == .serverFailed("no", .failure, .expect))
    }

    @Test(
        "what is neither ends the connection, and is told once",
        arguments: [
            "hello", "[]", "{}", #"{"id":1}"#, #"{"id":1,"result":3}"#, #"{"id":3,"result":{}}"#,
            #"{"id":1,"error":"no","kind":"fault of nobody"}"#, #"{"id":1,"error":7}"#, #"{"id":0,"result":{}}"#,
            #"{"id":"1","result":{}}"#, #"{"event":7,"party":"Sam"}"#,
            #"{"event":"message","fields":{}}"#, #"{"event":"call","function":4}"#,
            #"{"event":"server_failed","message":"no","category":"failure"}"#,
            #"{"event":"server_failed","message":"no","category":"fault","kind":"expect"}"#,
        ])
    func garbage(text: String) throws {
        let (outputs, codes) = try Self.outputs(of: .text(text))
        #expect(
            outputs == [.failed("the control connection brought what is neither an answer nor an event: \(text)")])
        #expect(codes == [1003])
    }

    @Test("a scenario that waits for the answer instead of which garbage comes ends with it, and at once")
    func waiter() throws {
        let worker = Worker()
        let network = MemoryNetwork(scheduler: worker)
        let port = try Self.port(answering: .binary([0xFF]), on: network, worker)
        defer { port.driver.close() }
        let settings = ExecutionSettings(
            systems: [PlainWebSocketSystem.system], projectRoot: "/", workingDirectory: "/",
            project: ProjectConfiguration(),
            destination: .named("served", ProjectConfiguration.Target(served: port.url)), seed: 1)
        let suite = ScenarioSuite(
            [
                ScriptFile(
                    name: "a.lua",
                    source: "scenario('s', function(t) t:server(require 'websocket') wait '1s' end)")
            ], settings: settings)
        let member = try #require(suite.members.first)
        let engine = ScriptEngine()
        defer { engine.close() }
        var end: ScenarioEnd?
        let execution = ScenarioExecution(
            member.definition, attempt: member.attempt(1), settings: settings, worker: worker, network: network,
            engine: engine, emit: { _ in }, onEnd: { end = $0 })
        execution.start(member.file)
        _ = worker.runVirtually { end != nil }
        #expect(end?.outcome == .error && (end?.atNanoseconds ?? .max) < 1_000_000_000)
        let problem = try #require(end?.problems.first)
        #expect(problem.typeName == "connection")
        #expect(problem.message.contains("brought what is neither an answer nor an event"), "\(problem.message)")
    }
}
