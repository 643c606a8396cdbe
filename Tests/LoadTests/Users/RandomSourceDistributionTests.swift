import Machines
import Testing

@testable import Load

@Suite("What all parts of a run draw alike")
struct RandomSourceDistributionTests {
    @Test("whole numbers below a count are the same with any release of Swift")
    func pinned() {
        var random = RandomSource(seed: 9)
        // One draw in four is repeated, for as many do not divide among so many numbers.
        let thirds = (0..<12).map { _ in random.below(3 << 61) >> 61 }
        #expect(thirds == [0, 0, 2, 2, 1, 0, 1, 2, 2, 0, 2, 2])
        var large = RandomSource(seed: 5)
        let numbers = (0..<3).map { _ in large.below((1 << 62) + 1) }
        #expect(numbers == [1_330_062_028_510_147_546, 2_776_614_677_647_034_679, 2_382_922_332_294_756_498])
    }

    @Test("each whole number below a count comes as often as any other")
    func evenness() {
        var random = RandomSource(seed: 5)
        var counts = [Int](repeating: 0, count: 7)
        for _ in 0..<7_000 { counts[random.below(7)] += 1 }
        #expect(counts == [955, 996, 998, 1047, 999, 997, 1008])
    }

    @Test("below one or fewer there is only zero", arguments: [1, 0, -1, .min])
    func least(count: Int) {
        var random = RandomSource(seed: 1)
        #expect((0..<100).allSatisfy { _ in random.below(count) == 0 })
    }
}
