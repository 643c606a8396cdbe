import JSON
import Machines
import RunRecord
import Testing
import Transport

@testable import Scenario

@Suite("Virtual users on one thread")
struct VirtualUserPoolTests {
    private let settings = MiniRun.settings()

    private func member(_ body: String) throws -> ScenarioSuite.Member {
        let suite = MiniRun.suite(
            """
            local parrot = require "parrot"
            count = 0
            scenario("user", function(t)
                \(body)
            end)
            """, self.settings)
        try #require(suite.errors.isEmpty, "\(suite.errors.map(\.message))")
        return try #require(suite.members.first)
    }

    private static func user(_ number: Int) -> UserContext {
        UserContext(number: number, iteration: 0, seed: UInt64(number), members: ["number": .integer(Int64(number))])
    }

    /// Plays some users at once; returns how each ended, in the order of their ends.
    private func play(
        _ count: Int, _ body: String, meanwhile: (VirtualUserPool, [VirtualUserPool.ExecutionID]) -> Void = { _, _ in }
    ) throws -> (ends: [(number: Int, end: ScenarioEnd)], lines: [String], now: Duration) {
        let member = try self.member(body)
        let pool = VirtualUserPool(settings: self.settings)
        let observer = TestObserver()
        var ends: [(number: Int, end: ScenarioEnd)] = []
        let ids = (0..<count).map { number in
            pool.play(member, as: Self.user(number), observer: observer) { ends.append((number, $0)) }
        }
        #expect(ends.isEmpty, "nobody is told of an end before the play is known")
        meanwhile(pool, ids)
        #expect(pool.runVirtually { ends.count == count })
        let now = pool.now.onTimeLine(startingAt: .start) - .start
        pool.close()
        return (ends, observer.lines, now)
    }

    @Test("all are played on one time line, each with itself and with globals of its own")
    func together() throws {
        let played = try self.play(
            5,
            """
            count = count + 1
            wait(5 - t.user.number)
            expect(count, 1)
            """)
        #expect(played.ends.map(\.number) == [4, 3, 2, 1, 0])
        #expect(played.ends.allSatisfy { $0.end.outcome == .passed }, "\(played.ends.flatMap(\.end.problems))")
        #expect(played.now >= .seconds(5) && played.now < .seconds(6))
    }

    @Test("they meet at barriers and send each other letters")
    func coordination() throws {
        let played = try self.play(
            3,
            """
            barrier("start", 3)
            if t.user.number == 0 then
                mailbox.send("box", "hello")
            elseif t.user.number == 1 then
                expect(mailbox.receive "box", "hello")
            end
            """)
        #expect(played.ends.count == 3)
        #expect(played.ends.allSatisfy { $0.end.outcome == .passed }, "\(played.ends.flatMap(\.end.problems))")
    }

    @Test("what their actors do and observe is told while it happens")
    func observer() throws {
        let played = try self.play(1, "local bird = t:actor(parrot) bird:later(\"2s\", \"a\") bird:expect \"message\"")
        #expect(played.lines == ["bird later", "bird message 2s"])
    }

    @Test("how long a step took is told once it has ended, and of one that fails or is broken off nothing is")
    func steps() throws {
        let passed = try self.play(
            1,
            """
            local function inner() wait "2s" end
            local function outer() step("inner", inner) wait "1s" return 1, 2 end
            expect({ step("outer", outer) }, { 1, 2 })
            """)
        #expect(passed.lines == ["inner took 2s", "outer took 3s"])
        #expect(passed.ends.first?.end.outcome == .passed, "\(passed.ends.flatMap(\.end.problems))")
        let failed = try self.play(1, "step(\"login\", function() wait \"1s\" expect(1, 2) end)")
        #expect(failed.lines == [])
        let limited = try self.play(1, "step(\"login\", { timeout = \"1s\" }, function() wait \"2s\" end)")
        #expect(limited.lines == [])
        let aborted = try self.play(1, "step(\"login\", function() wait \"1h\" end)") { pool, ids in
            pool.schedule(after: .seconds(5)) { pool.abort(ids[0]) }
        }
        #expect(aborted.lines == [])
    }

