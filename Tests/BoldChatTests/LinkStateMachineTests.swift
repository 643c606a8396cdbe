import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Link state machine")
struct LinkStateMachineTests {
    typealias Machine = LinkStateMachine
    private typealias Action = LinkStateMachine.Action

    struct Bench {
        var machine: Machine
        var random = RandomSource(seed: 5)
        var now = Instant.start

        init(timeout: Int64 = 60, profile: Profile = .ios, quirks: Quirks = .vendor, longPoll: Bool = false) {
            let connection = ChatConnection([
                "WebSocketURL": "ws://h/", "LongPollURL": "http://h/?id=", "ClientTimeout": .integer(timeout),
            ])
            self.machine = Machine(
                connection, profile: profile, quirks: quirks, startsWithLongPoll: longPoll, firstConnection: 1)
        }

        mutating func feed(_ input: Machine.Input) -> [LinkStateMachine.Action] {
            self.machine.handle(input, now: self.now, random: &self.random)
        }

        mutating func event(_ connection: UInt64, _ method: String, _ params: JSONObject = [:], id: JSONValue? = nil)
            -> [LinkStateMachine.Action]
        {
            self.feed(
                .received(ConnectionID(connection), .call(OSSCall(method: method, params: params, id: id))))
        }

        /// Connected over the first socket, with its greeting in flight.
        mutating func connect() -> [LinkStateMachine.Action] {
            _ = self.feed(.started)
            _ = self.feed(.opened(ConnectionID(1)))
            self.now = self.now + .seconds(1)
            return self.event(1, "connect")
        }

        static func sent(_ actions: [LinkStateMachine.Action]) -> [OSSFrame] {
            actions.compactMap { if case .transmit(_, let frame) = $0 { OSSFrame(frame) } else { nil } }
        }

        /// Returns the call that a frame carries, which must be there.
        static func call(_ frame: OSSFrame?) throws -> OSSCall {
            let call: OSSCall? = if case .call(let call)? = frame { call } else { nil }
            return try #require(call, "it is \(String(describing: frame))")
        }
    }

    private static func call(_ text: String) -> OutgoingCall {
        OutgoingCall(
            .message(VisitorMessage(id: text, text: text)), method: .sendMessage, params: ["Message": .string(text)])
    }

    private static let posted = OSSAnswer(RESTAnswer(["Status": "success"]))

    @Test("The client greets only after the server's own connect")
    func greeting() throws {
        var bench = Bench()
        #expect(bench.feed(.started).contains(.open(ConnectionID(1), url: "ws://h/")))
        #expect(Bench.sent(bench.feed(.opened(ConnectionID(1)))).isEmpty)
        #expect(Bench.sent(bench.feed(.send(Self.call("early")))).isEmpty)
        let actions = bench.event(1, "connect")
        #expect(actions.first == .connected)
        let call = try Bench.call(Bench.sent(actions).first)
        #expect(call.method == "connect")
        #expect(call.params == ["LastMessageID": "0"])
        #expect(call.id?.string?.count == 19)
    }

    @Test("One call is in flight at a time; acknowledgements go before others")
    func oneAtATime() throws {
        var bench = Bench()
        let greeting = try Bench.call(Bench.sent(bench.connect()).first)
        #expect(Bench.sent(bench.feed(.send(Self.call("a")))).isEmpty)
        #expect(Bench.sent(bench.feed(.send(Self.call("b")))).isEmpty)
        #expect(Bench.sent(bench.event(1, "heartbeat", id: 9)).isEmpty)
        let answer = OSSAnswer(id: greeting.id, result: ["Status": "success"])
        let sent = Bench.sent(bench.feed(.received(ConnectionID(1), .answer(answer))))
        #expect(sent.first == OSSFrame(OSSAnswer.heartbeat(9).raw))
        let next = try Bench.call(sent.last)
        #expect(next.params == ["Message": "a"])
        #expect(sent.count == 2)
    }

