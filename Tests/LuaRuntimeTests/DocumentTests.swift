import JSON
import LuaRuntime
import Testing

@Suite("Documents: members that are made when a script asks for them")
struct DocumentTests {
    private struct Frame: LuaTableSource {
        let text: String
        let members: MemberGuard
        var memberCount: Int { 4 }

        func write(into table: borrowing LuaTableWriter) {
            table.set("size", to: Int64(self.text.utf8.count))
            table.set(document: self.text)
            table.refuseMisspelt(self.members)
        }
    }

    private func fixture(_ text: String, _ conditions: Conditions = .plain) throws -> LuaFixture {
        let fixture = try LuaFixture(conditions)
        let members = MemberGuard(of: "the frame", names: ["text", "size", "json", "raw", "by"])
        fixture.define("frame") { (call) throws(HostError) in
            call.push(LuaValue.source(Frame(text: text, members: members)))
            return .returns
        }
        fixture.state.undefinedName = { undefined in
            undefined.name == "jsn"
                ? HostError("jsn among " + undefined.known.sorted().joined(separator: " "), kind: "error") : nil
        }
        return fixture
    }

    /// The ways in which a script may look at a table, each of which must see all members.
    private static let looksAtTables: [String] = [
        "return f.json.seq", "return f.raw.seq", "return rawget(f, 'json').seq", "return echo(f).json.seq",
        "return echo({ { f } })[1][1].json.seq", "for k, v in pairs(f) do if k == 'json' then return v.seq end end",
        "for k, v in next, f do if k == 'raw' then return v.seq end end",
        "local k, v repeat k, v = next(f, k) until k == 'json' return v.seq",
        "local _ = f.by return f.json.seq", "return (f.json == f.raw and f.json == f.json) and f.json.seq",
    ]

    @Test(
        "whatever looks at a table finds the members of its document", arguments: Conditions.allCases,
        Self.looksAtTables)
    func looks(conditions: Conditions, look: String) throws {
        let fixture = try self.fixture(#"{"seq":7,"tags":["a",null]}"#, conditions)
        #expect(try fixture.run("local f = frame() \(look)") == [7])
    }

    @Test("a text in which an object has two members of one name is none of JSON", arguments: Conditions.allCases)
    func repeatedMembers(conditions: Conditions) throws {
        let text = #"{"a":1,"b":{"c":null,"d":2,"c":3}}"#
        let fixture = try self.fixture(text, conditions)
        #expect(try fixture.run("local f = frame() return tostring(f.json) .. f.raw") == [.string("nil" + text)])
        let other = try self.fixture(#"{"a":{"a":1},"b":{"a":2}}"#, conditions)
        #expect(try other.run("return frame().json.b.a") == [2])
    }

    @Test("the members are those of the value, and nothing else is there", arguments: Conditions.allCases)
    func members(conditions: Conditions) throws {
        let text = #"{"a":[],"b":{},"c":1.5,"d":"\u00e4\ud83d\ude00","e":null,"f":[true,[1e3,12345678901234567890]]}"#
        let fixture = try self.fixture(text, conditions)
        let value: JSONValue = [
            "a": [], "b": [:], "c": 1.5, "d": "ä😀", "e": .null,
            "f": [true, [1000.0, .double(12_345_678_901_234_567_168)]],
        ]
        #expect(
            try fixture.run("return echo(frame())") == [
                ["json": value, "raw": value, "size": .integer(Int64(text.utf8.count)), "text": .string(text)]
            ])
        #expect(
            try fixture.run(
                "local f, names = frame(), {} for k in pairs(f) do names[#names + 1] = k end return table.concat(names, ' ')"
            ) == ["json raw size text"])
        #expect(try fixture.run("local f = frame() return f.json.e == echo(f).json.e, #f.json.f[2]") == [true, 2])
    }

