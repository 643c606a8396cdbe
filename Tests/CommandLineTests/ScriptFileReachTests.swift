import CommandLine
import Foundation
import Testing

/// Scripts hand files of their project to actors, and no others.
@Suite("Files that scripts hand to actors")
struct ScriptFileReachTests {
    private static let beginning = """
        local oracle = require "oracle"
        scenario("uploads", function(t)
            t:server(oracle)
            local user = t:actor(oracle)
            user:connect()
            user:expect "connected"

        """

    private func run(_ call: String, links: [(String, String)] = []) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write("pizza", to: "data/menu.txt")
        try folder.write("beside", to: "Scenarios/own.txt")
        try folder.write(Self.beginning + call + "\nend)\n", to: "Scenarios/a.lua")
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + name, withDestinationPath: target)
        }
        return try await ToolRun(["test", "Scenarios/a.lua", "--reports", "out"], in: folder.path)
    }

    @Test(
        "a file beside the script or below the project's root is read",
        arguments: [("own.txt", 6), ("data/menu.txt", 5), ("../data/menu.txt", 5)])
    func found(path: String, size: Int) async throws {
        let run = try await self.run(
            "user:upload { file = \"\(path)\" } user:expect(\"attachment_uploaded\", { size = \(size) })")
        #expect(run.status == .success, "\(run.output)")
    }

    @Test(
        "a file elsewhere, a folder and a missing file are errors that say where files are looked for",
        arguments: ["/etc/hostname", "../../etc/hostname", "data", "missing.txt", "data/link.txt"])
    func refused(path: String) async throws {
        let run = try await self.run(
            "user:upload { file = \"\(path)\" }", links: [("data/link.txt", "/etc/hostname")])
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("\"\(path)\""))
        #expect(run.output.contains("beside Scenarios/a.lua or at the project's root"))
    }

    @Test(
        "a hidden file is read only if the project says so, also by a link",
        arguments: [".notes.txt", "data/.keys/a.txt", "data/link.txt"])
    func hidden(path: String) async throws {
        for (configuration, isAllowed) in [
            ("return {}", false), ("return { hidden_files = { \".notes.txt\", \"data/.keys\" } }", true),
        ] {
            let folder = try TemporaryFolder()
            try folder.write(configuration, to: "repartee.lua")
            try folder.write("KEY=1", to: ".notes.txt")
            try folder.write("KEY=2", to: "data/.keys/a.txt")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/data/link.txt", withDestinationPath: "../.notes.txt")
            let call = "user:upload { file = \"\(path)\" } user:expect(\"attachment_uploaded\", { size = 5 })"
            try folder.write(Self.beginning + call + "\nend)\n", to: "Scenarios/a.lua")
            let run = try await ToolRun(["test", "Scenarios/a.lua", "--reports", "out"], in: folder.path)
            #expect(run.status == (isAllowed ? .success : .script), "\(run.output)")
            #expect(run.output.contains("hidden_files = { \"") == !isAllowed, "\(run.output)")
        }
    }

    @Test("rows, utterances and modules are no way to a hidden file either")
    func hiddenRows() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write("[{ \"name\": \"x\" }]", to: ".rows.json")
        try folder.write("return 1", to: ".git/hook.lua")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/hook.lua", withDestinationPath: ".git/hook.lua")
        for (name, script) in [
            ("a", "scenario(\"x\", { rows = \".rows.json\" }, function() end)"),
            ("b", "utterances.read \".rows.json\""),
            ("c", "require \"hook\""),
        ] {
            try folder.write(script + "\n", to: "Scenarios/\(name).lua")
            let run = try await ToolRun(["test", "Scenarios/\(name).lua", "--reports", "out"], in: folder.path)
            #expect(run.status == .script)
            #expect(
                run.output.contains("scripts do not read .") && run.output.contains("hidden_files"), "\(run.output)")
        }
    }

    @Test("a script elsewhere without a repartee.lua has its own folder as its project")
    func elsewhere() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        for place in [folder, other] {
            try place.write("return 7", to: "helper.lua")
            try place.write("scenario(\"s\", function() expect(require \"helper\", 7) end)", to: "s.lua")
        }
        let working = try TemporaryFolder()
        for path in [folder.path + "/s.lua", folder.path] {
            let run = try await ToolRun(["test", path], in: working.path)
            #expect(run.status == .success, "\(run.output)")
        }
        let both = try await ToolRun(["test", folder.path + "/s.lua", other.path + "/s.lua"], in: working.path)
        #expect(both.status == .script, "\(both.output)")
        #expect(both.output.contains("/helper.lua lies outside the project's root "), "\(both.output)")
        #expect(both.output.contains("; put a repartee.lua beside it"), "\(both.output)")
    }

    @Test("what is no path is refused by name")
    func noPath() async throws {
        let run = try await self.run("user:upload { file = 7 }")
        #expect(run.status == .script)
        #expect(run.output.contains("file is the path of a file, not 7"), "\(run.output)")
    }
}