    @Test("Of heartbeats that come while a call has no answer the last ones are acknowledged")
    func manyHeartbeats() throws {
        var bench = Bench()
        let greeting = try Bench.call(Bench.sent(bench.connect()).first)
        let count = LinkOutbox.heartbeatLimit + 2
        for id in 1...count { #expect(Bench.sent(bench.event(1, "heartbeat", id: .integer(Int64(id)))).isEmpty) }
        let answer = OSSAnswer(id: greeting.id, result: ["Status": "success"])
        let sent = Bench.sent(bench.feed(.received(ConnectionID(1), .answer(answer))))
        #expect(sent.count == LinkOutbox.heartbeatLimit)
        #expect(sent.first == OSSFrame(OSSAnswer.heartbeat(3).raw))
        #expect(sent.last == OSSFrame(OSSAnswer.heartbeat(.integer(Int64(count))).raw))
    }

    @Test("A call for which there is no room is refused; what the visitor types leaves room for what he says")
    func fullQueue() {
        var bench = Bench()
        _ = bench.feed(.started)
        let typing = OutgoingCall(true, chatKey: "k"), message = Self.call("a")
        for _ in 0..<LinkOutbox.limit / 2 { #expect(bench.feed(.send(typing)).isEmpty) }
        #expect(bench.feed(.send(typing)) == [.refused(typing)])
        for _ in 0..<LinkOutbox.limit / 2 { #expect(bench.feed(.send(message)).isEmpty) }
        #expect(bench.feed(.send(message)) == [.refused(message)])
    }

    @Test("Ids of answers count as last message id, unless that quirk is off")
    func foreignIDs() throws {
        for isOn in [true, false] {
            var bench = Bench(quirks: Quirks([.foreignMessageIDs: isOn]))
            let greeting = try Bench.call(Bench.sent(bench.connect()).first)
            _ = bench.event(1, "updateBusy", id: 12)
            #expect(bench.machine.lastMessageID == 12)
            _ = bench.feed(.received(ConnectionID(1), .answer(OSSAnswer(id: greeting.id, result: [:]))))
            #expect((bench.machine.lastMessageID == 12) == !isOn)
        }
    }

    @Test("Answers are not examined, unless that quirk is off")
    func unexamined() throws {
        for isOn in [true, false] {
            var bench = Bench(quirks: Quirks([.unexaminedAnswers: isOn]))
            let greeting = try Bench.call(Bench.sent(bench.connect()).first)
            let failed = OSSAnswer(id: greeting.id, result: ["Status": "error"])
            let actions = bench.feed(.received(ConnectionID(1), .answer(failed)))
            guard case .answered(_, let isSuccess, _)? = actions.first else {
                Issue.record("the greeting is answered")
                return
            }
            #expect(isSuccess == isOn)
        }
    }

    @Test("Unanswered calls are sent again after a loss, under new ids")
    func resending() throws {
        var bench = Bench()
        let greeting = try Bench.call(Bench.sent(bench.connect()).first)
        let answer = OSSFrame.answer(OSSAnswer(id: greeting.id, result: [:]))
        _ = bench.feed(.received(ConnectionID(1), answer))
        let first = try Bench.call(Bench.sent(bench.feed(.send(Self.call("a")))).first)
        #expect(bench.feed(.closed(ConnectionID(1), wasClean: false)) == [.setTimer(.reconnect, .seconds(5))])
        #expect(bench.feed(.timerFired(.reconnect)).contains(.open(ConnectionID(2), url: "ws://h/")))
        let again = try Bench.call(Bench.sent(bench.event(2, "connect")).first)
        #expect(again.method == "connect")
        let resent = Bench.sent(
            bench.feed(.received(ConnectionID(2), .answer(OSSAnswer(id: again.id, result: [:])))))
        let second = try Bench.call(resent.first)
        #expect(second.params == first.params)
        #expect(second.id != first.id)
    }

    @Test("Six failures of the first connection lead to long polling, its failure to the error")
    func fallback() {
        var bench = Bench()
        _ = bench.feed(.started)
        for attempt in 1...5 {
            #expect(
                bench.feed(.openFailed(ConnectionID(UInt64(attempt)))).contains {
                    if case .open = $0 { true } else { false }
                })
        }
        #expect(bench.feed(.openFailed(ConnectionID(6))) == [.poll(url: "http://h/?id=0")])
        #expect(bench.machine.state == .longPollConnecting)
        #expect(bench.feed(.pollFailed).contains(.failed))
        #expect(bench.machine.state == .error)
    }

    @Test("Silence before the first connection leads to long polling, after it to the end")
    func inactivity() {
        var fresh = Bench()
        _ = fresh.feed(.started)
        #expect(fresh.feed(.timerFired(.inactivity)).contains(.poll(url: "http://h/?id=0")))
        var connected = Bench()
        _ = connected.connect()
        #expect(connected.feed(.timerFired(.inactivity)).contains(.ended(.timeout)))
        #expect(connected.machine.state == .idle)
        var unlimited = Bench(timeout: 0)
        #expect(!unlimited.feed(.started).contains { if case .setTimer(.inactivity, _) = $0 { true } else { false } })
    }

    @Test("Only heartbeats, not ordinary events, restart the inactivity timer")
    func activity() {
        var bench = Bench()
        _ = bench.connect()
        let restart = Action.setTimer(.inactivity, .seconds(60))
        #expect(bench.event(1, "heartbeat", id: 1).contains(restart))
        #expect(!bench.event(1, "updateBusy").contains(restart))
        #expect(bench.event(1, "reconnect").contains(restart))
    }

    @Test("A redirect is followed, a clean close reconnects at once")
    func redirect() {
        var bench = Bench()
        _ = bench.connect()
        let actions = bench.event(1, "redirect", ["WebSocketURL": "ws://other/"])
        #expect(actions.contains(.close(ConnectionID(1))))
        #expect(actions.contains(.open(ConnectionID(2), url: "ws://other/")))
        _ = bench.feed(.opened(ConnectionID(2)))
        bench.now = bench.now + .seconds(1)
        #expect(
            bench.feed(.closed(ConnectionID(2), wasClean: true)).contains(.open(ConnectionID(3), url: "ws://other/")))
    }

    @Test("A connection that lasted no time is opened again only after a wait")
    func livelock() {
        var bench = Bench()
        _ = bench.feed(.started)
        _ = bench.feed(.opened(ConnectionID(1)))
        _ = bench.event(1, "connect")
        #expect(bench.event(1, "reconnect").contains(.setTimer(.reconnect, .seconds(5))))
        var polling = Bench(longPoll: true)
        _ = polling.feed(.started)
        let empty = [OSSFrame(OSSCall(method: "reconnect").wire)].compactMap { $0 }
        #expect(polling.feed(.pollAnswered(empty)).contains(.setTimer(.poll, .seconds(1))))
    }

    @Test("A poll goes on from the last id, and again after its failure in 5 s")
    func polling() {
        var bench = Bench(longPoll: true)
        #expect(bench.feed(.started).contains(.poll(url: "http://h/?id=0")))
        bench.now = bench.now + .seconds(1)
        let batch = [
            OSSCall(method: "updateBusy", params: ["Position": 1], id: 40), OSSCall(method: "reconnect"),
        ].compactMap { OSSFrame($0.wire) }
        let actions = bench.feed(.pollAnswered(batch))
        #expect(actions.contains(.connected))
        #expect(actions.contains(.poll(url: "http://h/?id=40")))
        #expect(bench.feed(.pollFailed) == [.setTimer(.poll, .seconds(5))])
        #expect(bench.feed(.timerFired(.poll)) == [.poll(url: "http://h/?id=40")])
        #expect(bench.feed(.send(Self.call("a"))) == [.post(Self.call("a"))])
        #expect(bench.feed(.postEnded(nil)) == [.setTimer(.outgoing, .seconds(5))])
        #expect(bench.feed(.timerFired(.outgoing)) == [.post(Self.call("a"))])
        #expect(
            bench.feed(.postEnded(Self.posted)).contains(
                .answered(Self.call("a"), isSuccess: true, raw: Self.posted.raw)))
    }

