import Machines
import Testing

@Suite("Durations and instants")
struct DurationTests {
    @Test(
        "a duration reads as it is written",
        arguments: [
            ("250ms", 0.25), ("2s", 2), ("5m", 300), ("1h", 3600), ("1.5s", 1.5), ("10us", 0.00001), ("0s", 0),
            ("0.5m", 30),
            ("1m30s", 90), ("1h0m10.5s", 3610.5), ("1s500ms", 1.5),
            ("999999999ms", 999_999.999), ("1234567890ms", 1_234_567.89), ("0000000000002s", 2),
        ])
    func reading(text: String, seconds: Double) {
        #expect(Duration(scriptText: text) == Duration(scriptSeconds: seconds))
    }

    @Test(
        "other texts are no durations",
        arguments: [
            "", "2", "s", ".s", "-1s", "2 s", "1e3s", "2d", "2hs", "2u", "2sm", "2ss", "nan", "99999999999h", "1.2.3s",
            "٣s", "30s1m", "1m1m", "1m30", "1m 30s", "1m.s", "1ms500us1s",
        ])
    func refusal(text: String) {
        #expect(Duration(scriptText: text) == nil)
    }

    @Test(
        "a duration is written in the unit that people would choose",
        arguments: [
            (Duration.seconds(90), "90s"), (.seconds(120), "2m"), (.seconds(7200), "2h"), (.milliseconds(250), "250ms"),
            (.milliseconds(1500), "1.5s"), (.zero, "0s"), (.microseconds(12), "12us"), (.milliseconds(2001), "2.001s"),
        ])
    func writing(duration: Duration, text: String) {
        #expect(duration.scriptText == text)
    }

    @Test(
        "in a timeline no unit is smaller than the millisecond, of which hundredths are told",
        arguments: [
            (Duration.nanoseconds(211_665), "0.21ms"), (.nanoseconds(13_941), "0.01ms"), (.nanoseconds(9_999), "0ms"),
            (.zero, "0s"), (.microseconds(999), "0.99ms"), (.microseconds(200), "0.2ms"), (.milliseconds(-2), "-2ms"),
            (.nanoseconds(12_345_678), "12.34ms"), (.milliseconds(55), "55ms"), (.milliseconds(10_055), "10.055s"),
            (.seconds(120), "2m"),
        ])
    func timeline(duration: Duration, text: String) {
        #expect(duration.timelineText == text)
    }

    @Test("the far future does not trap")
    func saturation() {
        #expect(Instant(nanoseconds: .max) + .seconds(1) == Instant(nanoseconds: .max))
        #expect(Instant.start + .seconds(Int64.max) == Instant(nanoseconds: .max))
    }

    @Test("the clock of the wall goes with the time line, in whole milliseconds, and stops where its numbers end")
    func wallClock() {
        let instant = Instant(nanoseconds: 1_999_999)
        #expect(instant.onWallClock(startingAt: 1_700_000_000_000) == 1_700_000_000_001)
        #expect(instant.onWallClock(startingAt: .max) == .max)
        #expect(Instant(nanoseconds: .min).onWallClock(startingAt: .min) == .min)
    }
}
