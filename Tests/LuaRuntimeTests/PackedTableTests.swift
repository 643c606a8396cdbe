import JSON
import LuaRuntime
import Testing

@Suite("Objects that are packed until a script looks closer cannot be told from tables")
struct PackedTableTests {
    /// A state whose scripts have `decode`, which reads a JSON text, and `give`, which makes a table of it at once.
    private func fixture(_ conditions: Conditions = .plain) throws -> LuaFixture {
        let fixture = try LuaFixture(conditions)
        fixture.environment["null"] = .json(.null)
        fixture.define("decode") { (call) throws(HostError) in
            do throws(JSONSyntaxError) { try call.pushJSON(ofArgument: 1) } catch {
                throw HostError(error.message, kind: "json")
            }
            return .returns
        }
        fixture.define("give") { (call) throws(HostError) in
            let text = try call.string(1)
            do throws(JSONSyntaxError) { call.push(try JSONReader.read(text)) } catch {
                throw HostError(error.message, kind: "json")
            }
            return .returns
        }
        return fixture
    }

    private static let text = #"{"a":7,"b":"x","c":{"d":[1,{"e":2}],"f":{}},"g":true,"h":null,"i":[],"1":1.5,"k":"ä"}"#

    /// What scripts do with a table; each says what it found.
    private static let looksAtTables: [String] = [
        "return t.a, t.b, t.c.d[2].e, t.g, t.h == null, t['1'], t.k", "return t.a, t.a, t.a, t.a, t.a",
        "return t.none, t.none, t.none, t.none, t.a", "return t[1], t[true], t[1.5], #t, rawlen(t)",
        "return t.c == t.c, t.c.d == t.c.d, t.i == t.i, t.a, t.c.f == t.c.f", "return t.a, t.c.d[1], t.b",
        "t.a = nil return t.a, t.a, t.b", "t.a = nil t.a = 3 return t.a, echo(t)",
        "local _ = t.a t.a = nil return echo(t)",
        "t.new = 1 return t.new, echo(t)", "t.a = 'y' t.b = nil return echo(t)", "t.c.f = 1 return echo(t)",
        "local c = t.c c.f = nil t.c = nil return t.c, echo(c), echo(t)", "t[1] = 2 return t[1], #t",
        "rawset(t, 'a', nil) return t.a, rawget(t, 'a'), echo(t)", "rawset(t, 'z', 1) return t.z, t.b, echo(t)",
        "return rawget(t, 'b'), rawget(t, 'none'), t.b", "return getmetatable(t), t.a",
        "return setmetatable(t, nil) == t, t.a",
        "setmetatable(t, { __index = { z = 4 } }) return t.z, t.a, rawget(t, 'z')",
        "setmetatable(t, { __newindex = function() end }) t.z = 1 t.a = 2 return t.z, t.a",
        "local o = setmetatable({}, { __index = t }) return o.a, o.b, o.c.d[1], o.none, o.g, o.k",
        "local o = setmetatable({}, t) return o.a, t.a",
        #"local m = make('{"__metatable":1,"a":2,"b":3,"c":4}') return getmetatable(setmetatable({}, m)), m.a"#,
        "local names = {} for k, v in pairs(t) do names[#names + 1] = k .. type(v) end return table.concat(names, ' ')",
        "local names = {} for k in next, t do names[#names + 1] = k end return table.concat(names, ' ')",
        "local n = 0 for i in ipairs(t) do n = i end return n, t.a",
        "return select('#', table.unpack(t)), table.concat(t)",
        "table.insert(t, 'first') return t[1], t.a, #t", "table.sort(t) return t.a, table.remove(t)",
        "return table.move({ 5, 6 }, 1, 2, 1, t)[2], t[1], t.a",
        "return ('a b none'):gsub('%w+', { a = t.a, b = t.b })",
        "return (('a b none'):gsub('%w+', t))", "return load('return a, b, none', 'x', 't', t)()",
        "local _ = t.a, t.none return echo(t)", "return echo({ t, { t } }), t.a", "return echo(t), t.a, echo(t)",
        "return type(t), tostring(t) == tostring(t), t == t, t ~= {}", "local s = { [t] = 1 } return s[t], t.a, s[t]",
        "return select(2, pcall(function() return t + 1 end))", "return select(2, pcall(function() return t() end))",
        "return select(2, pcall(function() return t < t end))",
        "return select(2, pcall(function() return t.none.x end))",
        "return select(2, pcall(function() return t .. 'x' end))", "return select(2, pcall(next, t, 'no such'))",
        "return select(2, pcall(function() t[nil] = 1 end)), t.a", "return select(2, pcall(function() t[0/0] = 1 end))",
        "return select(2, pcall(rawset, t, nil, 1)), t.a, echo(t)",
    ]

    @Test("whatever a script does with it", arguments: Conditions.allCases, Self.looksAtTables)
    func looks(conditions: Conditions, look: String) throws {
        let fixture = try self.fixture(conditions)
        let source = { (make: String) in "local make = \(make) local t = make([[\(Self.text)]]) \(look)" }
        #expect(try fixture.run(source("decode")) == fixture.run(source("give")))
    }

