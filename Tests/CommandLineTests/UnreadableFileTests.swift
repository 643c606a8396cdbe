import CommandLine
import Foundation
import Testing

/// Tests run as whoever may read all files, too: what such a person cannot read either stands for what nobody else can.
@Suite("What cannot be read is not passed over")
struct UnreadableFileTests {
    private func project() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"fine\", function() expect(1, 1) end)\n", to: "Scenarios/a.lua")
        return folder
    }

    @Test("A folder below the scenarios that cannot be looked into is an error beside those that are played")
    func folderBelow() async throws {
        let folder = try self.project()
        // No path is as long as this one, so whoever names it from the root cannot look into it.
        let name = String(repeating: "d", count: 200)
        var parents = [open(folder.path + "/Scenarios", O_RDONLY | O_DIRECTORY)]
        defer { for parent in parents { close(parent) } }
        for _ in 0..<21 {
            let parent = try #require(parents.last)
            #expect(mkdirat(parent, name, 0o700) == 0)
            parents.append(openat(parent, name, O_RDONLY | O_DIRECTORY))
        }
        defer { for parent in parents.dropLast().reversed() { unlinkat(parent, name, AT_REMOVEDIR) } }
        let run = try await ToolRun(["test"], in: folder.path)
        #expect(run.status == .script, "\(run.output)\(run.error)")
        #expect(run.output.contains("cannot be read; check its permissions"), "\(run.output)")
        #expect(run.output.contains("2 scenarios: 1 passed, 1 error"), "\(run.output)")
    }

    @Test("Settings that cannot be read are an error, and a folder of their name is none")
    func settings() async throws {
        let folder = try self.project()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/repartee.lua", withDestinationPath: "nowhere.lua")
        let run = try await ToolRun(["test"], in: folder.path)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.error.contains("error: repartee.lua cannot be read"), "\(run.error)")
        try FileManager.default.removeItem(atPath: folder.path + "/repartee.lua")
        try folder.write("", to: "repartee.lua/README")
        #expect(try await ToolRun(["test"], in: folder.path).status == .success)
    }

    @Test("A baseline or a transcript that cannot be read is not taken for one that was never stored")
    func stored() async throws {
        let folder = try self.project()
        try folder.write(
            """
            local websocket = require "websocket"
            scenario("talks", function(t)
                t:server(websocket, { echo = true })
                local user = t:actor(websocket)
                user:connect()
                user:expect "connected"
                user:expect_transcript "talk"
            end)
            """, to: "Scenarios/talk.lua")
        try folder.write("", to: "Scenarios/transcripts/talk.txt/README")
        let talk = try await ToolRun(["test", "Scenarios/talk.lua"], in: folder.path)
        #expect(talk.status == .script, "\(talk.output)")
        #expect(talk.output.contains("transcripts/talk.txt cannot be read"), "\(talk.output)")
        try folder.write("", to: "Scenarios/baselines/a.json/README")
        let rate = try await ToolRun(["test", "Scenarios/a.lua"], in: folder.path)
        #expect(rate.status == .script, "\(rate.output)")
        #expect(rate.error.contains("Scenarios/baselines/a.json cannot be read"), "\(rate.error)")
    }

    @Test("A link to a folder of scenarios is not followed, and that is told")
    func link() async throws {
        let folder = try self.project()
        try folder.write("scenario(\"elsewhere\", function() expect(1, 1) end)\n", to: "shared/b.lua")
        try folder.write("text", to: "data/rows.txt")
        for name in ["shared", "data"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/Scenarios/" + name, withDestinationPath: "../" + name)
        }
        // Each of these leads to all of them again.
        for number in 1...4 {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/Scenarios/round\(number)", withDestinationPath: "..")
        }
        let run = try await ToolRun(["test"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        #expect(run.output.contains("Scenarios/shared is a link to a folder and not followed"), "\(run.output)")
        #expect(!run.output.contains("Scenarios/data") && !run.output.contains("elsewhere"), "\(run.output)")
        let named = try await ToolRun(["test", "Scenarios", "Scenarios/shared"], in: folder.path)
        #expect(named.output.contains("✓ elsewhere"), "\(named.output)")
    }
}
