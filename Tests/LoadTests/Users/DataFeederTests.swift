import JSON
import Machines
import RunRecord
import Testing

@testable import Load

@Suite("A feeder of data rows")
struct DataFeederTests {
    private func feeder(_ order: DataFeeder.Order, rows: Int = 10, users: Int = 6, seed: UInt64 = 1) -> DataFeeder {
        DataFeeder(order, rows: rows, users: users, seed: seed, name: "accounts")
    }

    @Test("deals each row once, then none, if rows are unique")
    func unique() {
        let feeder = self.feeder(.unique)
        let rows = (0..<2).flatMap { draw in (0..<6).map { feeder.row(user: $0, draw: draw) } }
        #expect(rows == Array(0..<10) + [nil, nil])
    }

    @Test("deals rows in a circle")
    func circular() {
        let feeder = self.feeder(.circular)
        #expect((0..<6).map { feeder.row(user: $0, draw: 1) } == [6, 7, 8, 9, 0, 1])
    }

    @Test("gives each user a row of its own for all of its iterations")
    func perUser() {
        let feeder = self.feeder(.perUser, rows: 5)
        for draw in 0..<3 { #expect((0..<6).map { feeder.row(user: $0, draw: draw) } == [0, 1, 2, 3, 4, nil]) }
    }

    @Test("deals by turns, whoever takes them, but for a row that each user has of its own")
    func turns() {
        #expect((0..<6).map { self.feeder(.circular).row(user: 5, inTurnOf: $0, draw: 1) } == [6, 7, 8, 9, 0, 1])
        #expect((0..<6).map { self.feeder(.perUser).row(user: 5, inTurnOf: $0, draw: 1) } == [5, 5, 5, 5, 5, 5])
        for other in [-1, 6] { #expect(self.feeder(.circular).row(user: 5, inTurnOf: other) == nil) }
    }

    @Test(
        "deals each row once where there are as many as starts, whatever starts users",
        arguments: [
            ["executor": "per_vu_iterations", "users": 3, "iterations": 4],
            ["executor": "shared_iterations", "users": 3, "iterations": 12],
            ["executor": "constant_arrival_rate", "rate": 12, "duration": "1s"],
            ["executor": "arrivals", "at": [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]],
        ] as [JSONValue])
    func everyStart(table: JSONValue) throws {
        let plan = try LoadPlan(LoadShape(table), seed: 1)
        // One of them is quick, and takes most of what is shared.
        let run = PlayedRun(plan) { user, _ in .milliseconds(user == 1 ? 10 : 100) }
        let feeder = self.feeder(.unique, rows: 12, users: plan.userCount)
        let rows = run.starts.compactMap { start in
            let turn = plan.workloads[0].turn(of: start)
            return feeder.row(user: start.user, inTurnOf: turn.user, draw: turn.draw)
        }
        #expect(rows.sorted() == Array(0..<12))
    }

    @Test("shuffles by the seed, each row once a round", arguments: [1, 2, 3, 10, 97, 256, 1000])
    func shuffle(rows: Int) {
        let feeder = self.feeder(.shuffle, rows: rows, users: rows)
        let first = (0..<rows).compactMap { feeder.row(user: $0, draw: 0) }
        let second = (0..<rows).compactMap { feeder.row(user: $0, draw: 1) }
        #expect(Set(first) == Set(0..<rows))
        #expect(Set(second) == Set(0..<rows))
        if rows >= 10 {
            #expect(first != second)
            #expect(first != Array(0..<rows))
            let other = self.feeder(.shuffle, rows: rows, users: rows, seed: 2)
            #expect(first != (0..<rows).compactMap { other.row(user: $0) })
        }
    }

    @Test("draws any row by chance, as often as any other")
    func random() {
        let feeder = self.feeder(.random, rows: 10, users: 10_000)
        var counts = [Int](repeating: 0, count: 10)
        for user in 0..<10_000 { counts[feeder.row(user: user) ?? 0] += 1 }
        #expect(counts.allSatisfy { (850...1150).contains($0) })
        // Shards that were built with other releases of Swift deal the same rows.
        #expect((0..<12).map { feeder.row(user: $0) } == [6, 0, 4, 9, 3, 4, 4, 2, 8, 7, 7, 9])
    }

    @Test("gives nothing to nobody", arguments: DataFeeder.Order.allCases)
    func bounds(order: DataFeeder.Order) {
        #expect(self.feeder(order, rows: 0).row(user: 0) == nil)
        for (user, draw) in [(-1, 0), (6, 0), (0, -1), (0, .max), (.max, .max)] {
            #expect(self.feeder(order).row(user: user, draw: draw) == nil)
        }
    }
}
