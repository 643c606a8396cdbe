import JSON
import Machines
import Testing

@testable import Scenario

@Suite("json in scripts, and what can stand in JSON")
struct JSONLibraryTests {
    @Test("any value that JSON can hold comes back from its text", arguments: 0..<40)
    func roundTrip(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let value = random.json(depth: 5)
        let bytes = value.description.utf8.map { "\\x" + Hexadecimal.encode([$0]) }.joined()
        #expect(try ScriptRun.value(of: "json.decode(json.encode(json.decode \"\(bytes)\"))") == value)
    }

    @Test(
        "what Lua has is written as JSON has it",
        arguments: [
            ("nil", "null"), ("json.null", "null"), ("true", "true"), ("3", "3"), ("3.0", "3.0"), ("-0.0", "-0.0"),
            ("2^53", "9007199254740992.0"),
            ("math.mininteger", "-9223372036854775808"), ("\"a\\n\\0\\\"é\"", "\"a\\n\\u0000\\\"é\""), ("{}", "{}"),
            ("{ 1, { } }", "[1,{}]"),
            ("{ b = 1, a = 2 }", "{\"a\":2,\"b\":1}"), ("{ json.null }", "[null]"), ("json.decode \"[]\"", "[]"),
            ("json.decode \"[[],{}]\"", "[[],{}]"), ("json.array()", "[]"), ("json.array {}", "[]"),
            ("{ a = json.array { 1, {} } }", "{\"a\":[1,{}]}"), ("json.array(json.array())", "[]"),
            ("json.decode \"{\\\"a\\\":[]}\"", "{\"a\":[]}"),
        ] as [(String, String)])
    func encoding(value: String, text: String) throws {
        let run = try ScriptRun(body: "log.info(json.encode(\(value)))")
        #expect(run.messages == [])
        #expect(run.logs == [text])
    }

