import Testing

@testable import Scenario

@Suite("How far a conversation has come with a rule")
struct RuleProgressTests {
    private static func broken(_ kind: RuleProgress.Kind, _ inputs: [RuleProgress.Input]) -> (at: Int?, isUnmet: Bool) {
        var progress = RuleProgress(kind)
        var place: Int?
        for (index, input) in inputs.enumerated() where progress.handle(input) {
            #expect(place == nil, "told once")
            place = index
        }
        return (place, progress.isUnmet)
    }

    private let fits = RuleProgress.Input.observed(fits: true)
    private let other = RuleProgress.Input.observed(fits: false)

    @Test("the table of transitions")
    func table() {
        #expect(Self.broken(.never, [other, .turnBegan]) == (nil, false))
        #expect(Self.broken(.never, [other, fits, fits]) == (1, false))
        #expect(Self.broken(.always, []) == (nil, true))
        #expect(Self.broken(.always, [fits]) == (nil, false))
        #expect(Self.broken(.always, [other, fits]) == (0, false))
        #expect(Self.broken(.always, [fits, other, other]) == (1, false))
        #expect(Self.broken(.eventually, [other, .turnBegan]) == (nil, true))
        #expect(Self.broken(.eventually, [other, fits, other]) == (nil, false))
        #expect(Self.broken(.withinTurns(2), [.turnBegan, .turnBegan, other]) == (nil, true))
        #expect(Self.broken(.withinTurns(2), [.turnBegan, .turnBegan, other, .turnBegan, .turnBegan]) == (3, false))
        #expect(Self.broken(.withinTurns(2), [.turnBegan, .turnBegan, fits, .turnBegan]) == (nil, false))
    }
}
