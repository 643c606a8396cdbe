import JSON
import LuaRuntime
import Testing

@Suite("The sandbox")
struct SandboxTests {
    @Test(
        "What could reach out of the sandbox does not exist",
        arguments: [
            "io", "package", "dofile", "loadfile", "warn", "print", "string.dump", "os.execute", "os.exit", "os.remove",
            "os.rename", "os.tmpname", "os.setlocale", "os.getenv", "debug.getinfo", "debug.sethook",
            "debug.getupvalue", "debug.setmetatable", "debug.getregistry", "coroutine.foo",
        ])
    func denied(name: String) throws {
        #expect(try LuaFixture().run("return \(name) == nil") == [true])
    }

    @Test(
        "What a script needs exists",
        arguments: [
            "assert", "error", "getmetatable", "ipairs", "load", "next", "pairs", "pcall", "rawequal", "rawget",
            "rawlen", "rawset", "require", "select", "setmetatable", "tonumber", "tostring", "type", "xpcall",
            "string.format", "string.gsub", "table.sort", "math.floor", "utf8.char", "coroutine.wrap", "os.time",
            "debug.traceback", "collectgarbage",
        ])
    func allowed(name: String) throws {
        #expect(try LuaFixture().run("return type(\(name))") == ["function"])
    }

    @Test("Binary chunks are refused, whatever mode is asked for")
    func binaryChunks() throws {
        let fixture = try LuaFixture()
        #expect(try fixture.run("local f, e = load('\\27Lua') return f == nil, e")[0] == true)
        #expect(try fixture.failure("load('return 1', 'x', 'b')").message.contains("only text chunks"))
        #expect(try fixture.run("local f = load('\\27Lua', 'x', 'bt') return f == nil") == [true])
    }

