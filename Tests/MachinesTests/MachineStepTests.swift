import Testing

@testable import Machines

@Suite("The effects of a step")
struct MachineStepTests {
    @Test("come in the order in which they were asked for, however many there are", arguments: 0...5)
    func order(count: Int) {
        var step = MachineStep<Int>(now: .start, random: RandomSource(seed: 1))
        for effect in 0..<count { step.ask(effect) }
        #expect(step.effects == Array(0..<count))
        var seen: [Int] = []
        step.takeEffects { seen.append($0) }
        #expect(seen == Array(0..<count))
        #expect(step.effects.isEmpty)
    }

    @Test("are those of one step alone, also of a copy that goes on", arguments: 0...3)
    func copies(count: Int) {
        var step = MachineStep<Int>(now: .start, random: RandomSource(seed: 1))
        for effect in 0..<count { step.ask(effect) }
        var copy = step
        copy.ask(9)
        #expect(step.effects == Array(0..<count))
        #expect(copy.effects == Array(0..<count) + [9])
    }
}
