import Machines
import Testing

/// Times that may be missing, in the room of one that is there.
struct PackedTests {
    private struct Times: Equatable {
        @Packed var instant: Instant?
        @Packed var duration: Duration?
    }

    @Test func whatIsNotThereIsNil() {
        var times = Times()
        #expect(times.instant == nil && times.duration == nil)
        times.instant = .start
        times.duration = .seconds(1)
        #expect(times != Times())
        times.instant = nil
        times.duration = nil
        #expect(times == Times())
    }

    @Test(arguments: [0, 1, -1, 1_234_567_890, .max, .min + 1] as [Int64])
    func aTimeComesBackToTheNanosecond(nanoseconds: Int64) {
        let times = Times(instant: Instant(nanoseconds: nanoseconds), duration: .nanoseconds(nanoseconds))
        #expect(times.instant == Instant(nanoseconds: nanoseconds))
        #expect(times.duration == .nanoseconds(nanoseconds))
    }

    @Test func itTakesEightBytes() {
        #expect(MemoryLayout<Packed<Instant>>.size == 8 && MemoryLayout<Packed<Duration>>.size == 8)
    }
}
