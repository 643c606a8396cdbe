import CommandLine
import Testing

@Suite("Command lines that nobody would write on purpose")
struct UnlikelyLineTests {
    private static let script = """
        scenario("a", function() wait "1s" expect(1, 1) end)
        scenario("b", function() expect(1, 2) end)

        """

    private func run(_ arguments: [String], in folder: TemporaryFolder) async throws -> ToolRun {
        try folder.write(Self.script, to: "Scenarios/a.lua")
        return try await ToolRun(arguments, in: folder.path)
    }

    @Test(
        "are refused before anything is played, with what to write",
        arguments: [
            (["test", "--retries", "-1"], "--retries takes a number from 0 to 100, not -1"),
            (["test", "--repeat", "-1"], "--repeat takes a number from 1 to 10000, not -1"),
            (["test", "--max-failures", "-1"], "--max-failures takes a number from 1 on, not -1"),
            (["test", "--workers", "-1"], "--workers takes a number from 1 to 1024, not -1"),
            (["load", "Scenarios/a.lua", "--cores", "-1"], "--cores -1: a number from 1 to 1024"),
            (["load", "Scenarios/a.lua", "--find", "x", "--find-from", "-1"], "--find-from -1 to --find-to 10000:"),
            (["load", "Scenarios/a.lua", "--find", "x", "--find-to", "-1"], "--find-from 10 to --find-to -1:"),
            (["serve", "--port", "-1"], "--port takes a number from 0 to 65535, not -1"),
            (["serve", "--seed", "-1"], "write a whole number from 0 to 18446744073709551615"),
            (["load", "Scenarios/a.lua", "--rendezvous-leader", "-1"], "--rendezvous-leader goes with --rendezvous"),
            (["test", "--fault", "cut@0"], "write a fault and its point, such as cut@12"),
            (["test", "--fault", "snip@1"], "write a fault and its point, such as cut@12"),
            (["test", "--shard", "1/1000000", "--seed", "1"], "--shard 1/1000000: a run has from 1 to 10000 shards"),
            (["test", "--shard", "1/0", "--seed", "1"], "--shard 1/0: a run has from 1 to 10000 shards"),
            (["test", "--shard", "3/2", "--seed", "1"], "--shard 3/2: there are shards 1/2 to 2/2"),
            (["test", "--run-timeout", "1000000h"], "or a number of seconds; at most 100 years"),
            (["test", "--ui", "--step", "--clock", "real"], "--step holds scenarios in virtual time"),
            (["test", "--ui", "--step", "--target", "http://127.0.0.1:9"], "leave out --target or --step"),
            (["load", "Scenarios/a.lua", "--prometheus", "99999"], "write a file, or a port from 0 to 65535"),
            (["load", "Scenarios/a.lua", "--prometheus", "80x"], "needs its folder, as in ./80x"),
            (["load", "Scenarios/a.lua", "--prometheus", "127.0.0.1"], "needs its folder, as in ./127.0.0.1"),
            (["load", "Scenarios/a.lua", "--prometheus", "localhost:80x"], "needs its folder, as in ./localhost:80x"),
            (["load", "Scenarios/a.lua", "--otlp", "ftp://x"], "write a file, the URL of a collector"),
            (["load", "Scenarios/a.lua", "--otlp-header", "x"], "write the name of a header and its value, such as"),
        ])
    func refused(arguments: [String], message: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await self.run(arguments, in: folder)
        #expect(run.status == .usage && run.output.isEmpty, "\(run.output)\(run.error)")
        #expect(run.error.contains(message) && !run.error.contains("Missing value"), "\(run.error)")
        #expect(!run.reports.has("run.jsonl") && !folder.has("Reports/load.json"))
    }

    @Test("A format of --list may follow behind =, as values of other options do")
    func listFormat() async throws {
        let folder = try TemporaryFolder()
        let list = try await self.run(["test", "--list=json"], in: folder)
        #expect(list.status == .success && list.output.hasPrefix("{\"scenarios\":["), "\(list.output)\(list.error)")
        #expect(try await self.run(["test", "--list", "json"], in: folder).output == list.output)
        #expect(try await self.run(["test", "--list=text"], in: folder).output.hasPrefix("Scenarios/a.lua:1  a"))
        #expect(try await self.run(["test", "--list=xml"], in: folder).status == .usage)
    }

    @Test("Where nothing that failed fits the other options, that is said and not that nothing fits them")
    func lastFailedAmongOthers() async throws {
        let folder = try TemporaryFolder()
        let reports = ["--reports", folder.path + "/r"]
        #expect(try await self.run(["test"] + reports, in: folder).status == .failed)
        let none = try await self.run(["test", "--last-failed", "--filter", "a"] + reports, in: folder)
        #expect(none.status == .nothingToRun)
        let message = "none of 2 scenarios fits --filter and failed the last time it was played"
        #expect(none.error.contains(message), "\(none.error)")
    }
}
