import JSON
import Machines

@testable import Load

/// Makes load shapes that are right, of all executors and small enough to be played.
struct RandomShape {
    var random: RandomSource

    init(seed: UInt64) { self.random = RandomSource(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> JSONValue {
        .integer(Int64(Int.random(in: range, using: &self.random)))
    }

    mutating func time(_ range: ClosedRange<Int>) -> JSONValue {
        .string("\(Int.random(in: range, using: &self.random))ms")
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &self.random)! }

    /// A shape of one to three workloads.
    mutating func table(limits: Bool = false) -> JSONValue {
        var table: JSONObject = [:]
        table["workloads"] = .array(
            (0..<Int.random(in: 1...3, using: &self.random)).map { _ in self.workload(limits: limits) })
        table["graceful_stop"] = self.time(0...2000)
        return .object(table)
    }

    mutating func workload(limits: Bool) -> JSONValue {
        let name = self.pick(ExecutorName.allCases)
        var table: JSONObject = ["executor": .string(name.rawValue)]
        if Bool.random(using: &self.random) { table["start_after"] = self.time(0...3000) }
        if Bool.random(using: &self.random) {
            table["rooms"] = self.pick([
                ["size": self.number(1...7)], ["count": self.number(1...5)],
                ["size": self.number(1...7), "placement": "spread"],
                ["size": self.number(1...7), "placement": "mixed", "together": 0.3],
            ])
        }
        if Bool.random(using: &self.random) {
            table["roles"] = ["agents": self.number(1...3), "visitors": self.number(1...12)]
        }
        switch name {
        case .constantVUs:
            table["users"] = self.number(1...40)
            table["duration"] = self.time(100...3000)
        case .rampingVUs:
            table["start_users"] = self.number(0...20)
            table["graceful_ramp_down"] = self.time(0...500)
            table["stages"] = self.stages { $0.number(1...40) }
        case .constantArrivalRate:
            table["rate"] = .string("\(Int.random(in: 1...200, using: &self.random))/s")
            table["duration"] = self.time(100...3000)
        case .rampingArrivalRate:
            table["start_rate"] = self.number(0...100)
            table["stages"] = self.stages { $0.number(1...100) }
        case .perVUIterations, .sharedIterations:
            table["users"] = self.number(1...20)
            table["iterations"] = self.number(1...30)
            table["max_duration"] = self.time(100...20_000)
        case .arrivals:
            var times = (0..<Int.random(in: 1...60, using: &self.random)).map { _ in
                Int.random(in: 0...5000, using: &self.random)
            }
            times.sort()
            table["at"] = .array(times.map { .string("\($0)ms") })
        }
        if name == .constantArrivalRate || name == .rampingArrivalRate {
            table["distribution"] = self.pick(["uniform", "poisson"])
        }
        if limits, [.constantArrivalRate, .rampingArrivalRate, .arrivals].contains(name) {
            table["max_users"] = self.number(8...20)
        }
        return .object(table)
    }

    private mutating func stages(_ target: (inout Self) -> JSONValue) -> JSONValue {
        .array(
            (0..<Int.random(in: 1...4, using: &self.random)).map { index in
                let duration = index == 0 ? self.time(100...2000) : self.time(0...2000)
                return ["duration": duration, "target": target(&self)]
            })
    }
}
