import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Fixtures of a scenario")
struct FixtureTests {
    private static func play(_ fixtures: String, _ body: String) throws -> MiniRun.Played {
        try MiniRun.play("\(fixtures)\nscenario(\"s\", function(t)\n\(body)\nend)")
    }

    @Test("is made when it is first used, once, for all threads that ask for it")
    func once() throws {
        let played = try Self.play(
            "fixture(\"f\", function(t) print \"made\" wait(\"2s\") return {} end)",
            """
            local first
            local one = spawn(function() first = t:use "f" end)
            local two = t:use "f"
            join(one)
            expect(rawequal(first, two), true)
            expect(rawequal(t:use "f", two), true)
            """)
        #expect(played.messages == [] && played.printed == ["made"])
        let unused = try Self.play("fixture(\"f\", function() print \"made\" end)", "wait(\"1s\")")
        #expect(unused.printed == [])
    }

    @Test("what it defers ends it after the scenario, the one made last first")
    func ends() throws {
        let played = try Self.play(
            """
            fixture("a", function(t) t:defer(function() print "end a" end) return 1 end)
            fixture("b", function(t) t:use "a" t:defer(function() print "end b" end) return 2 end)
            """, "t:use \"b\" t:defer(function() print \"end body\" end) print \"body\"")
        #expect(played.messages == [] && played.printed == ["body", "end body", "end b", "end a"])
    }

    @Test("one that fails fails whoever uses it, with the same failure each time, and is not made again")
    func failing() throws {
        let played = try Self.play(
            "fixture(\"f\", function() print \"made\" error(\"no lab\") end)",
            """
            expect((pcall(function() t:use "f" end)), false)
            t:use "f"
            """)
        #expect(played.end.outcome == .error && played.printed == ["made"])
        #expect(played.messages.count == 1 && played.messages[0].contains("no lab"))
    }

    @Test("its time limit names it, and what it waited for")
    func limit() throws {
        let played = try Self.play(
            "fixture(\"slow\", { timeout = \"2s\" }, function(t) wait(\"1m\") end)", "t:use \"slow\"")
        #expect(played.types == ["timeout"])
        #expect(played.messages[0].contains("the time limit of the fixture slow, 2s, passed"))
        #expect(played.end.problems[0].limit == "fixture" && played.duration < .seconds(3))
    }

    @Test("fixtures that use each other are told with the whole circle")
    func circle() throws {
        let played = try Self.play(
            """
            fixture("a", function(t) return t:use "b" end)
            fixture("b", function(t) return t:use "c" end)
            fixture("c", function(t) return t:use "a" end)
            """, "t:use \"a\"")
        #expect(played.end.outcome == .error)
        #expect(played.messages.first?.contains("the fixtures c → a → b → c use each other") == true)
    }

    @Test("who stops waiting for one is not told, and the others are")
    func canceled() throws {
        let played = try Self.play(
            "fixture(\"f\", function(t) wait(\"5s\") return 7 end)",
            """
            local one = spawn(function() t:use "f" print "told" end)
            wait("1s")
            one:cancel()
            expect(t:use "f", 7)
            """)
        #expect(played.messages == [] && played.printed == [])
    }
}

@Suite("Who asked for what scenarios share")
struct SharedAskersTests {
    private static func key(_ name: String) -> SharedPart.Key {
        SharedPart.Key(file: nil, place: "a.lua:1", name: name)
    }

    @Test(
        "the scenario that is declared first counts, whatever is played first", arguments: 1...10 as ClosedRange<UInt64>
    )
    func order(seed: UInt64) {
        // Parts a, b, c: c is asked for by b, b by a and by scenarios, a by scenarios.
        var random = RandomSource(seed: seed)
        var notes: [(part: String, scenario: ScenarioDefinition, chain: [String])] = []
        for index in 0..<6 {
            let scenario = ScenarioDefinition.named("s\(index)", in: index < 3 ? "a.lua" : "b.lua", index: index)
            notes.append((index == 1 ? "a" : "b", scenario, []))
        }
        notes.append(("b", .named("fixture a", in: "z.lua"), ["a"]))
        notes.append(("c", .named("fixture b", in: "0.lua"), ["a", "b"]))
        var askers = PartAskers()
        for note in notes.shuffled(using: &random) {
            askers.note(Self.key(note.part), askedBy: note.scenario, chain: note.chain.map(Self.key))
        }
        #expect(askers.asker(of: Self.key("a")) == ScenarioStart.Asker(file: "a.lua", name: "s1"))
        #expect(askers.asker(of: Self.key("b")) == ScenarioStart.Asker(file: "a.lua", name: "s0"))
        #expect(askers.asker(of: Self.key("c")) == ScenarioStart.Asker(file: "a.lua", name: "s0"))
        #expect(askers.asker(of: Self.key("d")) == nil)
    }

