import JSON
import Machines
import PlainWebSocket
import RunRecord
import Testing

@testable import Scenario
@testable import Transport

@Suite("What is looked at of an execution with a fault")
struct FaultTraceTests {
    /// An actor as a trace knows it: of a system that declares one command, `post`, or nothing.
    private struct Traced: TracedActor {
        let isClient: Bool
        let troubles: [EventPattern]
        var answersAnEnd = false

        func text(sentBy command: Command) -> String? {
            command.name == "post" ? command.arguments["text"]?.string : nil
        }

        func text(shownBy event: ChatEvent) -> String? {
            event.kind == .message ? event.fields["text"]?.string : nil
        }
    }

    fileprivate static func trace(
        _ entries: [RunEntry], troubles: [EventPattern] = [], answeringEnds: Bool = false
    ) -> FaultTrace {
        var trace = FaultTrace()
        for entry in entries {
            trace.take(entry, ["parrot": ParrotClient.system]) { name in
                Traced(
                    isClient: name == "bird" || name == "other bird", troubles: troubles, answersAnEnd: answeringEnds)
            }
        }
        return trace
    }

    fileprivate static func happened(_ what: RunEvent, at seconds: Int = 0) -> RunEntry {
        .happened(scenario: 1, atNanoseconds: Int64(seconds) * 1_000_000_000, what)
    }

    fileprivate static func joined(_ name: String) -> RunEntry {
        Self.happened(.actorJoined(name: name, system: "parrot", role: "bird"))
    }

    fileprivate static func observed(
        _ actor: String, _ kind: String, _ fields: JSONObject = [:], at seconds: Int = 0
    ) -> RunEntry {
        Self.happened(.observed(actor: actor, number: 1, kind: kind, fields: fields), at: seconds)
    }

    fileprivate static func said(_ text: String, by actor: String = "bird", _ command: String = "say") -> RunEntry {
        Self.happened(.commanded(actor: actor, name: command, arguments: ["text": .string(text)]))
    }

    fileprivate static func ended(
        _ outcome: Outcome, _ problem: Problem? = nil, at seconds: Int = 0
    ) -> RunEntry {
        .scenarioEnded(
            ScenarioEnd(
                index: 1, atNanoseconds: Int64(seconds) * 1_000_000_000, outcome: outcome,
                problems: problem.map { [$0] } ?? []))
    }

    @Test("only what clients observe tells that not all is well")
    func clients() {
        let trace = Self.trace([
            Self.joined("bird"), Self.joined("Sam"), Self.observed("bird", "error", ["message": "a"], at: 1),
            Self.observed("Sam", "error", ["message": "b"], at: 2),
        ])
        #expect(trace.troubles.map(\.text) == ["bird: error message=a"])
        #expect(trace.systems == ["parrot"])
    }

    @Test(
        "an event is trouble by its kind, or by a field that says so",
        arguments: [
            ("disconnected", [:], true), ("reconnecting", [:], true), ("error", [:], true), ("unavailable", [:], true),
            ("rate_limited", [:], true), ("response", ["ok": false], true), ("response", ["ok": true], false),
            ("response", [:], false), ("ended", ["reason": "error"], true), ("ended", ["reason": "agent"], false),
            ("message", ["failed": true], true), ("message", ["failed": false], false), ("message", [:], false),
            ("stream_ended", ["complete": false], true), ("stream_ended", ["complete": true], false),
        ] as [(String, JSONObject, Bool)])
    func kinds(kind: String, fields: JSONObject, isTrouble: Bool) {
        let trace = Self.trace([Self.joined("bird"), Self.observed("bird", kind, fields)])
        #expect(trace.troubles.isEmpty == !isTrouble)
    }

    @Test("an event is trouble where the client's system says so")
    func declared() {
        let refused = EventPattern(EventKind("refused"))
        let entries = [
            Self.joined("bird"), Self.joined("Sam"), Self.observed("bird", "refused", ["status": 503]),
            Self.observed("Sam", "refused"), Self.observed("bird", "queue"),
        ]
        #expect(Self.trace(entries).troubles.isEmpty)
        #expect(Self.trace(entries, troubles: [refused]).troubles.map(\.text) == ["bird: refused status=503"])
    }

