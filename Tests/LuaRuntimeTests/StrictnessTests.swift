import JSON
import LuaRuntime
import Testing

@Suite("What a state can be strict about")
struct StrictnessTests {
    private func stage(_ conditions: Conditions = .plain) throws -> Stage {
        let stage = try Stage(conditions)
        stage.define("stop") { (_) throws(LuaFault) in throw LuaFault("stopped", kind: "final", isFinal: true) }
        return stage
    }

    @Test(
        "a fault that is final passes every protected call, under all conditions",
        arguments: [
            "stop()", "pcall(stop)", "pcall(pcall, stop)", "xpcall(stop, function() return 'x' end)",
            "xpcall(stop, error)", "coroutine.resume(coroutine.create(stop))", "pcall(coroutine.wrap(stop))",
            "load(stop)", "tostring(setmetatable({}, { __tostring = stop }))",
            "note(setmetatable({}, { __tostring = stop }))", "pcall(table.sort, { 2, 1 }, stop)",
            "pcall(string.gsub, 'x', 'x', stop)",
            "local c = coroutine.create(function() local x <close> = setmetatable({}, { __close = stop }) "
                + "coroutine.yield() end) coroutine.resume(c) coroutine.close(c)",
            "pcall(function() local x <close> = setmetatable({}, { __close = function() error 'other' end }) stop() end)",
            "pcall(function() wait() pcall(stop) end)",
        ], Conditions.allCases)
    func final(source: String, conditions: Conditions) throws {
        let error = try self.stage(conditions).failure(source + "\nreturn 1")
        #expect(error.fault?.isFinal == true, "\(error)")
        #expect(error.message == "stopped")
    }

    @Test("a wait that ends with a final fault cannot be caught either, and the next coroutine knows nothing of it")
    func finalWait() throws {
        let stage = try self.stage()
        let coroutine = try stage.start("pcall(wait) return 1")
        _ = stage.state.resume(coroutine)
        let outcome = stage.state.resume(coroutine, with: .raises(LuaFault("stopped", isFinal: true)))
        guard case .failed(let error) = outcome else {
            Issue.record("it was caught: \(outcome)")
            return
        }
        #expect(error.fault?.isFinal == true)
        #expect(try stage.run("return 1") == [1])
    }

    @Test("faults that are not final, and errors of the script, are caught as ever, with the handler's word")
    func caught() throws {
        let stage = try self.stage()
        stage.define("fail") { (_) throws(LuaFault) in throw LuaFault("failed") }
        #expect(try stage.run("return pcall(fail) == false, (pcall(error, 'x'))") == [true, false])
        #expect(try stage.run("return select(2, xpcall(error, function(e) return e .. '!' end, 'x'))") == ["x!"])
    }

