import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("Attempts, repetitions and what is expected to fail")
struct AttemptTests {
    /// Fails or passes by its seed.
    private static let dice = "scenario(\"dice\", function() expect(random.integer(1, 2), 1) end)\n"

    /// A seed with which ``dice`` fails and with the next one passes.
    private func flakySeed(in folder: TemporaryFolder) async throws -> UInt64 {
        for seed in UInt64(1)...40 {
            let run = try await ToolRun(["test", "s.lua", "--seed", "\(seed)", "--retries", "1"], in: folder.path)
            if run.output.contains("1 flaky") { return seed }
        }
        throw CocoaError(.featureUnsupported)
    }

    @Test("A scenario that passes late is flaky: exit 0, or 6 if asked; its seeds are told and give the same again")
    func flaky() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.dice, to: "s.lua")
        let seed = try await self.flakySeed(in: folder)
        let arguments = ["test", "s.lua", "--seed", "\(seed)", "--retries", "3"]
        let run = try await ToolRun(arguments, in: folder.path)
        #expect(run.status == .success)
        #expect(run.output.contains("flaky: failed with seed \(seed), passed with seed \(seed + 1)"))
        #expect(try await ToolRun(arguments + ["--fail-on-flaky"], in: folder.path).status == .flaky)
        #expect(try await ToolRun(["test", "s.lua", "--seed", "\(seed)"], in: folder.path).status == .failed)
        #expect(try await ToolRun(["test", "s.lua", "--seed", "\(seed + 1)"], in: folder.path).status == .success)
        guard case .runEnded(let end) = try run.record.last else { throw CocoaError(.fileReadCorruptFile) }
        #expect(end.counts == OutcomeCounts(flaky: 1))
        let junit = try run.reports.text("junit.xml")
        #expect(junit.contains("<flakyFailure message=\"expected 1, got 2\""))
        #expect(junit.contains("--seed \(seed)"))
    }

    @Test("The replay of an attempt at a scenario that asks for retries plays that attempt alone, and fails as it did")
    func replayOfOwnRetries() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.dice, to: "s.lua")
        let seed = try await self.flakySeed(in: folder)
        try folder.write(Self.dice.replacing("\"dice\", ", with: "\"dice\", { retries = 9 }, "), to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--seed", "\(seed)"], in: folder.path)
        #expect(run.output.contains("1 flaky"))
        let arguments = ["test", "s.lua", "--seed", "\(seed)", "--one-try"]
        #expect(try run.reports.text("junit.xml").contains("s.lua --filter dice --seed \(seed) --one-try"))
        let replay = try await ToolRun(arguments, in: folder.path)
        #expect(replay.status == .failed)
        #expect(!replay.output.contains("trying again"))
    }

    @Test("A scenario may say how often it is tried again, also never", arguments: ["1", "3"])
    func ownRetries(workers: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("never", { retries = 0 }, function() expect(1, 2) end)
            scenario("twice", { retries = 2 }, function() expect(1, 2) end)
            scenario("as the run says", function() expect(1, 2) end)
            """, to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--retries", "1", "--workers", workers], in: folder.path)
        #expect(run.status == .failed)
        var attempts: [String: [Int]] = [:]
        var indices: Set<Int> = []
        for case .scenarioStarted(let start) in try run.record {
            attempts[start.name, default: []].append(start.attempt)
            indices.insert(start.index)
        }
        #expect(attempts == ["never": [1], "twice": [1, 2, 3], "as the run says": [1, 2]])
        #expect(indices.count == 6)
        #expect(run.output.contains("3 scenarios: 3 failed"))
    }

    @Test("--repeat plays each scenario so often, each time with a seed of its own")
    func repetitions() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"draws\", function() log.info(random.hex(16)) end)", to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--repeat", "5", "--seed", "3"], in: folder.path)
        #expect(run.output.contains("5 scenarios: 5 passed"))
        var drawn: Set<String> = []
        for case .happened(_, _, .logged(_, let text)) in try run.record { drawn.insert(text) }
        #expect(drawn.count == 5)
        // The third play is the first one of a run with the seed that belongs to it.
        let again = try await ToolRun(["test", "s.lua", "--seed", "2003"], in: folder.path)
        var drawnAgain: [String] = []
        for case .happened(_, _, .logged(_, let text)) in try again.record { drawnAgain.append(text) }
        #expect(drawnAgain.count == 1 && drawn.isSuperset(of: drawnAgain))
    }

    @Test("A deferred function that fails is not the failure that is known of the scenario")
    func expectedFailureBesideDeferred() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("known", { expected_failure = "bug 7" }, function(t)
                t:defer(function() expect("the end", "fine") end)
                expect(1, 1)
            end)
            """, to: "known.lua")
        let run = try await ToolRun(["test", "known.lua"], in: folder.path)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("expected_failure: bug 7"), "\(run.output)")
    }

    @Test(
        "A hook that fails is not the failure that is known of the scenario",
        arguments: [("before_each", "expect(1, 2)"), ("after_each", "expect(1, 1)")])
    func expectedFailureBesideHook(hook: String, body: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            \(hook)(function() expect("the hook", "fine") end)
            scenario("known", { expected_failure = "bug 7" }, function() \(body) end)
            """, to: "known.lua")
        let run = try await ToolRun(["test", "known.lua"], in: folder.path)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("expected_failure: bug 7"), "\(run.output)")
    }

    @Test("A known failure counts as such in every report, and one that passes fails the run")
    func expectedFailures() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("known", { expected_failure = "bug 7" }, function() expect(1, 2) end)
            scenario("broken", { expected_failure = "bug 8", skip = "later" }, function() end)
            """, to: "known.lua")
        try folder.write("scenario(\"healed\", { expected_failure = \"bug 9\" }, function() end)", to: "healed.lua")
        try folder.write("scenario(\"typo\", { expected_failure = true }, function() nope() end)", to: "typo.lua")
        let arguments = ["test", "known.lua", "--tap", "t.tap", "--ctrf", "c.json"]
        let known = try await ToolRun(arguments, in: folder.path)
        #expect(known.status == .success)
        #expect(known.output.contains("2 scenarios: 1 failed as expected, 1 skipped"))
        #expect(try folder.text("t.tap").contains("not ok 1 - known.lua: known # TODO bug 7"))
        #expect(try folder.text("c.json").contains("\"rawStatus\":\"expected_failure\""))
        #expect(try known.reports.text("junit.xml").contains("<skipped message=\"failed as expected: bug 7\""))
        #expect(try known.reports.text("report.html").contains("\"outcome\":\"expected_failure\""))
        let healed = try await ToolRun(["test", "healed.lua", "--retries", "2"], in: folder.path)
        #expect(healed.status == .failed)
        #expect(healed.output.contains("the scenario passed, although it declares that it fails"))
        #expect(!healed.output.contains("trying again"))
        // A mistake in the script is never what was expected.
        #expect(try await ToolRun(["test", "typo.lua"], in: folder.path).status == .script)
    }

    @Test("only plays those that say so, and --forbid-only refuses them by name")
    func only() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("one", { only = true, tags = { "smoke" } }, function() end)
            scenario("two", function() expect(1, 2) end)
            """, to: "a.lua")
        try folder.write("scenario(\"three\", { only = true }, function() end)", to: "b.lua")
        #expect(try await ToolRun(["test", "."], in: folder.path).outcomes == ["one": .passed, "three": .passed])
        let chosen = try await ToolRun(["test", ".", "--tag", "smoke"], in: folder.path)
        #expect(try chosen.outcomes == ["one": .passed])
        #expect(chosen.output.contains("1 scenario is left out, for a.lua:1 says only = true"), "\(chosen.output)")
        let forbidden = try await ToolRun(["test", ".", "--forbid-only"], in: folder.path)
        #expect(forbidden.status == .script)
        #expect(
            forbidden.error == """
                error: --forbid-only: take only = true out of the options of these scenarios
                  a.lua:1  one
                  b.lua:1  three

                """)
    }

    @Test(
        "Numbers and options that make no sense are wrong usage or errors of the script",
        arguments: [
            (["--retries", "-1"], ToolStatus.usage), (["--retries", "101"], .usage), (["--repeat", "0"], .usage),
            (["--shard", "3/2"], .usage), (["--shard", "0/2"], .usage), (["--shard", "a/b"], .usage),
            (["--run-timeout", "0s"], .usage), (["--run-timeout", "soon"], .usage), (["--watch", "--list"], .usage),
            (["--one-try", "--retries", "1"], .usage),
            (["--tag", "(a"], .usage), (["--only-changed", "--changed-since", "main"], .usage), ([], .script),
        ])
    func nonsense(options: [String], status: ToolStatus) async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"s\", { retries = 101 }, function() end)", to: "s.lua")
        let run = try await ToolRun(["test", "s.lua"] + options, in: folder.path)
        #expect(run.status == status)
        // A script that cannot be loaded is an error of the run.
        #expect(!(status == .usage ? run.error : run.output).isEmpty)
    }
}
