import JSON
import Testing

@testable import LuaRuntime

@Suite("Modules that several environments require")
struct ModuleTests {
    private static func run(_ source: String, in environment: LuaEnvironment, of state: LuaState) throws -> [JSONValue]
    {
        try state.call(try state.load(source, name: "@script.lua", in: environment)).map { try $0.json() }
    }

    @Test("each has a module of its own, with its own globals")
    func separate() throws {
        let state = LuaState()
        state.moduleSearcher = { (_, _) throws(HostError) in
            .source("local n = 0 loads = loads + 1 return function() n = n + 1 return n, loads end", name: "@m.lua")
        }
        let environments = try (0..<2).map { _ in try state.makeEnvironment() }
        for (number, environment) in environments.enumerated() {
            _ = try Self.run("loads = \(number * 10) count = require 'm' count()", in: environment, of: state)
        }
        for (number, environment) in environments.enumerated() {
            let results = try Self.run("return require('m')()", in: environment, of: state)
            #expect(results == [2, .integer(Int64(number) * 10 + 1)])
        }
    }

    @Test("the code is loaded once")
    func code() throws {
        let state = LuaState()
        let text = (0..<1000).map { "function t.f\($0)() return \($0) end " }.joined()
        state.moduleSearcher = { (_, _) throws(HostError) in
            .source("local t = {} \(text) return t", name: "@m.lua")
        }
        func growth() throws -> UInt64 {
            let environment = try state.makeEnvironment()
            let before = state.bytesAllocated
            #expect(try Self.run("return require('m').f999()", in: environment, of: state) == [999])
            return state.bytesAllocated - before
        }
        let first = try growth()
        let second = try growth()
        #expect(second < first / 2, "\(first) bytes, then \(second)")
    }

    @Test("a text that has changed is loaded anew")
    func changed() throws {
        let state = LuaState()
        var count = 0
        state.moduleSearcher = { (_, _) throws(HostError) in
            count += 1
            return .source("return \(count / 2)", name: "@m.lua")
        }
        for expected: JSONValue in [0, 1, 1, 2] {
            #expect(try Self.run("return require 'm'", in: try state.makeEnvironment(), of: state) == [expected])
        }
    }

    @Test("one that is required while it runs for somebody else leaves that one its globals")
    func nested() throws {
        let fixture = try LuaFixture()
        let state = fixture.state
        state.moduleSearcher = { (_, _) throws(HostError) in
            .source("if go then go() end return name", name: "@m.lua")
        }
        let other = try state.makeEnvironment()
        var inner: [JSONValue] = []
        fixture.define("go") { (_) throws(HostError) in
            inner = (try? Self.run("name = 'two' return require 'm'", in: other, of: state)) ?? []
            return .returns
        }
        // The code is kept before it is needed twice at a time.
        #expect(
            try Self.run("name = 'three' return require 'm'", in: try state.makeEnvironment(), of: state) == ["three"])
        #expect(try fixture.run("name = 'one' return require 'm'") == ["one"])
        #expect(inner == ["two"])
    }
}
