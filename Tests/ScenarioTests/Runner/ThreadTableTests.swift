import JSON
import LuaRuntime
import Machines
import RunRecord
import Testing

@testable import Scenario

/// A wait that says of itself what a test wants.
private final class TestWait: ThreadWait {
    let purpose: String
    let position: ScriptPosition? = nil
    let isForThread = false
    let isForSystem: Bool
    let joinedThread: Int?

    init(_ purpose: String = "a test", isForSystem: Bool = false, joining joinedThread: Int? = nil) {
        self.purpose = purpose
        self.isForSystem = isForSystem
        self.joinedThread = joinedThread
    }

    func cancel() {}
}

@Suite("The threads of a play that have not ended")
struct ThreadTableTests {
    private let state = LuaState()

    private func thread(
        _ number: Int, spawnedAt line: Int? = nil, isCall: Bool = false
    ) throws -> ScriptThread {
        let environment = try self.state.makeEnvironment()
        let function = try self.state.load("return 1", name: "@a.lua", in: environment)
        return ScriptThread(
            number: number, coroutine: try self.state.spawn(function, [], in: environment),
            origin: line.map { ScriptPosition(file: "a.lua", line: $0) }, isCall: isCall)
    }

    @Test("they are found by their numbers, and stand in the order of those whatever comes first")
    func order() throws {
        var table = ThreadTable()
        let threads = try [3, 1, 2].map { try self.thread($0) }
        threads.forEach { table.add($0) }
        #expect(table.all.count == 3 && table.ordered.map(\.number) == [1, 2, 3])
        #expect(table[2] === threads[2] && table[4] == nil)
        table.remove(threads[1])
        table.remove(threads[1])
        #expect(table.ordered.map(\.number) == [2, 3])
    }

    @Test("all rest where there are none, or only handlers that wait for their system")
    func rest() throws {
        var table = ThreadTable()
        #expect(table.isAtRest)
        let handler = try self.thread(1, isCall: true)
        table.add(handler)
        #expect(!table.isAtRest)
        handler.wait = TestWait(isForSystem: true)
        #expect(table.isAtRest)
        handler.wait = TestWait()
        #expect(!table.isAtRest)
        // A thread of the script that waits for a system is waited for.
        handler.wait = TestWait(isForSystem: true)
        let own = try self.thread(2)
        own.wait = TestWait(isForSystem: true)
        table.add(own)
        #expect(!table.isAtRest)
    }

    @Test("the first that waits is the oldest of those that somebody hears of")
    func firstWaiting() throws {
        var table = ThreadTable()
        let threads = try (1...4).map { try self.thread($0) }
        threads.forEach { table.add($0) }
        #expect(table.firstWaiting == nil)
        // Nobody would hear of the second, and the first does not wait.
        threads[0].whenEnded { _ in }
        threads[1].wait = TestWait()
        for place in [3, 2] {
            threads[place].wait = TestWait()
            threads[place].whenEnded { _ in }
        }
        #expect(table.firstWaiting?.number == 3)
        threads[0].wait = TestWait()
        #expect(table.firstWaiting?.number == 1)
    }

    @Test("a thread is described by where it was spawned and what it waits for")
    func description() throws {
        var table = ThreadTable()
        let spawned = try self.thread(1, spawnedAt: 7)
        table.add(spawned)
        #expect(table.description(of: 1) == "join of the function spawned at line 7")
        spawned.wait = TestWait("Ada: message")
        #expect(table.description(of: 1) == "join of the function spawned at line 7, which waits for Ada: message")
        #expect(table.description(of: 9) == "join of the function spawned")
    }

    @Test("a chain of threads that join each other is told as far as it is short, also where it is a ring")
    func chains() throws {
        var table = ThreadTable()
        let threads = try (1...6).map { try self.thread($0, spawnedAt: 10 + $0) }
        threads.forEach { table.add($0) }
        for thread in threads { thread.wait = TestWait(joining: thread.number % 6 + 1) }
        let name = "join of the function spawned at line 1"
        #expect(
            table.description(of: 2)
                == "\(name)2, which waits for \(name)3, which waits for \(name)4, which waits for \(name)5, which waits "
                + "for others")
        for thread in threads { #expect(table.waits(1, forEndOf: thread)) }
        threads[2].wait = TestWait("time")
        #expect(
            table.description(of: 1)
                == "\(name)1, which waits for \(name)2, which waits for \(name)3, which waits for time")
        #expect(table.waits(1, forEndOf: threads[2]) && !table.waits(1, forEndOf: threads[3]))
        #expect(try !table.waits(9, forEndOf: self.thread(7)))
    }
}

@Suite("A thread of a script")
struct ScriptThreadTests {
    private let state = LuaState()

    private func thread() throws -> ScriptThread {
        let environment = try self.state.makeEnvironment()
        let function = try self.state.load("return 1", name: "@a.lua", in: environment)
        return ScriptThread(
            number: 1, coroutine: try self.state.spawn(function, [], in: environment), origin: nil)
    }

    private static func text(_ outcome: Result<LuaValue, ScenarioFailure>) -> String {
        switch outcome {
        case .success(let value): "\((try? value.json()) ?? .null)"
        case .failure(let failure): failure.message
        }
    }

