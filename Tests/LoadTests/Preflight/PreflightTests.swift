import JSON
import RunRecord
import Testing

@testable import Load

@Suite("The preflight of a run")
struct PreflightTests {
    private let machine = MachineFacts(
        descriptors: .init(soft: 20_000, hard: 20_000), openDescriptors: 10, ports: 32_768...60_999, memory: 4 << 30,
        isLoopback: true)

    private func plan(users: Int, rooms: JSONValue? = nil, shard: Shard = .whole) throws -> LoadPlan {
        var table: [(String, JSONValue)] = [
            ("executor", "constant_vus"), ("users", .integer(Int64(users))), ("duration", "1m"),
        ]
        if let rooms { table.append(("rooms", rooms)) }
        return try LoadPlan(shape(.object(JSONObject(table))), seed: 1, shard: shard)
    }

    @Test("lets a run begin that fits the machine")
    func fits() throws {
        let preflight = Preflight(
            try self.plan(users: 10_000, rooms: ["size": 11]), profile: UserProfile(messagesPerSecond: 0.5),
            machine: self.machine)
        #expect(!preflight.isRefused)
        #expect(preflight.proposals.isEmpty)
        #expect(preflight.connections == 10_000)
        #expect(preflight.connectionsPerSource == 14_116)
        #expect(preflight.sources == 1)
        #expect(preflight.descriptors == 10_074)
        #expect(preflight.messagesSent == 5000)
        #expect(preflight.messagesDelivered == 50_000)
        #expect(
            preflight.lines == [
                "10,000 users at once, 10,000 connections from 1 source address, 10,074 descriptors, 221 MiB of memory",
                "5000 messages per second sent, 50000 delivered",
            ])
    }

    @Test("raises the limit of open files where it may")
    func raise() throws {
        var machine = self.machine
        machine.descriptors = .init(soft: 1024, hard: 100_000)
        let preflight = Preflight(try self.plan(users: 2000), profile: UserProfile(), machine: machine)
        #expect(preflight.proposals == [.raiseDescriptors(to: 2074)])
        #expect(!preflight.isRefused)
    }

    @Test("refuses what cannot be, with all that would help")
    func refused() throws {
        let preflight = Preflight(
            try self.plan(users: 50_000), profile: UserProfile(memory: 200_000), machine: self.machine)
        #expect(preflight.isRefused)
        #expect(
            preflight.proposals == [
                .raiseHardDescriptors(to: 50_074, from: 20_000),
                .addSources(count: 4, suggestion: ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]),
                .addMemory(needed: 50_000 * 200_000 + (64 << 20), free: 4 << 30),
                .addShards(count: 4),
            ])
        #expect(preflight.lines.count == 6 && preflight.linesOfOneMachine == preflight.lines.dropLast())
        // Four such shards do fit.
        let shards = try (1...4).map {
            Preflight(
                try self.plan(users: 50_000, shard: Shard(index: $0, count: 4)), profile: UserProfile(memory: 200_000),
                machine: self.machine)
        }
        #expect(shards.allSatisfy { !$0.isRefused })
        #expect(shards.reduce(0) { $0 + $1.users } == 50_000)
    }

    @Test("counts several connections of a user")
    func connections() throws {
        let profile = UserProfile(connections: 2)
        #expect(Preflight(try self.plan(users: 7000), profile: profile, machine: self.machine).sources == 1)
        #expect(Preflight(try self.plan(users: 7100), profile: profile, machine: self.machine).sources == 2)
    }

    @Test("expects as many arrivals at once as their rate and stay make, up to their limit")
    func arrivals() throws {
        let table: JSONValue = ["executor": "constant_arrival_rate", "rate": 100, "duration": "5m", "max_users": 3000]
        let plan = try LoadPlan(shape(table), seed: 1)
        func users(_ stay: Duration?) -> Int {
            Preflight(plan, profile: UserProfile(stay: stay), machine: self.machine).users
        }
        #expect(users(.seconds(10)) == 1001)
        #expect(users(.seconds(100)) == 3000)
        #expect(users(nil) == 3000)
    }

    @Test("reckons what arrivals send from their rate, however many users may be there at once")
    func messagesOfArrivals() throws {
        func line(
            _ maxUsers: Int = 10_000, stay: Duration? = .milliseconds(100), shard: Shard = .whole
        ) throws -> String? {
            let table: JSONValue = [
                "executor": "constant_arrival_rate", "rate": 40, "duration": "4s", "distribution": "poisson",
                "max_users": .integer(Int64(maxUsers)), "rooms": ["size": 4],
            ]
            // One who stays 100 ms and sends once sends ten times a second.
            return Preflight(
                try LoadPlan(shape(table), seed: 1, shard: shard),
                profile: UserProfile(messagesPerSecond: 10, messagesPerIteration: 1, stay: stay), machine: self.machine
            ).lines.last
        }
        #expect(try line() == "40 messages per second sent, 120 delivered")
        #expect(try line(stay: .zero)?.hasPrefix("40 messages per second sent") == true)
        #expect(try line(stay: nil) == "40 messages per second sent, 120 delivered")
        #expect(try line(shard: Shard(index: 2, count: 4)) == "10 messages per second sent, 30 delivered")
        // No more begin than users come back for.
        #expect(try line(4, stay: .seconds(1)) == "4.0 messages per second sent, 12 delivered")
    }

    @Test("does not add up workloads that follow one another")
    func overlap() throws {
        let plan = try LoadPlan(
            shape([
                "graceful_stop": "0s",
                "workloads": [
                    ["executor": "constant_vus", "users": 100, "duration": "1m"],
                    ["executor": "constant_vus", "users": 70, "duration": "1m", "start_after": "1m"],
                    ["executor": "constant_vus", "users": 10, "duration": "10s", "start_after": "70s"],
                ],
            ]), seed: 1)
        let preflight = Preflight(plan, profile: UserProfile(messagesPerSecond: 1), machine: self.machine)
        #expect(preflight.users == 100)
        #expect(preflight.messagesSent == 100 && preflight.messagesDelivered == 100)
    }

    @Test("reckons with odd figures too")
    func odd() throws {
        let machine = MachineFacts(descriptors: .init(soft: 0, hard: 0), openDescriptors: 0, ports: 1...1, memory: 0)
        for value in [Double.infinity, -.infinity, .nan, 1e300, -1] {
            let preflight = Preflight(
                try self.plan(users: 10),
                profile: UserProfile(connections: value, messagesPerSecond: value, memory: .max), machine: machine)
            #expect(preflight.isRefused)
            #expect(!preflight.lines.isEmpty)
        }
    }
}
