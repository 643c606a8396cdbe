import CommandLine
import Foundation
import Testing

@Suite("Transcripts, and what other scenarios know as secrets")
struct TranscriptSecretTests {
    /// A conversation with a text, a number and the name of a member that ``learning`` makes secrets.
    private static let talking = """
        local websocket = require "websocket"
        scenario("a talk", function(t)
            local peer = t:server(websocket):peer "peer"
            local visitor = t:actor(websocket, { name = "visitor" })
            visitor:connect()
            peer:expect "connected"
            peer:send "Order 1815-tok of 3 < 4"
            peer:send_json { order = "1815-tok", pin = 48151623, ["1815-tok"] = "x", list = { { "at 1815-tok" } } }
            expect_transcript "talk"
        end)
        """

    private static let learning = """
        scenario("a login", function()
            expect(keep_secret "1815-tok", "1815-tok")
            expect(keep_secret(48151623), 48151623)
        end)
        """

    /// Who knows the secret is played first.
    private static let together = ["test", "login.lua", "talk.lua", "--workers", "1"]
    private static let alone = ["test", "talk.lua"]

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.talking, to: "talk.lua")
        try folder.write(Self.learning, to: "login.lua")
        return folder
    }

    @Test("one that was stored alone fits beside a scenario that learns a word of it, and is not stored anew")
    func storedAlone() async throws {
        let folder = try Self.folder()
        let storing = try await ToolRun(Self.alone + ["--update"], in: folder.path)
        #expect(storing.status == .success, "\(storing.output)")
        let stored = try folder.text("transcripts/talk.txt")
        #expect(stored.contains("text=\"Order 1815-tok of 3 < 4\""), "\(stored)")
        for options in [Self.together, Self.alone, Self.together + ["--update"]] {
            let run = try await ToolRun(options, in: folder.path)
            #expect(run.status == .success, "\(run.output)")
        }
        #expect(try folder.text("transcripts/talk.txt") == stored)
    }

    @Test("one that was stored beside a scenario that learns a word of it has no secret, and fits alone")
    func storedTogether() async throws {
        let folder = try Self.folder()
        let storing = try await ToolRun(Self.together + ["--update"], in: folder.path)
        #expect(storing.status == .success, "\(storing.output)")
        let stored = try folder.text("transcripts/talk.txt")
        #expect(!stored.contains("1815-tok") && !stored.contains("48151623"), "\(stored)")
        #expect(stored.contains("text=\"Order <any> of 3 < 4\""), "\(stored)")
        for options in [Self.alone, Self.together] {
            let run = try await ToolRun(options, in: folder.path)
            #expect(run.status == .success, "\(run.output)")
        }
        // Only what was a secret may be anything.
        try folder.write(Self.talking.replacing("of 3", with: "of 5"), to: "talk.lua")
        for options in [Self.alone, Self.together] {
            let run = try await ToolRun(options, in: folder.path)
            #expect(run.status == .failed, "\(run.output)")
        }
        let together = try await ToolRun(Self.together, in: folder.path)
        #expect(together.output.contains("Order *** of 5 < 4"), "\(together.output)")
        #expect(!together.output.contains("1815-tok"), "\(together.output)")
    }

    @Test("a line that is renewed has no secret, and fits alone")
    func renewed() async throws {
        let folder = try Self.folder()
        #expect(try await ToolRun(Self.alone + ["--update"], in: folder.path).status == .success)
        try folder.write(Self.talking.replacing("of 3", with: "of 5"), to: "talk.lua")
        let renewing = try await ToolRun(Self.together + ["--update"], in: folder.path)
        #expect(renewing.status == .success, "\(renewing.output)")
        let renewed = try folder.text("transcripts/talk.txt")
        #expect(renewed.contains("text=\"Order <any> of 5 < 4\""), "\(renewed)")
        for options in [Self.alone, Self.together] {
            let run = try await ToolRun(options, in: folder.path)
            #expect(run.status == .success, "\(run.output)")
        }
    }

    @Test("*** in a line stands for what the scenario itself knows as a secret, and for nothing else")
    func handWritten() async throws {
        let folder = try Self.folder()
        let learning = Self.talking.replacing("expect_transcript", with: "keep_secret \"1815-tok\" expect_transcript")
        try folder.write(learning, to: "talk.lua")
        try folder.write("…\nvisitor < frame text=\"Order *** of 3 < 4\"\n…\n", to: "transcripts/talk.txt")
        let fitting = try await ToolRun(Self.alone, in: folder.path)
        #expect(fitting.status == .success, "\(fitting.output)")
        try folder.write(learning.replacing("Order 1815-tok", with: "Order 4711"), to: "talk.lua")
        let other = try await ToolRun(Self.alone, in: folder.path)
        #expect(other.status == .failed, "\(other.output)")
    }
}
