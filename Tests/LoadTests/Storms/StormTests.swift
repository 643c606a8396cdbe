import JSON
import Machines
import Metrics
import Scenario
import Testing

@testable import Load

@Suite("A storm")
struct StormTests {
    private func problems(_ storms: JSONValue) -> [String] {
        do throws(ShapeError) {
            _ = try Storm.list(in: ["storms": storms], over: [:])
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("is read with what it does, over the network that all users have")
    func reading() throws {
        let storms = try Storm.list(
            in: [
                "storms": [
                    ["at": "5s", "network": ["cut": true]],
                    ["at": 60, "lasts": "20s", "share": 0.33, "network": ["latency": "2s"], "name": "slow third"],
                    ["at": "2m", "lasts": "3s", "every": "1s", "share": 0.05, "wake": true],
                ]
            ], over: ["loss": 0.5])
        #expect(storms.map(\.name) == ["cut=true", "slow third", "wake for 5 %"])
        #expect(storms.map(\.start) == [.seconds(5), .seconds(60), .seconds(120)])
        #expect(storms.map(\.end) == [.seconds(5), .seconds(80), .seconds(123)])
        #expect(storms.map(\.lasts) == [false, true, false])
        #expect(storms.map(\.endsThinking) == [false, false, true])
        #expect(storms[0].conditions?.members["loss"] == 0.5)
        #expect(storms[1].conditions?.members["latency"] == "2s")
        #expect(storms[2].conditions == nil)
    }

    @Test("strikes once, or at its period until it is over")
    func strikes() {
        let once = Storm(name: "once", start: .seconds(3), length: .seconds(9))
        #expect(once.time(ofStrike: 0) == .seconds(3))
        #expect(once.time(ofStrike: 1) == nil)
        let churn = Storm(name: "churn", start: .seconds(3), length: .seconds(2), period: .milliseconds(700))
        let times = (0..<5).map { churn.time(ofStrike: $0) }
        #expect(times == [.seconds(3), .milliseconds(3700), .milliseconds(4400), nil, nil])
    }

    @Test("is missed only if nobody played on any core when it came, and is told of if it chose nobody")
    func tallies() {
        let storm = Storm(name: "gust", start: .seconds(30), share: 0.5, endsThinking: true)
        func tally(players: Int, hits: Int) -> [StormTally] {
            var tally = StormTally(storm)
            (tally.players, tally.hits) = (players, hits)
            return [tally]
        }
        let (idle, spared, met) = (
            tally(players: 0, hits: 0), tally(players: 3, hits: 0), tally(players: 2, hits: 1)
        )
        #expect(
            idle.shortfall(atMicroseconds: 7)?.message == "nobody played when the storm came: \"gust\" at 30s")
        for parts in [[spared], [idle, spared], [spared, idle]] {
            let merged = [StormTally].merged(parts)
            #expect(merged.shortfall(atMicroseconds: 7) == nil)
            #expect(merged.warnings.count == 1)
        }
        for parts in [[met], [idle, met], [met, spared], []] {
            let merged = [StormTally].merged(parts)
            #expect(merged.shortfall(atMicroseconds: 7) == nil && merged.warnings.isEmpty)
        }
    }

    @Test("hits about its share of the users, the same ones each time, others with each strike")
    func share() {
        let storm = Storm(name: "a third", start: .zero, share: 0.33)
        let first = (0..<10_000).map { storm.hits(userWith: UInt64($0), strike: 0) }
        #expect(first == (0..<10_000).map { storm.hits(userWith: UInt64($0), strike: 0) })
        #expect(3_000...3_600 ~= first.count { $0 })
        // Shards that were built with other releases of Swift hit the same users.
        #expect((0..<22).filter { first[$0] } == [4, 10, 14, 16, 18, 20, 21])
        let second = (0..<10_000).map { storm.hits(userWith: UInt64($0), strike: 1) }
        let both = zip(first, second).count { $0 && $1 }
        #expect(800...1_400 ~= both)
        #expect((0..<100).allSatisfy { Storm(name: "all", start: .zero).hits(userWith: $0, strike: 0) })
        #expect((0..<100).allSatisfy { !Storm(name: "none", start: .zero, share: 0).hits(userWith: $0, strike: 0) })
    }

    @Test(
        "that means nothing is refused, with what to write",
        arguments: [
            ([["network": ["cut": true]]], "workload.storms[1].at: is missing; write at = \"30s\""),
            ([["at": "1s"]], "workload.storms[1]: does nothing; write network = { cut = true }"),
            ([["at": "1s", "nettwork": [:]]], "workload.storms[1].nettwork: there is no such member; did you mean"),
            ([["at": "1s", "network": ["latency": "1s"]]], "network.latency: has no end; write how long it is so"),
            ([["at": "1s", "network": ["lattency": "1s"]]], "lattency"),
            (
                [["at": "1s", "network": ["refuse": true], "every": "1s", "lasts": "9s"]],
                "network.refuse: stays as it is from one strike to the next"
            ),
            ([["at": "1s", "network": ["cut": "2KB"]]], "network.cut: has no end; write how long it is so"),
            (
                [["at": "1s", "network": ["cut": "2KB"], "every": "1s", "lasts": "9s"]],
                "network.cut: stays as it is from one strike to the next"
            ),
            ([["at": "1s", "network": ["cut": true], "every": "1s"]], "every: has no end; write for how long"),
            (
                [["at": "1s", "network": ["cut": true], "every": "1ms", "lasts": "1h"]],
                "every: makes more than 10000 strikes"
            ),
            ([["at": "1s", "wake": "yes"]], "wake: is \"yes\"; write true"),
            ([["at": "1s", "wake": true, "share": 0]], "share: is 0, which hits nobody; write more, such as 0.1"),
            ([["at": "1s", "wake": true, "share": 2]], "share: is 2; write a number from 0.0 to 1.0"),
            ([["at": "1s", "wake": true], ["at": "2s", "wake": true]], "is called \"wake\" as another one is"),
            (["at": "1s"], "workload.storms: is a table; write a list"),
        ] as [(JSONValue, String)])
    func refusals(storms: JSONValue, expected: String) {
        let problems = self.problems(storms)
        #expect(problems.contains { $0.contains(expected) }, "\(problems)")
    }
}