    @Test("trouble is new if the play without the fault does not have it, or has it later")
    func new() {
        func trace(_ seconds: [Int], lead: Int = 0) -> FaultTrace {
            Self.trace(
                [Self.joined("bird")] + (0..<lead).map { _ in Self.observed("bird", "message") }
                    + seconds.map { Self.observed("bird", "disconnected", at: $0) })
        }
        #expect(trace([3]).trouble(since: .start, notIn: trace([])) != nil)
        #expect(trace([3]).trouble(since: .start, notIn: trace([3])) == nil)
        #expect(trace([3, 4]).trouble(since: .start, notIn: trace([3])) != nil)
        // The connection that a scenario closes in its end is no excuse for one that is closed before.
        #expect(trace([3]).trouble(since: .start, notIn: trace([9], lead: 5)) != nil)
        #expect(trace([9], lead: 5).trouble(since: .start, notIn: trace([3])) == nil)
        // What came before the fault struck has not been told because of it.
        #expect(trace([3]).trouble(since: .start + .seconds(4), notIn: trace([])) == nil)
        #expect(trace([3]).trouble(since: .start + .seconds(3), notIn: trace([])) != nil)
    }

    @Test("a text has come twice if it arrived more often than it was sent, by the measure of the play without a fault")
    func doubled() {
        func trace(sent: Int, arrived: Int, _ text: String = "hello") -> FaultTrace {
            Self.trace(
                [Self.joined("bird"), Self.joined("Sam")] + (0..<sent).map { _ in Self.said(text) }
                    + (0..<arrived).map { _ in Self.observed("Sam", "message", ["text": .string(text)]) })
        }
        let plain = trace(sent: 1, arrived: 1)
        #expect(trace(sent: 1, arrived: 2).doubledText(comparedWith: plain) == "hello")
        #expect(trace(sent: 2, arrived: 2).doubledText(comparedWith: plain) == nil)
        #expect(trace(sent: 1, arrived: 1).doubledText(comparedWith: plain) == nil)
        // A system that always tells twice has not doubled anything.
        #expect(trace(sent: 1, arrived: 2).doubledText(comparedWith: trace(sent: 1, arrived: 2)) == nil)
        // What nobody has sent is the server's own.
        #expect(trace(sent: 0, arrived: 3).doubledText(comparedWith: plain) == nil)
    }

    @Test("what a client tells of its own texts is no second arrival")
    func ownTexts() {
        let trace = Self.trace([
            Self.joined("bird"), Self.said("hello"), Self.observed("bird", "message", ["text": "hello"]),
            Self.observed("bird", "message", ["text": "hello"]),
        ])
        #expect(trace.doubledText(comparedWith: FaultTrace()) == nil)
    }

    @Test("only commands that send count as sent: declared ones, whatever their names, and those with usual names")
    func sending() {
        let trace = Self.trace([
            Self.said("a"), Self.said("b", "reply"), Self.said("c", "rename"), Self.said("a"), Self.said("d", "post"),
        ])
        #expect(trace.sent == ["a": 2, "b": 1, "d": 1])
    }

    @Test("what a client observes of the end of a connection is trouble, whatever the event is called")
    func ends() {
        let entries = [
            Self.joined("bird"), Self.joined("Sam"), Self.observed("bird", "lost", ["code": 1006], at: 1),
            Self.observed("Sam", "lost", at: 1),
        ]
        #expect(Self.trace(entries).troubles.isEmpty)
        #expect(Self.trace(entries, answeringEnds: true).troubles.map(\.text) == ["bird: lost code=1006"])
    }
}

@Suite("The verdict on an execution with a fault")
struct FaultJudgeTests {
    private static func point(_ summary: String = "POST /messages", isSent: Bool = true) -> FaultPoint {
        FaultPoint(
            number: 3, at: .start + .seconds(2), isSent: isSent, content: .request, size: 10, hasJSON: false,
            hasTimer: false, hasOthers: false, summary: summary)
    }