    @Test("whoever waits for its end is told once, in the order of asking, and who asks later at once")
    func ends() throws {
        let thread = try self.thread()
        var told: [String] = []
        thread.whenEnded { told.append("1 " + Self.text($0)) }
        thread.whenEnded { told.append("2 " + Self.text($0)) }
        #expect(thread.isAwaited && told == [])
        thread.end(.success(.integer(7)))
        thread.whenEnded { told.append("3 " + Self.text($0)) }
        #expect(told == ["1 7", "2 7", "3 7"])
    }

    @Test("the first end counts")
    func endsOnce() throws {
        let thread = try self.thread()
        var count = 0
        thread.whenEnded { _ in count += 1 }
        thread.end(.success(.integer(1)))
        thread.end(.failure(ScenarioFailure(category: .error, kind: .script, message: "too late")))
        #expect(count == 1)
        #expect(thread.outcome.map(Self.text) == "1")
    }

    @Test("an end ends the wait, and who is told may ask for another end from within")
    func withinEnd() throws {
        let thread = try self.thread()
        thread.wait = TestWait()
        var told: [String] = []
        thread.whenEnded { _ in
            told.append("outer")
            thread.whenEnded { told.append("inner " + Self.text($0)) }
        }
        thread.end(.success(.integer(1)))
        #expect(thread.wait == nil)
        #expect(told == ["outer", "inner 1"])
    }

    @Test("only a call of a machine can stand by, and only while it waits for its system")
    func standsBy() throws {
        let own = try self.thread()
        own.wait = TestWait(isForSystem: true)
        #expect(!own.standsBy)
        let call = ScriptThread(number: 2, coroutine: own.coroutine, origin: nil, isCall: true)
        #expect(!call.standsBy)
        call.wait = TestWait(isForSystem: true)
        #expect(call.standsBy)
        call.wait = nil
        #expect(!call.standsBy)
    }
}

@Suite("Threads of a scenario")
struct ExecutionThreadsTests {
    @Test("spawned functions run in the order of spawning, and time passes for all of them together")
    func together() throws {
        let played = try MiniRun.parrot(
            """
            local order = {}
            local function run(name, pause) return function() wait(pause) order[#order + 1] = name return name end end
            local a = spawn(run("a", "3s"))
            local b = spawn(run("b", "1s"))
            local c = spawn(run("c", "1s"))
            expect(join(a, b, c), "c")
            expect(table.concat(order), "bca")
            """)
        #expect(played.messages == [])
        #expect(played.duration >= .seconds(3) && played.duration < .seconds(4))
    }

    @Test("a spawned function that fails, and that nobody joins, fails the scenario at its line")
    func unjoined() throws {
        let played = try MiniRun.parrot(
            """
            spawn(function() wait("1s") error("lost") end)
            wait("5s")
            """)
        #expect(played.end.outcome == .error)
        #expect(played.messages.count == 1 && played.messages[0].contains("lost"))
        #expect(played.end.problems.first?.line == 4)
        #expect(played.duration < .seconds(5))
    }

    @Test("who joins a function that fails ends with its failure, which a protected call does not swallow")
    func joined() throws {
        let played = try MiniRun.parrot(
            """
            local thread = spawn(function() error("lost") end)
            pcall(function() return join(thread) end)
            print("went on")
            """)
        #expect(played.messages == ["lost"] && played.printed == [])
    }

    @Test("what two threads wait for, each of them the end of the other, is found out and named")
    func deadlock() throws {
        let played = try MiniRun.parrot(
            """
            local a, b
            a = spawn(function() wait("1s") join(b) end)
            b = spawn(function() wait("1s") join(a) end)
            join(a)
            """)
        #expect(played.end.outcome == .error)
        #expect(
            played.messages
                == ["neither function would go on: the one that is joined waits for the end of this one"])
        #expect(played.duration < .seconds(2))
    }

    @Test("a time limit names the part, its limit and what it waited for")
    func limit() throws {
        var project = ProjectConfiguration()
        project.scenarioLimit = .seconds(7)
        let played = try MiniRun.parrot("wait(\"8s\")", MiniRun.settings(project))
        #expect(played.end.outcome == .failed && played.types == ["timeout"])
        #expect(played.messages[0].contains("7s"))
        #expect(played.end.problems.first?.limit == "scenario")
        #expect(played.duration >= .seconds(7) && played.duration < .seconds(8))
    }

    @Test("what a scenario defers runs last first after a failure, and a failure in it is one more problem")
    func deferred() throws {
        let played = try MiniRun.parrot(
            """
            t:defer(function() print("first") end)
            t:defer(function() print("second") error("in the end") end)
            error("in the body")
            """)
        #expect(played.printed == ["second", "first"])
        #expect(played.messages.count == 2)
        #expect(played.messages.first?.contains("in the body") == true)
        #expect(played.messages.last?.contains("in the end") == true)
    }

    @Test("a step has a time limit of its own, which says how to raise it, and steps end with their bodies")
    func steps() throws {
        let played = try MiniRun.parrot(
            """
            step("quick", { timeout = "2s" }, function() wait("1s") end)
            step("slow", { timeout = "2s" }, function() wait("3s") end)
            """)
        #expect(played.types == ["timeout"])
        #expect(played.messages[0].contains("the time limit of the step \"slow\", 2s, passed"))
        #expect(played.end.problems[0].detail.contains("step(name, { timeout = \"1m\" }, …) raises it"))
        let steps = played.happenings.compactMap { happening -> String? in
            switch happening.what {
            case .stepBegan(let name, _): "+" + name
            case .stepEnded(let name): "-" + name
            default: nil
            }
        }
        #expect(steps.prefix(3) == ["+quick", "-quick", "+slow"])
    }
}
