import JSON
import LuaRuntime
import Testing

@Suite("Environments take what they share when a script asks for it")
struct EnvironmentTests {
    private func results(_ source: String, in state: LuaState) throws -> [JSONValue] {
        let environment = try state.makeEnvironment()
        let main = try state.load(source, name: "@s.lua", in: environment)
        return try state.call(main).map { try $0.json() }
    }

    @Test(
        "What a script removes or replaces does not come back",
        arguments: [
            "print = nil string = nil return string == nil and rawget(_G, 'string') == nil",
            "local s = string string = nil return string == nil and s ~= nil",
            "string = 5 return string == 5",
            "type = nil return type == nil",
            "load = nil require = nil _G = nil return load == nil and require == nil and _G == nil",
            "local all = _G for name in pairs(all) do all[name] = nil end return all.string == nil and next == nil",
        ])
    func removed(source: String) throws {
        #expect(try self.results(source, in: LuaState()) == [true])
    }

    @Test("A traversal of the globals finds all of them")
    func traversal() throws {
        let source = """
            x = 1
            local found = {}
            for name, value in pairs(_G) do found[name] = value end
            return found.x == 1 and found.string == string and found.load == load and found.require == require
                and found._G == _G and found.pairs == pairs and found.math.random ~= nil
            """
        #expect(try self.results(source, in: LuaState()) == [true])
    }

    @Test("A script can give its globals a metatable; nothing is missing then")
    func strictGlobals() throws {
        let source = """
            setmetatable(_G, { __index = function(_, name) error("no " .. name, 2) end })
            local found, message = pcall(function() return nonsense end)
            return found == false and message:find("no nonsense") ~= nil and type(table.concat) == "function"
                and math.random(1, 1) == 1
            """
        #expect(try self.results(source, in: LuaState()) == [true])
    }

    @Test("Tables that are shared are copied with the tables in them")
    func nested() throws {
        let state = LuaState()
        try state.share("settings", .json(["inner": ["value": 1]]))
        #expect(try self.results("settings.inner.value = 2 settings.more = 1 return true", in: state) == [true])
        #expect(try self.results("return settings.inner.value, settings.more", in: state) == [1, .null])
    }

    @Test("math.random begins with the seed of the environment, whenever it is first used")
    func seeds() throws {
        let state = LuaState()
        func numbers(_ seed: UInt64) throws -> [JSONValue] {
            let environment = try state.makeEnvironment(seed: seed)
            let main = try state.load("return math.random(1000000), math.random()", name: "@s.lua", in: environment)
            return try state.call(main).map { try $0.json() }
        }
        let first = try numbers(7)
        #expect(try numbers(8) != first)
        #expect(try numbers(7) == first)
    }

    @Test("Code that several environments run keeps their globals apart, also in functions called later")
    func sharedCode() throws {
        let state = LuaState()
        let chunk = try state.compile("value = seed function get() value = value + 1 return value end", name: "@s.lua")
        var getters: [LuaReference] = []
        for seed in [10, 20] {
            let environment = try state.makeEnvironment()
            environment["seed"] = .integer(Int64(seed))
            try state.run(chunk, in: environment)
            guard case .reference(let get) = environment["get"] else {
                Issue.record("the script defined no function")
                return
            }
            getters.append(get)
        }
        #expect(try getters.map { try state.call($0).first?.json() } == [11, 21])
        #expect(try getters.reversed().map { try state.call($0).first?.json() } == [22, 12])
    }

    @Test("More chunks than a state keeps are loaded again")
    func manyChunks() throws {
        let state = LuaState()
        let chunks = try (0..<10).map { try state.compile("result = \($0)", name: "@\($0).lua") }
        for _ in 0..<2 {
            for (number, chunk) in chunks.enumerated() {
                let environment = try state.makeEnvironment()
                try state.run(chunk, in: environment)
                #expect(try environment["result"].json() == .integer(Int64(number)))
            }
        }
    }

    @Test("An environment that nothing was asked of costs little memory")
    func cost() throws {
        let state = LuaState()
        let warm = try state.makeEnvironment()
        state.collect()
        let before = state.memoryInUse
        let environments = try (0..<100).map { _ in try state.makeEnvironment() }
        state.collect()
        #expect((state.memoryInUse - before) / environments.count < 600)
        withExtendedLifetime(warm) {}
    }
}