    private static func judge(
        _ promises: [FaultPromise] = [], explained: [String: String] = [:]
    ) -> FaultJudge {
        FaultJudge(
            baseline: FaultTraceTests.trace([FaultTraceTests.joined("bird"), FaultTraceTests.ended(.passed)]),
            definition: .named("a") { $0.explainedFaults = explained }, possible: PossibleFaults(promises))
    }

    private static func problem(
        _ typeName: String = "expectation", limit: String? = nil
    ) -> Problem {
        Problem(category: .failure, typeName: typeName, message: "it went wrong", limit: limit)
    }

    private enum End: CaseIterable {
        case passed, told, unreadable, failed, skipped, skippedTold, timeout, deadlock, doubled, endless

        var trace: FaultTrace {
            let joined = [FaultTraceTests.joined("bird"), FaultTraceTests.joined("Sam")]
            let trouble = FaultTraceTests.observed("bird", "error", ["message": "lost"], at: 5)
            switch self {
            case .passed: return FaultTraceTests.trace(joined + [FaultTraceTests.ended(.passed)])
            case .told:
                return FaultTraceTests.trace(
                    joined + [trouble, FaultTraceTests.ended(.failed, FaultJudgeTests.problem())])
            case .unreadable:
                return FaultTraceTests.trace(
                    joined + [FaultTraceTests.ended(.failed, FaultJudgeTests.problem(ProblemKind.answer.rawValue))])
            case .failed:
                return FaultTraceTests.trace(joined + [FaultTraceTests.ended(.failed, FaultJudgeTests.problem())])
            case .skipped:
                return FaultTraceTests.trace(joined + [FaultTraceTests.ended(.skipped(reason: "nothing came"))])
            case .skippedTold:
                return FaultTraceTests.trace(
                    joined + [trouble, FaultTraceTests.ended(.skipped(reason: "nothing came"))])
            case .timeout:
                return FaultTraceTests.trace(
                    joined + [
                        FaultTraceTests.ended(
                            .failed, FaultJudgeTests.problem("timeout", limit: "expectation"), at: 900)
                    ])
            case .deadlock:
                return FaultTraceTests.trace(
                    joined + [FaultTraceTests.ended(.error, FaultJudgeTests.problem("deadlock"))])
            case .doubled:
                let arrived = FaultTraceTests.observed("Sam", "message", ["text": "hi"])
                return FaultTraceTests.trace(
                    joined + [FaultTraceTests.said("hi"), arrived, arrived, FaultTraceTests.ended(.passed)])
            case .endless:
                var trace = FaultTraceTests.trace(joined)
                trace.isEndless = true
                return trace
            }
        }
    }

    private static func outcome(
        _ end: End, _ judge: FaultJudge, _ kind: FaultKind = .cut, _ point: FaultPoint = Self.point()
    ) -> FaultOutcome {
        judge.verdict(on: end.trace, kind, point, FaultInjector(nil)).outcome
    }

    /// How each end is judged without a promise, with each promise, and with a reason of the scenario.
    private static let table:
        [(end: End, plain: FaultOutcome, sameEnd: FaultOutcome, nothing: FaultOutcome, explained: FaultOutcome)] = [
            (.passed, .sameEnd, .sameEnd, .sameEnd, .sameEnd),
            (.told, .toldError, .otherEnd, .toldError, .toldError),
            (.unreadable, .toldError, .otherEnd, .toldError, .toldError),
            (.failed, .otherEnd, .otherEnd, .explained, .explained),
            (.skipped, .otherEnd, .otherEnd, .explained, .explained),
            (.skippedTold, .toldError, .otherEnd, .toldError, .toldError),
            (.timeout, .hang, .hang, .explained, .explained),
            (.deadlock, .hang, .hang, .explained, .explained),
            (.doubled, .sentTwice, .sentTwice, .sentTwice, .sentTwice),
            (.endless, .hang, .hang, .explained, .hang),
        ]

