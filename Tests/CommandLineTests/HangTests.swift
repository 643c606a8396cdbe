import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// One process after the other, for each takes a processor. What a test does with several loops is one test case:
/// between two cases of a serialized suite all tests get their turn that wait for a thread, so that the other suites
/// had ended long before this one.
@Suite(
    "What runs past its end", .waitsForProcesses, .serialized,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
struct HangTests {
    /// Loops that their budget of instructions does not end for minutes, or ends only because hooks and prices see
    /// them.
    static let loops = [
        "while true do xpcall(error, function() while true do end end) end",
        "table.sort({2, 1}, function() xpcall(function() while true do end end, function() while true do end end) end)",
        "local s = ('x'):rep(16000000) while true do s:reverse() end",
        "local a = ('\\0'):rep(16000000) local b = a .. 'x' while true do local _ = a < b end",
        "local t, x = {}, 1.0 for i = 1, 4000000 do t[x] = 1 x = x + 0x1p-52 end",
        "while true do wait(0) end", "while true do wait(1e-9) end",
    ]

    enum End: String, CaseIterable {
        case runTimeout, interrupt, terminate, interruptTwice
    }

    /// What a run says that ended with a code; a code alone would also be that of another mishap.
    private static let reasons: [Int32: [String]] = [
        1: ["the time limit of the run, 1s, passed while this scenario was playing"],
        3: [
            "instructions without waiting", "without waiting when the run was to end",
            "went on a million times while no time passed",
        ],
        4: ["could not be stopped"],
    ]

    private static func folder(_ body: String, busy: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("return { limits = { busy = \"\(busy)\" } }", to: "repartee.lua")
        try folder.write(
            "scenario(\"first\", function() end)\nscenario(\"endless\", function()\n\(body)\nend)", to: "s.lua")
        return folder
    }

    @Test("hears the run's time limit and signals, one and two")
    func ended() throws {
        for body in Self.loops {
            for end in End.allCases { try self.expectEnd(of: body, by: end) }
        }
    }

    private func expectEnd(of body: String, by end: End) throws {
        // Long enough that the script is not ended by this.
        let folder = try Self.folder(body, busy: "10m")
        var arguments = ["test", "s.lua", "--reports", "r", "--seed", "1", "--verbose"]
        if end == .runTimeout { arguments += ["--run-timeout", "1s"] }
        let tool = try ToolProcess(arguments, in: folder.path)
        if end != .runTimeout {
            tool.awaitListening()
            #expect(tool.line(containing: "▶ endless") != nil, "\(end): \(body)")
            tool.send(end == .terminate ? SIGTERM : SIGINT)
            if end == .interruptTwice {
                // Signals that come while one waits to be taken are one.
                usleep(200_000)
                tool.send(SIGINT)
            }
        }
        let (code, output) = tool.end(within: .seconds(30))
        // A script that its budget ended before the signal came is an error of the script; and where the machine is so
        // slow that the script does not see in time that it is to end, the process ends.
        let codes: Set<Int32> = end == .runTimeout ? [1, 3, 4] : [130, 3]
        #expect(codes.contains(code), "\(end): \(body): \(code): \(output)")
        if let reasons = Self.reasons[code] {
            #expect(reasons.contains { output.contains($0) }, "\(end): \(body): \(code): \(output)")
        }
        #expect(throws: Never.self, "\(end): \(body)") { try XMLFile(try folder.data("r/junit.xml")) }
    }

    @Test("ends as an error of the script, with its line, when the watchdog saw it for long enough")
    func busy() throws {
        for body in Self.loops {
            let folder = try Self.folder(body, busy: "5s")
            let (code, output) = try ToolProcess(["test", "s.lua", "--reports", "r"], in: folder.path)
                .end(within: .seconds(90))
            #expect(code == 3, "\(body): \(output)")
            #expect(output.contains("s.lua:3"), "\(body): \(output)")
            #expect(output.contains("2 scenarios: 1 passed, 1 error"), "\(body): \(output)")
        }
    }

    @Test("ends at the limit of its scenario in real time, where functions are ready again and again")
    func spawning() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("endless", { timeout = "500ms" }, function()
                local function again() spawn(again) end
                again()
                wait "1h"
            end)
            scenario("next", function() wait "1ms" expect(1, 1) end)
            """, to: "s.lua")
        let (code, output) = try ToolProcess(
            ["test", "s.lua", "--clock", "real", "--workers", "1", "--reports", "r"], in: folder.path
        ).end(within: .seconds(120))
        #expect(code == 1, "\(output)")
        #expect(output.contains("the time limit of the scenario, 500ms, passed"), "\(output)")
        #expect(output.contains("2 scenarios: 1 passed, 1 failed"), "\(output)")
    }

    /// One call of a function in C that nothing can look into: the table says two different lengths.
    private static let deaf = """
        local count = 0
        local lying = setmetatable({}, { __len = function() count = count + 1 return count == 1 and 1 or 10 ^ 15 // 1 | 0 end })
        table.insert(lying, 1, 0)
        """

    @Test("ends the process with the reports of what had been played, where nothing else helps", arguments: [1, 4])
    func deaf(workers: Int) throws {
        let folder = try Self.folder(Self.deaf, busy: "1s")
        let (code, output) = try ToolProcess(
            ["test", "s.lua", "--reports", "r", "--workers", "\(workers)"], in: folder.path
        ).end(within: .seconds(30))
        #expect(code == 4, "\(output)")
        #expect(output.contains("error: the process was busy for 2s with one thing and could not be stopped"))
        let junit = try folder.text("r/junit.xml")
        #expect(junit.contains("endless") && junit.contains("could not be stopped"), "\(junit)")
        #expect(try folder.text("r/run.jsonl").contains("\"hang\""))
        #expect(!(try folder.text("r/run.jsonl").contains("run_ended")))
    }

    @Test("leaves the end of its record where who insists does not wait for what cannot be stopped")
    func deafAndInterrupted() throws {
        let folder = try Self.folder(Self.deaf, busy: "10m")
        let tool = try ToolProcess(["test", "s.lua", "--reports", "r", "--verbose"], in: folder.path)
        tool.awaitListening()
        #expect(tool.line(containing: "▶ endless") != nil)
        tool.send(SIGINT)
        // Signals that come while one waits to be taken are one.
        usleep(200_000)
        tool.send(SIGINT)
        let (code, output) = tool.end(within: .seconds(30))
        #expect(code == 130, "\(output)")
        #expect(output.contains("2 scenarios: 1 passed, 1 error"), "\(output)")
        let record = try folder.text("r/run.jsonl")
        #expect(record.contains("run_ended") && record.contains("\"interrupted\":true"), "\(record)")
        _ = try XMLFile(try folder.data("r/junit.xml"))
        #expect(try folder.text("r/report.html").hasSuffix("</body>\n</html>\n"))
    }

    @Test("ends a load test, too, and a file that is loaded")
    func elsewhere() throws {
        let load = try TemporaryFolder()
        try load.write("return { limits = { busy = \"1s\" } }", to: "repartee.lua")
        try load.write("scenario(\"endless\", function()\n\(Self.deaf)\nend)", to: "s.lua")
        let (code, output) = try ToolProcess(
            ["load", "s.lua", "--users", "1", "--duration", "1m", "--reports", "r"], in: load.path
        ).end(within: .seconds(30))
        #expect(code == 4, "\(output)")
        let loading = try TemporaryFolder()
        try loading.write("return { limits = { busy = \"1s\" } }", to: "repartee.lua")
        try loading.write(Self.deaf + "\nscenario(\"x\", function() end)", to: "s.lua")
        let (other, text) = try ToolProcess(["test", "s.lua"], in: loading.path).end(within: .seconds(30))
        #expect(other == 4, "\(text)")
    }

    @Test("A second signal ends a process that nothing else ends")
    func twice() throws {
        let folder = try Self.folder(Self.deaf, busy: "10m")
        let tool = try ToolProcess(["test", "s.lua", "--reports", "r", "--workers", "4"], in: folder.path)
        tool.awaitListening()
        // Another worker has begun with the one that does not end; what it plays is not printed before it waits.
        #expect(tool.line(containing: "✓ first") != nil)
        tool.send(SIGINT)
        // Signals that come while one waits to be taken are one, and all cores are busy.
        usleep(1_000_000)
        tool.send(SIGINT)
        #expect(tool.end(within: .seconds(10)).code == 130)
    }

    @Test("However often somebody asks it to end, a process ends with the code that says so")
    func often() throws {
        for pause in 1...6 {
            let folder = try Self.folder("wait \"1h\"", busy: "10m")
            let tool = try ToolProcess(
                ["test", "s.lua", "--reports", "r", "--clock", "real"], in: folder.path)
            tool.awaitListening()
            #expect(tool.line(containing: "✓ first") != nil)
            for _ in 0..<100 where tool.isRunning {
                tool.send(SIGINT)
                usleep(UInt32(pause * 3_000))
            }
            let (code, output) = tool.end(within: .seconds(30))
            #expect(code == 130, "\(pause): \(code): \(output)")
        }
    }

    @Test("A fixture that several scenarios share may take as long as it likes, as long as it gets on")
    func sharedFixture() throws {
        let folder = try TemporaryFolder()
        try folder.write("return { limits = { busy = \"1s\" } }", to: "repartee.lua")
        try folder.write(
            """
            fixture("slow", { scope = "run" }, function()
                local n = 0
                for i = 1, 60 do for j = 1, 1500000 do n = n + 1 end wait "1ms" end
                return n
            end)
            scenario("uses it", function(t) expect(t:use "slow", 90000000) end)
            """, to: "s.lua")
        let (code, output) = try ToolProcess(["test", "s.lua", "--reports", "r"], in: folder.path)
            .end(within: .seconds(60))
        #expect(code == 0, "\(output)")
    }
}