    @Test("a user that is asked to come to its end sees it, and is not broken off")
    func stopping() throws {
        let played = try self.play(2, "while not t.stopping do wait(\"1s\") end") { pool, ids in
            pool.schedule(after: .milliseconds(2500)) { pool.stop(ids[0]) }
            pool.schedule(after: .milliseconds(5500)) { pool.stop(ids[1]) }
        }
        #expect(played.ends.map(\.number) == [0, 1])
        #expect(played.ends.allSatisfy { $0.end.outcome == .passed })
        #expect(played.ends.map { $0.end.atNanoseconds / 1_000_000_000 } == [3, 6])
    }

    @Test("a user that is broken off ends with an error that says so, after what it deferred has run")
    func aborted() throws {
        let played = try self.play(
            1, "t:defer(function() t:actor(parrot):squawk(\"bye\") end) wait(\"1h\")"
        ) { pool, ids in
            pool.schedule(after: .seconds(5)) { pool.abort(ids[0]) }
        }
        #expect(played.ends.first?.end.outcome == .error)
        #expect(played.ends.first?.end.problems.first?.typeName == "stopped")
        #expect(played.lines.contains { $0.hasPrefix("bird squawk") })
        #expect(played.now < .seconds(60))
    }

    @Test(
        "a user who is to be broken off tells first of an error that nothing expected",
        arguments: [("ada:refuse()", "ada: the desk is closed"), ("ada:refuse() ada:expect 'error'", ""), ("", "")])
    func standing(calls: String, beginning: String) throws {
        var standing: Problem?
        let body = """
            local S = system { name = "probe", events = {} }
            function S.commands.refuse(me) me:emit("error", { code = "closed", message = "the desk is closed" }) end
            function S.server.text() end
            local ada = t:actor(S, { name = "ada" })
            \(calls)
            wait "1h"
            """
        _ = try self.play(1, body) { pool, ids in
            pool.schedule(after: .seconds(5)) {
                standing = pool.standing(of: ids[0])
                pool.abort(ids[0])
            }
        }
        let message = try #require(standing?.message)
        let stopped = "the user was ended before its scenario was: its time to finish was over"
        #expect(message.hasSuffix(stopped) && message.hasPrefix(beginning), "\(message)")
        #expect((message == stopped) == beginning.isEmpty, "\(message)")
    }

    @Test(
        "the error of another actor leads where a wait runs out, and not where failures are told apart by their words",
        arguments: [("spawn(function() wait '5s' bird:say 'late' end)", "other: no seeds"), ("", "bird ")])
    func elsewhere(more: String, beginning: String) throws {
        let played = try self.play(
            1,
            """
            local bird, other = t:actor(parrot, { name = "bird" }), t:actor(parrot, { name = "other" })
            other:fail "no seeds"
            \(more)
            bird:expect("message", nil, { within = "1s" })
            """)
        let message = try #require(played.ends.first?.end.problems.first?.message)
        #expect(message.hasPrefix(beginning), "\(message)")
    }

    @Test("what is scheduled can be taken back")
    func scheduled() throws {
        let pool = VirtualUserPool(settings: self.settings)
        var done: [Int] = []
        pool.schedule(after: .seconds(1)) { done.append(1) }
        let second = pool.schedule(after: .seconds(2)) { done.append(2) }
        pool.schedule(after: .seconds(3)) { done.append(3) }
        pool.cancel(second)
        #expect(pool.runVirtually { done.count == 2 })
        #expect(done == [1, 3] && !pool.runVirtually { false })
        pool.close()
    }
}

@Suite("Servers that users share")
struct SharedServersTests {
    private static func order(_ name: String, of server: TestServer, line: Int = 1) -> FaultOrder {
        FaultOrder(
            server: server, number: server.faultOrders.add(), command: Command(name, ["method": "find"]),
            position: ScriptPosition(file: "load.lua", line: line))
    }