    @Test(
        "what JSON cannot hold is told with its place",
        arguments: [
            ("0/0", "JSON cannot express a number that is none (nan)"),
            ("{ a = { 1, -1/0 } }", "JSON cannot express an infinite number (at a.2)"),
            ("print", "a function cannot stand in JSON"),
            ("{ x = { y = print } }", "a function cannot stand in JSON (at x.y)"),
            ("coroutine.create(print)", "a coroutine cannot stand in JSON"),
            ("t", "an object of the engine cannot stand in JSON"),
            ("{ 1, a = 2 }", "a table has both elements and names and cannot stand in JSON"),
            ("{ 1, nil, 3 }", "a table has elements with gaps between them and cannot stand in JSON"),
            ("{ [2] = 1 }", "a table has elements with gaps between them and cannot stand in JSON"),
            ("{ [true] = 1 }", "a table has a key that is neither a name nor a position and cannot stand in JSON"),
            ("{ [{}] = 1 }", "a table has a key that is neither a name nor a position and cannot stand in JSON"),
            ("\"\\xFF\"", "a string is not valid UTF-8 and cannot stand in JSON"),
            ("{ [\"\\xFF\"] = 1 }", "a string is not valid UTF-8 and cannot stand in JSON"),
            ("{ a = \"\\xC3\" }", "a string is not valid UTF-8 and cannot stand in JSON (at a)"),
        ] as [(String, String)])
    func impossible(value: String, problem: String) throws {
        #expect(
            try ScriptRun.mistake(in: "json.encode(\(value))")
                == "json.encode: argument 1 (value) is not JSON: \(problem)")
    }

    @Test("of two members of one name the last one counts, and where it is asked for the text is refused")
    func repetition() throws {
        let text = "'[{\"a\":1,\"b\":0,\"a\":2}]'"
        #expect(try ScriptRun.value(of: "json.decode(\(text))[1].a") == 2)
        #expect(
            try ScriptRun.mistake(in: "json.decode(\(text), 'unambiguous')")?.contains("two members \"a\"") == true)
        #expect(try ScriptRun.value(of: "json.decode('[{\"a\":1},{\"a\":2}]', 'unambiguous')[2].a") == 2)
        for how in ["'clear'", "true", "1"] {
            #expect(
                try ScriptRun.mistake(in: "json.decode('{}', \(how))")?
                    .hasPrefix("json.decode: argument 2 (how) must be \"unambiguous\" or left out") == true)
        }
    }

    @Test("only a list becomes one", arguments: ["{ a = 1 }", "1", "\"text\"", "true"])
    func noArray(value: String) throws {
        #expect(
            try ScriptRun.mistake(in: "json.array(\(value))")?
                .hasPrefix("json.array: argument 1 (list) must be a list") == true)
    }

    @Test("a table that contains itself ends, however it does, and one that stands twice does not hinder")
    func cycles() throws {
        for (body, place) in [("local a = {} a.a = a", "a"), ("local a = { {} } a[1].b = { a }", "1.b.1")] {
            #expect(
                try ScriptRun.mistake(in: "\(body) json.encode(a)")
                    == "json.encode: argument 1 (value) is not JSON: a table contains itself and cannot stand in JSON (at \(place))"
            )
        }
        #expect(try ScriptRun.value(of: "{ a, a }", after: "local a = { 1 }") == [[1], [1]])
    }

    @Test("tables that nest without end, and tables of very many values, are refused within bounds")
    func bounds() throws {
        let deep = try ScriptRun.mistake(in: "local a = {} for _ = 1, 100000 do a = { a } end json.encode(a)")
        #expect(
            deep?.hasPrefix("json.encode: argument 1 (value) is not JSON: tables nest more than ") == true,
            "\(deep ?? "")")
        let wide = try ScriptRun.mistake(in: "local a = {} for i = 1, 1100000 do a[i] = i end json.encode(a)")
        #expect(wide?.contains("a table holds more than ") == true || wide?.contains("memory") == true, "\(wide ?? "")")
    }

    @Test("metatables are not asked, so that no trick of a script is run in the middle of the engine")
    func metatables() throws {
        let run = try ScriptRun(
            body: """
                local function never() error "asked" end
                local events = { __newindex = never, __len = never, __tostring = never, __eq = never }
                local trap = setmetatable({ a = 1 }, events)
                expect(json.encode(trap), '{"a":1}')
                expect(trap, { a = 1 })
                """)
        #expect(run.messages == [])
        for event in ["__index", "__pairs"] {
            let trap = "setmetatable({ a = 1 }, { \(event) = function() error \"asked\" end })"
            for call in ["json.encode(\(trap))", "expect(\(trap), { a = 1 })", "expect({}, \(trap))"] {
                let found = try #require(try ScriptRun.mistake(in: call), "nothing was refused: \(call)")
                #expect(found.contains("a table has members by its metatable (\(event)), which would be dropped"))
            }
        }
    }

    @Test(
        "what is asked for must stand in its table, for by a metatable it would not be asked for",
        arguments: [
            ("expect({}, setmetatable({}, { __index = { text = \"wanted\" } }))", "\"text\"", "__index"),
            (
                "expect({ a = {} }, { a = setmetatable({}, { __index = function() return 1 end }) })", "members",
                "__index"
            ),
            (
                "expect({}, match.has(setmetatable({}, { __pairs = function() return next, { a = 1 } end })))",
                "members",
                "__pairs"
            ),
            ("t:allow(\"message\", setmetatable({}, { __index = { text = \"a\" } }))", "\"text\"", "__index"),
            (
                "step(\"s\", setmetatable({}, { __index = { timeout = \"1s\" } }), function() end)", "\"timeout\"",
                "__index"
            ),
            (
                "expect({}, setmetatable({}, { __metatable = false, __index = { text = \"wanted\" } }))", "\"text\"",
                "__index"
            ),
            (
                "step(\"s\", setmetatable({}, { __metatable = 1, __index = { timeout = \"1s\" } }), function() end)",
                "\"timeout\"", "__index"
            ),
            ("expect({}, setmetatable({}, { __index = { text = function() end } }))", "\"text\"", "__index"),
        ])
    func borrowed(call: String, members: String, event: String) throws {
        let found = try #require(try ScriptRun.mistake(in: call), "nothing was refused")
        #expect(
            found.contains("a table has \(members) by its metatable (\(event)), which would be dropped"), "\(found)")
    }

    @Test(
        "what a value has by its metatable would be lost where it is encoded or compared, and is refused",
        arguments: [
            ("json.encode(setmetatable({}, { __index = { a = 1 } }))", "\"a\"", "__index"),
            (
                "json.encode { setmetatable({ a = 1 }, { __metatable = false, __index = { b = json.null } }) }",
                "\"b\"",
                "__index"
            ),
            (
                "json.encode(setmetatable({}, { __metatable = 1, __pairs = function() return next, { a = 1 } end }))",
                "members", "__pairs"
            ),
            ("json.encode(setmetatable({}, { __index = rawget }))", "members", "__index"),
            ("check(setmetatable({}, { __index = { a = 1 } }), { a = match.absent })", "\"a\"", "__index"),
            (
                "check({ b = setmetatable({}, { __index = setmetatable({}, { __index = { a = 1 } }) }) }, { b = {} })",
                "\"a\"", "__index"
            ),
            ("check(setmetatable({}, { __index = { { a = 1 } } }), match.count(0))", "members", "__index"),
            (
                "local c = {} for i = 1, 2000 do c[\"f\" .. i] = print end json.encode(setmetatable({}, { __index = c }))",
                "members", "__index"
            ),
            (
                "local class = {} class.__index = class json.encode(setmetatable(class, class))", "members", "__index"
            ),
        ])
    func inherited(call: String, members: String, event: String) throws {
        let found = try #require(try ScriptRun.mistake(in: call), "nothing was refused")
        #expect(
            found.contains("a table has \(members) by its metatable (\(event)), which would be dropped"), "\(found)")
    }

    @Test("of what a value has by its metatable the first member by the alphabet is named, and where it is")
    func firstInherited() throws {
        let object = "setmetatable({ b = 1 }, { __index = { d = 1, c = 1, b = 2, a = print, __name = \"class\" } })"
        #expect(
            try ScriptRun.mistake(in: "json.encode { list = { \(object) } }")
                == "json.encode: argument 1 (value) is not plain data: a table has \"c\" by its metatable (__index), "
                + "which would be dropped; write it into the table itself (at list.1)")
        // Where options are read, a function is lost as a value is.
        let step = try #require(try ScriptRun.mistake(in: "step(\"s\", \(object), function() end)"))
        #expect(step.contains("is not plain data: a table has \"a\" by its metatable (__index)"), "\(step)")
    }

    @Test("objects are compared and encoded without the methods of their class, and of the classes behind it")
    func classes() throws {
        let run = try ScriptRun(
            body: """
                local Base = { __name = "base", __tostring = function() return "an object" end }
                Base.__index = Base
                function Base:total() return self.a + self.b end
                -- What the class has for all, the object has itself.
                local Derived = setmetatable({ super = Base, b = 2 }, Base)
                Derived.__index = Derived
                local object = setmetatable({ a = 1, b = 3 }, Derived)
                expect(object:total(), 4)
                expect(object, { a = 1, b = 3, total = match.absent })
                expect(json.encode { object }, '[{"a":1,"b":3}]')
                object.b = nil
                expect(pcall(json.encode, object), false)
                """)
        #expect(run.messages == [])
    }

    @Test("a metatable without members is no matter, nor is one of the engine's own tables")
    func harmless() throws {
        let run = try ScriptRun(
            body: """
                local named = setmetatable({ a = 1 }, { __name = "n", __tostring = function() return "n" end })
                expect({ a = 1 }, named)
                expect(json.decode('{"a":[]}'), json.decode('{"a":[]}'))
                local captures = expect({ b = 2 }, { b = match.capture "b" })
                expect(captures, captures)
                expect(json.encode(captures), '{"b":2}')
                expect(json.encode(spawn(function() end)), match.glob '{"number":*}')
                """)
        #expect(run.messages == [])
    }

    @Test("a text that raises or loops when it is asked for ends the scenario with its error and not the process")
    func hostileText() throws {
        #expect(
            try ScriptRun.mistake(in: "print(setmetatable({}, { __tostring = function() error(\"boom\", 0) end }))")
                == "boom")
        let endless = try ScriptRun.mistake(
            in: "print(setmetatable({}, { __tostring = function() while true do end end }))")
        #expect(endless?.contains("50000000") == true, "\(endless ?? "")")
        #expect(try ScriptRun.mistake(in: "print(setmetatable({}, { __tostring = function() return {} end }))") != nil)
        // Lua itself takes a number for a text here.
        #expect(try ScriptRun(body: "print(setmetatable({}, { __tostring = function() return 5 end }))").logs == ["5"])
    }

    @Test(
        "numbers keep what Lua can keep of them",
        arguments: [
            ("9223372036854775807", "math.maxinteger"), ("9223372036854775808", "9223372036854775808.0"),
            ("1e3", "1000.0"), ("1.5", "1.5"),
            ("1e999", "math.huge"), ("-1e999", "-math.huge"), ("0.1", "0.1"),
        ] as [(String, String)])
    func numbers(text: String, value: String) throws {
        let run = try ScriptRun(
            body: "local n = json.decode \"\(text)\" assert(n == \(value) and math.type(n) == math.type(\(value)), n)")
        #expect(run.messages == [])
    }

    @Test("null is a value of its own: not nil, equal to itself, and told from what is not there")
    func null() throws {
        let run = try ScriptRun(
            body: """
                local value = json.decode '{"a":null}'
                assert(value.a == json.null and value.a ~= nil and value.b == nil)
                assert(json.decode "null" == json.null)
                """)
        #expect(run.messages == [])
    }

    @Test(
        "what is no JSON is told with what is wrong",
        arguments: [
            "", "{", "[1,]", "{\\\"a\\\":1,}", "nul", "01", "1 2", "\\\"\\\\x\\\"", "'a'", "[1", "\\\"\\n\\\"", "NaN",
            "\\xEF\\xBB\\xBF1x",
        ])
    func noJSON(text: String) throws {
        let message = try #require(try ScriptRun.mistake(in: "json.decode \"\(text)\""))
        #expect(message.hasPrefix("json.decode cannot read the text: "), "\(message)")
    }

    @Test("JSON that nests without end is refused before it is read into Lua")
    func deepText() throws {
        let message = try #require(try ScriptRun.mistake(in: "json.decode((\"[\"):rep(1000000))"))
        #expect(message.hasPrefix("json.decode cannot read the text: "), "\(message)")
        #expect(
            try ScriptRun.mistake(in: "json.decode(5)")
                == "json.decode: argument 1 (text) must be a string, not an integer")
        #expect(
            try ScriptRun.mistake(in: "json.decode \"\\xFF\"")?
                .hasPrefix("json.decode cannot read the text: bytes that are no UTF-8, of ") == true)
        #expect(
            try ScriptRun.mistake(in: "json.decode(nil)")
                == "json.decode: argument 1 (text) must be a string, not nil; "
                + "of an answer that is no UTF-8 there is no body, only answer.bytes")
    }
}
