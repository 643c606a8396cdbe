import JSON
import Machines
import RunRecord
import Testing

@testable import Load

@Suite("The users of a run")
struct LoadPlanTests {
    private let desk: JSONValue = [
        "executor": "constant_vus", "users": 110, "duration": "1m",
        "roles": ["visitors": ["share": 10, "scenario": "asks"], "agents": 1], "rooms": ["size": 11],
    ]

    @Test("take roles in their shares from the first one on")
    func roles() throws {
        let plan = try LoadPlan(shape(self.desk), seed: 7)
        let users = (0..<110).compactMap { plan.user($0) }
        #expect(users.filter { $0.role == "agents" }.count == 10)
        #expect(users[0].role == "agents")
        #expect(users[1].scenario == "asks")
        for count in 1...110 {
            let agents = users.prefix(count).filter { $0.role == "agents" }.count
            #expect(abs(Double(agents) - Double(count) / 11) <= 1)
        }
    }

    @Test("have the rarest role first, whatever its name")
    func rarest() throws {
        let plan = try LoadPlan(
            shape([
                "executor": "constant_vus", "users": 7, "duration": "1m", "roles": ["asks": 4, "works": 2, "zaps": 1],
            ]), seed: 7)
        #expect((0..<7).map { plan.user($0)?.role } == ["zaps", "works", "asks", "asks", "works", "asks", "asks"])
    }

    @Test("have one agent in each room, as rooms are as large as the cycle of roles")
    func agents() throws {
        let plan = try LoadPlan(shape(self.desk), seed: 7)
        for number in 0..<10 {
            let roles = plan.users(inRoom: Room(name: "load", number: number)).map { plan.user($0)?.role }
            #expect(roles == ["agents"] + Array(repeating: "visitors", count: 10))
        }
    }

    @Test("know who is in their room, also of other workloads that share it")
    func rooms() throws {
        let plan = try LoadPlan(
            shape([
                "workloads": [
                    ["executor": "constant_vus", "users": 7, "duration": "1m", "rooms": ["count": 3, "name": "hall"]],
                    [
                        "executor": "constant_arrival_rate", "rate": 1, "duration": "4s",
                        "rooms": ["count": 3, "name": "hall"],
                    ],
                    ["executor": "constant_vus", "users": 7, "duration": "1m", "rooms": ["size": 3]],
                ]
            ]), seed: 3)
        #expect(plan.userCount == 18)
        #expect(plan.users(inRoom: Room(name: "hall", number: 0)) == [0, 3, 6, 7, 10])
        #expect(plan.users(inRoom: Room(name: "workload-3", number: 2)) == [17])
        #expect(plan.users(inRoom: Room(name: "workload-3", number: 3)) == [])
        #expect(plan.users(inRoom: Room(name: "hall", number: .max)) == [])
        for number in 0..<plan.userCount {
            let room = try #require(plan.user(number)?.room)
            #expect(plan.users(inRoom: room).contains(number))
            #expect(plan.userCount(inRoom: room) == plan.users(inRoom: room).count)
        }
        #expect(plan.userCount(inRoom: Room(name: "hall", number: 3)) == 0)
        #expect(plan.userCount(inRoom: Room(name: "workload-3", number: .max)) == 0)
        #expect(plan.userCount(inRoom: Room(name: "nowhere", number: -1)) == 0)
    }

    @Test("are the same in every process, and others with another seed")
    func identity() throws {
        let one = try LoadPlan(shape(self.desk), seed: 7, shard: Shard(index: 1, count: 3))
        let two = try LoadPlan(shape(self.desk), seed: 7, shard: Shard(index: 3, count: 3))
        let other = try LoadPlan(shape(self.desk), seed: 8)
        #expect((0..<110).allSatisfy { one.user($0) == two.user($0) })
        #expect(Set((0..<110).compactMap { one.user($0)?.token }).count == 110)
        #expect(one.user(5)?.token != other.user(5)?.token)
        #expect(one.user(5)?.name == "user-5")
        #expect(one.user(110) == nil)
        #expect(one.user(-1) == nil)
        var random = try #require(one.user(5)).random
        var again = try #require(two.user(5)).random
        #expect((0..<10).allSatisfy { _ in random.next() == again.next() })
    }

    @Test("are refused to more shards than a limit of theirs allows")
    func tooManyShards() throws {
        let table: JSONValue = ["executor": "constant_arrival_rate", "rate": 10, "duration": "10s", "max_users": 3]
        #expect(throws: ShapeError.self) { try LoadPlan(shape(table), seed: 1, shard: Shard(index: 1, count: 4)) }
        #expect(throws: ShapeError.self) { try LoadPlan(shape(table), seed: 1, shard: Shard(index: 3, count: 2)) }
        #expect(throws: Never.self) { try LoadPlan(shape(table), seed: 1, shard: Shard(index: 3, count: 3)) }
    }
}