    @Test("a table whose names have any spelling, and one that is sealed", arguments: Conditions.allCases)
    func metatables(conditions: Conditions) throws {
        let fixture = try self.fixture(conditions)
        fixture.define("any_spelling") { (call) throws(HostError) in
            try call.ignoreCase(1)
            call.pushArgument(1)
            return .returns
        }
        fixture.define("sealed") { (call) throws(HostError) in
            _ = try call.pushSealed(1)
            return .returns
        }
        let text = #"{"a":1,"b":2,"c":{"d":3},"e":4}"#
        #expect(try fixture.run("local t = any_spelling(decode([[\(text)]])) return t.A, t.a, t.C.d") == [1, 1, 3])
        #expect(
            try fixture.run(
                """
                local t = setmetatable(sealed(decode([[\(text)]])), { __index = function(t, name) return rawget(t, name) end })
                local names = {} for name in pairs(t) do names[#names + 1] = name end
                return t.a, t.c.d, table.concat(names)
                """) == [1, 3, "abce"])
    }

    @Test("objects of any size, members asked for in any order", arguments: 0..<300)
    func members(seed: UInt64) throws {
        var random = Rolls(state: seed)
        let value = JSONValue.object(
            JSONObject(
                (0..<Int.random(in: 0...18, using: &random)).map { ("n\($0)", JSONValue.random(&random, depth: 2)) }))
        let asked = (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0...19, using: &random) }
        let fixture = try self.fixture(seed % 3 == 0 ? .stress : .plain)
        fixture.environment["text"] = .string(value.description)
        let reads = asked.map { "found[#found + 1] = echo({ t.n\($0) })" }.joined(separator: " ")
        let source = { (make: String) in "local t, found = \(make)(text), {} \(reads) return echo(found), echo(t)" }
        #expect(try fixture.run(source("decode")) == fixture.run(source("give")))
    }

    @Test("of two members of one name the last counts, and null is a member", arguments: Conditions.allCases)
    func repeated(conditions: Conditions) throws {
        let fixture = try self.fixture(conditions)
        let text = #"{"a":1,"b":{"c":1,"d":2,"c":3},"e":null,"a":2}"#
        #expect(
            try fixture.run("local t = decode([[\(text)]]) return t.a, t.b.c, t.e == null, t.e == nil")
                == [2, 3, true, false])
    }

    @Test("numbers and texts are the same as in a table, whatever JSON spells them like")
    func spellings() throws {
        let fixture = try self.fixture()
        let text =
            #"{"a":-0,"b":1e400,"c":9223372036854775807,"d":9223372036854775808,"e":"\u0000\ud83d\ude00","f":1.0}"#
        let look = """
            local function shown(v) return type(v) == 'number' and math.type(v) .. v or v end
            return shown(t.a), shown(t.b), shown(t.c), shown(t.d), t.e, shown(t.f)
            """
        #expect(
            try fixture.run("local t = decode([[\(text)]]) \(look)")
                == fixture.run("local t = give([[\(text)]]) \(look)"))
    }

    /// Gives scripts `again`, which packs a table and makes one of that, or reads it otherwise where it is not plain,
    /// and says whether it was packed.
    private func packingFixture() throws -> LuaFixture {
        let fixture = try self.fixture()
        let shape = TableShape([.init("json", .any, isOptional: false)])
        fixture.define("again") { (call) throws(HostError) in
            let packed = PackedArguments(call, 1, shaped: shape)
            if let packed {
                call.push(LuaValue.source(Members(values: packed.values)))
            } else {
                call.push(try call.json(1))
            }
            call.push(LuaValue.boolean(packed != nil))
            return .returns
        }
        return fixture
    }

    @Test("what is put into each other again and again is the same, until tables nest too deeply")
    func nested() throws {
        let result = try self.packingFixture().run(
            """
            local inner = decode '{"a":1,"b":2,"c":3,"d":4}'
            local ok, event = true, nil
            for depth = 1, 400 do
                ok, event = pcall(again, { json = { depth = depth, inner = inner, x = 1, y = 2 } })
                if not ok then break end
                inner = event.json
            end
            local depth = 0
            while inner.inner do depth, inner = depth + 1, inner.inner end
            return ok, tostring(event):find("nest", 1, true) ~= nil, depth > 100 and depth < 200, inner.d
            """)
        #expect(result == [false, true, true, 4])
    }

    @Test("the values of packed objects count as those of tables do")
    func counted() throws {
        let result = try self.packingFixture().run(
            """
            local function is_packed(count, make)
                local list = {}
                for place = 1, count do list[place] = make '{"a":1,"b":2,"c":3,"d":4}' end
                return select(2, again { json = list })
            end
            local most = 0
            while is_packed(most + 1, give) do most = most + 1 end
            return most > 0, is_packed(most, decode), is_packed(most + 1, decode)
            """)
        #expect(result == [true, true, false])
    }

    private struct Members: LuaTableSource {
        let values: PackedJSON
        var memberCount: Int { 1 }

        func write(into table: borrowing LuaTableWriter) { table.set(membersOf: self.values) }
    }
}
