import JSON
import Metrics
import RunRecord
import Testing

@testable import Load

@Suite("The cores of a shard together")
struct CoreShardTests {
    @Test("own the shard's users, each once", arguments: 0..<40 as Range<UInt64>)
    func users(seed: UInt64) throws {
        var maker = RandomShape(seed: seed)
        let shape = try LoadShape(maker.table())
        let (count, cores) = (Int.random(in: 1...3, using: &maker.random), Int.random(in: 2...4, using: &maker.random))
        for index in 1...count {
            let plan = try LoadPlan(shape, seed: seed, shard: Shard(index: index, count: count))
            let shards = try (1...cores).map { try plan.part(ofCore: $0, of: cores) }
            for user in 0..<plan.userCount {
                let owners = shards.filter { $0.owns(user: user) }.count
                #expect(owners == (plan.owns(user: user) ? 1 : 0), "user \(user) of \(plan.shard)")
            }
            for number in 0..<50 {
                #expect(shards.reduce(0) { $0 + $1.shard.share(of: number) } == plan.shard.share(of: number))
            }
        }
    }

    @Test("are called what people call them")
    func names() {
        func names(_ shards: Int, _ cores: Int) -> [String?] {
            let identity = RunIdentity(
                runID: "r", seed: 1, planHash: "", title: "", shardCount: shards, cores: cores)
            return (1...shards).map { identity.name(ofShard: $0) }
        }
        #expect(names(1, 1) == [nil])
        #expect(names(2, 2) == ["core 1/2", "core 2/2"])
        #expect(names(2, 1) == ["shard 1/2", "shard 2/2"])
        // The number that a core's part has is the one that it plays.
        #expect(
            names(4, 2) == ["shard 1/2 core 1/2", "shard 2/2 core 1/2", "shard 1/2 core 2/2", "shard 2/2 core 2/2"])
        #expect(Shard(index: 2, count: 2).part(ofCore: 1, of: 2) == Shard(index: 2, count: 4))
        #expect(Shard(index: 1, count: 2).part(ofCore: 2, of: 2) == Shard(index: 3, count: 4))
    }

    @Test("are as many as the users are worth, and leave half of the machine to a server on it")
    func number() throws {
        func number(_ users: Int, _ processors: Int, sharesMachine: Bool = false) throws -> Int {
            let shape = try LoadShape(["executor": "constant_vus", "users": .integer(Int64(users)), "duration": "1s"])
            return CoreCount(processors: processors, sharesMachine: sharesMachine)
                .number(for: try LoadPlan(shape, seed: 1))
        }
        #expect(try number(10, 8) == 1)
        #expect(try number(100, 8) == 2)
        #expect(try number(1000, 8) == 8)
        #expect(try number(1000, 8, sharesMachine: true) == 4)
        #expect(try number(1000, 1, sharesMachine: true) == 1)
    }

    @Test("are no more than a workload of few users can be dealt to")
    func fewUsers() throws {
        let shape = try LoadShape([
            "executor": "constant_arrival_rate", "rate": "100/s", "duration": "10s", "max_users": 3,
        ])
        let plan = try LoadPlan(shape, seed: 1)
        #expect(CoreCount(processors: 8, sharesMachine: false).number(for: plan) == 3)
        #expect(throws: ShapeError.self) { try plan.part(ofCore: 1, of: 4) }
    }
}