    @Test(
        "faults that strike no user are mistakes of the script, each line once, and none where another of its line has")
    func idleFaults() {
        let server = TestServer(named: "desk", isShared: true)
        let servers = SharedServers(isSplit: false)
        let orders = [1, 2, 2, 3].map { Self.order("fail_next", of: server, line: $0) }
        for order in orders { servers.take([order], ofPassing: true) }
        server.faultOrders.struck(1)
        let mistakes = servers.idleFaults
        #expect(mistakes.map(\.position?.line) == [2, 3])
        #expect(mistakes.allSatisfy { $0.message.hasPrefix("server:fail_next(\"find\") has struck nothing") })
        // The last of a line comes too late where everybody has gone by then.
        server.faultOrders.struck(3)
        #expect(servers.idleFaults.map(\.position?.line) == [3])
        for number in 2...4 { server.faultOrders.struck(number) }
        #expect(servers.idleFaults.isEmpty)
    }

    @Test("as many faults may strike nobody as users have ordered who did not pass")
    func excusedFaults() {
        let (server, other) = (TestServer(named: "desk", isShared: true), TestServer(named: "other", isShared: true))
        let servers = SharedServers(isSplit: false)
        let orders = (1...3).map { Self.order("fail_next", of: server, line: $0) }
        servers.take([orders[0]], ofPassing: false)
        servers.take([orders[1]], ofPassing: true)
        servers.take([orders[2]], ofPassing: true)
        // The one that was struck was another user's.
        server.faultOrders.struck(1)
        server.faultOrders.struck(2)
        #expect(servers.idleFaults.isEmpty)
        // What happened at one server says nothing about another one.
        servers.take([Self.order("fail_next", of: other, line: 9)], ofPassing: true)
        #expect(servers.idleFaults.map(\.position?.line) == [9])
    }

    @Test("of very many faults those are kept that have struck nothing yet")
    func manyFaults() {
        let server = TestServer(named: "desk", isShared: true)
        let servers = SharedServers(isSplit: false)
        for line in 1...3000 {
            servers.take([Self.order("fail_next", of: server, line: line)], ofPassing: true)
            if line != 2500 { server.faultOrders.struck(line) }
        }
        #expect(servers.idleFaults.map(\.position?.line) == [2500])
    }

    @Test("of very many faults it is remembered which lines have struck something")
    func manyFaultsOfALine() {
        let server = TestServer(named: "desk", isShared: true)
        let servers = SharedServers(isSplit: false)
        for number in 1...3000 {
            servers.take([Self.order("fail_next", of: server)], ofPassing: true)
            if number <= 1000 { server.faultOrders.struck(number) }
        }
        #expect(servers.idleFaults.isEmpty)
    }

    @Test("a server is made once for all who ask for it, and closed with the others")
    func hosts() throws {
        let servers = SharedServers(isSplit: false)
        var made = 0
        func ask(_ key: String) throws -> TestServer {
            try servers.host(key) { () throws(ScenarioFailure) -> TestServer in
                made += 1
                return TestServer(named: key)
            }
        }
        let first = try ask("a")
        #expect(try ask("a") === first)
        let other = try ask("b")
        #expect(made == 2 && other !== first)
        servers.close()
        #expect([first, other].map(\.closeCount) == [1, 1])
        servers.close()
        #expect(first.closeCount == 1)
        #expect(try ask("a") !== first)
    }

    @Test("one that cannot be made is asked for again")
    func failing() throws {
        let servers = SharedServers(isSplit: false)
        #expect(throws: ScenarioFailure.self) {
            _ = try servers.host("a") { () throws(ScenarioFailure) -> TestServer in
                throw ScenarioFailure(category: .error, kind: .script, message: "it broke")
            }
        }
        _ = try servers.host("a") { () throws(ScenarioFailure) -> TestServer in TestServer(named: "a") }
    }
}
