import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Tries that play at the same time")
struct TryOrderTests {
    private static let definition = ScenarioDefinition(
        file: "s.lua", line: 7, titlePath: ["s"], options: ScenarioOptions(), index: 0)

    private static func order(_ table: JSONObject = ["at_least": 0.9], playsAll: Bool = false) throws -> TryOrder {
        let options = try ScenarioOptions(["passes": .object(table)], eventNames: EventNames(of: []))
        return TryOrder(
            PassSeries(requirement: try #require(options.passes), playsAll: playsAll), of: Self.definition)
    }

    private static func end(_ outcome: Outcome) -> ScenarioEnd {
        ScenarioEnd(index: 0, atNanoseconds: 0, outcome: outcome)
    }

    private func begin(_ order: inout TryOrder) -> [Int] {
        var numbers: [Int] = []
        while let number = order.next() { numbers.append(number) }
        return numbers
    }

    private func add(_ outcome: Outcome, _ number: Int, to order: inout TryOrder) -> [Int] {
        order.add(Self.end(outcome), TryEvidence(number: number, isWhole: true)).map(\.number)
    }

    @Test("as many begin at once as are played at least, and another one as soon as it will be needed")
    func window() throws {
        var order = try Self.order()
        // Five failures decide, and nothing sooner.
        #expect(self.begin(&order) == [1, 2, 3, 4, 5])
        #expect(self.add(.passed, 3, to: &order).isEmpty && self.add(.passed, 2, to: &order).isEmpty)
        #expect(self.begin(&order).isEmpty && order.head == 1)
        // Three that passed are outweighed by half a failure.
        #expect(self.add(.passed, 1, to: &order) == [1, 2, 3] && order.head == 4)
        #expect(self.begin(&order) == [6, 7, 8])
        // Each failure leaves one less to come, so that what plays is enough.
        for number in 4...7 { #expect(self.add(.failed, number, to: &order) == [number]) }
        #expect(!order.isOver && self.begin(&order).isEmpty)
        #expect(self.add(.failed, 8, to: &order) == [8] && order.isOver && self.begin(&order).isEmpty)
    }

    @Test("the limit bounds them, and with all tries all may begin")
    func limit() throws {
        var order = try Self.order(["at_least": 0.9, "at_most_tries": 30], playsAll: true)
        #expect(self.begin(&order) == Array(1...30))
        var few = try Self.order(["at_least": 0.9, "at_most_tries": 26])
        #expect(self.begin(&few).count == 5)
        for number in 1...4 { _ = self.add(.passed, number, to: &few) }
        #expect(self.add(.failed, 5, to: &few) == [5] && self.begin(&few).last ?? 0 <= 26)
    }

    @Test("whatever the order in which they end, they come to the same, and none is played in vain", arguments: 1...40)
    func anyOrder(seed: Int) throws {
        var random = RandomSource(seed: UInt64(seed))
        let rate = [0.5, 0.85, 0.9, 0.97][seed % 4]
        let outcomes = (0..<140).map { _ in Double.random(in: 0..<1, using: &random) < rate ? Outcome.passed : .failed }
        var alone = try Self.order()
        var expected: [ScenarioEnd] = []
        while let number = alone.next() {
            expected += alone.add(Self.end(outcomes[number]), TryEvidence(number: number, isWhole: true)).map(\.end)
        }
        var order = try Self.order()
        var playing: [Int] = []
        var found: [ScenarioEnd] = []
        var begun = 0
        repeat {
            while playing.count < seed, let number = order.next() {
                playing.append(number)
                begun += 1
            }
            let number = playing.remove(at: Int.random(in: 0..<playing.count, using: &random))
            found += order.add(Self.end(outcomes[number]), TryEvidence(number: number, isWhole: true)).map(\.end)
        } while !order.isOver
        #expect(found == expected && begun == expected.count && playing.isEmpty)
        #expect(found.last?.passes?.verdict != nil)
    }

    @Test("one that breaks ends them at its turn, and what comes after it is not judged")
    func broken() throws {
        var order = try Self.order()
        #expect(self.begin(&order).count == 5)
        #expect(self.add(.error, 2, to: &order).isEmpty && !order.isOver)
        #expect(self.add(.failed, 3, to: &order).isEmpty)
        #expect(self.add(.passed, 1, to: &order) == [1, 2] && order.isOver)
        #expect(self.add(.passed, 4, to: &order).isEmpty && self.begin(&order).isEmpty)
    }
}
