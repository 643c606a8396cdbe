import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Adversarial utterances")
struct UtteranceMutatorTests {
    private static func mutated(_ mutator: UtteranceMutator, _ text: String, seed: UInt64 = 1) -> String {
        var random = RandomSource(seed: seed)
        return mutator.mutated(text, using: &random)
    }

    private static func rows(_ table: JSONObject, seed: UInt64 = 5) throws(UsageError) -> [JSONValue] {
        let utterances = try AdversarialUtterances(table, "utterances.adversarial")
        return try utterances.rows(RandomSource(seed: utterances.seed ?? seed), "utterances.adversarial")
    }

    private static func mistake(_ table: JSONObject) -> String {
        do throws(UsageError) {
            _ = try Self.rows(table)
            return ""
        } catch { return error.message }
    }

    @Test("each mutator changes what is said, the same way for the same seed", arguments: UtteranceMutator.allCases)
    func changes(mutator: UtteranceMutator) {
        var said: Set<String> = []
        for seed in 0..<50 as Range<UInt64> {
            let text = Self.mutated(mutator, "Where is my order, please?", seed: seed)
            #expect(text != "Where is my order, please?")
            #expect(text == Self.mutated(mutator, "Where is my order, please?", seed: seed))
            said.insert(text)
        }
        let isFixed = [.base64, .rot13, .leetspeak, .homoglyphs].contains(mutator)
        #expect(isFixed ? said.count == 1 : said.count > 1, "chance chooses, where there is a choice")
    }

    @Test("encodings are those that they are named after")
    func encodings() {
        #expect(Self.mutated(.base64, "Hello ü") == "SGVsbG8gw7w=")
        #expect(Self.mutated(.rot13, "Hello, Zoë!") == "Uryyb, Mbë!")
        #expect(Self.mutated(.rot13, Self.mutated(.rot13, "Order 66")) == "Order 66")
        #expect(Self.mutated(.leetspeak, "Leets") == "L3375")
        #expect(Self.mutated(.homoglyphs, "cope") == "соре")
    }

    @Test("what carries the question keeps it whole")
    func frames() {
        for mutator in UtteranceMutator.allCases where [.injection, .language, .length].contains(mutator.kind) {
            for seed in 0..<20 as Range<UInt64> {
                #expect(Self.mutated(mutator, "Where is {} it?", seed: seed).contains("Where is {} it?"))
            }
        }
        #expect(Self.mutated(.padding, "x").utf8.count > 5000)
        let seen = Self.mutated(.zeroWidth, "abc").unicodeScalars.filter { $0.properties.generalCategory != .format }
        #expect(String(String.UnicodeScalarView(seen)) == "abc")
        #expect(Self.mutated(.casing, "Hello").lowercased() == "hello")
        #expect(Self.mutated(.whitespace, "a b").filter { !$0.isWhitespace } == "ab")
    }