    @Test("follows from how the play ended, what the system promises and what the scenario says of itself")
    func verdicts() {
        for row in Self.table {
            #expect(Self.outcome(row.end, Self.judge()) == row.plain, "\(row.end)")
            let sameEnd = Self.judge([FaultPromise("cut", .sameEnd, because: "it is sent again")])
            #expect(Self.outcome(row.end, sameEnd) == row.sameEnd, "\(row.end), same end promised")
            let nothing = Self.judge([FaultPromise("cut", .nothing, because: "it is known to go on in silence")])
            #expect(Self.outcome(row.end, nothing) == row.nothing, "\(row.end), nothing promised")
            let explained = Self.judge(explained: ["cut": "it counts connections"])
            #expect(Self.outcome(row.end, explained) == row.explained, "\(row.end), explained")
        }
    }

    @Test("a reason of the scenario outweighs a promise of the same end, and a reason for another fault none")
    func reasons() {
        let promise = FaultPromise("cut", .sameEnd, because: "it is sent again")
        #expect(Self.outcome(.told, Self.judge([promise], explained: ["cut": "it counts"])) == .explained)
        #expect(Self.outcome(.told, Self.judge([promise], explained: ["delay": "it counts"])) == .otherEnd)
    }

    @Test("what is said about one content goes before what is said about all, and the side counts")
    func promises() {
        let judge = Self.judge([
            FaultPromise("cut", .sameEnd, because: "it is sent again"),
            FaultPromise("cut", .nothing, content: "POST /typing", because: "typing may be lost"),
            FaultPromise("delay", .nothing, isSent: false, because: "only what is received"),
        ])
        #expect(Self.outcome(.failed, judge) == .otherEnd)
        #expect(Self.outcome(.failed, judge, .cut, Self.point("POST /typing")) == .explained)
        #expect(Self.outcome(.failed, judge, .delay, Self.point(isSent: true)) == .otherEnd)
        #expect(Self.outcome(.failed, judge, .delay, Self.point(isSent: false)) == .explained)
    }

    @Test("bytes that come one by one must come to the same end with every system")
    func oneByte() {
        let (outcome, detail) = Self.judge().verdict(on: End.told.trace, .oneByte, Self.point(), FaultInjector(nil))
        #expect(outcome == .otherEnd && detail.contains("RFC 9293"))
    }

    @Test("messages come twice only where the system says what becomes of them, others unless that is impossible")
    func possible() {
        func possible(_ promise: FaultPromise? = nil) -> PossibleFaults { PossibleFaults(promise.map { [$0] } ?? []) }
        #expect(!possible().contains(.duplicate, at: Self.point()))
        #expect(!possible(FaultPromise("duplicate", .nothing, because: "")).contains(.duplicate, at: Self.point()))
        #expect(possible(FaultPromise("duplicate", .sameEnd, because: "")).contains(.duplicate, at: Self.point()))
        #expect(possible().contains(.cut, at: Self.point()))
        let sent = possible(FaultPromise("cut", .impossible, isSent: true, because: ""))
        #expect(!sent.contains(.cut, at: Self.point()) && sent.contains(.cut, at: Self.point(isSent: false)))
    }

    @Test("a client in Lua that fails by itself has told what a fault keeps away, and no other client has")
    func givenUp() {
        func verdict(
            _ kind: FaultKind, _ system: String = "mine", _ name: String = "bird", problem: ProblemKind = .gaveUp
        ) -> FaultOutcome {
            let problem = Problem(
                category: .failure, kind: problem, message: "\(name): there is no answer")
            let trace = FaultTraceTests.trace([
                FaultTraceTests.happened(.actorJoined(name: name, system: system, role: "bird")),
                FaultTraceTests.ended(.failed, problem),
            ])
            return Self.judge().verdict(on: trace, kind, Self.point(), FaultInjector(nil)).outcome
        }
        #expect(verdict(.cut) == .toldError)
        #expect(verdict(.status503) == .toldError)
        #expect(verdict(.clockJump) == .toldError)
        #expect(verdict(.reorder) == .otherEnd)
        // What it sends is lost on a connection that has ended.
        #expect(verdict(.cut, problem: .disconnected) == .toldError)
        #expect(verdict(.cut, problem: .notOffered) == .otherEnd)
        // What the conversation of a system of the program does not offer, nobody has told.
        #expect(verdict(.cut, "parrot") == .otherEnd)
        // A party stands at the side of the server.
        #expect(verdict(.cut, "mine", "Sam") == .otherEnd)
    }

