import JSON
import LuaRuntime
import Testing

@Suite("Errors")
struct ErrorTests {
    struct Broken: Error, Equatable {
        let code: Int
    }

    @Test("A syntax error names file and line, without repeating them in the message")
    func syntax() throws {
        let fixture = try LuaFixture()
        let error = try #require(throws: LuaError.self) {
            try fixture.state.load("local x = 1\nlocal = 2", name: "@dir/s.lua", in: fixture.environment)
        }
        #expect(error.kind == .syntax)
        #expect(error.position == LuaPosition(file: "dir/s.lua", line: 2))
        #expect(error.message == "<name> expected near '='")
        #expect("\(error)" == "dir/s.lua:2: <name> expected near '='")
    }

    @Test(
        "A runtime error names file and line, also when the script raises it again",
        arguments: [
            ("\nlocal t = nil\nreturn t.x", LuaError.Kind.runtime), ("\n\nerror 'x'", .raised),
            ("\n\npcall(error, 'y') error('x')", .raised),
            ("local ok, e = pcall(function()\n\n error 'x' end)\n\n error(e, 0)", .raised),
            ("coroutine.wrap(function()\n\nerror 'x' end)()", .raised),
        ])
    func runtime(source: String, kind: LuaError.Kind) throws {
        let error = try LuaFixture().failure(source)
        #expect(error.kind == kind)
        #expect(error.position == LuaPosition(file: "script.lua", line: 3))
        #expect(!error.message.contains("script.lua"))
    }

    @Test(
        "A call of what has no elements names file, line and function",
        arguments: [
            ("for _ in ipairs(t.list) do end", "bad argument #1 to 'ipairs' (table expected, got nil)"),
            ("for _ in ipairs(7) do end", "bad argument #1 to 'ipairs' (table expected, got number)"),
            ("ipairs()", "bad argument #1 to 'ipairs' (table expected, got no value)"),
            ("table.unpack(t.list)", "bad argument #1 to 'unpack' (table expected, got nil)"),
        ])
    func elements(source: String, message: String) throws {
        let error = try LuaFixture().failure("local t = {}\n\n" + source)
        #expect(error.position == LuaPosition(file: "script.lua", line: 3))
        #expect(error.message == message)
        let caught = try LuaFixture().run("local t = {}\n\nreturn select(2, pcall(function() \(source) end))")
        #expect(caught == [.string("script.lua:3: " + message)])
    }

    @Test("What a metatable lets be indexed has elements")
    func indexed() throws {
        let source = """
            local list = setmetatable({}, { __index = { 'a', 'b' }, __len = function() return 2 end })
            local texts = {}
            for place, text in ipairs(list) do texts[place] = text end
            return #texts, table.unpack(list)
            """
        #expect(try LuaFixture().run(source) == [2, "a", "b"])
        #expect(try LuaFixture().run("for _ in ipairs('ab') do return 1 end return table.unpack('', 1, 1)") == [.null])
    }

    @Test(
        "What Lua does not allow is told from what the script raises, whatever the words",
        arguments: [
            ("local n return n.x", LuaError.Kind.runtime), ("('x'):rep(nil)", .runtime), ("assert()", .runtime),
            ("table.sort({ 1, 'a' })", .runtime), ("for i = 'a', 2 do end", .runtime),
            ("pcall(error, 'y') local n n()", .runtime),
            ("xpcall(error, function(m) return m end, 'y') local n n()", .runtime),
            ("coroutine.wrap(function() local n n() end)()", .runtime),
            ("error('an attempt to index a nil value')", .raised), ("error({ code = 1 })", .raised),
            ("error({})", .raised), ("assert(false, 'no')", .raised), ("assert(nil)", .raised),
            ("local n pcall(function() n() end) error('other')", .raised),
            ("coroutine.wrap(function() error 'x' end)()", .raised),
        ])
    func origin(source: String, kind: LuaError.Kind) throws {
        #expect(try LuaFixture().failure(source).kind == kind)
    }

    @Test(
        "What the script catches and raises again is of the kind that it was",
        arguments: [
            "local ok, e = pcall(RAISES) error(e, 0)", "local ok, e = pcall(RAISES) error(e)",
            "local ok, e = pcall(RAISES) error('it failed: ' .. e, 0)", "assert(pcall(RAISES))",
            "local ok, e = xpcall(RAISES, function(m) return 'so: ' .. m end) error(e, 0)",
            "local ok, e = coroutine.resume(coroutine.create(RAISES)) error(e, 0)",
            """
            local c = coroutine.create(RAISES)
            local ok, e = coroutine.resume(c)
            coroutine.close(c)
            error(e, 0)
            """,
        ])
    func again(source: String) throws {
        for (body, kind) in [("local n n()", LuaError.Kind.runtime), ("error 'x'", .raised)] {
            let script = source.replacing("RAISES", with: "function() \(body) end")
            #expect(try LuaFixture().failure(script).kind == kind, "\(script)")
        }
    }

    @Test("An error of one script says nothing of the next one of its state")
    func forgotten() throws {
        let fixture = try LuaFixture()
        let raised = "error(setmetatable({}, { __tostring = function() error 'x' end }))"
        for _ in 0..<2 {
            #expect(try fixture.failure(raised).kind == .raised)
            #expect(try fixture.failure("local n n()").kind == .runtime)
            #expect(try fixture.failure("error 'x'").kind == .raised)
        }
    }

    @Test("A file with a long name is named in full")
    func longName() throws {
        let fixture = try LuaFixture()
        let file = String(repeating: "folder/", count: 20) + "script.lua"
        let error = try #require(throws: LuaError.self) { try fixture.run("error 'x'", file: file) }
        #expect(error.position == LuaPosition(file: file, line: 1))
        #expect(error.message == "x")
    }

    @Test("The traceback has the script's frames, innermost first")
    func traceback() throws {
        let error = try LuaFixture().failure(
            "local function inner()\n  error 'x'\nend\nlocal function outer()\n  inner()\nend\nouter()")
        #expect(error.traceback.map(\.position.line) == [2, 5, 7])
        #expect(error.traceback.map(\.function) == ["inner", "outer", nil])
        #expect(error.traceback.map(\.description).first == "script.lua:2: in inner")
    }

    @Test(
        "A fault reaches the script as an object with fields, and the engine as it was", arguments: Conditions.allCases)
    func roundTrip(conditions: Conditions) throws {
        let fixture = try LuaFixture(conditions)
        fixture.define("fail") { (_) throws(HostError) in
            throw HostError("it broke", kind: "broken", fields: ["port": 80], cause: Broken(code: 42))
        }
        let seen = try fixture.run(
            "local ok, e = pcall(fail) return ok, tostring(e), e.message, e.kind, e.port, e.file, e.line, e.other, type(e),"
                + " 'so ' .. e")
        #expect(
            seen == [
                false, "script.lua:1: it broke", "it broke", "broken", 80, "script.lua", 1, .null, "userdata",
                "so script.lua:1: it broke",
            ])
        for source in [
            "fail()", "local ok, e = pcall(fail) error(e)", "local ok, e = pcall(fail) error(e, 0)",
            "xpcall(fail, function(e) kept = e end) error(kept)", "coroutine.wrap(fail)()",
            "local c = coroutine.create(fail) local ok, e = coroutine.resume(c) error(e)",
            "assert(pcall(fail)) assert(false, select(2, pcall(fail)))",
        ] {
            let error = try fixture.failure(source)
            #expect(error.kind == .host)
            let cause = error.cause as? Broken
            #expect(cause == Broken(code: 42), "\(source)")
            #expect(error.message == "it broke")
            #expect(error.fault?.fields["port"] == 80)
            #expect(error.position == LuaPosition(file: "script.lua", line: 1))
        }
    }

    @Test("A fault passes through a host function that calls the script")
    func nested() throws {
        let fixture = try LuaFixture()
        fixture.define("fail") { (_) throws(HostError) in
            throw HostError("inner", kind: "error", cause: Broken(code: 1))
        }
        fixture.define("call", parameters: ["function"]) { (call) throws(HostError) in
            let function = try call.function(1)
            do throws(LuaError) { try call.state.call(function) } catch { throw HostError(error) }
            return .returns
        }
        let cause = try fixture.failure("call(fail)").cause as? Broken
        #expect(cause == Broken(code: 1))
        let error = try fixture.failure("call(function() error 'plain' end)")
        #expect(error.message == "plain")
        let inner = error.cause as? LuaError
        #expect(inner?.kind == .raised)
    }

    @Test(
        "A fault has the place where it was raised, unless it only ends the script on purpose",
        arguments: [true, false])
    func keptCalls(keepsCalls: Bool) throws {
        let fixture = try LuaFixture()
        fixture.define("stop") { _ throws(HostError) in
            throw HostError("enough", kind: "error", cause: Broken(code: 1), keepsCalls: keepsCalls)
        }
        // An error before it leaves calls behind that are not its own.
        let function = try fixture.state.load("\n\nerror 'x'", name: "@a.lua", in: fixture.environment)
        #expect(throws: LuaError.self) { try fixture.state.call(function) }
        let error = try #require(throws: LuaError.self) {
            try fixture.state.call(try fixture.state.load("\nstop()", name: "@a.lua", in: fixture.environment))
        }
        #expect(error.cause as? Broken == Broken(code: 1))
        #expect(error.position == (keepsCalls ? LuaPosition(file: "a.lua", line: 2) : nil))
        #expect(error.traceback.map(\.position.line) == (keepsCalls ? [2] : []))
    }

    @Test("A value that a script raises is kept")
    func values() throws {
        let fixture = try LuaFixture()
        let error = try fixture.failure("error { code = 7, message = 'seven' }")
        #expect(error.value == ["code": 7, "message": "seven"])
        #expect(error.message == "seven")
        #expect(try fixture.failure("error { 1, 2 }").message == "an error with the value [1,2]")
        #expect(try fixture.failure("error(12)").value == 12)
        #expect(try fixture.failure("error()").message == "an error with the value nil")
        let named = try fixture.failure(
            "error(setmetatable({ f = print }, { __tostring = function() return 'named' end }))")
        #expect(named.message.contains("named") || named.value != nil)
        let failing = "error(setmetatable({ f = function() end }, { __tostring = function() error 'no' end }))"
        #expect(try fixture.failure(failing).message.contains("whose __tostring fails"))
    }

    @Test("The place of a call is that of the script, not of the engine's own Lua")
    func position() throws {
        let fixture = try LuaFixture()
        var positions: [LuaPosition?] = []
        fixture.define("here") { (call) throws(HostError) in
            positions.append(call.position)
            return .returns
        }
        let helper = try fixture.state.load(
            "function helper() here() end", name: "=prelude", in: fixture.environment)
        try fixture.state.call(helper)
        _ = try fixture.run("here()\nhelper()\npcall(here)\ncoroutine.wrap(function() here() end)()")
        #expect(positions.map { $0?.line } == [1, 2, 3, 4])
        #expect(positions.allSatisfy { $0?.file == "script.lua" })
    }

    @Test("An argument that does not fit is named with its function and parameter")
    func arguments() throws {
        let fixture = try LuaFixture()
        #expect(try fixture.failure("add(1)").message == "add: argument 2 (right) must be an integer, not nothing")
        #expect(try fixture.failure("add('1', 2)").message == "add: argument 1 (left) must be an integer, not a string")
        #expect(
            try fixture.failure("add(1.5, 2)").message
                == "add: argument 1 (left) must be an integer, without a fraction")
        #expect(try fixture.failure("add({}, 2)").message == "add: argument 1 (left) must be an integer, not a table")
        #expect(try fixture.run("return add(2.0, 3)") == [5])
    }
}
