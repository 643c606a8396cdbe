import HTTPTypes
import JSON
import Machines
import Testing

@Suite("Machines with keys of their own")
struct KeyedClientAdapterTests {
    /// Does what its commands say and remembers what it hears.
    private struct Machine: ClientMachine {
        enum Keys: MachineKeys {
            enum Timer: MachineTimer {
                case ping
                case answer(Int)

                var description: String {
                    switch self {
                    case .ping: "session.ping"
                    case .answer(let number): "answer.\(number)"
                    }
                }
            }

            enum Exchange: Hashable, Sendable { case login, message(String) }
            enum Connection: Hashable, Sendable { case chat(Int), speech }
        }

        /// What it asks for on its n-th command.
        let script: [[Effect]]
        var heard: [Input] = []
        private var count = 0
        var identity: JSONObject { [:] }
        var properties: JSONObject { [:] }

        init(_ script: [Effect]...) { self.script = script }

        mutating func handle(_ input: Input, in step: inout Step) { self.heard.append(input) }

        mutating func perform(_ action: Command, in step: inout Step) -> CommandOutcome {
            for effect in self.script[self.count] { step.ask(effect) }
            self.count += 1
            return .done(.null)
        }

        mutating func tearDown(in step: inout Step) {}
    }

    private static let head = HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: "/")

    /// Gives a machine its next command; returns what its driver gets.
    private func ask(_ machine: inout KeyedClientAdapter<Machine>) -> [ClientEffect] {
        var step = ClientStep(now: .start, random: RandomSource(seed: 1))
        #expect(machine.perform(Command("go"), in: &step) == .done(.null))
        return step.effects
    }

    private func heard(_ input: ClientInput, by machine: inout KeyedClientAdapter<Machine>) -> [Machine.Input] {
        let count = machine.machine.heard.count
        var step = ClientStep(now: .start, random: RandomSource(seed: 1))
        machine.handle(input, in: &step)
        return Array(machine.machine.heard[count...])
    }

    @Test("a timer has the name that people read, and comes back as the value that was set, once")
    func timers() {
        var machine = KeyedClientAdapter(
            Machine([.setTimer(.ping, .seconds(20)), .setTimer(.answer(7), .seconds(1))], [.cancelTimer(.ping)]))
        #expect(self.ask(&machine) == [.setTimer("session.ping", .seconds(20)), .setTimer("answer.7", .seconds(1))])
        #expect(self.heard(.timerFired("answer.7"), by: &machine) == [.timerFired(.answer(7))])
        #expect(self.heard(.timerFired("answer.7"), by: &machine) == [])
        #expect(self.ask(&machine) == [.cancelTimer("session.ping")])
        #expect(self.heard(.timerFired("session.ping"), by: &machine) == [])
        #expect(self.heard(.timerFired("unknown"), by: &machine) == [])
    }

    @Test("exchanges are numbered in their order, and their answers say what they were for")
    func exchanges() {
        let request = Request(Self.head)
        var machine = KeyedClientAdapter(
            Machine(
                [.send(.login, request), .stream(.message("a"), request), .send(.message("b"), request)],
                [.cancel(.login, as: .unanswered), .cancel(.login)]))
        #expect(
            self.ask(&machine) == [
                .send(ExchangeID(1), request), .stream(ExchangeID(2), request), .send(ExchangeID(3), request),
            ])
        let lost = TransportFailure(.connectionLost, "gone")
        #expect(
            self.heard(.exchangeFailed(ExchangeID(3), lost), by: &machine) == [.exchangeFailed(.message("b"), lost)])
        #expect(self.heard(.bodyReceived(ExchangeID(2), [1]), by: &machine) == [.bodyReceived(.message("a"), [1])])
        #expect(self.heard(.responseEnded(ExchangeID(2)), by: &machine) == [.responseEnded(.message("a"))])
        #expect(self.heard(.bodyReceived(ExchangeID(2), [1]), by: &machine) == [])
        #expect(self.ask(&machine) == [.cancel(ExchangeID(1), as: .unanswered)])
        #expect(self.heard(.exchangeFailed(ExchangeID(1), lost), by: &machine) == [])
    }

    @Test("connections of several kinds share the driver's numbers, and those that ended are not spoken of again")
    func connections() {
        var machine = KeyedClientAdapter(
            Machine(
                [.open(.chat(1), Self.head, subprotocols: []), .open(.speech, Self.head, subprotocols: ["s"])],
                [.transmit(.chat(1), .text("a"))], [.transmit(.chat(1), .text("a")), .abort(.chat(1))],
                [.abort(.speech)]))
        #expect(
            self.ask(&machine) == [
                .open(ConnectionID(1), Self.head, subprotocols: []),
                .open(ConnectionID(2), Self.head, subprotocols: ["s"]),
            ])
        #expect(
            self.heard(.opened(ConnectionID(2), subprotocol: nil), by: &machine) == [.opened(.speech, subprotocol: nil)]
        )
        #expect(self.ask(&machine) == [.transmit(ConnectionID(1), .text("a"))])
        let closure = WebSocketClosure(code: 1000, reason: "")
        #expect(self.heard(.closed(ConnectionID(1), closure), by: &machine) == [.closed(.chat(1), closure)])
        #expect(self.ask(&machine) == [])
        #expect(self.ask(&machine) == [.abort(ConnectionID(2))])
        #expect(self.heard(.received(ConnectionID(2), .text("late")), by: &machine) == [])
    }
}