    @Test("a time limit that passed while bytes were held back is told, and one long after it is a hang")
    func heldBack() {
        func verdict(endingAt seconds: Int) -> FaultOutcome {
            let injector = FaultInjector(InjectedFault(.delay, at: 1))
            injector.nextTimer = { Instant.start + .seconds(60) }
            var isUpgraded = true
            _ = injector.treatment(
                of: [0x81, 0x01, 0x61], from: .server, isUpgraded: &isUpgraded, hasOthers: false, now: .start)
            #expect(injector.heldUntil == Instant.start + .seconds(60) + .milliseconds(1))
            let trace = FaultTraceTests.trace([
                FaultTraceTests.joined("bird"),
                FaultTraceTests.ended(.failed, Self.problem("timeout", limit: "expectation"), at: seconds),
            ])
            return Self.judge().verdict(on: trace, .delay, Self.point(), injector).outcome
        }
        #expect(verdict(endingAt: 30) == .toldError)
        #expect(verdict(endingAt: 3000) == .hang)
    }

    @Test("the detail says what was told, and cuts a text that is long")
    func details() {
        func detail(_ trace: FaultTrace) -> String {
            Self.judge().verdict(on: trace, .cut, Self.point(), FaultInjector(nil)).detail
        }
        #expect(detail(End.told.trace) == "bird: error message=lost")
        #expect(detail(End.failed.trace) == "expectation: it went wrong")
        #expect(detail(End.skipped.trace) == "skipped: nothing came")
        #expect(detail(End.passed.trace) == "")
        #expect(detail(End.doubled.trace) == "\"hi\" arrived twice")
    }
}

@Suite("Playing a scenario with every fault")
struct FaultSweepTests {
    private static let source = """
        local websocket = require "websocket"
        scenario("echo", function(t)
            t:server(websocket, { echo = true })
            local client = t:actor(websocket)
            client:connect()
            client:expect "connected"
            client:send "hello"
            client:expect("frame", { text = "hello" })
        end)
        scenario("does not pass", function(t) expect(1, 2) end)
        scenario("is skipped", { skip = "not today" }, function(t) end)
        """

    private static func sweep(
        _ kinds: [FaultKind], _ index: Int = 0, skipping count: Int = 0, of source: String = Self.source
    ) -> [FaultMessage] {
        var news: [FaultMessage] = []
        Self.sweep(kinds, index, skipping: count, of: source, interruption: Interruption()) { news.append($0) }
        return news
    }