    @Test("whatever is asked, a row has a text that is not empty, is UTF-8 and is bounded, and is the same again")
    func properties() throws {
        var random = RandomSource(seed: 11)
        let alphabet = Array("aZß?7 \n\u{0301}\u{200D}👩‍👩‍👧日한ﬁİ{}\\\"\0<")
        var count = 0
        for round in 0..<300 as Range<UInt64> {
            let length = Int.random(in: 1...40, using: &random)
            let text =
                "x" + String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] })
            let table: JSONObject = [
                "of": [.string(text)], "seed": .integer(Int64(bitPattern: round &* 0x9E37_79B9_7F4A)),
            ]
            let rows = try Self.rows(table)
            #expect(rows == (try Self.rows(table)))
            count += rows.count
            for row in rows {
                let said = try #require(row["text"]?.string)
                #expect(!said.isEmpty && said != text && said.utf8.count < 20_000)
                #expect(String(validating: Array(said.utf8), as: UTF8.self) == said)
                #expect(row["original"] == .string(text))
            }
        }
        #expect(count > 300)
    }

    @Test("each row knows its mutator and its kind, and stays as it is when others come and go")
    func rows() throws {
        let all = try Self.rows(["of": ["Hello there", "Where is it?"]])
        #expect(all.count == 2 * UtteranceMutator.allCases.count)
        #expect(Set(all.compactMap { $0["name"]?.string }).count == all.count)
        let few = try Self.rows(["of": ["Where is it?"], "kinds": ["typing"]])
        #expect(few.map { $0["mutator"] } == ["typos", "casing", "whitespace"])
        #expect(
            few.map { $0["name"] } == ["typos 1: Where is it?", "casing 1: Where is it?", "whitespace 1: Where is it?"])
        #expect(few.allSatisfy { $0["kind"] == "typing" })
        for row in few { #expect(all.contains { $0["mutator"] == row["mutator"] && $0["text"] == row["text"] }) }
        let one = try Self.rows(["of": ["Where is it?"], "mutators": ["typos"]])
        #expect(try one == [#require(few.first)])
        #expect(try Self.rows(["of": ["Where is it?"], "seed": 1]) != Self.rows(["of": ["Where is it?"], "seed": 2]))
        let digits = try Self.rows(["of": ["42?"], "kinds": ["encoding"]])
        #expect(digits.map { $0["mutator"] } == ["base64", "zero_width"], "what stays as it is tries nothing")
    }

    @Test("what cannot be used is refused")
    func mistakes() {
        #expect(Self.mistake([:]).contains("of"))
        #expect(Self.mistake(["of": []]).contains("of is a list that is not empty"))
        #expect(Self.mistake(["of": [" \n"]]).contains("of takes texts that are not blank"))
        #expect(Self.mistake(["of": [.string(String(repeating: "a", count: 1001))]]).contains("at most 1000 bytes"))
        #expect(Self.mistake(["of": ["a"], "kinds": []]).contains("kinds is a list that is not empty"))
        #expect(Self.mistake(["of": ["a"], "kinds": ["typin"]]).contains("typing"))
        #expect(Self.mistake(["of": ["a"], "kinsd": ["typing"]]).contains("did you mean \"kinds\"?"))
        #expect(Self.mistake(["of": ["a"], "mutators": ["typoss"]]).contains("typos"))
        #expect(Self.mistake(["of": ["a"], "mutators": ["typos"], "kinds": ["typing"]]).contains("not both"))
        #expect(Self.mistake(["of": ["42"], "mutators": ["rot13"]]).contains("none of the mutators changes any"))
        let many = JSONValue.array((0..<1000).map { .string("\($0)") })
        #expect(Self.mistake(["of": many]).contains("at most 10000"))
    }

    @Test("each row is a scenario, and the end of the run has the rate of each mutator")
    func played() async throws {
        let settings = ScriptRun.settings()
        let suite = MiniRun.suite(
            """
            local rows = utterances.adversarial { seed = 7, mutators = { "base64", "casing" }, of = { "hello", "bye" } }
            scenario("is understood", { rows = rows }, function(_, row)
                if row.original == "bye" and row.mutator == "base64" then t.x = 1 end
                expect(row.text:lower(), row.original)
            end)
            """, settings)
        try #require(suite.errors.map(\.message) == [])
        let (entries, end) = await MiniRun.run(suite, settings)
        #expect(
            end.robustness == [
                MutatorRate(mutator: "base64", failed: 1, errors: 1), MutatorRate(mutator: "casing", passed: 2),
            ])
        #expect(entries.last == .runEnded(end))
        let (parallel, parallelEnd) = await MiniRun.run(suite, settings) {
            $0 = SuiteRunner(suite, settings: settings, workers: 3)
        }
        #expect(parallelEnd.robustness == end.robustness && parallel.count == entries.count)
        #expect(
            ScriptRun.loadingErrors("utterances.adversarial { of = { \"a\" }, kinsd = {} }").first?.message
                .contains("did you mean \"kinds\"?") == true)
        #expect(
            ScriptRun.loadingErrors("utterances.adversarial \"a\"").first?.message.contains("takes a table") == true)
    }
}
