import CommandLine
import Foundation
import Metrics
import Processes
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite(
    "A load run that does not end as planned", .waitsForProcesses,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
struct LoadEndTests {
    /// Users who do something short again and again, in the shape that is given.
    private static func script(_ shape: String, body: String = "wait \"100ms\"") -> String {
        "workload { \(shape) }\nscenario(\"waits\", function(t) \(body) end)\n"
    }

    private static let steady = "executor = \"constant_vus\", users = 5, duration = \"10m\""

    private func folder(_ script: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(script, to: "load.lua")
        return folder
    }

    /// Checks that all reports are there, whole, and say how the run ended.
    private func check(_ folder: TemporaryFolder, _ ending: ShardResult.Ending) throws {
        #expect(try LoadRunResult(folder).ending == ending)
        #expect(try folder.text("Reports/load.html").hasSuffix("</html>\n"))
        _ = try XMLFile(try folder.data("Reports/load-junit.xml"))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Reports").sorted()
            // A process that a signal ends cannot take its lock's file away; the lock itself is given back.
            .filter { $0 != ".load.lock" }
        #expect(files == ["load-junit.xml", "load.html", "load.json"])
    }

    @Test(
        "leaves whole reports when it is interrupted, in whatever part of it",
        arguments: [
            ("executor = \"ramping_vus\", start_users = 1, stages = { { duration = \"10m\", target = 2000 } }", SIGINT),
            (Self.steady, SIGINT), (Self.steady, SIGTERM),
            ("executor = \"ramping_vus\", start_users = 20, stages = { { duration = \"10m\", target = 0 } }", SIGTERM),
            ("executor = \"constant_arrival_rate\", rate = \"20/s\", duration = \"10m\"", SIGINT),
            (
                "executor = \"constant_vus\", users = 2, duration = \"10m\", warm_up = \"1m\", phases = { { name = \"p\", from = \"2m\", to = \"3m\" } }",
                SIGINT
            ),
        ])
    func interrupted(shape: String, signal: Int32) throws {
        let folder = try self.folder(Self.script(shape))
        let tool = try ToolProcess(["load", "load.lua", "--seed", "1"], in: folder.path)
        #expect(tool.line(containing: "1s  ") != nil)
        tool.send(signal)
        let end = tool.end()
        #expect(end.code == 130, "\(end.output)")
        #expect(end.output.contains("iterations  "))
        #expect(end.output.contains("ended       before its time, from outside"))
        #expect(try LoadRunResult(folder).events == ["stopped from outside"])
        try self.check(folder, .interrupted)
    }

    @Test("breaks users off who would not finish when it is interrupted again")
    func twice() throws {
        let folder = try self.folder(Self.script(Self.steady, body: "wait \"1h\""))
        let tool = try ToolProcess(["load", "load.lua"], in: folder.path)
        #expect(tool.line(containing: "1s  ") != nil)
        tool.send(SIGINT)
        // A machine that is busy may not come to print this before the time of the users to finish is over.
        _ = tool.line(containing: "stopping")
        tool.send(SIGINT)
        let end = tool.end()
        #expect(end.code == 130, "\(end.output)")
        #expect(try LoadRunResult(folder).count("broken_off") == 5)
        try self.check(folder, .interrupted)
    }

    @Test("says that nothing was played when it is interrupted before its start", arguments: [SIGINT, SIGTERM])
    func beforeStart(signal: Int32) throws {
        let folder = try self.folder(Self.script(Self.steady))
        for arguments in [
            ["--start-at", "+1h"], ["--rendezvous", "meet", "--run", "r", "--seed", "1", "--shard", "1/2"],
        ] {
            let tool = try ToolProcess(["load", "load.lua", "--prometheus", "0"] + arguments, in: folder.path)
            #expect(tool.line(containing: arguments[0] == "--start-at" ? "begins  " : "waits  ") != nil)
            tool.send(signal)
            let end = tool.end()
            #expect(end.code == 130, "\(end.output)")
            #expect(end.output.contains("interrupted before the first user began; nothing was played"))
            #expect(!folder.has("Reports"))
        }
    }

    @Test("says so, too, when it is interrupted while it asks what a target is", arguments: [SIGINT, SIGTERM])
    func whileProbing(signal: Int32) throws {
        let folder = try self.folder(Self.script(Self.steady))
        let server = try RawServer(.isSilent)
        defer { server.close() }
        let target = "http://127.0.0.1:\(server.port)"
        let tool = try ToolProcess(["load", "load.lua", "--target", target], in: folder.path)
        for _ in 0..<600 where server.peers.isEmpty { usleep(50_000) }
        #expect(server.peers.count == 1)
        tool.send(signal)
        let end = tool.end()
        #expect(end.code == 130, "\(end.output)")
        #expect(end.output.contains("interrupted before the first user began; nothing was played"), "\(end.output)")
    }

    @Test("writes its reports to the end when it is interrupted meanwhile; who insists gets out")
    func whileWriting() throws {
        let shape = "executor = \"constant_vus\", users = 5, duration = \"10s\""
        for insists in [false, true] {
            let folder = try self.folder(Self.script(shape))
            // A pipe that nobody reads yet keeps the last of the reports from being written.
            #expect(mkfifo(folder.path + "/l.csv", 0o600) == 0)
            let tool = try ToolProcess(
                ["load", "load.lua", "--clock", "virtual", "--csv", "l.csv"], in: folder.path)
            #expect(tool.line(containing: "generator ") != nil)
            try folder.wait(for: "Reports/load-junit.xml") { !$0.contains("did not end") }
            tool.send(SIGINT)
            if insists {
                while tool.isRunning {
                    usleep(50_000)
                    tool.send(SIGINT)
                }
                #expect(tool.end().code == 130)
            } else {
                // Nothing tells that the signal was heard, and what is written before that ends with another code.
                usleep(1_000_000)
                let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path + "/l.csv"))
                #expect(String(decoding: reader.readDataToEndOfFile(), as: UTF8.self).hasPrefix("second,"))
                #expect(tool.end().code == 130)
            }
            try self.check(folder, .finished)
        }
    }

    @Test("ends in virtual time, too")
    func virtual() throws {
        let folder = try self.folder(
            Self.script("executor = \"constant_vus\", users = 5, duration = \"700h\"", body: "wait \"1ms\""))
        let tool = try ToolProcess(["load", "load.lua", "--clock", "virtual"], in: folder.path)
        #expect(tool.line(containing: "virtual time") != nil)
        usleep(300_000)
        tool.send(SIGINT)
        let end = tool.end()
        #expect(end.code == 130, "\(end.output)")
        try self.check(folder, .interrupted)
    }

    @Test("A server that dies in the middle is told by what users met, and the reports are whole")
    func serverDies() throws {
        let folder = try self.folder(
            """
            local boldchat = require "boldchat"
            workload { executor = "constant_vus", users = 3, duration = "4s" }
            scenario("is helped", { timeout = "3s" }, function(t)
                local sam = t:server(boldchat):agent "Sam"
                local visitor = t:actor(boldchat)
                visitor:create_chat { skip_pre_chat = true }
                sam:expect "chat_waiting"
                sam:accept(visitor)
                visitor:expect "accepted"
                wait "200ms"
                visitor:end_session()
            end)
            """)
        let server = try ToolProcess(["serve", "--port", "0"], in: folder.path)
        let url = try server.controlURL()
        let tool = try ToolProcess(["load", "load.lua", "--target", url], in: folder.path)
        #expect(tool.line(containing: "1s  ") != nil)
        server.send(SIGKILL)
        let end = tool.end()
        #expect(end.code == 4, "\(end.output)")
        #expect(end.output.contains(" × connection, first user "), "\(end.output)")
        try self.check(folder, .finished)
        #expect(try LoadRunResult(folder).count("failures") > 0)
        _ = server.end()
    }

    @Test("A disk that is full is said with what to do, and no report is left in part")
    func fullDisk() async throws {
        let folder = try self.folder(Self.script("executor = \"constant_vus\", users = 5, duration = \"10s\""))
        let run = try await ToolRun(
            ["load", "load.lua", "--clock", "virtual", "--csv", "/dev/full", "--otlp", "ok.json"], in: folder.path)
        #expect(run.status == .harness)
        #expect(run.error.contains("/dev/full cannot be written: No space left on device; free some space"))
        #expect(try !folder.data("ok.json").isEmpty)
        try self.check(folder, .finished)
    }

    @Test(
        "A folder for reports on a full disk holds whole reports only",
        .enabled(if: FullDisk.problem == nil, "needs to mount a small file system"))
    func fullFolder() async throws {
        let folder = try self.folder(Self.script("executor = \"constant_vus\", users = 5, duration = \"10s\""))
        let disk = try FullDisk(folder.path + "/disk", bytes: 32 << 10)
        defer { disk.unmount() }
        let run = try await ToolRun(
            ["load", "load.lua", "--clock", "virtual", "--reports", "disk", "--seed", "1"], in: folder.path)
        #expect(run.status == .harness)
        #expect(run.error.contains("disk/load.html cannot be written: No space left on device; free some space"))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/disk") {
            switch name {
            case "load.json": #expect(try LoadRunResult(folder, "disk/load.json").ending == .finished)
            case "load-junit.xml": _ = try XMLFile(try folder.data("disk/load-junit.xml"))
            default: Issue.record("\(name) should not be there")
            }
        }
    }
}

