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
        let fixture = try LuaFixture(conditions)
        let coroutine = try fixture.start(
            Self.closing + "local a <close> = guard 'a' do local b <close> = guard 'b' wait() end note 'not reached'")
        guard case .suspended = fixture.state.resume(coroutine) else { throw Unexpected() }
        fixture.state.cancel(coroutine)
        #expect(fixture.notes == ["b", "a"])
        #expect(coroutine.status == .ended)
        #expect(try fixture.run("return 'alive'") == ["alive"])
    }

    @Test("Cancelling reaches into coroutines of the script", arguments: Conditions.allCases)
    func closesInner(conditions: Conditions) throws {
        let fixture = try LuaFixture(conditions)
        let coroutine = try fixture.start(
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
        guard case .suspended = fixture.state.resume(coroutine) else { throw Unexpected() }
        fixture.state.cancel(coroutine)
        #expect(fixture.notes == ["inner", "middle", "outer"])
    }

    @Test("What goes wrong in <close> variables of a cancelled coroutine is told, the innermost first")
    func lapses() throws {
        let fixture = try LuaFixture()
        let coroutine = try fixture.start(
            """
            local outer <close> = setmetatable({}, { __close = function() error "outer" end })
            coroutine.wrap(function()
                local inner <close> = setmetatable({}, { __close = function() error "inner" end })
                wait()
            end)()
            """)
        guard case .suspended = fixture.state.resume(coroutine) else { throw Unexpected() }
        let error = try #require(fixture.state.cancel(coroutine))
        #expect(error.message == "inner" && error.position?.line == 3)
        #expect(try fixture.run("return 'alive'") == ["alive"])
        let endless = try fixture.start(
            "local a <close> = setmetatable({}, { __close = function() while true do end end }) wait()")
        guard case .suspended = fixture.state.resume(endless) else { throw Unexpected() }
        let stopped = try #require(fixture.state.cancel(endless))
        #expect(stopped.kind == .instructions && stopped.message.contains("(<close>) ran more than"))
        let good = try fixture.start(Self.closing + "local a <close> = guard 'a' wait()")
        guard case .suspended = fixture.state.resume(good) else { throw Unexpected() }
        #expect(fixture.state.cancel(good)?.message == nil)
    }

    @Test("A failed coroutine has run its <close> variables as well")
    func closesAfterFailure() throws {
        let fixture = try LuaFixture()
        _ = try fixture.failure(Self.closing + "local a <close> = guard 'a' error 'x'")
        _ = try fixture.failure(Self.closing + "local b <close> = guard 'b' while true do end")
        #expect(fixture.notes == ["a", "b"])
    }

    @Test("Code that runs at the end is bounded and cannot wait")
    func bounded() throws {
        let fixture = try LuaFixture()
        for body in [
            "while true do end", "pcall(function() while true do end end) note 'alive'", "wait() note 'alive'",
        ] {
            let coroutine = try fixture.start(
                "local a <close> = setmetatable({}, { __close = function() note 'first' end })"
                    + " local b <close> = setmetatable({}, { __close = function() \(body) end }) wait()")
            guard case .suspended = fixture.state.resume(coroutine) else { throw Unexpected() }
            fixture.state.cancel(coroutine)
            #expect(coroutine.status == .ended)
        }
        #expect(!fixture.notes.contains("alive"))
        #expect(try fixture.run("return 'alive'") == ["alive"])
    }

    @Test("Code that runs at the end is bounded even where nothing is counted")
    func boundedUncounted() throws {
        let fixture = try LuaFixture(limits: .uncounted)
        let coroutine = try fixture.start(
            "local a <close> = setmetatable({}, { __close = function() while true do end end }) wait()")
        _ = fixture.state.resume(coroutine)
        fixture.state.cancel(coroutine)
        #expect(coroutine.status == .ended)
        #expect(try fixture.run("local n = 0 for _ = 1, 2000000 do n = n + 1 end return n") == [2_000_000])
    }

    @Test("Code that runs after a runaway script is bounded, too")
    func boundedAfterRunaway() throws {
        let fixture = try LuaFixture(limits: LimitTests.few)
        for source in [
            "local a <close> = setmetatable({}, { __close = function() while true do end end }) while true do end",
            "local a <close> = setmetatable({}, { __close = function() while true do end end })"
                + " table.sort({2, 1}, function() while true do end end)",
            "c = coroutine.create(function() local a <close> = setmetatable({}, { __close = function() while true do end end })"
                + " table.sort({2, 1}, function() while true do end end) end) coroutine.resume(c)",
            "coroutine.close(c)",
        ] {
            fixture.environment.instructionsLeft = 1_000_000
            _ = try fixture.failure(source)
        }
    }

    @Test("A coroutine that has not started is cancelled without running anything")
    func notStarted() throws {
        let fixture = try LuaFixture()
        let coroutine = try fixture.start("note 'ran'")
        fixture.state.cancel(coroutine)
        #expect(fixture.notes.isEmpty)
        #expect(coroutine.status == .ended)
    }

    @Test("Cancelling twice, or after the end, does nothing")
    func twice() throws {
        let fixture = try LuaFixture()
        let coroutine = try fixture.start(Self.closing + "local a <close> = guard 'a' wait()")
        _ = fixture.state.resume(coroutine)
        fixture.state.cancel(coroutine)
        fixture.state.cancel(coroutine)
        #expect(fixture.notes == ["a"])
    }

    @Test("A state closes with coroutines suspended, and what it handed out stays harmless")
    func closeState() throws {
        let fixture = try LuaFixture()
        let first = try fixture.start("local c <close> = setmetatable({}, {__close = wait}) wait()")
        let second = try fixture.start("coroutine.wrap(wait)()")
        _ = fixture.state.resume(first)
        _ = fixture.state.resume(second)
        let reference = try fixture.state.load("return 1", name: "@x.lua", in: fixture.environment)
        fixture.state.close()
        fixture.state.close()
        guard case .failed(let error) = fixture.state.resume(first) else { throw Unexpected() }
        #expect(error.kind == .closed)
        fixture.state.cancel(second)
        #expect(throws: LuaError.self) { try fixture.state.call(reference) }
        #expect(throws: HostError.self) { try reference.json() }
        guard case .nil = fixture.environment["x"] else { throw Unexpected() }
    }
}