    @Test("parts that ask for each other are followed once")
    func circle() {
        var askers = PartAskers()
        askers.note(Self.key("a"), askedBy: .named("x"), chain: [Self.key("b")])
        askers.note(Self.key("b"), askedBy: .named("x"), chain: [Self.key("a")])
        #expect(askers.asker(of: Self.key("a")) == nil)
        askers.note(Self.key("b"), askedBy: .named("s", in: "a.lua"), chain: [])
        #expect(askers.asker(of: Self.key("a"))?.name == "s")
    }
}

@Suite("What several scenarios share")
struct SharedPartTests {
    @Test("keys are in the order of file, place and name, those of the run first")
    func keys() {
        let keys = [
            ("b.lua", "1", "a"), (nil, "9", "z"), ("a.lua", "2", "a"), ("a.lua", "1", "b"), ("a.lua", "1", "a"),
        ]
        .map { SharedPart.Key(file: $0.0, place: $0.1, name: $0.2) }
        #expect(keys.sorted() == [keys[1], keys[4], keys[3], keys[2], keys[0]])
    }

    @Test("a copy of its value is each scenario's own")
    func copies() async {
        let suite = MiniRun.suite(
            """
            fixture("tenant", { scope = "run" }, function() return { names = { "acme" } } end)
            for number = 1, 3 do
                scenario("s" .. number, function(t)
                    local tenant = t:use "tenant"
                    expect(#tenant.names, 1)
                    tenant.names[2] = "changed"
                end)
            end
            """)
        let run = await MiniRun.run(suite)
        #expect(run.end.counts == OutcomeCounts(passed: 3))
    }

    @Test("what cannot be copied to other scripts cannot be shared")
    func functions() async {
        let suite = MiniRun.suite(
            """
            fixture("f", { scope = "file" }, function() return function() end end)
            scenario("s", function(t) t:use "f" end)
            """)
        let run = await MiniRun.run(suite)
        #expect(run.end.counts.passed == 0 && run.end.counts.errors > 0)
    }

    @Test("the entries of a part that went wrong get the number that it has in the run, and its complaints its title")
    func cases() throws {
        let start = ScenarioStart(
            index: 0, file: "a.lua", line: 1, titlePath: ["run", "fixture f"], seed: 1, atNanoseconds: 0)
        let problem = Problem(category: .error, typeName: "script", message: "it broke")
        let key = SharedPart.Key(file: nil, place: "a.lua:1", name: "f")
        #expect(SharedCase(of: key, [.scenarioStarted(start)], outcome: .passed, duration: .zero) == nil)
        var shared = try #require(
            SharedCase(
                of: key,
                [
                    .scenarioStarted(start), .happened(scenario: 0, atNanoseconds: 1, .logged(level: .info, text: "a")),
                    .scenarioEnded(ScenarioEnd(index: 0, atNanoseconds: 2, outcome: .error, problems: [problem])),
                ], outcome: .error, duration: .seconds(1)))
        shared.asker = ScenarioStart.Asker(file: "a.lua", name: "s")
        let entries = shared.entries(numbered: 12)
        #expect(entries.map(\.scenario) == [12, 12, 12])
        guard case .scenarioStarted(let numbered)? = entries.first else {
            Issue.record("\(entries)")
            return
        }
        #expect(numbered.askedBy == ScenarioStart.Asker(file: "a.lua", name: "s"))
        #expect(shared.problems.map(\.message) == ["run › fixture f: it broke"] && shared.played.outcome == .error)
    }
}