    private static func sweep(
        _ kinds: [FaultKind], _ index: Int = 0, skipping count: Int = 0, of source: String = Self.source,
        interruption: Interruption, tell: (FaultMessage) -> Void
    ) {
        let settings = ExecutionSettings(
            systems: [PlainWebSocketSystem.system], projectRoot: "/", workingDirectory: "/",
            project: ProjectConfiguration(), seed: 1, capture: .none)
        let suite = ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings)
        FaultSweep(suite, settings: settings, kinds: kinds, interruption: interruption)
            .play(index, skipping: count, tell: tell)
    }

    private static func cells(_ news: [FaultMessage]) -> [FaultCell] {
        news.compactMap { if case .played(let cell) = $0 { cell } else { nil } }
    }

    @Test("each fault is played at each point where it makes sense, by point and then in the order of the kinds")
    func order() throws {
        let news = Self.sweep([.refuse, .cut])
        guard case .began(let systems, let points, let count, let playCount)? = news.first else {
            Issue.record("it did not begin: \(news)")
            return
        }
        #expect(systems == ["websocket"] && points.count == count && points.map(\.number) == Array(1...count))
        let cells = Self.cells(news)
        #expect(cells.count == playCount)
        #expect(cells.map(\.fault.point) == cells.map(\.fault.point).sorted())
        #expect(cells.first?.fault.kind == "refuse" && cells.first?.fault.point == 1)
        #expect(cells.filter { $0.fault.kind == "refuse" }.count == 1)
        #expect(cells.filter { $0.fault.kind == "cut" }.map(\.fault.point) == Array(2...count))
        #expect(cells.allSatisfy { $0.outcome.isGood }, "\(cells)")
        guard case .ended? = news.last else {
            Issue.record("it did not end")
            return
        }
    }

    @Test("a client in Lua that reads JSON of what is none, or did not come, has told that something is wrong")
    func unreadableAnswers() {
        let source = """
            local S = system { name = "shop", events = { items = { count = "integer" } } }
            function S.commands.list(me) me:emit("items", { count = #me:request({ path = "/items" }).json.items }) end
            function S.server.request() return { json = { items = { 1, 2, 3 } } } end
            scenario("lists", function(t)
                t:server(S)
                local ada = t:actor(S, { name = "Ada" })
                ada:list()
                ada:expect("items", { count = 3 })
            end)
            """
        let cells = Self.cells(Self.sweep([.refuse, .cut, .status503, .malformedJSON], of: source))
        #expect(Set(cells.map(\.fault.kind)) == ["refuse", "cut", "http_503", "malformed_json"])
        #expect(cells.allSatisfy { $0.outcome == .toldError }, "\(cells)")
        #expect(
            cells.first { $0.fault.kind == "malformed_json" }?.detail
                == #"Ada: GET /items answered 200 with what is no JSON: {"items":[1,2,3]!"#)
    }

    @Test("a client in Lua that fails for an answer that is none has told that something is wrong")
    func givenUp() {
        let source = """
            local S = system { name = "mine", events = { message = { text = "string" } } }
            function S.commands.login(me)
                local answer = me:request { path = "/login" }
                if not answer.ok then me:fail("no login: " .. (answer.failure and "lost" or answer.status)) end
                me:emit("message", { text = answer.body })
            end
            function S.server.request() return "welcome" end
            scenario("logs in", function(t)
                t:server(S)
                local ada = t:actor(S, { name = "Ada" })
                ada:login()
                ada:expect("message", { text = "welcome" })
            end)
            """
        let cells = Self.cells(Self.sweep([.refuse, .cut, .status503], of: source))
        #expect(Set(cells.map(\.fault.kind)) == ["refuse", "cut", "http_503"])
        #expect(cells.allSatisfy { $0.outcome == .toldError }, "\(cells)")
        #expect(cells.first { $0.fault.kind == "http_503" }?.detail == "Ada: no login: 503", "\(cells)")
        #expect(cells.first { $0.fault.kind == "cut" }?.detail == "Ada: no login: lost", "\(cells)")
    }

    /// A client that opens its link again after a cut and sends again what it sent last, whether it had arrived or not.
    private static let sendingAgain = """
        local S = system {
            name = "mine", client = "visitor", events = { message_sent = { text = "string" } },
            noise = { "message_sent" }, parties = { agent = { events = { EVENT = { text = "string" } } } },
        }
        function S.commands.connect(me) me.link = me:open { path = "/" } me:wait "open" end
        S.commands.COMMAND = { sends = "text", function(me, text) me.last = text me.link:send(text) end }
        function S.on.open(me) if me.last then me.link:send(me.last) end end
        function S.on.text(me, text) me:emit("message_sent", { text = text }) end
        function S.on.ending(me) me.over = true end
        function S.on.failed() end
        function S.on.closed(me) if not me.over then me.link = me:open { path = "/" } end end
        function S.server.text(desk, client, text)
            for _, agent in pairs(desk.parties) do agent:emit("EVENT", { text = text }) end
            client:send(text)
        end
        scenario("says", { allow = { "EVENT" } }, function(t)
            local desk = t:server(S)
            local sam, v = desk:agent "Sam", t:actor(S)
            v:connect()
            v:COMMAND "hi"
            sam:expect("EVENT", { text = "hi" })
            wait "1s"
        end)
        """

    @Test(
        "a text that arrives twice is seen whatever the system calls the command that sends it and the event",
        arguments: [("say", "message"), ("post", "message"), ("say", "text_arrived"), ("post", "text_arrived")])
    func sentTwice(command: String, event: String) {
        let source = Self.sendingAgain.replacing("COMMAND", with: command).replacing("EVENT", with: event)
        let cells = Self.cells(Self.sweep([.cut], of: source)).filter { $0.outcome == .sentTwice }
        #expect(!cells.isEmpty && cells.allSatisfy { $0.detail == #""hi" arrived twice"# }, "\(cells)")
    }

    @Test("what a client in Lua emits in its handlers of ends is told, whatever it is called")
    func toldEnds() {
        let source = """
            local S = system { name = "mine", events = { message = { text = "string" }, lost = { code = "integer" } } }
            function S.commands.connect(me) me.link = me:open { path = "/" } me:wait "open" end
            S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.on.failed(me) me:emit("lost", { code = 0 }) end
            function S.on.closed(me, closure) me:emit("lost", { code = closure.code }) end
            function S.server.text(desk, client, text) client:send("echo " .. text) end
            scenario("echo", function(t)
                local v = t:actor(S, { name = "Ada" })
                v:connect()
                v:say "hi"
                v:expect("message", { text = "echo hi" })
            end)
            """
        let cells = Self.cells(Self.sweep([.cut, .refuse], of: source))
        #expect(cells.contains { $0.outcome == .toldError && $0.detail == "Ada: lost code=1006" }, "\(cells)")
        #expect(cells.contains { $0.outcome == .toldError && $0.detail == "Ada: lost code=0" }, "\(cells)")
        #expect(cells.allSatisfy { $0.outcome.isGood }, "\(cells)")
    }

    @Test("what has been played before is left out, and the rest is the same")
    func skipping() {
        let all = Self.cells(Self.sweep([.cut, .truncate]))
        #expect(all.count > 3)
        #expect(Self.cells(Self.sweep([.cut, .truncate], skipping: 3)) == Array(all.dropFirst(3)))
        #expect(Self.cells(Self.sweep([.cut, .truncate], skipping: 10_000)).isEmpty)
    }

    @Test("a scenario that does not pass without a fault is left out with what it came to")
    func leftOut() {
        let expected: [FaultMessage] = [
            .leftOut(.failed, type: "expect", reason: "expected 2, got 1"),
            .leftOut(.skipped(reason: "not today"), type: "", reason: "not today"),
        ]
        for (index, message) in expected.enumerated() {
            let news = Self.sweep([.cut], index + 1)
            #expect(news == [message])
            #expect(FaultMessage(line: message.line) == message)
        }
    }

    @Test("a sweep that was asked to end plays no fault any more")
    func interrupted() {
        let interruption = Interruption()
        var played = 0
        Self.sweep([.cut], interruption: interruption) { news in
            guard case .played = news else { return }
            played += 1
            if played == 2 { interruption.request() }
        }
        #expect(played == 2)
    }

    @Test("a play that was broken off is none that hangs")
    func brokenOff() {
        let interruption = Interruption()
        var news: [FaultMessage] = []
        Self.sweep([.cut], interruption: interruption) { message in
            if case .plays = message { interruption.request() }
            news.append(message)
        }
        #expect(news.count == 2 && Self.cells(news).isEmpty, "\(news)")
    }

    @Test("what cannot happen with a system is told with its reason, and messages twice where nothing is said of them")
    func impossible() {
        let faults = PossibleFaults.missing([.cut, .duplicate], with: [ParrotClient.system])
        #expect(faults.map(\.kind) == ["duplicate"])
        #expect(faults.first?.reason == "the system does not say which of its messages may come twice")
    }
}
