import HTTPTypes
import JSON
import Machines
import Testing
import Transport

@Suite("The way of inputs and effects through a driver")
struct DriverTests {
    @Test("Timers fire in virtual time; replaced and cancelled ones do not")
    func timers() throws {
        try DriverPair.play(.memory) { pair in
            pair.client(
                .setTimer("a", .seconds(10)), .setTimer("b", .seconds(5)), .setTimer("a", .seconds(20)),
                .setTimer("c", .seconds(1)), .cancelTimer("c")
            ) { pair.clientDriver.isQuiet }
            pair.then {
                #expect(pair.client.inputs == [.timerFired("b"), .timerFired("a")])
                #expect(pair.scheduler.now == Instant.start + .seconds(20))
            }
            pair.server(.setTimer("a", .seconds(10)), .setTimer("a", .seconds(3))) { pair.serverDriver.isQuiet }
            pair.then {
                #expect(pair.server.inputs == [.timerFired("a")])
                #expect(pair.scheduler.now == Instant.start + .seconds(23))
            }
        }
    }

    @Test("A driver tells when its timers are due, and how long that is from now")
    func dueTimers() throws {
        try DriverPair.play(.memory) { pair in
            var begin = Instant.start
            pair.client(.setTimer("pause", .seconds(2))) { pair.clientDriver.isQuiet }
            pair.client(.setTimer("late", .seconds(9)), .setTimer("soon", .seconds(4))) {
                begin = pair.scheduler.now
                return true
            }
            pair.then {
                #expect(begin == Instant.start + .seconds(2))
                #expect(pair.clientDriver.nextTimer == begin + .seconds(4))
            }
            pair.server(.setTimer("soon", .seconds(3)))
            pair.then {
                #expect(pair.serverDriver.pendingTimers == ["timer soon fires in \(Duration.seconds(3).timelineText)"])
            }
        }
    }

    @Test("A server hears the end of a WebSocket once, however the client leaves", arguments: [true, false])
    func endHeardOnce(closes: Bool) throws {
        try DriverPair.play(.memory) { pair in
            let link = ConnectionID(1)
            pair.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.accept(id, subprotocol: nil)]
            }
            pair.client(.open(link, pair.head(isWebSocket: true), subprotocols: [])) { pair.client.inputs.count == 1 }
            pair.client(closes ? .close(link, code: 1000, reason: "bye") : .abort(link)) {
                (pair.scheduler as? VirtualScheduler)?.isEmpty ?? false
            }
            pair.then {
                let ends = pair.server.inputs.count { if case .closed = $0 { true } else { false } }
                #expect(ends == 1, "\(pair.server.inputs)")
            }
        }
    }

    @Test("A timer that is due at the same instant as its cancellation does not fire")
    func lateFire() throws {
        try DriverPair.play(.memory) { pair in
            pair.client.react = { input in
                input == .timerFired("first") ? [.cancelTimer("second")] : []
            }
            pair.client(.setTimer("first", .seconds(1)), .setTimer("second", .seconds(1))) { pair.clientDriver.isQuiet }
            pair.then { #expect(pair.client.inputs == [.timerFired("first")]) }
        }
    }

    @Test("A command given from within an event is taken at once, and its effects come after those under way")
    func reentrance() {
        let scheduler = VirtualScheduler()
        let script = ClientScript()
        var order: [String] = []
        var perform: () -> Void = {}
        let driver = ClientDriver(
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
            _ = driver.perform(Command("again"))
        }
        script.onCommand = [event("first"), event("second")]
        _ = driver.perform(Command("go"))
        #expect(order == ["first", "second", "third"])
    }

    @Test("After close the machine hears nothing, and commands are refused")
    func close() throws {
        try DriverPair.play(.memory) { pair in
            pair.client(.setTimer("a", .seconds(1)), .send(ExchangeID(1), Request(pair.head())))
            pair.then {
                pair.clientDriver.close()
                guard case .refused = pair.clientDriver.perform(Command("go")) else {
                    Issue.record("the command was taken")
                    return
                }
            }
            pair.then({}) { (pair.scheduler as? VirtualScheduler)?.isEmpty ?? false }
            pair.then { #expect(pair.client.inputs.isEmpty) }
        }
    }

    @Test("A driver closed from within an event stops at once")
    func closeWithin() {
        let scheduler = VirtualScheduler()
        let script = ClientScript()
        var count = 0
        var close: () -> Void = {}
        let driver = ClientDriver(
            machine: ScriptedClient(script: script), label: "client", network: MemoryNetwork(scheduler: scheduler),
            scheduler: scheduler, random: RandomSource(seed: 1), callScript: { _, _, _ in },
            emit: { _ in
                count += 1
                close()
            })
        close = { driver.close() }
        script.onCommand = [.emit(ChatEvent(.message)), .emit(ChatEvent(.message)), .setTimer("a", .seconds(1))]
        _ = driver.perform(Command("go"))
        #expect(count == 1)
        #expect(scheduler.isEmpty)
    }

    @Test("A function of the script is called, and its result comes back once")
    func scriptCalls() {
        let scheduler = VirtualScheduler()
        let script = ClientScript()
        var calls: [ScriptCallID] = []
        let driver = ClientDriver(
            machine: ScriptedClient(script: script), label: "client", network: MemoryNetwork(scheduler: scheduler),
            scheduler: scheduler, random: RandomSource(seed: 1), callScript: { id, _, _ in calls.append(id) },
            emit: { _ in })
        script.onCommand = [.callScript(ScriptCallID(4), ScriptFunction(2), [])]
        _ = driver.perform(Command("go"))
        #expect(calls == [ScriptCallID(4)])
        #expect(!driver.isQuiet)
        driver.scriptReturned(ScriptCallID(4), .success(true))
        driver.scriptReturned(ScriptCallID(4), .success(false))
        #expect(script.inputs == [.scriptReturned(ScriptCallID(4), .success(true))])
        #expect(driver.isQuiet)
    }

    @Test("Drivers and connections are released after close", arguments: [Medium.memory, .sockets])
    func release(transport: Medium) throws {
        weak var client: ClientDriver?
        weak var server: ServerDriver?
        try DriverPair.play(transport) { pair in
            (client, server) = (pair.clientDriver, pair.serverDriver)
            pair.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.accept(id, subprotocol: nil)]
            }
            pair.client(
                .open(ConnectionID(1), pair.head(isWebSocket: true), subprotocols: []),
                .send(ExchangeID(1), Request(pair.head())), .setTimer("a", .seconds(100))
            ) { pair.client.inputs.count == 1 && pair.server.inputs.count == 2 }
            pair.then { pair.server.react = { _ in [] } }
        }
        #expect(client == nil)
        #expect(server == nil)
    }
}
