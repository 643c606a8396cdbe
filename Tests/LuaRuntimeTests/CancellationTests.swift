import JSON
import LuaRuntime
import Testing

@Suite("Cancellation")
struct CancellationTests {
    static let closing = """
        local function guard(name) return setmetatable({}, { __close = function(_, e) note(name) end }) end

        """

    @Test("Cancelling runs the <close> variables, innermost first", arguments: Conditions.allCases)
    func closes(conditions: Conditions) throws {
        let stage = try Stage(conditions)
        let coroutine = try stage.start(
            Self.closing + "local a <close> = guard 'a' do local b <close> = guard 'b' wait() end note 'not reached'")
        guard case .suspended = stage.state.resume(coroutine) else { throw Unexpected() }
        stage.state.cancel(coroutine)
        #expect(stage.notes == ["b", "a"])
        #expect(coroutine.status == .ended)
        #expect(try stage.run("return 'alive'") == ["alive"])
    }

    @Test("Cancelling reaches into coroutines of the script", arguments: Conditions.allCases)
    func closesInner(conditions: Conditions) throws {
        let stage = try Stage(conditions)
        let coroutine = try stage.start(
            Self.closing
                + """
                local outer <close> = guard 'outer'
                coroutine.wrap(function()
                    local middle <close> = guard 'middle'
                    coroutine.resume(coroutine.create(function()
                        local inner <close> = guard 'inner'
                        pcall(wait)
                        note 'not reached'
                    end))
                end)()
                """)
        guard case .suspended = stage.state.resume(coroutine) else { throw Unexpected() }
        stage.state.cancel(coroutine)
        #expect(stage.notes == ["inner", "middle", "outer"])
    }

    @Test("A failed coroutine has run its <close> variables as well")
    func closesAfterFailure() throws {
        let stage = try Stage()
        _ = try stage.failure(Self.closing + "local a <close> = guard 'a' error 'x'")
        _ = try stage.failure(Self.closing + "local b <close> = guard 'b' while true do end")
        #expect(stage.notes == ["a", "b"])
    }

    @Test("Code that runs at the end is bounded and cannot wait")
    func bounded() throws {
        let stage = try Stage()
        for body in [
            "while true do end", "pcall(function() while true do end end) note 'alive'", "wait() note 'alive'",
        ] {
            let coroutine = try stage.start(
                "local a <close> = setmetatable({}, { __close = function() note 'first' end })"
                    + " local b <close> = setmetatable({}, { __close = function() \(body) end }) wait()")
            guard case .suspended = stage.state.resume(coroutine) else { throw Unexpected() }
            stage.state.cancel(coroutine)
            #expect(coroutine.status == .ended)
        }
        #expect(!stage.notes.contains("alive"))
        #expect(try stage.run("return 'alive'") == ["alive"])
    }

    @Test("Code that runs at the end is bounded even where nothing is counted")
    func boundedUncounted() throws {
        let stage = try Stage(limits: .uncounted)
        let coroutine = try stage.start(
            "local a <close> = setmetatable({}, { __close = function() while true do end end }) wait()")
        _ = stage.state.resume(coroutine)
        stage.state.cancel(coroutine)
        #expect(coroutine.status == .ended)
        #expect(try stage.run("local n = 0 for _ = 1, 2000000 do n = n + 1 end return n") == [2_000_000])
    }

    @Test("Code that runs after a runaway script is bounded, too")
    func boundedAfterRunaway() throws {
        let stage = try Stage(limits: LimitTests.few)
        for source in [
            "local a <close> = setmetatable({}, { __close = function() while true do end end }) while true do end",
            "local a <close> = setmetatable({}, { __close = function() while true do end end })"
                + " table.sort({2, 1}, function() while true do end end)",
            "c = coroutine.create(function() local a <close> = setmetatable({}, { __close = function() while true do end end })"
                + " table.sort({2, 1}, function() while true do end end) end) coroutine.resume(c)",
            "coroutine.close(c)",
        ] {
            stage.environment.instructionsLeft = 1_000_000
            _ = try stage.failure(source)
        }
    }

    @Test("A coroutine that has not started is cancelled without running anything")
    func notStarted() throws {
        let stage = try Stage()
        let coroutine = try stage.start("note 'ran'")
        stage.state.cancel(coroutine)
        #expect(stage.notes.isEmpty)
        #expect(coroutine.status == .ended)
    }

    @Test("Cancelling twice, or after the end, does nothing")
    func twice() throws {
        let stage = try Stage()
        let coroutine = try stage.start(Self.closing + "local a <close> = guard 'a' wait()")
        _ = stage.state.resume(coroutine)
        stage.state.cancel(coroutine)
        stage.state.cancel(coroutine)
        #expect(stage.notes == ["a"])
    }

    @Test("A state closes with coroutines suspended, and what it handed out stays harmless")
    func closeState() throws {
        let stage = try Stage()
        let first = try stage.start("local c <close> = setmetatable({}, {__close = wait}) wait()")
        let second = try stage.start("coroutine.wrap(wait)()")
        _ = stage.state.resume(first)
        _ = stage.state.resume(second)
        let reference = try stage.state.load("return 1", name: "@x.lua", in: stage.environment)
        stage.state.close()
        stage.state.close()
        guard case .failed(let error) = stage.state.resume(first) else { throw Unexpected() }
        #expect(error.kind == .closed)
        stage.state.cancel(second)
        #expect(throws: LuaError.self) { try stage.state.call(reference) }
        #expect(throws: LuaFault.self) { try reference.json() }
        guard case .nil = stage.environment["x"] else { throw Unexpected() }
    }
}