@Suite(
    "A test run that is interrupted", .waitsForProcesses,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
struct TestInterruptionTests {
    /// A scenario whose teardown takes as long as it is given.
    private static func script(teardown: String) -> String {
        """
        after_each(function() log.info "down" wait "\(teardown)" end)
        scenario("waits", { clock = "real", timeout = "2h" }, function() log.info "up" wait "1h" end)
        """
    }

    private func check(_ folder: TemporaryFolder) throws {
        _ = try XMLFile(try folder.data("r/junit.xml"))
        #expect(try folder.text("r/report.html").hasSuffix("</body>\n</html>\n"))
        #expect(try folder.text("r/run.jsonl").contains("\"run_ended\""))
    }

    @Test("is torn down and reported", arguments: [SIGINT, SIGTERM, SIGHUP])
    func once(signal: Int32) throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(teardown: "100ms"), to: "s.lua")
        let tool = try ToolProcess(["test", "s.lua", "--clock", "real", "--reports", "r"], in: folder.path)
        try folder.wait(for: "r/run.jsonl") { $0.contains("scenario_started") }
        tool.send(signal)
        let end = tool.end()
        #expect(end.code == 130, "\(end.output)")
        #expect(end.output.contains("interrupted"))
        try self.check(folder)
    }

    @Test("is torn down and reported, too, where shell and kernel both tell that the terminal has gone")
    func hangups() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            after_each(function() log.info "down" wait "2s" log.info "tidied up" end)
            scenario("waits", { clock = "real", timeout = "2h" }, function() wait "1h" end)
            """, to: "s.lua")
        let tool = try ToolProcess(["test", "s.lua", "--clock", "real", "--reports", "r"], in: folder.path)
        try folder.wait(for: "r/run.jsonl") { $0.contains("scenario_started") }
        tool.send(SIGHUP)
        try folder.wait(for: "r/run.jsonl") { $0.contains("\"down\"") }
        tool.send(SIGHUP)
        let end = tool.end()
        #expect(end.code == 130, "\(end.output)")
        #expect(try folder.text("r/run.jsonl").contains("\"tidied up\""))
        try self.check(folder)
    }

    @Test("outlives its terminal under nohup")
    func nohup() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"waits\", { clock = \"real\" }, function() wait \"2s\" expect(1, 1) end)", to: "s.lua")
        let program = try #require(Product.program)
        let tool = try ChildProcess(
            ["nohup", program, "test", "s.lua", "--clock", "real", "--reports", "r"], in: folder.path)
        try folder.wait(for: "r/run.jsonl") { $0.contains("scenario_started") }
        tool.send(SIGHUP)
        #expect(tool.end() == 0)
    }

    @Test("does not wait for its tear-down when it is interrupted again, and is reported all the same")
    func twice() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(teardown: "1h"), to: "s.lua")
        let tool = try ToolProcess(["test", "s.lua", "--clock", "real", "--reports", "r"], in: folder.path)
        try folder.wait(for: "r/run.jsonl") { $0.contains("scenario_started") }
        tool.send(SIGINT)
        try folder.wait(for: "r/run.jsonl") { $0.contains("\"down\"") }
        tool.send(SIGINT)
        let end = tool.end()
        #expect(end.code == 130, "\(end.output)")
        try self.check(folder)
    }
}
