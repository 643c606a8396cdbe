import CommandLine
import Foundation
import Testing

@Suite("What --last-failed plays")
struct LastFailedTests {
    @Test("--last-failed plays what did not pass the last time, until it does")
    func lastFailed() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"good\", function() end)\nscenario(\"bad\", function() expect(env \"REPARTEE_N\", \"1\") end)",
            to: "s.lua")
        let reports = ["--reports", folder.path + "/r"]
        let nothing = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(nothing.status == .nothingToRun)
        #expect(nothing.error.contains("none of 2 scenarios failed the last time it was played"))
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .failed)
        // A run of others leaves it known.
        #expect(try await ToolRun(["test", "s.lua", "--filter", "good"] + reports, in: folder.path).status == .success)
        let failed = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(failed.output.contains("1 scenario: 1 failed"))
        let healed = try await ToolRun(
            ["test", "s.lua", "--last-failed"] + reports, in: folder.path, variables: ["REPARTEE_N": "1"])
        #expect(healed.output.contains("1 scenario: 1 passed"))
        let again = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(again.status == .nothingToRun)
        // A scenario that is not declared any more is forgotten, and damage is no history.
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .failed)
        try folder.write("scenario(\"good\", function() end)", to: "s.lua")
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .success)
        #expect(try !folder.text("r/history.json").contains("bad"))
        // Nobody is told that nothing failed by a file that nobody can read; the next whole run writes it anew.
        for damage in ["{\"format\":1,", "{\"format\":2}", "[]"] {
            try folder.write(damage, to: "r/history.json")
            let blind = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
            #expect(blind.status == .script)
            #expect(blind.error.contains("/r/history.json cannot be read: it "), "\(blind.error)")
            #expect(blind.error.contains("; a run without --last-failed writes it anew"), "\(blind.error)")
        }
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .success)
        let mended = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(mended.status == .nothingToRun)
    }

    @Test("--last-failed plays what did not pass also where it was skipped since, until it passes")
    func lastFailedSkipped() async throws {
        let folder = try TemporaryFolder()
        func run(_ body: String, _ arguments: [String] = []) async throws -> ToolRun {
            try folder.write(
                "scenario(\"good\", function() end)\nscenario(\"bad\", function(t) \(body) end)", to: "s.lua")
            return try await ToolRun(["test", "s.lua", "--reports", folder.path + "/r"] + arguments, in: folder.path)
        }
        #expect(try await run("expect(1, 2)").status == .failed)
        for _ in 1...2 {
            #expect(try await run("t:skip \"today\"").status == .success)
            let again = try await run("expect(1, 2)", ["--last-failed"])
            #expect(again.output.contains("1 scenario: 1 failed"), "\(again.output)\(again.error)")
        }
        #expect(try await run("expect(1, 1)", ["--last-failed"]).status == .success)
        #expect(try await run("t:skip \"today\"").status == .success)
        #expect(try await run("expect(1, 2)", ["--last-failed"]).status == .nothingToRun)
    }

    @Test("--last-failed knows of files that could not be loaded, and of what scenarios share")
    func lastFailedBesideScenarios() async throws {
        let folder = try TemporaryFolder()
        let reports = ["--reports", folder.path + "/r"]
        let script = "scenario(\"good\", function() end)\nscenario(\"bad\", function() expect(1, 2) end)\n"
        try folder.write(script, to: "s.lua")
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .failed)
        try folder.write(script + "scenario(", to: "s.lua")
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .script)
        try folder.write(script + "scenario(\"new\", function() end)\n", to: "s.lua")
        // Whoever plays one of them by its name has not played the others.
        let one = try await ToolRun(["test", "s.lua", "--filter", "good"] + reports, in: folder.path)
        #expect(one.status == .success)
        let others = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(others.output.contains("2 scenarios: 1 passed, 1 failed"), "\(others.output)\(others.error)")
        let bad = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(bad.output.contains("1 scenario: 1 failed"), "\(bad.output)\(bad.error)")

        let hook = "after_all(function() expect(env \"REPARTEE_N\", \"1\") end)\n"
        try folder.write(hook + "scenario(\"fine\", function() end)\n", to: "h.lua")
        #expect(try await ToolRun(["test", "h.lua"] + reports, in: folder.path).status == .failed)
        let again = try await ToolRun(["test", "h.lua", "--last-failed"] + reports, in: folder.path)
        #expect(again.status == .failed && again.output.contains("✓ fine"), "\(again.output)\(again.error)")
        for status in [ToolStatus.success, .nothingToRun] {
            let run = try await ToolRun(
                ["test", "h.lua", "--last-failed"] + reports, in: folder.path, variables: ["REPARTEE_N": "1"])
            #expect(run.status == status, "\(run.output)\(run.error)")
        }
    }
}
