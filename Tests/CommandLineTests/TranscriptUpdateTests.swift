import CommandLine
import Foundation
import Testing

@Suite("Storing transcripts")
struct TranscriptUpdateTests {
    private static let script = """
        local websocket = require "websocket"
        scenario("a talk", function(t)
            local peer = t:server(websocket):peer "peer"
            local visitor = t:actor(websocket, { name = "visitor" })
            visitor:connect()
            peer:expect "connected"
            peer:send "Order 4711"
            peer:send "Bye"
            expect_transcript "talks/one"
        end)
        """

    @Test("a transcript is asked for, stored, and then it fits; a mask that fits stays")
    func storing() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "talk.lua")
        let missing = try await ToolRun(["test", "talk.lua"], in: folder.path)
        #expect(missing.status == .failed)
        #expect(missing.output.contains("there is no transcript transcripts/talks/one.txt yet"))
        #expect(missing.output.contains("--update"))
        let storing = try await ToolRun(["test", "talk.lua", "--update"], in: folder.path)
        #expect(storing.status == .success)
        #expect(try await ToolRun(["test", "talk.lua"], in: folder.path).status == .success)

        let stored = try folder.text("transcripts/talks/one.txt")
        let masked = stored.replacing("Order 4711", with: "Order <number>")
        #expect(masked != stored)
        try folder.write(masked, to: "transcripts/talks/one.txt")
        try folder.write(Self.script.replacing("Bye", with: "Good-bye").replacing("4711", with: "4712"), to: "talk.lua")
        let different = try await ToolRun(["test", "talk.lua"], in: folder.path)
        #expect(different.status == .failed)
        #expect(different.output.contains("- visitor < frame type=\"text\" text=\"Bye\""))
        #expect(try await ToolRun(["test", "talk.lua", "--update"], in: folder.path).status == .success)
        let renewed = try folder.text("transcripts/talks/one.txt")
        #expect(renewed == masked.replacing("Bye", with: "Good-bye").replacing("size=3", with: "size=8"))
    }

    @Test("repetitions that differ are not stored one over the other")
    func repetitions() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            Self.script.replacing("\"Bye\"", with: "(random.number() < 0.5 and \"Bye\" or \"Good-bye\")"),
            to: "talk.lua")
        let options = ["test", "talk.lua", "--update", "--seed", "3"]
        let different = try await ToolRun(options + ["--repeat", "8"], in: folder.path)
        #expect(different.status == .script, "\(different.output)")
        #expect(
            different.output.contains(
                "transcripts/talks/one.txt holds the conversation of another repetition in this run, and this is another "
                    + "one, which would overwrite it; write masks for what varies into the file, or leave out --repeat"),
            "\(different.output)")
        try folder.write(Self.script, to: "talk.lua")
        let same = try await ToolRun(options + ["--repeat", "3"], in: folder.path)
        #expect(same.status == .success, "\(same.output)")
    }

    @Test("a field that its system declares to vary from run to run is not stored, but a line may ask for it")
    func varyingFields() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local livelike = require "livelike"
            scenario("a talk", function(t)
                local host = t:server(livelike):moderator "Host"
                local ada = t:actor(livelike, { name = "ada" })
                ada:connect "lobby"
                ada:expect "connected"
                host:say "Hello"
                check(ada:expect("message").timetoken, match.type "string")
                expect_transcript "talk"
            end)
            """, to: "talk.lua")
        let storing = try await ToolRun(["test", "talk.lua", "--update"], in: folder.path)
        #expect(storing.status == .success, "\(storing.output)")
        let stored = try folder.text("transcripts/talk.txt")
        #expect(stored.contains("ada < message room=\"lobby\" type=\"text\" text=\"Hello\""), "\(stored)")
        #expect(!stored.contains("timetoken"), "\(stored)")
        for (line, status) in [("<integer>", ExitStatus.success), ("0", .failed)] {
            try folder.write(
                stored.replacing(" text=\"Hello\"", with: " text=\"Hello\" timetoken=\"\(line)\""),
                to: "transcripts/talk.txt")
            #expect(try await ToolRun(["test", "talk.lua"], in: folder.path).status == status)
        }
    }

    @Test("what two clients hear is in any order in real time, in which nothing orders it, and has one in virtual time")
    func severalClients() async throws {
        let folder = try TemporaryFolder()
        func write(first: Int, second: Int) throws {
            try folder.write(
                """
                local websocket = require "websocket"
                scenario("two listen", function(t)
                    local peers = {}
                    for place, name in ipairs { "ada", "ben" } do
                        peers[place] = t:server(websocket):peer("peer of " .. name)
                        local client = t:actor(websocket, { name = name })
                        client:connect()
                        client:expect "connected"
                    end
                    peers[\(first)]:send "Hello"
                    wait "50ms"
                    peers[\(second)]:send "Hello"
                    expect_transcript("talk", { within = "1s" })
                end)
                """, to: "talk.lua")
        }
        try write(first: 1, second: 2)
        let storing = try await ToolRun(["test", "talk.lua", "--update"], in: folder.path)
        #expect(storing.status == .success, "\(storing.output)")
        let stored = try folder.text("transcripts/talk.txt")
        #expect(stored.contains("ada < frame type=\"text\" text=\"Hello\"\nben < frame"), "\(stored)")
        try write(first: 2, second: 1)
        let real = try await ToolRun(["test", "talk.lua", "--clock", "real"], in: folder.path)
        #expect(real.status == .success, "\(real.output)")
        let update = try await ToolRun(["test", "talk.lua", "--clock", "real", "--update"], in: folder.path)
        #expect(update.status == .success, "\(update.output)")
        #expect(try folder.text("transcripts/talk.txt") == stored)
        let virtual = try await ToolRun(["test", "talk.lua", "--clock", "virtual"], in: folder.path)
        #expect(virtual.status == .failed, "\(virtual.output)")
    }

    @Test(
        "rows with conversations of their own are not stored under one name, in whatever order and however many at once",
        arguments: [["--workers", "1"], ["--workers", "4"], ["--clock", "real"]])
    func rows(options: [String]) async throws {
        func script(_ name: String, _ text: String) -> String {
            """
            local websocket = require "websocket"
            scenario("a talk", { rows = { { name = "ada" }, { name = "ben" } } }, function(t)
                local peer = t:server(websocket):peer "peer"
                local visitor = t:actor(websocket, { name = "visitor" })
                visitor:connect()
                peer:expect "connected"
                peer:send(\(text))
                expect_transcript(\(name))
            end)
            """
        }
        let folder = try TemporaryFolder()
        try folder.write(script("'talk'", "'Hello ' .. t.row.name"), to: "talk.lua")
        let refused = try await ToolRun(["test", "talk.lua", "--update"] + options, in: folder.path)
        #expect(refused.status == .script, "\(refused.output)")
        #expect(refused.output.contains("transcripts/talk.txt holds the conversation of talk.lua::a talk ["))
        #expect(refused.output.contains("put the row into the name"))
        #expect(refused.output.contains("2 scenarios: 1 passed, 1 error\n"), "\(refused.output)")

        try folder.write(script("'talk of ' .. t.row.name", "'Hello ' .. t.row.name"), to: "talk.lua")
        for update in [["--update"], []] {
            let run = try await ToolRun(["test", "talk.lua"] + update + options, in: folder.path)
            #expect(run.status == .success, "\(run.output)")
        }
        // Rows whose conversations are alike share one.
        try folder.write(script("'same'", "'Hello'"), to: "talk.lua")
        for update in [["--update"], []] {
            let run = try await ToolRun(["test", "talk.lua"] + update + options, in: folder.path)
            #expect(run.status == .success, "\(run.output)")
        }
    }

    @Test("nothing is written outside of the project, also by a link")
    func outside() async throws {
        let folder = try TemporaryFolder()
        let elsewhere = try TemporaryFolder()
        try folder.write(Self.script, to: "talk.lua")
        try folder.write("return {}", to: "repartee.lua")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/transcripts", withDestinationPath: elsewhere.path)
        let run = try await ToolRun(["test", "talk.lua", "--update"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.output.contains("outside of the project"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
    }
}