    @Test("an undefined global is nil, unless the state says what it is")
    func undefined() throws {
        let stage = try self.stage()
        #expect(try stage.run("return nowhere") == [.null])
        stage.state.undefinedName = { undefined in
            let own = undefined.known.filter { $0.hasPrefix("my_") }.sorted()
            return LuaFault("no \(undefined.name) among " + own.joined(separator: " "))
        }
        let source = """
            my_global = 1
            local my_upvalue = 2
            local function look()
                local my_local = my_upvalue
                return nowhere
            end
            look()
            """
        let error = try stage.failure(source)
        #expect(error.message == "no nowhere among my_global my_local my_upvalue")
        #expect(error.position?.line == 5)
        #expect(
            try stage.run("return rawget(_G, 'nowhere'), rawget(_G, 'print'), rawget(_G, 'math') == math")[2] == true)
        #expect(try stage.run("later = nil return later") == [.null])
        #expect(try stage.run("for _ in pairs(_G) do end return later, my_global") == [.null, 1])
        #expect(try stage.failure("return nowhere").message.hasPrefix("no nowhere"))
        #expect(try stage.run("setmetatable(_G, nil) return nowhere") == [.null])
    }

    @Test("a member that a library does not have is nil, unless the state says what it is", arguments: [false, true])
    func undefinedMember(isComplete: Bool) throws {
        let plain = try self.stage()
        #expect(try plain.run("return math.hge") == [.null])
        let stage = try self.stage()
        stage.state.undefinedName = { undefined in
            guard case .library(let library) = undefined.place else { return nil }
            return LuaFault("no \(library).\(undefined.name) of \(undefined.known.contains("huge"))")
        }
        let all = isComplete ? "for _ in pairs(_G) do end " : ""
        let error = try stage.failure(all + "\nreturn math.hge")
        #expect(error.message == "no math.hge of true")
        #expect(error.position?.line == 2)
        #expect(try stage.failure(all + "return utf8.length 'x'").message == "no utf8.length of false")
        // What a script assigns is there, numbers are no names, and a text finds its methods.
        #expect(
            try stage.run(all + "math.mine = 1 return math.mine, rawget(math, 'hge'), math[1]") == [1, .null, .null])
        #expect(try stage.run(all + "return ('x'):upper(), getmetatable(math)") == ["X", false])
        #expect(try stage.run(all + "local n = 0 for _ in pairs(utf8) do n = n + 1 end return n")[0] == 6)
    }

    /// A table of the host that may have the members `text` and `by`, and has only the first, beside one of a server.
    private struct Remark: LuaTableSource {
        let members: MemberGuard
        var memberCount: Int { 2 }

        func write(into table: borrowing LuaTableWriter) {
            table.set("text", to: "Hi" as JSONValue)
            table.set("mood", to: "good" as JSONValue)
            table.refuseMisspelt(self.members)
        }
    }

    @Test("a table of the host asks what it is to be asked for what it may not have", arguments: Conditions.allCases)
    func members(conditions: Conditions) throws {
        let stage = try self.stage(conditions)
        let remark = Remark(members: MemberGuard(of: "the remark", names: ["text", "by"]))
        stage.define("remark") { (call) throws(LuaFault) in
            call.push(LuaValue.source(remark))
            return .returns
        }
        #expect(try stage.run("return remark().txet") == [.null])
        stage.state.undefinedName = { undefined in
            guard undefined.place == .members(of: "the remark"), undefined.name == "txet" else { return nil }
            return LuaFault("txet among " + undefined.known.sorted().joined(separator: " "))
        }
        #expect(try stage.failure("local r = remark()\nreturn r.txet").message == "txet among by mood text text")
        #expect(try stage.failure("local r = remark()\nreturn r.txet").position?.line == 2)
        // What may be absent is nil, so is what the state does not judge; and the table is one like others otherwise.
        #expect(
            try stage.run("local r = remark() return r.text, r.mood, r.by, r.other, r[1]") == [
                "Hi", "good", .null, .null, .null,
            ])
        #expect(
            try stage.run("local r, n = remark(), 0 for _ in pairs(r) do n = n + 1 end return n, rawget(r, 'txet')")
                == [2, .null])
        #expect(try stage.run("return echo(remark())") == [["text": "Hi", "mood": "good"]])
        #expect(try stage.run("return getmetatable(remark()), (pcall(setmetatable, remark(), {}))") == [false, false])
    }

    @Test("a function is known by its name, or by its line")
    func names() throws {
        let stage = try self.stage()
        var found: [(String?, Int?)] = []
        stage.define("look") { (call) throws(LuaFault) in
            let function = try call.function(1)
            found.append((function.functionName, function.definitionLine))
            return .returns
        }
        _ = try stage.run(
            "function mine() end\nlook(mine) look(add) look(string.upper) look(print or tostring)\nlook(function() end)"
        )
        #expect(found.map(\.0) == ["mine", "add", "string.upper", "tostring", nil])
        #expect(found.map(\.1) == [1, nil, nil, nil, 3])
    }
}
