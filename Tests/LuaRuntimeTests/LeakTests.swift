import JSON
import LuaRuntime
import Testing

@Suite("Nothing leaks")
struct LeakTests {
    /// Runs scripts whose host functions hold objects, and expects all of these to be gone in the end.
    private func survey(
        _ conditions: Conditions, _ body: (Stage, Life.Count) throws -> Void
    ) throws {
        let count = Life.Count()
        weak var gone: LuaState?
        do {
            let stage = try Stage(conditions)
            gone = stage.state
            let type = stage.state.register(LuaHandleDeclaration(name: "life", methods: []))
            stage.define("hold") { (call) throws(LuaFault) in
                call.push(Life(count), as: type)
                return .returns
            }
            stage.define("fail") { (call) throws(LuaFault) in
                let life = Life(count)
                defer { withExtendedLifetime(life) {} }
                _ = try call.string(1)
                return .returns
            }
            try body(stage, count)
        }
        #expect(count.value == 0)
        #expect(gone == nil)
    }

    @Test("after errors", arguments: Conditions.allCases)
    func errors(conditions: Conditions) throws {
        try self.survey(conditions) { stage, count in
            _ = try stage.run("for _ = 1, 100 do pcall(fail) end")
            _ = try stage.failure("local a = hold() fail(a)")
            _ = try stage.failure("coroutine.wrap(function() local a = hold() fail(a) end)()")
            stage.state.collect()
            #expect(count.value == 0)
        }
    }

    @Test("when coroutines are abandoned", arguments: Conditions.allCases)
    func abandoned(conditions: Conditions) throws {
        try self.survey(conditions) { stage, count in
            for _ in 0..<10 {
                let coroutine = try stage.start("local a = hold() wait(a)")
                coroutine.owner = Life(count)
                _ = stage.state.resume(coroutine)
            }
            stage.state.collect()
            stage.state.collect()
            #expect(count.value == 0)
        }
    }

    @Test("when coroutines are cancelled", arguments: Conditions.allCases)
    func cancelled(conditions: Conditions) throws {
        try self.survey(conditions) { stage, count in
            for _ in 0..<10 {
                let coroutine = try stage.start(
                    "local a = hold() coroutine.wrap(function() wait(hold()) end)() wait(a)")
                coroutine.owner = Life(count)
                _ = stage.state.resume(coroutine)
                stage.state.cancel(coroutine)
            }
            stage.state.collect()
            #expect(count.value == 0)
        }
    }

    @Test("when the state is closed", arguments: Conditions.allCases)
    func closed(conditions: Conditions) throws {
        try self.survey(conditions) { stage, count in
            _ = try stage.run("kept = hold()")
            let coroutine = try stage.start("local a = hold() wait()")
            _ = stage.state.resume(coroutine)
            #expect(count.value == 2)
            stage.state.close()
            #expect(count.value == 0)
        }
    }

    @Test("when faults and references go around", arguments: Conditions.allCases)
    func references(conditions: Conditions) throws {
        try self.survey(conditions) { stage, count in
            stage.define("raise") { (_) throws(LuaFault) in throw LuaFault("x", cause: Unexpected()) }
            var kept: [LuaReference] = []
            stage.define("keep", parameters: ["function"]) { (call) throws(LuaFault) in
                kept.append(try call.function(1))
                return .returns
            }
            for _ in 0..<100 {
                _ = try? stage.run("raise()")
                _ = try stage.run("local a = hold() keep(function() return a end)")
            }
            stage.state.collect()
            #expect(count.value == 100)
            kept = []
            stage.state.collect()
            stage.state.collect()
            #expect(count.value == 0)
            #expect(stage.state.liveHandleCount == 0)
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
