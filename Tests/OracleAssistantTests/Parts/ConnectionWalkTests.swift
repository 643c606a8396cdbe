import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("A connection to a chat server goes through its transition table, and through nothing else")
struct ConnectionWalkTests {
    private typealias Machine = ConnectionStateMachine
    private typealias Input = TransitionWalk<ConnectionStateMachine>.Input

    private static func machine(needsToken: Bool, canPoll: Bool, attempts: Int) throws -> Machine {
        let settings = try PartFixture.settings()
        var connection = ConnectionSettings(settings, address: settings.address)
        connection.needsToken = needsToken
        connection.canPoll = canPoll
        connection.maximumAttempts = attempts
        return Machine(connection)
    }

    private static func state(_ machine: Machine) -> String {
        if case .closing(let reopens) = machine.state { return reopens ? "closing, reopens" : "closing" }
        if case .open(let trust) = machine.state { return "open, \(trust)" }
        return "\(machine.state)"
    }

    /// Sockets and requests are counted from 1; whichever is under way hears it.
    private static func each(
        _ name: String, _ act: @escaping (inout Machine, UInt64) -> [ConnectionAction]
    ) -> Input {
        Input(name) { machine in
            for number in 1...100 where !act(&machine, UInt64(number)).isEmpty { return }
        }
    }

    private static func timer(_ timer: ConnectionTimer) -> Input {
        Input("the timer \(timer.rawValue)") { _ = $0.timerFired(timer) }
    }

    private static func closed(_ code: UInt16) -> Input {
        self.each("closed with \(code)") { $0.socketClosed($1, WebSocketClosure(code: code, reason: "")) }
    }

    /// What happens to any connection.
    private static var inputs: [Input] {
        [
            Input("connect") { _ = $0.connect() }, Input("disconnect") { _ = $0.disconnect() },
            Input("restart") { _ = $0.restart(with: $0.settings) }, Input("send") { _ = $0.send("{}") },
            Input("tokenArrived") { _ = $0.tokenArrived("t") },
            Input("tokenRefused") { _ = $0.tokenRefused(code: "c", message: "m") },
            self.each("opened") { $0.socketOpened($1) },
            self.each("openFailed") { $0.socketFailed($1, TransportFailure(.connectionLost, "gone")) },
            self.each("received") { $0.messageReceived($1, .text("{}")) },
            self.closed(1000), self.closed(1006), self.timer(.retry), self.timer(.token), self.timer(.ping),
            self.timer(.pong), self.timer(.refresh), self.timer(.upgrade), self.timer(.close),
        ]
    }

    /// What happens to the requests of a connection that polls.
    private static var polls: [Input] {
        let failure = HTTPResponse(status: .internalServerError)
        return [
            self.each("answered") { $0.responded($1, Response(json: [])) },
            self.each("answered with 500") { $0.responded($1, Response(failure)) },
            // A poll that is not answered is repeated, until too many were not.
            Input("not answered") { machine in
                for number in 1...100 {
                    _ = machine.exchangeFailed(UInt64(number), TransportFailure(.connectionLost, "gone"))
                }
            },
        ]
    }

    private static func changes(from starts: [Machine], _ inputs: [Input]) -> Set<StateChange> {
        starts.map { TransitionWalk($0, state: Self.state, inputs: inputs).changes(steps: 20_000) }
            .reduce([]) { $0.union($1) }
    }

    private static func rows(_ rows: [(String, [String], String)]) -> Set<StateChange> {
        Set(rows.flatMap { from, inputs, to in inputs.map { StateChange(from, $0, to) } })
    }

    private static let closings = ["closed with 1000", "closed with 1006", "the timer close"]
    private static let renewals = ["restart", "the timer pong", "the timer refresh", "the timer upgrade"]

    /// How an open connection ends whose token is trusted so, where there are tries left and where there are none.
    private static func ends(of trusts: [String], lostBy losses: [String], refusedBy refusals: [String])
        -> Set<StateChange>
    {
        self.rows(
            trusts.map { "open, \($0)" }.flatMap { state in
                [
                    (state, losses, "waiting"), (state, losses + refusals, "closed"),
                    (state, self.renewals, "closing, reopens"), (state, ["disconnect"], "closing"),
                ]
            })
    }

