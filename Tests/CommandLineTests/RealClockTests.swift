import CommandLine
import Foundation
import RunRecord
import Testing

// The two plays of all scenarios mostly wait, so they go side by side.
@Suite("Over real sockets")
struct RealClockTests {
    /// How many scenarios are played at the same time: with more of them the longest one decides how long all take, and
    /// a build that is not optimized is too busy as they begin.
    #if DEBUG
        private static let workers = "16"
    #else
        private static let workers = "48"
    #endif

    private static let scenarios = Product.root + "/Scenarios"

    /// Expects that of the scenarios with each vendor's system at most two of a hundred are skipped, and each for a
    /// reason.
    private func expectFewSkipped(_ run: ToolRun) throws {
        var files: [Int: String] = [:]
        var counts: [String: (all: Int, skipped: Int)] = [:]
        for entry in try run.record {
            switch entry {
            case .scenarioStarted(let start): files[start.index] = start.file
            case .scenarioEnded(let end):
                let folders = (files[end.index] ?? "").split(separator: "/").map(String.init)
                guard let system = ["boldchat", "oracle", "livelike", "liveassist"].first(where: folders.contains)
                else {
                    continue
                }
                counts[system, default: (0, 0)].all += 1
                guard case .skipped(let reason) = end.outcome else { continue }
                counts[system, default: (0, 0)].skipped += 1
                #expect(!reason.isEmpty)
            default: break
            }
        }
        #expect(counts.count == 4)
        for (system, count) in counts {
            #expect(count.skipped <= max(2, count.all / 50), "\(system): \(count.skipped) of \(count.all) are skipped")
        }
    }

    @Test("the scenarios of the package pass in real time, over loopback sockets")
    func realTime() async throws {
        let run = try await ToolRun(
            ["test", Self.scenarios, "--clock", "real", "--seed", "1", "--workers", Self.workers], in: Product.root)
        #expect(run.status == .success, "\(run.account)")
        let outcomes = try run.outcomes
        #expect(outcomes.count > 20)
        #expect(outcomes.values.filter { $0 == .passed }.count > 20)
        try self.expectFewSkipped(run)
    }

    @Test(
        "they pass against repartee serve in another process",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
    func served() async throws {
        // Systems that scenarios declare themselves are served where their files are.
        let server = try ToolProcess(["serve", "--port", "0"], in: Self.scenarios)
        defer { server.send(SIGKILL) }
        let url = try server.controlURL()
        let run = try await ToolRun(
            ["test", Self.scenarios, "--target", url, "--seed", "2", "--workers", Self.workers], in: Product.root)
        #expect(run.status == .success, "\(run.account)")
        #expect(try run.outcomes.values.filter { $0 == .passed }.count > 20)
        try self.expectFewSkipped(run)
        server.send(SIGINT)
        let (code, _) = server.end()
        #expect(code == 0 || code == 130)
    }

    /// A project of scenarios that each take some real time.
    private func longRun() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        var script = "local websocket = require \"websocket\"\n"
        for number in 1...400 {
            script += """
                scenario("number \(number) <&>", function(t)
                    t:server(websocket, { echo = true })
                    local client = t:actor(websocket)
                    client:connect()
                    client:expect "connected"
                    client:send "hello ]]> \\27[31m \(number)"
                    client:expect "frame"
                    wait "60ms"
                    if \(number) % 5 == 0 then check(false, true, "not this one") end
                end)

                """
        }
        try folder.write(script, to: "long.lua")
        return folder
    }

    /// Waits until a run has written so many lines of its record.
    private static func awaitRecord(of lines: Int, in folder: TemporaryFolder) async throws {
        for _ in 0..<6000 {
            let record = folder.has("Reports/run.jsonl") ? Array(try folder.data("Reports/run.jsonl")) : []
            if record.count(where: { $0 == UInt8(ascii: "\n") }) >= lines { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the record does not grow to \(lines) lines")
    }

    @Test(
        "a run that is killed leaves whole reports that name what was playing",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"),
        .serialized, arguments: [1, 20, 80, 200, 400, 800])
    func killed(lines: Int) async throws {
        let folder = try self.longRun()
        let tool = try ToolProcess(["test", "long.lua", "--clock", "real", "--workers", "4"], in: folder.path)
        try await Self.awaitRecord(of: lines, in: folder)
        tool.send(SIGKILL)
        #expect(tool.end().code == -SIGKILL)
        let entries = try RecordReader.read(try folder.data("Reports/run.jsonl"))
        var playing: Set<Int> = []
        for entry in entries {
            switch entry {
            case .scenarioStarted(let start): playing.insert(start.index)
            case .scenarioEnded(let end): playing.remove(end.index)
            default: break
            }
        }
        guard folder.has("Reports/junit.xml") else {
            #expect(entries.count < 2)
            return
        }
        let report = try XMLFile(try folder.data("Reports/junit.xml"))
        #expect(!report.all("testsuites").isEmpty)
        // The two files are written one after the other, so the report may be a scenario ahead or behind.
        let errors = report.all("error").count
        #expect(abs(errors - playing.count) <= 4)
        // Reports are written every 50 ms, so only the very first scenarios may be missing in one of them.
        if entries.count > 150 { #expect(errors > 0) }
    }

    @Test(
        "a run that is interrupted ends with 130 and whole reports",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"),
        .serialized, arguments: ["real", "virtual"])
    func interrupted(clock: String) async throws {
        let folder = try self.longRun()
        if clock == "virtual" {
            try folder.write(
                "for number = 1, 1000 do scenario(\"number \" .. number, { timeout = \"100h\" }, function() for i = 1, 20000 do wait \"1s\" end end) end",
                to: "long.lua")
        }
        let tool = try ToolProcess(["test", "long.lua", "--clock", clock, "--workers", "2"], in: folder.path)
        try await Self.awaitRecord(of: 3, in: folder)
        tool.send(SIGINT)
        let (code, output) = tool.end()
        #expect(code == 130)
        #expect(output.contains("interrupted"))
        let entries = try RecordReader.read(try folder.data("Reports/run.jsonl"))
        guard case .runEnded(let end) = entries.last else {
            Issue.record("the run record has no end")
            return
        }
        #expect(end.isInterrupted)
        let report = try XMLFile(try folder.data("Reports/junit.xml"))
        #expect(report.all("testcase").count >= 1)
    }
}
