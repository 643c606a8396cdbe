import JSON
import LuaRuntime
import Testing

@Suite("Determinism")
struct DeterminismTests {
    @Test("pairs goes by numbers, names, booleans, and the rest")
    func order() throws {
        let results = try LuaFixture().run(
            """
            local f = function() end
            local t = { [3] = 1, [-1] = 1, [1.5] = 1, b = 1, a = 1, ab = 1, [true] = 1, [false] = 1, [f] = 1, [1] = 1, B = 1 }
            local seen = {}
            for k in pairs(t) do seen[#seen + 1] = k == f and 'f' or tostring(k) end
            local by_next, k = {}, nil
            repeat k = next(t, k) by_next[#by_next + 1] = k == f and 'f' or tostring(k) until k == nil
            return seen, by_next
            """)
        let expected: JSONValue = ["-1", "1", "1.5", "3", "B", "a", "ab", "b", "false", "true", "f"]
        #expect(results[0] == expected)
        #expect(results[1].array?.dropLast() == expected.array?[...])
    }

    @Test("Large tables are in order, whatever their history", arguments: Conditions.allCases)
    func large(conditions: Conditions) throws {
        let results = try LuaFixture(conditions).run(
            """
            local t = {}
            for i = 1, 500 do t['k' .. (i * 7919 % 1000)] = i t[-i] = i end
            local last, sorted, count
            count, sorted = 0, true
            for k in pairs(t) do
                count = count + 1
                if last and type(last) == type(k) and not (last < k) then sorted = false end
                last = k
            end
            return sorted, count
            """)
        #expect(results == [true, 1000])
    }

    @Test("Fields may be changed and removed during a traversal")
    func changes() throws {
        let results = try LuaFixture().run(
            """
            local t = { a = 1, b = 2, c = 3, d = 4 }
            local seen = {}
            for k, v in pairs(t) do seen[#seen + 1] = k .. v t[k] = nil t.c = 9 t.b = nil end
            return seen, next(t)
            """)
        #expect(results == [["a1", "c9", "d4"], "c", 9])
    }

    @Test("__pairs is honored, and misuse is an error")
    func metamethod() throws {
        let fixture = try LuaFixture()
        let source =
            "local t = setmetatable({}, { __pairs = function(t) return function(_, k) if not k then return 1, 2 end end end })"
            + " local n = 0 for k, v in pairs(t) do n = n + k + v end return n"
        #expect(try fixture.run(source) == [3])
        #expect(try fixture.failure("pairs()").message.contains("bad argument #1 to 'pairs'"))
        #expect(try fixture.failure("pairs(1)").message.contains("table expected"))
        #expect(try fixture.failure("next({}, {}) next(1)").message.contains("table expected"))
    }

    @Test("Random numbers follow from the seed, per environment")
    func random() throws {
        let source = "local t = {} for i = 1, 20 do t[i] = math.random(1000) end t[21] = math.random() return t"
        let first = try LuaFixture(seed: 5).run(source)
        #expect(try LuaFixture(seed: 5).run(source) == first)
        #expect(try LuaFixture(seed: 6).run(source) != first)
        let state = LuaState(seed: 5)
        var results: [JSONValue] = []
        for seed in [1, 1, nil, nil] as [UInt64?] {
            let environment = try state.makeEnvironment(seed: seed)
            results.append(
                try state.call(try state.load(source, name: "@r.lua", in: environment)).first?.json() ?? .null)
        }
        #expect(results[0] == results[1])
        #expect(results[2] != results[3])
        #expect(
            try LuaFixture(seed: 5).run(
                "math.random() math.randomseed() local t = {} for i = 1, 20 do t[i] = math.random(1000) end"
                    + " t[21] = math.random() return t") == first)
    }

    @Test("Random numbers keep to their interval")
    func randomIntervals() throws {
        let results = try LuaFixture().run(
            """
            local low, high = 10, 0
            for _ = 1, 1000 do
                local n = math.random(3, 7)
                low, high = math.min(low, n), math.max(high, n)
                local f = math.random()
                assert(0 <= f and f < 1)
                math.random(math.mininteger, math.maxinteger)
                assert(math.random(1) == 1)
            end
            return low, high, math.type(math.random(0)), (pcall(math.random, 2, 1)), (pcall(math.random, 0.5))
            """)
        #expect(results == [3, 7, "integer", false, false])
    }

    @Test("Objects have numbers for a text, never addresses")
    func texts() throws {
        let source = """
            local t, f, c = {}, function() end, coroutine.create(function() end)
            return tostring(t), tostring(f), tostring(c), tostring(t), ('%s'):format(t), ('%10s|'):format({}), ('%p'):format(t),
                tostring(print), tostring(pairs), tostring(setmetatable({}, { __name = 'Named' })), ('%5.1f %d %% %q'):format(1, 2, 'p')
            """
        let first = try LuaFixture().run(source)
        #expect(first == (try LuaFixture().run(source)))
        #expect(
            Array(first[0...6]) == [
                "table: 1", "function: 2", "thread: 3", "table: 1", "table: 1", "  table: 4|", "#1",
            ])
        #expect(first[7] == "nil")
        #expect(first[9] == "Named: 6")
        #expect(first[10] == "  1.0 2 % \"p\"")
        let error = try LuaFixture().failure("error({ f = function() end })")
        #expect(error.message == "an error with the value table: 1")
    }

    @Test("Texts of plain values are Lua's own")
    func plainTexts() throws {
        #expect(
            try LuaFixture().run(
                "return tostring(1), tostring(1.0), tostring(nil), tostring(true), tostring('x'), tostring(1e15)")
                == ["1", "1.0", "nil", "true", "x", "1e+15"])
        #expect(
            try LuaFixture().failure("tostring(setmetatable({}, { __tostring = function() return {} end }))").message
                .contains("'__tostring' must return a string"))
    }
}