    @Test("Coming back from the background ends a chat that was silent too long, else goes on with the rest")
    func suspension() {
        var bench = Bench()
        _ = bench.connect()
        _ = bench.feed(.suspended)
        bench.now = bench.now + .seconds(20)
        #expect(bench.feed(.resumed).contains(.setTimer(.inactivity, .seconds(40))))
        _ = bench.feed(.suspended)
        bench.now = bench.now + .seconds(61)
        #expect(bench.feed(.resumed).contains(.ended(.timeout)))
    }

    @Test("An end needs a time and a reason, and the link closes itself first")
    func ends() {
        let time: JSONValue = "2024-01-01T00:00:00.000Z"
        for values in [["Ended": time], ["EndedReason": "operator"], ["Ended": "soon", "EndedReason": "operator"]] {
            var bench = Bench()
            _ = bench.connect()
            _ = bench.event(1, "updateChat", ["Values": .object(JSONObject(values.map { ($0.key, $0.value) }))])
            #expect(bench.machine.state == .webSocketConnected)
        }
        var bench = Bench()
        _ = bench.connect()
        let actions = bench.event(1, "updateChat", ["Values": ["Ended": time, "EndedReason": "moon"]])
        #expect(actions.first == .close(ConnectionID(1)))
        guard case .ended(.reported(.unknown, _))? = actions.last else {
            Issue.record("the end is reported last")
            return
        }
    }

