import JSON
import Machines
import Testing
import Transport

@testable import Scenario

@Suite("A number of bytes as scripts write it")
struct ByteSizeTests {
    @Test(
        "is a number with a unit",
        arguments: [
            ("0B", 0), ("512B", 512), ("64KB", 64_000), ("64kB", 64_000), ("2KiB", 2048), ("1MB", 1_000_000),
            ("1.5MB", 1_500_000), ("1MiB", 1_048_576), ("2GB", 2_000_000_000), ("256kbit", 32_000), ("1Mbit", 125_000),
            ("0.5B", 1), ("0.4B", 0), (".5KB", 500), ("1e3B", 1000), ("1000000GB", 1_000_000_000_000_000),
        ])
    func sizes(text: String, bytes: Int) {
        #expect(ByteSize(text)?.bytes == bytes)
    }

    @Test(
        "and nothing else",
        arguments: [
            "", "B", "KB", "1", "1 KB", "1KB ", " 1KB", "-1KB", "1kb", "1TB", "1bit", "oneKB", "1,5MB", "nanB", "infB",
            "1e400B", "1000001GB", "1KBs", "KB1", "--1B",
        ])
    func others(text: String) {
        #expect(ByteSize(text) == nil, "\(text)")
    }
}

@Suite("What a script says about the network")
struct NetworkConditionsTests {
    private static func read(_ table: JSONObject) throws(UsageError) -> NetworkConditions {
        try NetworkConditions(checking: table, of: "t:network")
    }

    private static func mistake(_ table: JSONObject) -> String? {
        do throws(UsageError) {
            _ = try Self.read(table)
            return nil
        } catch { return error.message }
    }

    @Test("nothing said is a network without faults")
    func healthy() throws {
        let conditions = try Self.read([:])
        #expect(conditions.plan.isHealthy && !conditions.cutsOpenConnections && conditions.endingSide == nil)
        #expect(conditions.description == "")
        for harmless in [["loss": 0], ["cut": false], ["stall": false], ["refuse": false], ["latency": 0]]
            as [JSONObject]
        {
            #expect(try Self.read(harmless).plan.isHealthy, "\(harmless)")
        }
    }

    @Test("what is said holds for both directions")
    func directions() throws {
        let conditions = try Self.read([
            "latency": "50ms", "jitter": "10ms", "loss": 0.25, "bandwidth": "64KB/s", "pieces": 3, "corrupt": 0.5,
            "cut": "2KB", "stall": "1KB", "half_close": "server",
        ])
        for direction in [conditions.plan.outgoing, conditions.plan.incoming] {
            #expect(direction.delay == .milliseconds(50) && direction.jitter == .milliseconds(10))
            #expect(direction.loss == 0.25 && direction.bytesPerSecond == 64_000 && direction.longestPiece == 3)
            #expect(direction.corruption == 0.5 && direction.dropAfter == 2000 && direction.stallAfter == 1000)
        }
        #expect(conditions.endingSide == .server && !conditions.cutsOpenConnections)
    }

    @Test("what happens now is told from what happens after so many bytes")
    func now() throws {
        let cut = try Self.read(["cut": true])
        #expect(cut.cutsOpenConnections && cut.plan.isHealthy)
        #expect(try Self.read(["stall": true]).plan.incoming.stallAfter == 0)
        #expect(try Self.read(["cut": 100]).plan.outgoing.dropAfter == 100)
        #expect(try Self.read(["stall": 0]).plan.outgoing.stallAfter == 0)
    }

    @Test("to refuse is a matter of chance, or of course")
    func refusal() throws {
        #expect(try Self.read(["refuse": true]).plan.refusal == 1)
        #expect(try Self.read(["refuse": 0.3]).plan.refusal == 0.3)
        #expect(try Self.read(["refuse": 1]).plan.refusal == 1)
    }

    @Test("names are resolved late or not at all")
    func resolution() throws {
        #expect(try Self.read(["dns": "fail"]).plan.resolution == .failing)
        #expect(try Self.read(["dns": "2s"]).plan.resolution == .slow(.seconds(2)))
        #expect(try Self.read(["dns": 2]).plan.resolution == .slow(.seconds(2)))
    }

