import Machines
import RunRecord
import Testing

@testable import Load

@Suite("When it is certain that a run can come to nothing")
struct MistakeWatchTests {
    private static let mistake = Problem(category: .error, kind: .usage, message: "expct is not defined")

    /// So many users, each of whom has made a mistake.
    private static func watch(_ users: Range<Int>) -> MistakeWatch {
        var watch = MistakeWatch()
        for user in users { watch.ended(user: user, because: Self.mistake) }
        return watch
    }

    /// Whether it is certain by what one core has seen.
    private static func isCertain(_ watch: MistakeWatch, playing: [Int], at now: Instant) -> Bool {
        MistakeWatch.isCertain(by: watch.count(playing: playing, at: now))
    }

    private static func after(_ seconds: Int) -> Instant { .start + .seconds(seconds) }

    @Test("It takes several iterations, and some time")
    func enough() {
        #expect(Self.isCertain(Self.watch(0..<20), playing: [], at: Self.after(10)))
        #expect(!Self.isCertain(Self.watch(0..<19), playing: [], at: Self.after(60)))
        #expect(!Self.isCertain(Self.watch(0..<1_000), playing: [], at: Self.after(9)))
        #expect(!Self.isCertain(MistakeWatch(), playing: [], at: Self.after(60)))
    }

    @Test("Who plays must have made one, for those who can play are longer in coming to their end")
    func playing() {
        let watch = Self.watch(0..<30)
        #expect(Self.isCertain(watch, playing: [3, 29], at: Self.after(10)))
        #expect(!Self.isCertain(watch, playing: [3, 30], at: Self.after(10)))
    }

    @Test(
        "One iteration that was no mistake is enough",
        arguments: [
            nil, Problem(category: .failure, kind: .expectation, message: "no"),
            Problem(category: .error, kind: .script, message: "gone"),
            Problem(category: .error, kind: .connection, message: "refused"),
        ])
    func otherwise(problem: Problem?) {
        var watch = Self.watch(0..<30)
        #expect(watch.lastCount == 30)
        watch.ended(user: 5, because: problem)
        #expect(watch.lastCount == nil)
        for user in 0..<30 { watch.ended(user: user, because: Self.mistake) }
        #expect(!Self.isCertain(watch, playing: [], at: Self.after(60)))
    }
}
