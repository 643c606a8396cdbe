import JSON
import RunRecord
import Testing

@testable import Load

@Suite("The users of a workload")
struct UserPlacementTests {
    @Test("are dealt to exactly one shard each, and rooms stay whole if asked", arguments: ["room", "spread", "mixed"])
    func placement(placement: String) throws {
        let table: JSONValue = [
            "executor": "constant_vus", "users": 1000, "duration": "1m",
            "rooms": ["size": 10, "placement": .string(placement)],
        ]
        let plans = try (1...4).map { try LoadPlan(shape(table), seed: 3, shard: Shard(index: $0, count: 4)) }
        let owners = (0..<1000).map { user in plans.filter { $0.owns(user: user) }.map(\.shard.index) }
        #expect(owners.allSatisfy { $0.count == 1 })
        let whole = (0..<100).filter { Set(owners[($0 * 10)..<($0 * 10 + 10)]).count == 1 }.count
        switch placement {
        case "room": #expect(whole == 100)
        case "spread": #expect(whole == 0)
        default: #expect((30...70).contains(whole))
        }
        for index in 1...4 { #expect((150...350).contains(owners.filter { $0 == [index] }.count)) }
    }

    @Test("go by their number in the run, or by that of their room")
    func rule() throws {
        func places(_ rooms: JSONValue?) throws -> [Int] {
            var table: JSONObject = ["executor": "constant_vus", "users": 8, "duration": "1m"]
            if let rooms { table["rooms"] = rooms }
            let shape = try LoadShape([
                "workloads": [["executor": "constant_vus", "users": 1, "duration": "1m"], .object(table)]
            ])
            let placement = try LoadPlan(shape, seed: 1).workloads[1].placement
            #expect((0..<8).allSatisfy { placement.place(ofMember: $0, shards: 1) == 0 })
            return (0..<8).map { placement.place(ofMember: $0, shards: 3) }
        }
        #expect(try places(nil) == [1, 2, 0, 1, 2, 0, 1, 2])
        #expect(try places(["size": 2, "placement": "spread"]) == [1, 2, 0, 1, 2, 0, 1, 2])
        #expect(try places(["size": 2, "placement": "room"]) == [0, 0, 1, 1, 2, 2, 0, 0])
        #expect(try places(["count": 4, "placement": "room"]) == [0, 1, 2, 0, 0, 1, 2, 0])
    }

    @Test("have counts that add up, and none that shrinks when there are more", arguments: [1, 2, 3, 7, 64])
    func shares(count: Int) {
        let shards = (1...count).map { Shard(index: $0, count: count) }
        var before = [Int](repeating: 0, count: count)
        for number in 0..<300 {
            let shares = shards.map { $0.share(of: number) }
            #expect(shares.reduce(0, +) == number)
            #expect(zip(before, shares).allSatisfy { $0 <= $1 })
            #expect((shares.max() ?? 0) - (shares.min() ?? 0) <= 1)
            before = shares
        }
    }
}
