import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("metric in scripts")
struct MetricLibraryTests {
    @Test("outside of a load test metrics are checked and have no effect")
    func withoutLoad() throws {
        let run = try ScriptRun(
            body: """
                metric.count "orders" metric.count("orders", 2.5, { shop = "north", size = 5 }) metric.gauge("level", -3)
                metric.rate("ok", true) metric.rate("ok", nil) metric.value("price", -1.5) metric.time("login", "250ms")
                metric.time("login", 2) metric.mark "deployed"
                """)
        #expect(run.messages == [])
    }

    @Test(
        "what is no figure is refused with what would be one",
        arguments: [
            (
                "metric.count(\"a\", -1)",
                "metric.count only counts up; use metric.gauge for what goes down and metric.value for what may be below zero"
            ),
            ("metric.count(\"a\", 0/0)", nil),
            (
                "metric.gauge(\"a\", 1/0)",
                "metric.gauge takes a number from -1e+100 to 1e+100, not inf; measure in a larger unit"
            ),
            (
                "metric.value(\"a\", -1e308)",
                "metric.value takes a number from -1e+100 to 1e+100, not -1e+308; measure in a larger unit"
            ),
            ("metric.value(\"a\", 0/0)", nil),
            ("metric.gauge(\"a\")", "metric.gauge: argument 2 (level) must be a number, not nothing"),
            ("metric.value(\"a\", \"5\")", "metric.value: argument 2 (value) must be a number, not a string"),
            ("metric.time(\"a\", \"soon\")", "metric.time takes a duration such as \"250ms\" or a number of seconds"),
            ("metric.time(\"a\")", "metric.time takes a duration such as \"250ms\" or a number of seconds"),
            ("metric.count()", "metric.count: argument 1 (name) must be a string, not nothing"),
            (
                "metric.count(\"a\", 1, 5)",
                "metric.count: argument 3 (tags) must be a table of named fields, not an integer"
            ),
            (
                "metric.count(\"a\", 1, { print })",
                "metric.count: argument 3 (tags) is not JSON: a function cannot stand in JSON (at 1)"
            ),
            ("metric.mark()", "metric.mark: argument 1 (label) must be a string, not nothing"),
        ] as [(String, String?)] as [(String, String?)])
    func mistakes(call: String, message: String?) throws {
        let found = try #require(try ScriptRun.mistake(in: call))
        if let message { #expect(found == message) }
    }

    @Test("a time that is none is a mistake as any other wrong argument is")
    func mistakenTime() throws {
        let run = try ScriptRun(body: "metric.time(\"login\", \"soon\")")
        #expect(run.end.problems.map(\.typeName) == ["argument"])
    }

    @Test(
        "a name is what every output can write",
        arguments: [
            ("a", true), ("A_b_9", true), ("", false), ("9a", false), ("_a", false), ("a-b", false), ("a.b", false),
            ("é", false), ("a b", false),
            (String(repeating: "a", count: 100), true), (String(repeating: "a", count: 101), false), ("a\u{0}", false),
        ] as [(String, Bool)])
    func names(name: String, isName: Bool) {
        #expect(ScriptSample.isName(name) == isName)
    }

    @Test("a name that is none is shown with what a name has")
    func nameMistake() throws {
        #expect(
            try ScriptRun.mistake(in: "metric.value(\"my metric\", 1)")
                == "a metric's name has letters, digits and _ and starts with a letter, unlike \"my metric\"")
    }
}
