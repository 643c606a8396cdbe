import RunRecord
import Testing

@testable import Scenario

@Suite("Shared parts that scenarios on several event loops ask for")
struct RemotePartsTests {
    /// The account of a file: it rings when it is made and when it is torn down.
    private static func account(_ name: String, _ body: String = "") -> String {
        """
        local bell = require "bell"
        fixture("account", { scope = "file" }, function(t)
            local own = t:actor(bell)
            own:ring "made \(name)"
            t:defer(function() own:ring "torn \(name)" end)
            \(body)
            return { id = "\(name)", uses = 0 }
        end)

        """
    }

    /// A file whose scenarios use its account.
    private static func file(_ name: String, count: Int, duration: String) -> String {
        Self.account(name, "wait \"30ms\" t:use \"tenant\"") + """
            fixture("tenant", { scope = "run" }, function(t)
                local own = t:actor(bell)
                own:ring "made tenant"
                t:defer(function() own:ring "torn tenant" end)
            end)
            before_all(function(t) t:actor(bell):ring "before \(name)" return { answer = 42 } end)
            after_all(function(t) t:actor(bell):ring "after \(name)" end)
            for number = 1, \(count) do
                scenario("s" .. number, function(t)
                    local account = t:use "account"
                    expect(account.id, "\(name)")
                    expect(account.uses, 0)
                    account.uses = 1
                    expect(t.shared.answer, 42)
                    t:actor(bell):ring "uses \(name)"
                    wait "\(duration)"
                    t:actor(bell):ring "done \(name)"
                end)
            end
            """
    }

    @Test("are made once, on one loop, and torn down there after the last scenario of their file or of the run")
    func once() async throws {
        let bells = BellLog()
        let settings = RealTime.settings(bells)
        let suite = try RealTime.suite(
            [Self.file("a", count: 7, duration: "20ms"), Self.file("b", count: 6, duration: "1s")], settings)
        let run = await RealTime.run(suite, settings, workers: 7, loops: 3)
        RealTime.expectOrder(run.entries)
        #expect(run.end.counts == OutcomeCounts(passed: 13), "\(run.problems)")
        let texts = bells.texts
        for name in ["a", "b"] {
            for once in ["made", "torn", "before", "after"] { #expect(bells.count("\(once) \(name)") == 1) }
            let last = try #require(texts.lastIndex(of: "done \(name)"))
            #expect(try #require(texts.firstIndex(of: "torn \(name)")) > last)
            #expect(try #require(texts.firstIndex(of: "after \(name)")) > last)
            #expect(try #require(texts.firstIndex(of: "made \(name)")) < texts.firstIndex(of: "uses \(name)") ?? 0)
        }
        // The account of a file that is done does not wait for another file.
        #expect(try #require(texts.firstIndex(of: "torn a")) < texts.lastIndex(of: "done b") ?? 0)
        // Each file declares a tenant of its own; they go with the run, the last of all.
        #expect(bells.count("made tenant") == 2 && texts.suffix(2) == ["torn tenant", "torn tenant"])
        #expect(bells.threads("uses").count == 3)
        #expect(bells.threads("made").union(bells.threads("torn")).count == 1)
        #expect(bells.threads("before").union(bells.threads("after")) == bells.threads("made"))
    }

    @Test("one that fails fails all who ask, on every loop, and stands in the record once, after the scenarios")
    func failing() async throws {
        let bells = BellLog()
        let settings = RealTime.settings(bells)
        let source =
            Self.account("a", "error \"no tenant\"") + """
                for number = 1, 6 do
                    scenario("s" .. number, function(t) t:actor(bell):ring "asks" t:use "account" end)
                end
                """
        let run = await RealTime.run(try RealTime.suite([source], settings), settings, workers: 6, loops: 3)
        RealTime.expectOrder(run.entries)
        #expect(run.end.counts == OutcomeCounts(errors: 7) && bells.threads("asks").count == 3)
        #expect(run.problems.prefix(6) == Array(repeating: ["fixture"], count: 6)[...])
        let starts = run.entries.compactMap { if case .scenarioStarted(let start) = $0 { start } else { nil } }
        #expect(starts.last?.askedBy?.name == "s1" && Set(starts.map(\.index)).count == 7)
    }

    @Test("one that failed is not made again for those who ask later", arguments: [(1, 1), (2, 2)])
    func failed(workers: Int, loops: Int) async throws {
        let bells = BellLog()
        let settings = RealTime.settings(bells)
        let source =
            Self.account("a", "error \"no tenant\"") + """
                for number = 1, 6 do
                    scenario("s" .. number, function(t) wait(number * 0.02) t:use "account" end)
                end
                """
        let run = await RealTime.run(try RealTime.suite([source], settings), settings, workers: workers, loops: loops)
        #expect(run.end.counts == OutcomeCounts(errors: 7) && bells.count("made a") == 1)
        #expect(run.problems.prefix(6) == Array(repeating: ["fixture"], count: 6)[...])
    }

    @Test("one that was asked for before its file was done is torn down with the file")
    func late() async throws {
        let bells = BellLog()
        let settings = RealTime.settings(bells)
        // The first scenario plays where parts do and keeps the thread busy at its end. Meanwhile the second one asks
        // from another loop, and ends before it can be answered.
        let first =
            Self.account("a") + """
                scenario("busy", function(t) t:actor(bell):end_slowly() end)
                scenario("asks", { timeout = "300ms" }, function(t)
                    wait "250ms"
                    t:use "account"
                end)
                """
        let second = """
            local bell = require "bell"
            scenario("long", function(t) wait "3s" t:actor(bell):ring "done b" end)
            """
        let run = await RealTime.run(
            try RealTime.suite([first, second], settings), settings, workers: 4, loops: 2)
        RealTime.expectOrder(run.entries)
        #expect(run.end.counts.passed >= 2, "\(run.problems)")
        // Whether it comes to be made depends on how soon it is ended; nothing of it is left until the end of the run.
        #expect(bells.texts.last == "done b" && bells.count("made") == bells.count("torn"), "\(bells.texts)")
    }
}