    @Test("A loaded chunk has the globals of its environment, or those it is given")
    func loadedGlobals() throws {
        let fixture = try LuaFixture()
        #expect(try fixture.run("x = 5 return load('return x')(), load('return x', 'c', 't', {x = 6})()") == [5, 6])
        #expect(
            try fixture.run("local n = 0 return load(function() n = n + 1 return ({'return ', '42'})[n] end)()") == [42]
        )
    }

    @Test("A loaded chunk cannot pass for Lua of the engine")
    func loadedNames() throws {
        let error = try LuaFixture().failure("load('error(\"x\")', '=engine')()")
        #expect(error.traceback.contains { $0.position.file.hasPrefix("engine") })
    }

    @Test(
        "The methods of strings cannot be changed",
        arguments: [
            "getmetatable('').__index.upper = nil", "setmetatable('', {})", "rawset(getmetatable(''), '__index', {})",
            "string.upper = nil string.format = nil",
        ])
    func stringMethods(attack: String) throws {
        let fixture = try LuaFixture()
        _ = try? fixture.run(attack)
        #expect(try fixture.run("return ('a'):upper(), getmetatable('')") == ["A", false])
    }

    @Test(
        "What one environment does to its libraries leaves the others alone",
        arguments: [
            "string.upper = nil", "rawset(table, 'insert', 1)", "table.insert(table, 1)",
            "setmetatable(math, {__index = function() return 1 end})", "for k in pairs(_G) do _G[k] = nil end",
            "setmetatable(_G, {__newindex = function() end})", "coroutine.wrap = nil os.time = nil utf8.char = nil",
            "debug.traceback = nil", "getmetatable('').__index = nil",
        ])
    func isolation(attack: String) throws {
        let state = LuaState()
        let first = try state.makeEnvironment()
        let second = try state.makeEnvironment()
        _ = try? state.call(try state.load(attack, name: "@a.lua", in: first))
        let probe = """
            x = 1
            return string.upper('a') == 'A' and type(table.insert) == 'function' and #table == 0
                and math.nonsense == nil and type(pairs) == 'function' and rawget(_G, 'x') == 1
                and type(coroutine.wrap) == 'function' and type(os.time) == 'function' and utf8.char(65) == 'A'
                and type(debug.traceback) == 'function'
            """
        let check = try state.load(probe, name: "@b.lua", in: second)
        #expect(try state.call(check).first?.isTruthy == true)
        let third = try state.makeEnvironment()
        #expect(try state.call(try state.load(probe, name: "@b.lua", in: third)).first?.isTruthy == true)
    }

    @Test("Globals of one environment are not seen in another")
    func globals() throws {
        let state = LuaState()
        let first = try state.makeEnvironment()
        let second = try state.makeEnvironment()
        try state.call(try state.load("secret = 1", name: "@a.lua", in: first))
        guard case .nil = second["secret"] else {
            Issue.record("the global leaked")
            return
        }
    }

    @Test("Finalizers are refused, because nothing could stop one")
    func finalizers() throws {
        let fixture = try LuaFixture()
        #expect(
            try fixture.failure("setmetatable({}, {__gc = function() while true do end end})").message.contains("__gc"))
        // Adding the field later has no effect in Lua.
        #expect(
            try fixture.run("local m = {} setmetatable({}, m) m.__gc = function() note('gc') end return 1") == [1])
        fixture.state.collect()
        #expect(fixture.notes.isEmpty)
    }

    @Test("collectgarbage only counts")
    func collectgarbage() throws {
        let fixture = try LuaFixture()
        #expect(
            try fixture.run("return collectgarbage('count') > 0, pcall(collectgarbage, 'stop')")[0...1] == [
                true, false,
            ])
    }

    @Test("require loads through the host, once per environment, with the name as argument")
    func require() throws {
        let fixture = try LuaFixture()
        var asked: [String] = []
        fixture.state.moduleSearcher = { (name, _) throws(HostError) in
            asked.append(name)
            switch name {
            case "a": return .source("local n = ... return { name = n, b = require 'b' }", name: "@lib/a.lua")
            case "b": return .source("seen = true", name: "@lib/b.lua")
            case "v": return .value(.json(["x": 1]))
            default: throw HostError("module '\(name)' is not below the project", kind: "module")
            }
        }
        let results = try fixture.run(
            "local a = require 'a' return a.name, a.b, require 'a' == a, seen, require('v').x")
        #expect(results == ["a", true, true, true, 1])
        #expect(asked == ["a", "b", "v"])
        #expect(try fixture.failure("require '../secret'").message == "module '../secret' is not below the project")
    }

    @Test("A module is compiled once for all environments, and anew as soon as its text is another one")
    func compiledModules() throws {
        let fixture = try LuaFixture()
        var text = ""
        fixture.state.moduleSearcher = { (_, _) throws(HostError) in .source(text, name: "@m.lua") }
        func required() throws -> (value: JSONValue?, allocated: UInt64) {
            let environment = try fixture.state.makeEnvironment()
            let before = fixture.state.bytesAllocated
            let chunk = try fixture.state.load("return require 'm'", name: "@script.lua", in: environment)
            return (try fixture.state.call(chunk).first?.json(), fixture.state.bytesAllocated - before)
        }
        let body = (1...200).map { "do local function f(a) return a .. 'x\($0)' end f 'y' end\n" }
        for number in [1, 2] {
            text = body.joined() + "return \(number)"
            let first = try required()
            let second = try required()
            #expect(first.value == .integer(Int64(number)) && second.value == first.value)
            #expect(second.allocated < first.allocated * 3 / 4, "\(second.allocated) after \(first.allocated)")
        }
        // What looks the same and has other bytes is another text.
        for bytes in ["\u{E9}", "e\u{301}"] {
            text = "return #'\(bytes)'"
            #expect(try required().value == .integer(Int64(bytes.utf8.count)))
        }
        text = "local a = 1\n\nerror 'broken'"
        for _ in 1...2 {
            let error = try #require(throws: LuaError.self) { try required() }
            #expect(error.message == "broken" && error.position == LuaPosition(file: "m.lua", line: 3))
        }
        text = "local a =\n\nend"
        for _ in 1...2 {
            let error = try #require(throws: LuaError.self) { try required() }
            #expect(error.message.contains("unexpected symbol near 'end'"), "\(error)")
            #expect(error.position == LuaPosition(file: "m.lua", line: 3), "\(error)")
        }
    }

    @Test("A module that fails can be required again; one that requires itself is an error")
    func requireFailures() throws {
        let fixture = try LuaFixture()
        fixture.state.moduleSearcher = { (name, _) throws(HostError) in
            .source(name == "loop" ? "require 'loop'" : "error 'broken'", name: "@\(name).lua")
        }
        #expect(try fixture.failure("require 'loop'").message.contains("requires itself"))
        let error = try fixture.failure("pcall(require, 'bad') require 'bad'")
        #expect(error.message == "broken")
        #expect(error.position == LuaPosition(file: "bad.lua", line: 1))
        #expect(error.traceback.map(\.position.file) == ["bad.lua", "script.lua"])
    }

    @Test("os tells the host's time, in UTC")
    func clock() throws {
        let fixture = try LuaFixture(
            clock: LuaClock(wallSeconds: { 1_000_000_000.75 }, monotonicSeconds: { 12.5 }))
        let results = try fixture.run(
            """
            return os.time(), os.clock(), os.date('%Y-%m-%d %H:%M:%S'), os.date('!*t').hour,
                os.time { year = 2001, month = 9, day = 9, hour = 1, min = 46, sec = 40 }, os.difftime(5, 3)
            """)
        #expect(results == [1_000_000_000, 12.5, "2001-09-09 01:46:40", 1, 1_000_000_000, 2.0])
    }

    @Test("A prelude's globals are in every environment, and it does not show in tracebacks")
    func prelude() throws {
        let state = LuaState()
        try state.runPrelude(try state.compile("function twice(f) f() f() end", name: "=prelude"))
        let environment = try state.makeEnvironment()
        let main = try state.load("twice(function() error 'no' end)", name: "@s.lua", in: environment)
        let error = try #require(throws: LuaError.self) { try state.call(main) }
        #expect(error.traceback.map(\.position.file) == ["s.lua", "s.lua"])
    }

    @Test("A compiled chunk runs in any environment of any state, with its own globals")
    func compiled() throws {
        let state = LuaState()
        let chunk = try state.compile("n = (n or 0) + 1 return n", name: "@c.lua")
        for _ in 0..<2 {
            let environment = try state.makeEnvironment()
            let run = try state.load(chunk, in: environment)
            #expect(try state.call(run).first?.json() == 1)
            #expect(try state.call(run).first?.json() == 2)
        }
        let other = LuaState()
        #expect(try other.call(try other.load(chunk, in: try other.makeEnvironment())).first?.json() == 1)
    }
}
