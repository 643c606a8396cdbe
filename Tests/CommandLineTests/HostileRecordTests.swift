import CommandLine
import Foundation
import Machines
import Testing

/// Records and results of other processes may hold any number: reports are made of them, or they are refused.
@Suite("Numbers that nobody could have counted")
struct HostileRecordTests {
    private static let extremes = ["9223372036854775807", "-9223372036854775808", "-1", "1e308", "4503599627370497"]

    /// Replaces one number of a text by another.
    private static func mutated(_ text: String, _ random: inout RandomSource) -> String {
        let numbers = text.matches(of: #/[:\[,](-?[0-9]+(?:\.[0-9]+)?)(?=[,\]}])/#).map(\.1)
        guard let number = numbers.randomElement(using: &random), let value = extremes.randomElement(using: &random)
        else { return text }
        return text.replacingCharacters(in: number.startIndex..<number.endIndex, with: value)
    }

    private static let script = """
        local websocket = require "websocket"
        local rows = utterances.adversarial { of = { "Where is my order?" }, mutators = { "typos", "casing" } }
        scenario("echoes", { rows = rows }, function(t, row)
            t:server(websocket, { echo = true })
            local user = t:actor(websocket)
            user:connect()
            user:expect "connected"
            user:send(row.text)
            user:expect("frame", { text = row.text })
        end)
        scenario("passes often enough", { passes = { at_least = 0.5, margin = 0.4 } }, function()
            check(math.random(10), match.between(1, 9))
            expect(math.random(10), match.between(1, 8))
        end)
        """

    @Test("in a record of a test run end no report", arguments: 0..<4)
    func record(part: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "a.lua")
        let arguments = ["test", "a.lua", "--reports", "Reports", "--seed"]
        _ = try await ToolRun(arguments + ["7", "--update-baseline"], in: folder.path)
        let played = try await ToolRun(arguments + ["8"], in: folder.path)
        let record = try folder.text("Reports/run.jsonl")
        #expect(record.contains("\"baseline\":") && record.contains("\"mutator\":"), "\(played.account)")
        var random = RandomSource(seed: UInt64(part))
        for _ in 0..<50 {
            try folder.write(Self.mutated(record, &random), to: "changed.jsonl")
            let made = try await ToolRun(
                [
                    "report", "changed.jsonl", "--unfinished", "--html", "r.html", "--junit", "j.xml", "--ctrf",
                    "c.json",
                    "--tap", "t", "--github",
                ], in: folder.path)
            #expect(made.status != .interrupted)
            for pair in [["Reports/run.jsonl", "changed.jsonl"], ["changed.jsonl", "Reports/run.jsonl"]] {
                #expect(try await ToolRun(["report", "--compare"] + pair, in: folder.path).status != .interrupted)
            }
        }
    }

    @Test("in a result of a load run end no report", arguments: 0..<4)
    func result(part: Int) async throws {
        let source = """
            local websocket = require "websocket"
            scenario("echo", function(t)
                t:server(websocket, { echo = true })
                local user = t:actor(websocket)
                user:connect()
                user:expect "connected"
                for number = 1, 5 do
                    user:send_json { text = "hello " .. number }
                    user:expect "frame"
                end
            end)
            """
        let (played, folder) = try await ToolRun.load(
            source, ["--clock", "virtual", "--users", "3", "--duration", "5s"])
        let result = try folder.text("Reports/load.json")
        #expect(result.contains("\"lateness\":"), "\(played.account)")
        var random = RandomSource(seed: UInt64(part))
        for _ in 0..<50 {
            try folder.write(Self.mutated(result, &random), to: "changed.json")
            let made = try await ToolRun(
                [
                    "report", "changed.json", "--html", "r.html", "--junit", "j.xml", "--csv", "c.csv", "--jsonl",
                    "c.jsonl",
                    "--prometheus", "p.prom", "--otlp", "o.json", "--histogram-log", "h.hlog",
                ], in: folder.path)
            #expect(made.status != .interrupted)
            let merged = try await ToolRun(
                ["report", "--compare", "Reports/load.json", "changed.json"], in: folder.path)
            #expect(merged.status != .interrupted)
        }
    }
}
