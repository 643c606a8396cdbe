import Testing

@Suite("what print and log write for a value")
struct PrintedValueTests {
    @Test(
        "a table that is JSON is written as JSON, another one as far as it is",
        arguments: [
            ("{ a = 1, b = { true } }", "{\"a\":1,\"b\":[true]}"), ("{}", "{}"), ("json.decode \"[]\"", "[]"),
            ("{ 1, 2, x = bird }", "{1,2,\"x\":bird}"), ("{ bird, \"é\\n\" }", "[bird,\"é\\n\"]"),
            ("{ a = \"\\xFF\" }", "{\"a\":\"\u{FFFD}xFF\"}"), ("json.null", "null"), ("\"x\\xFF\"", "x\u{FFFD}xFF"),
            ("bird", "bird"), ("\"a\"", "a"),
            ("setmetatable({}, { __tostring = function() return \"mine\" end })", "mine"),
        ] as [(String, String)])
    func tables(value: String, text: String) throws {
        let run = try MiniRun.parrot("print(\(value)) log.info(\(value))")
        #expect(run.messages == [])
        #expect(run.printed == [text, text])
    }

    @Test("an event is written with its fields")
    func event() throws {
        let run = try MiniRun.parrot("bird:say \"hi\" print(bird:expect \"message\")")
        #expect(run.messages == [])
        let text = try #require(run.printed.first)
        #expect(text.hasPrefix("{") && text.hasSuffix("}"), "\(text)")
        #expect(text.contains("\"event\":\"message\""), "\(text)")
        #expect(text.contains("\"text\":\"hi\""), "\(text)")
    }

    @Test("tables that contain themselves, are large or nest deeply end within bounds")
    func bounds() throws {
        let run = try MiniRun.parrot(
            """
            local me = { print = print } me.me = me
            print((tostring(print)), me)
            local large = {} for i = 1, 20000 do large[i] = i end
            print(large)
            large[1] = print
            print(large)
            local deep = { print } for _ = 1, 1000 do deep = { deep } end
            print(deep)
            """)
        #expect(run.messages == [])
        try #require(run.printed.count == 4)
        #expect(run.printed[0].hasSuffix("{\"me\":(itself),\"print\":\(run.printed[0].prefix { $0 != "\t" })}"))
        #expect(run.printed[1].count == 4_000)
        #expect(run.printed[1].hasSuffix("…"))
        #expect(run.printed[2].hasSuffix(",…]"))
        #expect(run.printed[2].count < 5_000)
        #expect(run.printed[3].count < 100)
    }

    @Test("pairs goes through the properties of an actor, and a member that it has not is told with those there are")
    func members() throws {
        let run = try MiniRun.parrot(
            "bird:say \"hi\" bird:expect \"message\" for name, value in pairs(bird) do print(name, value) end return bird.zzzzzz"
        )
        #expect(run.printed == ["name\tbird", "said\t1"])
        let message = try #require(run.messages.first)
        #expect(message.hasPrefix("parrot has no \"zzzzzz\"; it has "), "\(message)")
        for known in ["said", "squawk", "expect"] { #expect(message.contains(known), "\(message)") }
        #expect(!message.contains("@"), "\(message)")
    }
}