    @Test("What still comes once the link has closed itself is nothing, and opens nothing")
    func afterTheClose() {
        for end in [.stopped, .received(ConnectionID(1), Self.end)] as [Machine.Input] {
            var bench = Bench()
            _ = bench.connect()
            #expect(bench.event(1, "addMessage", ["MessageID": "1"], id: 1).contains { !Self.isTimer($0) })
            #expect(bench.feed(end).contains(.close(ConnectionID(1))))
            #expect(bench.event(1, "addMessage", ["MessageID": "2"], id: 2).isEmpty)
            #expect(bench.event(1, "redirect", ["WebSocketURL": "ws://other/"], id: 3).isEmpty)
            #expect(bench.feed(.unreadable(ConnectionID(1), .text("?"))).isEmpty)
            #expect(bench.feed(.closed(ConnectionID(1), wasClean: true)).isEmpty)
            #expect(bench.machine.state == .idle)
        }
    }

    private static func isTimer(_ action: Action) -> Bool {
        switch action {
        case .setTimer, .cancelTimer: true
        default: false
        }
    }

    @Test("The browser window reports 15 s of silence once, and the return")
    func silence() {
        var bench = Bench(profile: .html)
        #expect(bench.connect().contains(.setTimer(.silence, .seconds(15))))
        #expect(bench.feed(.timerFired(.silence)) == [.disturbed])
        #expect(bench.feed(.timerFired(.silence)).isEmpty)
        #expect(bench.event(1, "heartbeat", id: 1).contains(.recovered))
        #expect(!bench.event(1, "heartbeat", id: 2).contains(.recovered))
    }

    /// The account says that the chat has ended.
    private static let end = OSSFrame.call(
        OSSCall(
            method: "updateChat", params: ["Values": ["Ended": "2024-01-01T00:00:00Z", "EndedReason": "operator"]]))

    /// Every input, with a name.
    static let inputs: [(name: String, input: Machine.Input)] = {
        let one = ConnectionID(1)
        let frames = ["connect", "heartbeat", "redirect", "reconnect", "reset", "closed", "addMessage"]
        var inputs: [(String, Machine.Input)] = [
            ("started", .started), ("opened", .opened(one)), ("failed", .openFailed(one)),
            ("dropped", .closed(one, wasClean: false)), ("clean", .closed(one, wasClean: true)),
            ("foreign", .closed(ConnectionID(99), wasClean: true)), ("batch", .pollAnswered([])),
            ("unpolled", .pollFailed), ("posted", .postEnded(OSSAnswer(id: nil, result: .null))),
            ("unposted", .postEnded(nil)), ("send", .send(Self.call("a"))), ("stopped", .stopped),
            ("suspended", .suspended), ("resumed", .resumed), ("end", .received(one, Self.end)),
            ("unreadable", .unreadable(one, .text("?"))),
            ("end in a batch", .pollAnswered([Self.end])),
            ("answer", .received(one, .answer(OSSAnswer(id: "1", result: .null)))),
        ]
        // A redirect says where to.
        inputs += frames.map {
            (
                $0,
                .received(one, .call(OSSCall(method: $0, params: $0 == "redirect" ? ["WebSocketURL": "ws://h/"] : [:])))
            )
        }
        inputs += Machine.Timer.allCases.map { ("timer \($0.rawValue)", .timerFired($0)) }
        return inputs
    }()