    @Test(
        "a text that is no JSON is its own wire form",
        arguments: ["", "hi", "{", "[1,", "01", #""\ud800""#, String(repeating: "[", count: 400)])
    func noJSON(text: String) throws {
        let fixture = try self.fixture(text)
        #expect(
            try fixture.run("local f = frame() return f.json, f.raw, f.text") == [.null, .string(text), .string(text)])
    }

    @Test("a text that is null has a value and no wire form, as an event that nothing on the wire was")
    func null() throws {
        let fixture = try self.fixture("null")
        #expect(
            try fixture.run("local f = frame() return f.json == nil, f.raw, type(f.json)") == [
                false, .null, "userdata",
            ])
    }

    @Test("what a script has set stays, before and after")
    func assigned() throws {
        let fixture = try self.fixture(#"{"seq":7}"#)
        #expect(try fixture.run("local f = frame() f.json = 1 return f.json, f.raw.seq, f.json") == [1, 7, 1])
        #expect(try fixture.run("local f = frame() f.text = 'x' return f.json.seq, f.text") == [7, "x"])
        #expect(
            try fixture.run("local f = frame() local _ = f.json f.json = nil return f.json, f.raw.seq") == [.null, 7])
    }

    @Test("a misspelt member is refused, and a table without it is nil")
    func misspelt() throws {
        let fixture = try self.fixture("{}")
        #expect(
            try fixture.failure("local f = frame()\nreturn f.jsn").message
                == "jsn among by json json raw raw size size text text")
        #expect(try fixture.run("local f = frame() return f.by, f.other") == [.null, .null])
    }

    @Test("text goes into tables as it goes into values", arguments: 0..<200)
    func sameAsValues(seed: UInt64) throws {
        var random = Rolls(state: seed)
        let value = JSONValue.random(&random, depth: 4)
        let fixture = try self.fixture(value.description)
        fixture.define("give") { (call) throws(HostError) in
            call.push(value)
            return .returns
        }
        #expect(try fixture.run("return echo(frame().json)") == fixture.run("return echo(give())"))
    }

    @Test("a value is encoded from the table as from values, the names in order", arguments: 0..<300)
    func encoded(seed: UInt64) throws {
        var random = Rolls(state: seed)
        let value = JSONValue.random(&random, depth: 3)
        let fixture = try LuaFixture()
        fixture.define("give") { (call) throws(HostError) in
            call.push(value)
            return .returns
        }
        fixture.define("texts") { (call) throws(HostError) in
            call.push(try call.jsonText(1))
            call.push(try call.json(1).description)
            return .returns
        }
        let texts = try fixture.run("return texts(give())")
        #expect(texts[0] == texts[1])
    }

    @Test(
        "what is plain is encoded from the table, all else is left to those who say what is wrong",
        arguments: [
            ("{ b = 1, a = { 'x', true, { c = 1.5 } } }", #"{"a":["x",true,{"c":1.5}],"b":1}"#), ("{}", "{}"),
            (#"'a"b\\\n\127'"#, #""a\"b\\\n\u007f""#), ("false", "false"), ("nil", nil), ("{ 1, nil, 3 }", nil),
            ("{ 1, a = 2 }", nil), ("{ [1.5] = 2 }", nil), ("'ä'", "\"ä\""), (#"'\255'"#, nil), ("print", nil),
            ("{ 0/0 }", nil), ("(function() local t = {} t.t = t return t end)()", nil), ("('x'):rep(5000)", nil),
            ("{ [true] = 1 }", nil), ("setmetatable({ a = 1 }, {})", #"{"a":1}"#),
        ] as [(String, String?)])
    func plain(value: String, text: String?) throws {
        let fixture = try LuaFixture()
        fixture.define("encode") { (call) throws(HostError) in
            call.push(call.plainJSONText(1))
            return .returns
        }
        #expect(try fixture.run("return encode(\(value))") == [text.map { .string($0) } ?? .null])
    }

    @Test(
        "a table of a shape is packed without what is null, any other is left to those who say what is wrong",
        arguments: [
            ("{ text = 'hé', size = 1 }", #"{"size":1,"text":"hé"}"#),
            ("{ text = 'x', json = { b = { 1 }, a = null } }", #"{"json":{"a":null,"b":[1]},"text":"x"}"#),
            ("{ text = '', size = null, share = 2, open = false }", #"{"open":false,"share":2,"text":""}"#),
            ("{ text = 'x', share = 1.0 }", #"{"share":1.0,"text":"x"}"#), ("{}", nil), ("{ size = 1 }", nil),
            ("{ text = null }", nil), ("{ text = 1 }", nil), ("{ text = 'x', size = 1.0 }", nil),
            ("{ text = 'x', size = '1' }", nil), ("{ text = 'x', open = 0 }", nil), ("{ text = 'x', more = 1 }", nil),
            ("{ text = 'x', share = 1 / 0 }", nil), ("{ text = 'x', json = function() end }", nil), ("{ 'x' }", nil),
            ("{ text = 'x', 1 }", nil), ("'x'", nil), ("nil", nil),
            ("setmetatable({ text = 'x' }, { __index = { size = 1 } })", nil),
        ] as [(String, String?)], Conditions.allCases)
    func shaped(example: (value: String, text: String?), conditions: Conditions) throws {
        let fixture = try LuaFixture(conditions)
        let shape = TableShape([
            .init("text", .text, isOptional: false), .init("size", .integer, isOptional: true),
            .init("share", .number, isOptional: true), .init("open", .boolean, isOptional: true),
            .init("json", .any, isOptional: true),
        ])
        fixture.environment["null"] = .json(.null)
        fixture.define("encode") { (call) throws(HostError) in
            guard let packed = PackedArguments(call, 1, shaped: shape) else {
                call.push(LuaValue.nil)
                return .returns
            }
            call.push(packed.values.value().description)
            call.push(Int64(packed.count))
            return .returns
        }
        let results = try fixture.run("return encode(\(example.value))")
        #expect(results.first ?? .null == example.text.map { .string($0) } ?? .null)
        if let text = example.text {
            #expect(try results[1] == .integer(Int64(JSONReader.read(text).object?.count ?? -1)))
        }
    }

    private struct PackedMembers: LuaTableSource {
        let values: PackedJSON
        let start: Int
        var memberCount: Int { 3 }

        func write(into table: borrowing LuaTableWriter) {
            table.set("number", to: 1 as Int64)
            table.set(membersOf: self.values)
            table.set("raw", to: self.values, from: self.start)
        }
    }

    @Test("what is packed of a table and a value is the same again in Lua", arguments: 0..<300)
    func packed(seed: UInt64) throws {
        var random = Rolls(state: seed)
        let (json, raw) = (JSONValue.random(&random, depth: 3), JSONValue.random(&random, depth: 2))
        let fixture = try LuaFixture(seed % 3 == 0 ? .stress : .plain)
        let shape = TableShape([.init("json", .any, isOptional: true), .init("size", .integer, isOptional: false)])
        fixture.define("values") { (call) throws(HostError) in
            call.push(json)
            call.push(raw)
            return .returns
        }
        fixture.define("again") { (call) throws(HostError) in
            guard let packed = PackedArguments(call, 1, shaped: shape, with: 2) else {
                call.push(LuaValue.nil)
                return .returns
            }
            call.push(LuaValue.source(PackedMembers(values: packed.values, start: packed.other)))
            call.push(packed.values.value(from: packed.other) == (try call.json(2)))
            call.push(Int64(packed.count))
            return .returns
        }
        let results = try fixture.run(
            """
            local given, raw = values()
            local event, isSame, count = again({ json = given, size = -1 }, raw)
            if not event then return true, true, true, true, 1, -1, true end
            return echo(event.json), echo(given), echo(event.raw), echo(raw), event.number, event.size, isSame
            """)
        #expect(results[0] == results[1] && results[2] == results[3])
        #expect(results[4] == 1 && results[5] == -1 && results[6] == true)
    }
}
