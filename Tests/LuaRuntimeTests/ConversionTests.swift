import JSON
import LuaRuntime
import Testing

@Suite("Conversion")
struct ConversionTests {
    @Test(
        "JSON survives the way through a script", arguments: Conditions.allCases,
        [
            .null, true, false, 0, -1, .integer(.max), .integer(.min), 1.5, 1.0, .double(1e300), "", "aé\u{0}😀", [],
            [:],
            [1, 2, 3], [[], [:], [.null]], ["a": ["b": [1, "x", .null]], "": 1],
        ] as [JSONValue])
    func roundTrip(conditions: Conditions, value: JSONValue) throws {
        let fixture = try LuaFixture(conditions)
        fixture.define("give") { (call) throws(HostError) in
            call.push(value)
            return .returns
        }
        #expect(try fixture.run("local v = give() return echo(v)") == [value])
        #expect(try fixture.run("return (echo { give() })[1] == give() or type(give()) == 'table'") == [true])
    }

    @Test("A double stays one, and an integer too")
    func numbers() throws {
        let fixture = try LuaFixture()
        #expect(
            try fixture.run("return 1.0, 1, 2^53, 10 // 3, 10 / 5") == [
                .double(1), 1, .double(9_007_199_254_740_992), 3, .double(2),
            ])
        fixture.define("big") { (call) throws(HostError) in
            call.push(.numeral("1e3") as JSONValue)
            call.push(.numeral("1e999") as JSONValue)
            return .returns
        }
        #expect(try fixture.run("local a, b = big() return a, b == math.huge") == [.double(1000), true])
    }

    @Test(
        "What JSON cannot express is refused with its place",
        arguments: [
            ("{ a = { b = function() end } }", "a function cannot stand in JSON (at a.b)"),
            ("{ 1, 2, x = 3 }", "both elements and names"), ("{ [1] = 1, [3] = 3 }", "gaps"), ("{ [5] = 1 }", "gaps"),
            ("{ [true] = 1 }", "neither a name nor a position"), ("{ 0 / 0 }", "a number that is none"),
            ("{ math.huge }", "an infinite number"), ("'\\xFF'", "not valid UTF-8"),
            ("{ ['\\xFF'] = 1 }", "not valid UTF-8"),
            ("coroutine.create(note)", "a coroutine cannot"),
            ("(function() local t = {} t.t = t return t end)()", "contains itself"),
            ("(function() local t = {} for _ = 1, 200 do t = { t } end return t end)()", "more than 160 levels"),
        ])
    func refusals(source: String, message: String) throws {
        let error = try LuaFixture().failure("echo(\(source))")
        #expect(error.message.contains(message), "\(error)")
        #expect(error.message.hasPrefix("echo: argument 1 is not JSON"))
    }

    @Test("The number of values is bounded; a table that appears twice is no cycle")
    func bounds() throws {
        let fixture = try LuaFixture(limits: LuaLimits(jsonValues: 1000))
        #expect(
            try fixture.failure("local t = {} for i = 1, 1000 do t[i] = i end echo(t)").message.contains(
                "more than 1000 values"))
        #expect(
            try fixture.failure("local t = {} for i = 1, 1000 do t['x' .. i] = i end echo(t)").message.contains(
                "more than 1000 values"))
        #expect(
            try fixture.failure("local t = {} for _ = 1, 12 do t = { t, t } end echo(t)").message.contains(
                "more than 1000 values"))
        #expect(try fixture.run("local t = { 1 } return echo { t, t }") == [[[1], [1]]])
    }

    @Test("Members come in the order of their names")
    func order() throws {
        let value = try LuaFixture().run("return { b = 1, a = 2, B = 3, ab = 4 }")[0]
        #expect(value.object?.names == ["B", "a", "ab", "b"])
    }

    @Test("Typed readers take what fits and refuse the rest")
    func readers() throws {
        let fixture = try LuaFixture()
        fixture.define("read", parameters: ["what"]) { (call) throws(HostError) in
            let what = try call.string(1)
            switch what {
            case "string": call.push(try call.string(2))
            case "bytes": call.push(try call.bytes(2))
            case "number": call.push(try call.number(2))
            case "boolean": call.push(try call.boolean(2))
            case "optional":
                call.push(try call.optionalString(2))
                call.push(try call.optionalInteger(3))
                call.push(.json(call.isNil(4) ? .null : .double(try call.number(4))))
                call.push(.json(call.isNil(5) ? .null : .bool(try call.boolean(5))))
            case "object": call.push(.object(try call.object(2)) as JSONValue)
            case "count": call.push(Int64(call.count))
            case "kind": call.push(call.kind(2).rawValue)
            case "value": call.push(call.value(2))
            default: call.push(call.text(2))
            }
            return .returns
        }
        #expect(
            try fixture.run(
                "return read('string', 'x'), read('bytes', '\\0x'), read('number', 2), read('boolean', false)")
                == ["x", "\u{0}x", 2.0, false])
        #expect(try fixture.run("return read('optional', 'x', 1, 2, true)") == ["x", 1, 2.0, true])
        #expect(try fixture.run("return read('optional')") == [.null, .null, .null, .null])
        #expect(try fixture.run("return read('object', { a = 1 }), read('object')") == [["a": 1], [:]])
        #expect(
            try fixture.run("return read('count', 1, nil, nil), read('kind', nil), read('kind'), read('kind', 1.5)")
                == [4, "nil", "nothing", "a number"])
        #expect(try fixture.run("local t = {} return read('value', t) == t, read('text', nil)") == [true, "nil"])
        for source in [
            "read('string', 1)", "read('string', '\\xFF')", "read('number', '1')", "read('boolean', 1)",
            "read('boolean')", "read('object', { 1 })", "read('optional', 1)",
        ] {
            #expect(try fixture.failure(source).fault?.kind == "argument", "\(source)")
        }
    }

    @Test("Values go into a script and come out of it")
    func values() throws {
        let fixture = try LuaFixture()
        fixture.environment["library"] = .table([
            ("name", .string("x")), ("raw", .bytes([255])), ("inner", .table([("n", .number(0.5))])), ("none", .nil),
        ])
        #expect(
            try fixture.run("return library.name, #library.raw, library.inner.n, library.none") == ["x", 1, 0.5, .null])
        _ = try fixture.run("kept = { f = 1 } raw = '\\xFF' null = echo { 1, nil }")
        #expect(try fixture.environment["kept"].json() == ["f": 1])
        guard case .bytes([255]) = fixture.environment["raw"] else { throw Unexpected() }
    }

    @Test("Many results find room on the stack")
    func manyResults() throws {
        let fixture = try LuaFixture()
        fixture.define("many") { (call) throws(HostError) in
            for number in 0..<5000 { call.push(Int64(number)) }
            return .returns
        }
        #expect(try fixture.run("return select('#', many()), (select(5000, many()))") == [5000, 4999])
    }
}
