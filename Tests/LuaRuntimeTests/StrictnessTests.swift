import JSON
import LuaRuntime
import Testing

@Suite("What a state can be strict about")
struct StrictnessTests {
    private func fixture(_ conditions: Conditions = .plain) throws -> LuaFixture {
        let fixture = try LuaFixture(conditions)
        fixture.define("stop") { (_) throws(HostError) in throw HostError("stopped", kind: "final", isFinal: true) }
        return fixture
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
        let error = try self.fixture(conditions).failure(source + "\nreturn 1")
        #expect(error.fault?.isFinal == true, "\(error)")
        #expect(error.message == "stopped")
    }

    @Test("a wait that ends with a final fault cannot be caught either, and the next coroutine knows nothing of it")
    func finalWait() throws {
        let fixture = try self.fixture()
        let coroutine = try fixture.start("pcall(wait) return 1")
        _ = fixture.state.resume(coroutine)
        let outcome = fixture.state.resume(
            coroutine, with: .failure(HostError("stopped", kind: "error", isFinal: true)))
        guard case .failed(let error) = outcome else {
            Issue.record("it was caught: \(outcome)")
            return
        }
        #expect(error.fault?.isFinal == true)
        #expect(try fixture.run("return 1") == [1])
    }

    @Test("faults that are not final, and errors of the script, are caught as ever, with the handler's word")
    func caught() throws {
        let fixture = try self.fixture()
        fixture.define("fail") { (_) throws(HostError) in throw HostError("failed", kind: "error") }
        #expect(try fixture.run("return pcall(fail) == false, (pcall(error, 'x'))") == [true, false])
        #expect(try fixture.run("return select(2, xpcall(error, function(e) return e .. '!' end, 'x'))") == ["x!"])
    }

    @Test("an undefined global is nil, unless the state says what it is")
    func undefined() throws {
        let fixture = try self.fixture()
        #expect(try fixture.run("return nowhere") == [.null])
        fixture.state.undefinedName = { undefined in
            let own = undefined.known.filter { $0.hasPrefix("my_") }.sorted()
            return HostError("no \(undefined.name) among " + own.joined(separator: " "), kind: "error")
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
        let error = try fixture.failure(source)
        #expect(error.message == "no nowhere among my_global my_local my_upvalue")
        #expect(error.position?.line == 5)
        #expect(
            try fixture.run("return rawget(_G, 'nowhere'), rawget(_G, 'print'), rawget(_G, 'math') == math")[2] == true)
        #expect(try fixture.run("later = nil return later") == [.null])
        #expect(try fixture.run("for _ in pairs(_G) do end return later, my_global") == [.null, 1])
        #expect(try fixture.failure("return nowhere").message.hasPrefix("no nowhere"))
        #expect(try fixture.run("setmetatable(_G, nil) return nowhere") == [.null])
    }

    @Test("a member that a library does not have is nil, unless the state says what it is", arguments: [false, true])
    func undefinedMember(isComplete: Bool) throws {
        let plain = try self.fixture()
        #expect(try plain.run("return math.hge") == [.null])
        let fixture = try self.fixture()
        fixture.state.undefinedName = { undefined in
            guard case .library(let library) = undefined.place else { return nil }
            return HostError("no \(library).\(undefined.name) of \(undefined.known.contains("huge"))", kind: "error")
        }
        let all = isComplete ? "for _ in pairs(_G) do end " : ""
        let error = try fixture.failure(all + "\nreturn math.hge")
        #expect(error.message == "no math.hge of true")
        #expect(error.position?.line == 2)
        #expect(try fixture.failure(all + "return utf8.length 'x'").message == "no utf8.length of false")
        // What a script assigns is there, numbers are no names, and a text finds its methods.
        #expect(
            try fixture.run(all + "math.mine = 1 return math.mine, rawget(math, 'hge'), math[1]") == [1, .null, .null])
        #expect(try fixture.run(all + "return ('x'):upper(), getmetatable(math)") == ["X", false])
        #expect(try fixture.run(all + "local n = 0 for _ in pairs(utf8) do n = n + 1 end return n")[0] == 6)
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
        let fixture = try self.fixture(conditions)
        let remark = Remark(members: MemberGuard(of: "the remark", names: ["text", "by"]))
        fixture.define("remark") { (call) throws(HostError) in
            call.push(LuaValue.source(remark))
            return .returns
        }
        #expect(try fixture.run("return remark().txet") == [.null])
        fixture.state.undefinedName = { undefined in
            guard undefined.place == .members(of: "the remark", isClosed: false), undefined.name == "txet" else {
                return nil
            }
            return HostError("txet among " + undefined.known.sorted().joined(separator: " "), kind: "error")
        }
        #expect(try fixture.failure("local r = remark()\nreturn r.txet").message == "txet among by mood text text")
        #expect(try fixture.failure("local r = remark()\nreturn r.txet").position?.line == 2)
        // What may be absent is nil, so is what the state does not judge; and the table is one like others otherwise.
        #expect(
            try fixture.run("local r = remark() return r.text, r.mood, r.by, r.other, r[1]") == [
                "Hi", "good", .null, .null, .null,
            ])
        #expect(
            try fixture.run("local r, n = remark(), 0 for _ in pairs(r) do n = n + 1 end return n, rawget(r, 'txet')")
                == [2, .null])
        #expect(try fixture.run("return echo(remark())") == [["text": "Hi", "mood": "good"]])
        #expect(
            try fixture.run("return getmetatable(remark()), (pcall(setmetatable, remark(), {}))") == [false, false])
    }

    @Test("a function is known by its name, or by its line")
    func names() throws {
        let fixture = try self.fixture()
        var found: [(String?, Int?)] = []
        fixture.define("look") { (call) throws(HostError) in
            let function = try call.function(1)
            found.append((function.functionName, function.definition?.line))
            return .returns
        }
        _ = try fixture.run(
            "function mine() end\nlook(mine) look(add) look(string.upper) look(print or tostring)\nlook(function() end)"
        )
        #expect(found.map(\.0) == ["mine", "add", "string.upper", "tostring", nil])
        #expect(found.map(\.1) == [1, nil, nil, nil, 3])
    }
}
