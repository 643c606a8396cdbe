import HTTPTypes
import JSON
import Machines
import Testing
import Transport

@Suite("The way of inputs and effects through a port")
struct PortTests {
    @Test("Timers fire in virtual time; replaced and cancelled ones do not")
    func timers() throws {
        try Stage.play(.memory) { stage in
            stage.client(
                .setTimer("a", .seconds(10)), .setTimer("b", .seconds(5)), .setTimer("a", .seconds(20)),
                .setTimer("c", .seconds(1)), .cancelTimer("c")
            ) { stage.clientPort.isQuiet }
            stage.then {
                #expect(stage.client.inputs == [.timerFired("b"), .timerFired("a")])
                #expect(stage.scheduler.now == Instant.start + .seconds(20))
            }
            stage.server(.setTimer("a", .seconds(10)), .setTimer("a", .seconds(3))) { stage.serverPort.isQuiet }
            stage.then {
                #expect(stage.server.inputs == [.timerFired("a")])
                #expect(stage.scheduler.now == Instant.start + .seconds(23))
            }
        }
    }

    @Test("A timer that is due at the same instant as its cancellation does not fire")
    func lateFire() throws {
        try Stage.play(.memory) { stage in
            stage.client.react = { input in
                input == .timerFired("first") ? [.cancelTimer("second")] : []
            }
            stage.client(.setTimer("first", .seconds(1)), .setTimer("second", .seconds(1))) { stage.clientPort.isQuiet }
            stage.then { #expect(stage.client.inputs == [.timerFired("first")]) }
        }
    }

    @Test("A command given from within an event is taken at once, and its effects come after those under way")
    func reentrance() {
        let scheduler = VirtualScheduler()
        let script = ClientScript()
        var order: [String] = []
        var perform: () -> Void = {}
        let port = ClientPort(
            machine: ScriptedClient(script: script), label: "client", network: MemoryNetwork(scheduler: scheduler),
            scheduler: scheduler, random: RandomSource(seed: 1), callScript: { _, _, _ in },
            emit: { event in
                order.append(event.fields["name"]?.string ?? "")
                perform()
                perform = {}
            })
        func event(_ name: String) -> ClientEffect { .emit(ChatEvent(.message, ["name": .string(name)])) }
        perform = {
            script.onCommand = [event("third")]
            _ = port.perform(Command("again"))
        }
        script.onCommand = [event("first"), event("second")]
        _ = port.perform(Command("go"))
        #expect(order == ["first", "second", "third"])
    }

    @Test("After close the machine hears nothing, and commands are refused")
    func close() throws {
        try Stage.play(.memory) { stage in
            stage.client(.setTimer("a", .seconds(1)), .send(ExchangeID(1), Request(stage.head())))
            stage.then {
                stage.clientPort.close()
                guard case .refused = stage.clientPort.perform(Command("go")) else {
                    Issue.record("the command was taken")
                    return
                }
            }
            stage.then({}) { (stage.scheduler as? VirtualScheduler)?.isEmpty ?? false }
            stage.then { #expect(stage.client.inputs.isEmpty) }
        }
    }

    @Test("A port closed from within an event stops at once")
    func closeWithin() {
        let scheduler = VirtualScheduler()
        let script = ClientScript()
        var count = 0
        var close: () -> Void = {}
        let port = ClientPort(
            machine: ScriptedClient(script: script), label: "client", network: MemoryNetwork(scheduler: scheduler),
            scheduler: scheduler, random: RandomSource(seed: 1), callScript: { _, _, _ in },
            emit: { _ in
                count += 1
                close()
            })
        close = { port.close() }
        script.onCommand = [.emit(ChatEvent(.message)), .emit(ChatEvent(.message)), .setTimer("a", .seconds(1))]
        _ = port.perform(Command("go"))
        #expect(count == 1)
        #expect(scheduler.isEmpty)
    }

    @Test("A function of the script is called, and its result comes back once")
    func scriptCalls() {
        let scheduler = VirtualScheduler()
        let script = ClientScript()
        var calls: [ScriptCallID] = []
        let port = ClientPort(
            machine: ScriptedClient(script: script), label: "client", network: MemoryNetwork(scheduler: scheduler),
            scheduler: scheduler, random: RandomSource(seed: 1), callScript: { id, _, _ in calls.append(id) },
            emit: { _ in })
        script.onCommand = [.callScript(ScriptCallID(4), ScriptFunction(2), [])]
        _ = port.perform(Command("go"))
        #expect(calls == [ScriptCallID(4)])
        #expect(!port.isQuiet)
        port.scriptReturned(ScriptCallID(4), .success(true))
        port.scriptReturned(ScriptCallID(4), .success(false))
        #expect(script.inputs == [.scriptReturned(ScriptCallID(4), .success(true))])
        #expect(port.isQuiet)
    }

    @Test("Ports and connections are released after close", arguments: [Carrier.memory, .sockets])
    func release(carrier: Carrier) throws {
        weak var client: ClientPort?
        weak var server: ServerPort?
        try Stage.play(carrier) { stage in
            (client, server) = (stage.clientPort, stage.serverPort)
            stage.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.accept(id, subprotocol: nil)]
            }
            stage.client(
                .open(ConnectionID(1), stage.head(isWebSocket: true), subprotocols: []),
                .send(ExchangeID(1), Request(stage.head())), .setTimer("a", .seconds(100))
            ) { stage.client.inputs.count == 1 && stage.server.inputs.count == 2 }
            stage.then { stage.server.react = { _ in [] } }
        }
        #expect(client == nil)
        #expect(server == nil)
    }
}
