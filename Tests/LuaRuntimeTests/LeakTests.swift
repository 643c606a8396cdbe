import JSON
import Testing

@testable import LuaRuntime

@Suite("Nothing leaks")
struct LeakTests {
    /// Runs scripts whose host functions hold objects, and expects all of these to be gone in the end.
    private func survey(
        _ conditions: Conditions, _ body: (LuaFixture, Life.Count) throws -> Void
    ) throws {
        let count = Life.Count()
        weak var gone: LuaState?
        do {
            let fixture = try LuaFixture(conditions)
            gone = fixture.state
            let type = fixture.state.register(LuaHandleDeclaration(name: "life", methods: []))
            fixture.define("hold") { (call) throws(HostError) in
                call.push(Life(count), as: type)
                return .returns
            }
            fixture.define("fail") { (call) throws(HostError) in
                let life = Life(count)
                defer { withExtendedLifetime(life) {} }
                _ = try call.string(1)
                return .returns
            }
            try body(fixture, count)
        }
        #expect(count.value == 0)
        #expect(gone == nil)
    }

    @Test("after errors", arguments: Conditions.allCases)
    func errors(conditions: Conditions) throws {
        try self.survey(conditions) { fixture, count in
            _ = try fixture.run("for _ = 1, 100 do pcall(fail) end")
            _ = try fixture.failure("local a = hold() fail(a)")
            _ = try fixture.failure("coroutine.wrap(function() local a = hold() fail(a) end)()")
            fixture.state.collect()
            #expect(count.value == 0)
        }
    }

    @Test("when coroutines are abandoned", arguments: Conditions.allCases)
    func abandoned(conditions: Conditions) throws {
        try self.survey(conditions) { fixture, count in
            for _ in 0..<10 {
                let coroutine = try fixture.start("local a = hold() wait(a)")
                _ = fixture.state.resume(coroutine)
            }
            fixture.state.collect()
            fixture.state.collect()
            #expect(count.value == 0)
        }
    }

    @Test("when coroutines are cancelled", arguments: Conditions.allCases)
    func cancelled(conditions: Conditions) throws {
        try self.survey(conditions) { fixture, count in
            for _ in 0..<10 {
                let coroutine = try fixture.start(
                    "local a = hold() coroutine.wrap(function() wait(hold()) end)() wait(a)")
                _ = fixture.state.resume(coroutine)
                fixture.state.cancel(coroutine)
            }
            fixture.state.collect()
            #expect(count.value == 0)
        }
    }

    @Test("when the state is closed", arguments: Conditions.allCases)
    func closed(conditions: Conditions) throws {
        try self.survey(conditions) { fixture, count in
            _ = try fixture.run("kept = hold()")
            let coroutine = try fixture.start("local a = hold() wait()")
            _ = fixture.state.resume(coroutine)
            #expect(count.value == 2)
            fixture.state.close()
            #expect(count.value == 0)
        }
    }

    @Test("when faults and references go around", arguments: Conditions.allCases)
    func references(conditions: Conditions) throws {
        try self.survey(conditions) { fixture, count in
            fixture.define("raise") { (_) throws(HostError) in throw HostError("x", kind: "error", cause: Unexpected())
            }
            var kept: [LuaReference] = []
            fixture.define("keep", parameters: ["function"]) { (call) throws(HostError) in
                kept.append(try call.function(1))
                return .returns
            }
            for _ in 0..<100 {
                _ = try? fixture.run("raise()")
                _ = try fixture.run("local a = hold() keep(function() return a end)")
            }
            fixture.state.collect()
            #expect(count.value == 100)
            kept = []
            fixture.state.collect()
            fixture.state.collect()
            #expect(count.value == 0)
            #expect(fixture.state.handles.liveCount == 0)
        }
    }

    @Test("when environments come and go")
    func environments() throws {
        let state = LuaState()
        let chunk = try state.compile("local t = {} for i = 1, 100 do t[i] = {} end x = t", name: "@e.lua")
        var memory = 0
        for round in 0..<200 {
            let environment = try state.makeEnvironment()
            try state.call(try state.load(chunk, in: environment))
            if round == 20 {
                state.collect()
                memory = state.memoryInUse
            }
        }
        state.collect()
        #expect(state.memoryInUse < memory + 50_000)
    }
}