    @Test("with a token, over a WebSocket")
    func authenticated() throws {
        let patient = try Self.machine(needsToken: true, canPoll: false, attempts: 3)
        let impatient = try Self.machine(needsToken: true, canPoll: false, attempts: 0)
        let open = [patient, impatient].map { closed in
            var machine = closed
            _ = machine.connect()
            _ = machine.tokenArrived("t")
            _ = machine.socketOpened(1)
            return machine
        }
        // A try that follows on a token that was only taken is rarely walked into.
        var trying = open[0]
        _ = trying.send("{}")
        _ = trying.socketClosed(1, WebSocketClosure(code: 1006, reason: ""))
        _ = trying.timerFired(.retry)
        _ = trying.tokenArrived("t")
        let expected = Self.rows([
            ("closed", ["connect", "restart"], "awaitingToken"), ("awaitingToken", ["tokenArrived"], "opening"),
            ("awaitingToken", ["tokenRefused", "disconnect"], "closed"), ("opening", ["opened"], "open, offered"),
            // What was only taken is so on the tries that follow, too.
            ("opening", ["opened"], "open, taken"),
            ("opening", ["openFailed"], "waiting"), ("opening", ["openFailed", "disconnect"], "closed"),
            ("opening", ["restart"], "awaitingToken"),
            ("waiting", ["the timer retry", "restart"], "awaitingToken"), ("waiting", ["disconnect"], "closed"),
            ("open, offered", ["send", "the timer ping"], "open, taken"),
            ("open, offered", ["received"], "open, answered"),
            ("open, answered", ["send", "the timer ping"], "open, proven"),
            ("open, taken", ["received"], "open, proven"),
            ("closing", Self.closings, "closed"), ("closing", ["restart"], "closing, reopens"),
            ("closing, reopens", Self.closings, "awaitingToken"), ("closing, reopens", ["disconnect"], "closing"),
        ])
        .union(
            Self.rows(["offered", "answered", "taken"].map { ("open, \($0)", ["the timer token"], "open, proven") })
        )
        // Until a token is taken, only a connection that was lost is opened again.
        .union(Self.ends(of: ["offered", "answered"], lostBy: ["closed with 1006"], refusedBy: ["closed with 1000"]))
        .union(Self.ends(of: ["taken", "proven"], lostBy: ["closed with 1000", "closed with 1006"], refusedBy: []))
        #expect(Self.changes(from: [patient, impatient, trying] + open, Self.inputs) == expected)
    }

    @Test("without a token, and by polling where no WebSocket opens")
    func polling() throws {
        let fresh = try Self.machine(needsToken: false, canPoll: true, attempts: 5)
        // So many failures in a row are rarely walked into.
        var greeting = fresh
        _ = greeting.connect()
        for number in 1...6 {
            _ = greeting.socketFailed(UInt64(number), TransportFailure(.connectionLost, "gone"))
            _ = greeting.timerFired(.retry)
        }
        let failing = try Self.machine(needsToken: false, canPoll: true, attempts: 0)
        let expected = Self.rows([
            ("closed", ["connect", "restart"], "opening"), ("opening", ["opened"], "open, proven"),
            ("opening", ["openFailed"], "waiting"), ("opening", ["openFailed"], "greeting"),
            ("opening", ["disconnect"], "closed"), ("waiting", ["the timer retry", "restart"], "opening"),
            ("waiting", ["disconnect"], "closed"), ("greeting", ["answered"], "open, proven"),
            ("greeting", ["answered with 500", "not answered", "disconnect"], "closed"),
            ("greeting", ["restart"], "opening"),
            ("open, proven", ["closed with 1000", "closed with 1006"], "waiting"),
            // Where tries are not to be had, polling comes at once.
            ("open, proven", ["closed with 1000", "closed with 1006"], "greeting"),
            ("open, proven", Self.renewals, "closing, reopens"), ("open, proven", ["disconnect"], "closing"),
            // There is no closing handshake where no WebSocket is open.
            ("open, proven", Self.renewals, "opening"), ("open, proven", ["disconnect", "not answered"], "closed"),
            ("closing", Self.closings, "closed"), ("closing", ["restart"], "closing, reopens"),
            ("closing, reopens", Self.closings, "opening"), ("closing, reopens", ["disconnect"], "closing"),
        ])
        #expect(Self.changes(from: [fresh, greeting, failing], Self.inputs + Self.polls) == expected)
    }
}
