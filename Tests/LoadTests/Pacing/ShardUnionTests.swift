import JSON
import Machines
import RunRecord
import Testing

@testable import Load

@Suite("The shards of a run together")
struct ShardUnionTests {
    @Test("start the users of the one run, at its instants", arguments: 0..<60 as Range<UInt64>)
    func union(seed: UInt64) throws {
        var maker = RandomShape(seed: seed)
        let shape = try LoadShape(maker.table())
        let count = Int.random(in: 2...7, using: &maker.random)
        let whole = PlayedRun(try LoadPlan(shape, seed: seed), length: someLength)
        var union: [PacingAction.Start] = []
        var accounts = PacingAccount()
        for index in 1...count {
            let shard = PlayedRun(
                try LoadPlan(shape, seed: seed, shard: Shard(index: index, count: count)), length: someLength)
            union += shard.starts
            accounts += shard.account
            #expect(shard.isFinished)
        }
        // Who of a shard takes which shared iteration depends on who is free; that each is taken once does not.
        let plan = try LoadPlan(shape, seed: seed)
        func isShared(_ start: PacingAction.Start) -> Bool {
            guard let user = plan.user(start.user) else { return false }
            if case .sharedIterations = shape.workloads[user.workload].executor { return true }
            return false
        }
        #expect(Set(union.filter { !isShared($0) }) == Set(whole.starts.filter { !isShared($0) }))
        #expect(union.filter { !isShared($0) }.count == Set(union.filter { !isShared($0) }).count)
        let shared = union.filter(isShared)
        #expect(Set(shared.map { [$0.iteration, plan.user($0.user)?.workload ?? -1] }).count == shared.count)
        if shared.isEmpty {
            #expect(accounts == whole.account)
        } else {
            #expect(accounts.planned == whole.account.planned)
        }
    }

    @Test("plan each arrival once, at period × number", arguments: [1, 2, 3, 4, 8])
    func global(count: Int) throws {
        let shape = try LoadShape(["executor": "constant_arrival_rate", "rate": "50/s", "duration": "10s"])
        var instants: [Int: Instant] = [:]
        for index in 1...count {
            let run = PlayedRun(
                try LoadPlan(shape, seed: 1, shard: Shard(index: index, count: count)), length: someLength)
            for start in run.starts { #expect(instants.updateValue(start.intended, forKey: start.user) == nil) }
        }
        #expect(instants.count == 500)
        #expect(instants.allSatisfy { $0.value.nanoseconds == Int64($0.key) * 20_000_000 })
    }
}