    /// A link in a state, reached in one way.
    static func bench(
        in state: Machine.State, profile: Profile = .ios, quirks: Quirks = .vendor
    ) -> Bench {
        let isPolling = state == .longPollConnecting || state == .longPollConnected
        var bench = Bench(profile: profile, quirks: quirks, longPoll: isPolling)
        switch state {
        case .idle: break
        case .webSocketConnecting, .longPollConnecting: _ = bench.feed(.started)
        case .webSocketConnected: _ = bench.connect()
        case .longPollConnected:
            _ = bench.feed(.started)
            _ = bench.feed(.pollAnswered([]))
        case .error:
            _ = bench.feed(.started)
            for number in 1...6 { _ = bench.feed(.openFailed(ConnectionID(UInt64(number)))) }
            _ = bench.feed(.pollFailed)
        }
        return bench
    }

    @Test("Every state goes where the table says, on every input", arguments: LinkStateMachine.State.allCases)
    func table(state: LinkStateMachine.State) throws {
        for (name, input) in Self.inputs {
            var bench = Self.bench(in: state)
            #expect(bench.machine.state == state)
            _ = bench.feed(input)
            let expected: Machine.State
            switch (state, name) {
            case (_, "stopped"): expected = .idle
            case (.idle, "started"), (.webSocketConnected, "dropped"), (.webSocketConnected, "clean"),
                (.webSocketConnected, "failed"), (.webSocketConnected, "redirect"), (.webSocketConnected, "reconnect"):
                expected = .webSocketConnecting
            case (.webSocketConnecting, "connect"): expected = .webSocketConnected
            case (.webSocketConnecting, "timer inactivity"): expected = .longPollConnecting
            case (.webSocketConnecting, "reset"), (.webSocketConnecting, "closed"), (.webSocketConnecting, "end"),
                (.webSocketConnected, "reset"), (.webSocketConnected, "closed"), (.webSocketConnected, "end"),
                (.webSocketConnected, "timer inactivity"), (.longPollConnected, "timer inactivity"):
                expected = .idle
            case (.longPollConnecting, "batch"): expected = .longPollConnected
            case (.longPollConnecting, "end in a batch"), (.longPollConnected, "end in a batch"): expected = .idle
            case (.longPollConnecting, "unpolled"), (.longPollConnecting, "timer inactivity"): expected = .error
            default: expected = state
            }
            #expect(bench.machine.state == expected, "\(state) on \(name)")
        }
    }

    @Test("Random inputs never trap, and an idle or failed link asks for nothing")
    func random() throws {
        var random = RandomSource(seed: 8)
        let frames = [
            "connect", "heartbeat", "redirect", "reconnect", "reset", "closed", "updateChat", "addMessage", "x",
        ]
        .compactMap { OSSFrame(OSSCall(method: $0, params: ["WebSocketURL": "ws://z/"], id: 3).wire) }
        for round in 0..<600 {
            var bench = Bench(profile: round % 2 == 0 ? .ios : .html, longPoll: round % 3 == 0)
            for _ in 0..<40 {
                let connection = ConnectionID(UInt64.random(in: 1...8, using: &random))
                var inputs: [Machine.Input] = [
                    .started, .opened(connection), .openFailed(connection), .unreadable(connection, .text("?")),
                    .closed(connection, wasClean: Bool.random(using: &random)), .pollFailed,
                    .postEnded(Bool.random(using: &random) ? OSSAnswer(id: nil, result: .null) : nil),
                    .send(Self.call("a")), .suspended, .resumed,
                    .pollAnswered(frames.shuffled(using: &random)),
                ]
                inputs += frames.map { .received(connection, $0) } + Machine.Timer.allCases.map { .timerFired($0) }
                let input = try #require(inputs.randomElement(using: &random))
                let wasOver = bench.machine.state == .error
                let actions = bench.feed(input)
                if wasOver, input != .stopped {
                    #expect(bench.machine.state == .error)
                    #expect(!actions.contains { if case .open = $0 { true } else { false } })
                }
                bench.now = bench.now + .milliseconds(Int64.random(in: 0...2000, using: &random))
            }
            _ = bench.feed(.stopped)
            #expect(bench.machine.state == .idle)
        }
    }
}