    @Test(
        "what cannot be meant is refused with the member and with what it takes",
        arguments: [
            (["loss": 1.5], "loss is a chance from 0 to 1, such as 0.01, not 1.5"),
            (["loss": -0.1], "loss is a chance"),
            (["loss": "10%"], "loss is a number"), (["corrupt": 2], "corrupt is a chance from 0 to 1"),
            (["latency": "fast"], "latency is a duration"), (["latency": -1], "latency is a duration"),
            (["jitter": true], "jitter is a duration"), (["pieces": 0], "pieces is at least 1, not 0"),
            (["pieces": -3], "pieces is at least 1"), (["pieces": 1_000_001], "pieces is at least 1"),
            (["pieces": 1.5], "pieces is an integer"), (["bandwidth": 64_000], "bandwidth is a string"),
            (
                ["bandwidth": "64KB"],
                "bandwidth is a rate such as \"64KB/s\", \"1.5MB/s\" or \"256kbit/s\", not \"64KB\""
            ),
            (["bandwidth": "0KB/s"], "bandwidth is a rate"), (["bandwidth": "/s"], "bandwidth is a rate"),
            (["bandwidth": "-1KB/s"], "bandwidth is a rate"),
            (["cut": "soon"], "cut is true or a size such as \"2KB\""),
            (["cut": -1], "cut is true or a size"), (["cut": "-1KB"], "cut is true or a size"),
            (["stall": []], "stall is true or a size"), (["stall": 1.5], "stall is true or a size"),
            (["refuse": 2], "refuse is true or a chance from 0 to 1"),
            (["refuse": "yes"], "refuse is true or a chance"),
            (["dns": "never"], "dns is \"fail\" or a duration such as \"2s\", not \"never\""),
            (["dns": true], "dns is \"fail\" or a duration"),
            (["half_close": "both"], "half_close is one of \"client\", \"server\", not \"both\""),
        ] as [(JSONObject, String)])
    func mistakes(table: JSONObject, text: String) throws {
        let mistake = try #require(Self.mistake(table), "\(table)")
        #expect(mistake.hasPrefix("t:network: " + text), "\(mistake)")
    }

    @Test("a misspelt member is refused with the one that was meant")
    func misspelt() throws {
        for parameter in NetworkConditions.parameters where parameter.name.count > 3 {
            var name = Array(parameter.name)
            name.swapAt(1, 2)
            let mistake = try #require(Self.mistake([String(name): 0]), "\(String(name))")
            #expect(mistake == "t:network has no option \"\(String(name))\"; did you mean \"\(parameter.name)\"?")
        }
    }

    @Test("reports have the conditions as the script wrote them, in one order")
    func description() throws {
        #expect(try Self.read(["loss": 0.01, "latency": "50ms"]).description == "latency=50ms loss=0.01")
    }
}

@Suite("The network of a play")
struct ExecutionNetworkTests {
    private let clock = ManualClock()

    private func network(_ conditions: JSONObject = [:]) throws -> ExecutionNetwork {
        ExecutionNetwork(
            base: MemoryNetwork(scheduler: self.clock), scheduler: self.clock, seed: 1,
            conditions: try NetworkConditions(checking: conditions, of: "target"), injector: nil)
    }

    private func change(_ network: ExecutionNetwork, _ table: JSONObject, of client: String? = nil) throws {
        network.change(to: try NetworkConditions(checking: table, of: "t:network"), of: client, at: self.clock.now)
    }

    private func plan(_ network: any Network) throws -> FaultPlan { try #require(network as? FaultyNetwork).plan }

    @Test("a client is on it from when it has a link")
    func links() throws {
        let network = try self.network()
        #expect(!network.has("Ada"))
        _ = network.link(of: "Ada")
        #expect(network.has("Ada") && !network.has("Bob") && network.lines == [])
    }

    @Test("what is said of all holds for those that are there and those that come")
    func common() throws {
        let network = try self.network(["latency": "10ms"])
        #expect(network.lines == ["all clients  latency=10ms  since 0s"])
        let ada = network.link(of: "Ada")
        #expect(try self.plan(ada).incoming.delay == .milliseconds(10))
        self.clock.advance(by: .seconds(2))
        try self.change(network, ["latency": "20ms"])
        let bob = network.link(of: "Bob")
        #expect(try self.plan(ada).incoming.delay == .milliseconds(20))
        #expect(try self.plan(bob).incoming.delay == .milliseconds(20))
        #expect(network.lines == ["all clients  latency=20ms  since 2s"])
    }

    @Test("what is said of one client holds for it alone, until something is said of all")
    func own() throws {
        let network = try self.network()
        let (ada, bob) = (network.link(of: "Ada"), network.link(of: "Bob"))
        try self.change(network, ["loss": 0.5], of: "Ada")
        #expect(try self.plan(ada).incoming.loss == 0.5)
        #expect(try self.plan(bob).isHealthy)
        #expect(network.lines == ["Ada  loss=0.5  since 0s"])
        try self.change(network, ["pieces": 1])
        let plan = try self.plan(ada)
        #expect(plan.incoming.loss == 0 && plan.incoming.longestPiece == 1)
        #expect(network.lines == ["all clients  pieces=1  since 0s"])
    }

    @Test("a client that is healed while the others are not is told so, and one alone is not told at all")
    func healed() throws {
        let network = try self.network(["latency": "1s"])
        _ = network.link(of: "Ada")
        try self.change(network, [:], of: "Ada")
        #expect(network.lines == ["all clients  latency=1s  since 0s", "Ada  without faults  since 0s"])
        try self.change(network, [:])
        #expect(network.lines == [])
        try self.change(network, ["loss": 1], of: "Ada")
        try self.change(network, [:], of: "Ada")
        #expect(network.lines == [])
    }
}
