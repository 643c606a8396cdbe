import Foundation
import Metrics
import Testing

@Suite(
    "Parts of a load run that meet", .waitsForProcesses,
    .enabled(if: Product.program != nil, "the program is not built"))
struct RendezvousCommandTests {
    private static let script = """
        workload { executor = "constant_vus", users = 6, duration = "1s", think_time = "100ms" }
        scenario("thinks", function(t) think() metric.count "thoughts" end)
        """

    /// A loopback port that nobody has.
    private static func freePort() throws -> Int {
        let server = try RawServer(.hangsUp)
        server.close()
        return server.port
    }

    /// Starts shards of a run as processes of their own and waits for all of them.
    ///
    /// - Parameters:
    ///   - shards: Which one each is, and its further options.
    ///   - port: Where they meet; nil for a folder.
    private static func play(
        _ shards: [(shard: String, options: [String])], wait: String, at port: Int?, in folder: TemporaryFolder
    ) throws -> [(code: Int32, output: String)] {
        try folder.write(Self.script, to: "load.lua")
        let processes = try shards.enumerated().map { place, one in
            try ToolProcess(
                ["load", "load.lua", "--clock", "virtual", "--shard", one.shard]
                    + ["--rendezvous", port.map { "tcp://127.0.0.1:\($0)" } ?? "meeting"]
                    + (one.options.contains("--rendezvous-timeout") ? [] : ["--rendezvous-timeout", wait])
                    + ["--reports", "shard-\(place)"]
                    + (one.options.contains("--run") ? [] : ["--run", "night"])
                    + (one.options.contains("--seed") ? [] : ["--seed", "7"]) + one.options, in: folder.path)
        }
        return processes.map { $0.end() }
    }

    @Test("agree on one instant, whichever of them is the leader", arguments: [nil, "3"])
    func agree(leader: String?) throws {
        let folder = try TemporaryFolder()
        let options = leader.map { ["--rendezvous-leader", $0] } ?? []
        let ends = try Self.play(
            ["3/3", "1/3", "2/3"].map { ($0, options) }, wait: "30s", at: try Self.freePort(), in: folder)
        for end in ends { #expect(end.code == 0, "\(end.output)") }
        let results = try [(0, 3), (1, 1), (2, 2)].map { place, shard in
            try LoadResult(try folder.data("shard-\(place)/load-\(shard).json"))
        }
        let whole = try results.dropFirst().reduce(results[0]) { try $0.merging($1) }
        #expect(try whole.totals().measurements.metric(named: "thoughts") != nil)
    }

    @Test(
        "refuse who is not of the run, and name who is missing then",
        arguments: [
            (("2/2", ["--run", "day"]), "this is the run night, not day", "not ready in time: 2/2"),
            (("2/3", []), "this run has 2 shards, not 3", "not ready in time: 2/2"),
            (("2/2", ["--seed", "8"]), "has another load shape, rows or seed", "not ready in time: 2/2"),
        ] as [((shard: String, options: [String]), String, String)])
    func refuse(wrong: (shard: String, options: [String]), reason: String, missing: String) throws {
        // The wrong one begins first and is patient, for the leader does not wait for long.
        let ends = try Self.play(
            [(wrong.shard, wrong.options + ["--rendezvous-timeout", "60s"]), ("1/2", [])], wait: "3s",
            at: try Self.freePort(), in: try TemporaryFolder())
        #expect(ends[0].code == 4)
        #expect(ends[0].output.contains("does not start the run: "), "\(ends[0].output)")
        #expect(ends[0].output.contains(reason), "\(ends[0].output)")
        #expect(ends[1].code == 4)
        #expect(ends[1].output.contains(missing), "\(ends[1].output)")
    }

    @Test("refuse a shard that is there twice; the run goes on without the second one", arguments: [true, false])
    func double(isInFolder: Bool) throws {
        let ends = try Self.play(
            [("1/2", []), ("2/2", []), ("2/2", [])], wait: "30s", at: isInFolder ? nil : try Self.freePort(),
            in: try TemporaryFolder())
        #expect(ends[0].code == 0, "\(ends[0].output)")
        let twins = [ends[1], ends[2]].sorted { $0.code < $1.code }
        #expect(twins.map(\.code) == [0, 4])
        // The second one comes before the start or after it.
        let isRefused = ["comes too late", "is there twice", "nothing listens"].contains {
            twins[1].output.contains($0)
        }
        #expect(isRefused, "\(twins[1].output)")
    }

    @Test("wait in vain for a leader that is not there, and say so")
    func noHost() throws {
        let ends = try Self.play([("2/2", [])], wait: "1s", at: try Self.freePort(), in: try TemporaryFolder())
        #expect(ends[0].code == 4)
        #expect(ends[0].output.contains("waited in vain for the word of shard 1"), "\(ends[0].output)")
        #expect(ends[0].output.contains("nothing listens on 127.0.0.1"), "\(ends[0].output)")
    }

    @Test("a leader whose port is taken says so")
    func takenPort() throws {
        let server = try RawServer(.isSilent)
        defer { server.close() }
        let ends = try Self.play([("1/2", [])], wait: "5s", at: server.port, in: try TemporaryFolder())
        #expect(ends[0].code == 4)
        #expect(ends[0].output.contains("another program has the port"), "\(ends[0].output)")
    }

    @Test("an interrupted leader tells the others")
    func interrupted() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "load.lua")
        let port = try Self.freePort()
        let shards = try [("1/3", "leader"), ("2/3", "member"), ("2/3", "twin")].map { shard, reports in
            try ToolProcess(
                ["load", "load.lua", "--clock", "virtual", "--shard", shard, "--run", "r", "--seed", "1"]
                    + ["--rendezvous", "tcp://127.0.0.1:\(port)", "--reports", reports], in: folder.path)
        }
        // One of the two that are the same shard is refused: then the leader knows the other.
        while shards.allSatisfy(\.isRunning) { usleep(10_000) }
        #expect(shards[0].isRunning)
        shards[0].send(SIGINT)
        let ends = shards.map { $0.end() }
        #expect(ends[0].code == 130, "\(ends[0].output)")
        let twins = ends[1...]
        #expect(twins.map(\.code) == [4, 4])
        for reason in ["shard 2/3 is there twice", "shard 1/3 was interrupted"] {
            #expect(twins.count { $0.output.contains(reason) } == 1, "\(reason): \(twins.map(\.output))")
        }
    }
}
