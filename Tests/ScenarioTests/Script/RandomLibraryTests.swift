import JSON
import Machines
import Testing

@testable import Scenario

@Suite("random in scripts")
struct RandomLibraryTests {
    private static let draws = """
        { random.number(), random.number(5, 6), random.integer(1, 1000000), random.pick { 1, 2, 3, 4, 5 },
        random.shuffle { 1, 2, 3, 4, 5, 6 }, random.hex(16), random.uuid(), random.digits(12), random.letters(12), random.name(),
        random.email(), random.date("2000-01-01", "2030-12-31"), random.sample({ 1, 2, 3, 4, 5, 6, 7 }, 3) }
        """

    @Test("the same seed draws the same, another one something else")
    func seeds() throws {
        let one = try ScriptRun.value(of: Self.draws)
        #expect(try ScriptRun.value(of: Self.draws) == one)
        #expect(try ScriptRun.value(of: Self.draws, settings: ScriptRun.settings(seed: 2)) != one)
    }

    @Test("what is drawn has the form that is asked for", arguments: 1...8 as ClosedRange<UInt64>)
    func forms(seed: UInt64) throws {
        let run = try ScriptRun(
            body: """
                for _ = 1, 40 do
                    expect(random.uuid(), match.regex "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
                    expect(random.hex(7), match.regex "[0-9a-f]{7}")
                    expect(random.digits(9), match.regex "[0-9]{9}")
                    expect(random.letters(9), match.regex "[a-z]{9}")
                    expect(random.name(), match.regex "[A-Z][a-z]+ [A-Z][a-z]+")
                    expect(random.email(), match.regex "[a-z]+\\\\.[a-z]+[0-9]+@example\\\\.com")
                    expect(random.date("2024-02-27", "2024-03-01"), match.one_of { "2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01" })
                    expect(random.number(-2, -1), match.between(-2, -1))
                    expect(math.type(random.integer(-3, 3)), "integer")
                end
                """, settings: ScriptRun.settings(seed: seed))
        #expect(run.messages == [])
    }

    @Test("every value of a small range comes, and none outside of it")
    func ranges() throws {
        let counts = try ScriptRun.value(
            of: "counts",
            after: """
                local counts = {}
                local function count(key) counts[key] = (counts[key] or 0) + 1 end
                for _ = 1, 400 do
                    count("i" .. random.integer(-1, 1)) count("p" .. random.pick { "a", "b" }) count("d" .. random.date("2024-02-29", "2024-03-01"))
                    count("n" .. math.floor(random.number(0, 2)))
                end
                """)
        let object = try #require(counts.object)
        #expect(Set(object.names) == ["i-1", "i0", "i1", "pa", "pb", "d2024-02-29", "d2024-03-01", "n0", "n1"])
        #expect(object.allSatisfy { ($0.1.integer ?? 0) > 80 }, "\(counts)")
    }

    @Test(
        "a shuffled list has the same elements, a sample some of them in their order",
        arguments: 1...6 as ClosedRange<UInt64>)
    func lists(seed: UInt64) throws {
        let value = try ScriptRun.value(
            of: "{ random.shuffle(list), random.sample(list, 4), random.sample(list, 0), random.sample(list, 1000) }",
            after: "local list = {} for i = 1, 10 do list[i] = i end", settings: ScriptRun.settings(seed: seed))
        let all = (1...10).map { JSONValue.integer($0) }
        #expect(value[0]?.array?.sorted { ($0.integer ?? 0) < ($1.integer ?? 0) } == all)
        let sample = value[1]?.array?.compactMap(\.integer) ?? []
        #expect(sample.count == 4 && sample == sample.sorted() && Set(sample).count == 4)
        #expect(value[2] == [] && value[3]?.array == all)
    }

    @Test("the whole range of integers, and a range of one value, can be drawn from")
    func extremes() throws {
        let run = try ScriptRun(
            body: """
                expect(random.integer(5, 5), 5)
                expect(math.type(random.integer(math.mininteger, math.maxinteger)), "integer")
                expect(random.number(3, 3), 3)
                expect(random.hex(0), "") expect(random.digits(0), "") expect(#random.letters(4096), 4096)
                expect(random.date("1969-12-31", "1969-12-31"), "1969-12-31")
                """)
        #expect(run.messages == [])
    }

    @Test("a day before 1970 that begins and ends a range is drawn, whatever the time of day")
    func before1970() throws {
        #expect(
            try ScriptRun.value(of: "random.date(\"1960-05-05T12:00:00Z\", \"1960-05-05T23:59:59Z\")") == "1960-05-05")
    }

    @Test(
        "what cannot be drawn is told with what to give",
        arguments: [
            ("random.number(2, 1)", "random.number takes the smaller number first, not 2.0, 1.0"),
            ("random.number(1)", "random.number: argument 2 (high) must be a number, not nothing"),
            ("random.number(0, math.huge)", "random.number takes the smaller number first, not 0.0, inf"),
            (
                "random.number(-1.7e308, 1.7e308)",
                "random.number takes the smaller number first, not -1.7e+308, 1.7e+308"
            ),
            ("random.number(0/0, 1)", "random.number takes the smaller number first, not -nan, 1.0"),
            ("random.integer(1)", "random.integer: argument 2 (high) must be an integer, not nothing"),
            ("random.integer(1.5, 2)", "random.integer: argument 1 (low) must be an integer, without a fraction"),
            ("random.integer(2, 1)", "random.integer takes the smaller number first, not 2, 1"),
            ("random.pick {}", "random.pick takes a list that is not empty"),
            ("random.pick \"abc\"", "random.pick takes a list that is not empty"),
            ("random.pick { a = 1 }", "random.pick takes a list that is not empty"),
            ("random.shuffle(5)", "random.shuffle takes a list"),
            (
                "random.pick { print }",
                "random.pick: argument 1 (list) is not JSON: a function cannot stand in JSON (at 1)"
            ),
            ("random.hex(-1)", "random.hex: argument 1 (digits) must lie between 0 and 4096, and is -1"),
            ("random.digits(4097)", "random.digits: argument 1 (count) must lie between 0 and 4096, and is 4097"),
            ("random.letters(\"3\")", "random.letters: argument 1 (count) must be an integer, not a string"),
            ("random.sample({ 1 }, -1)", "random.sample: argument 2 (count) must lie between 0 and 1000000, and is -1"),
            ("random.sample(nil, 1)", "random.sample takes a list"),
            ("random.date(\"2024-02-30\", \"2024-03-01\")", "random.date: there is no day \"2024-02-30\""),
            ("random.date(\"2024-03-01\", \"2024-02-01\")", "random.date takes the earlier date first"),
            (
                "random.date(\"tomorrow\", \"2024-02-01\")",
                "random.date takes a date such as \"2026-11-21\" or \"2026-11-21T10:15:00Z\", not \"tomorrow\""
            ),
        ] as [(String, String)])
    func mistakes(call: String, message: String) throws {
        let found = try ScriptRun.mistake(in: call)
        // How a number that is none is written is no matter.
        #expect(found?.replacing("-nan", with: "nan") == message.replacing("-nan", with: "nan"))
    }

    @Test(
        "what costs time is paid for with instructions, so that no loop holds the process",
        arguments: ["hex", "digits", "letters"])
    func price(name: String) throws {
        // The calls alone would cost a thousandth of what a script may do in one turn.
        let message = try ScriptRun.mistake(in: "for _ = 1, 1000 do random.\(name)(4096) end")
        #expect(message?.contains("50000000") == true, "\(message ?? "")")
    }
}
