import Testing

@testable import Metrics

@Suite("The generator's own health")
struct HealthTests {
    private func healthy() -> GeneratorHealth {
        var health = GeneratorHealth()
        for late in 0..<1_000 as Range<Int64> { health.timerFired(lateMicroseconds: late) }
        health.sampled(processorThousandths: 500, memoryBytes: 1 << 30, memoryLimitBytes: 4 << 30)
        health.arrivalsDue(1_000, notStarted: 0)
        health.loopStalled(microseconds: 20_000)
        return health
    }

    @Test("A generator with room to spare is valid, and says no more")
    func valid() {
        #expect(self.healthy().verdict().state == .valid)
        #expect(self.healthy().verdict().line == "valid")
        #expect(GeneratorHealth().verdict().state == .valid)
    }

    @Test("Each strain has its limit and its reason")
    func strained() {
        func verdict(_ change: (inout GeneratorHealth) -> Void) -> HealthVerdict {
            var health = self.healthy()
            change(&health)
            return health.verdict()
        }
        let late = verdict { for _ in 0..<100 { $0.timerFired(lateMicroseconds: 9_000) } }
        #expect(late.state == .degraded)
        #expect(late.reasons.first?.hasPrefix("timers fired up to 9ms late (p99)") == true)
        #expect(verdict { for _ in 0..<100 { $0.timerFired(lateMicroseconds: 60_000) } }.state == .invalid)
        #expect(verdict { $0.loopStalled(microseconds: 300_000) }.state == .degraded)
        #expect(verdict { $0.loopStalled(microseconds: 3_000_000) }.state == .invalid)
        #expect(verdict { for _ in 0..<9 { $0.sampled(processorThousandths: 900, memoryBytes: 0) } }.state == .degraded)
        #expect(verdict { for _ in 0..<9 { $0.sampled(processorThousandths: 995, memoryBytes: 0) } }.state == .invalid)
        #expect(verdict { $0.sampled(processorThousandths: 1, memoryBytes: (4 << 30) - 1) }.state == .invalid)
        let few = verdict { $0.arrivalsDue(1, notStarted: 1) }
        #expect(
            few.line
                == "degraded: 1 of 1,001 arrivals could not begin, so the load was not delivered; allow more users, "
                + "or see why the server keeps those there are so long"
        )
        #expect(verdict { $0.arrivalsDue(100, notStarted: 100) }.state == .invalid)
    }

    @Test("Busy processors are explained by scripts where these take most of the time")
    func scripts() {
        var health = self.healthy()
        for _ in 0..<99 { health.sampled(processorThousandths: 900, memoryBytes: 0) }
        health.scriptRan(microseconds: 30_000_000)
        #expect(health.verdict().line.contains("busy (p90); use more shards"))
        health.scriptRan(microseconds: 40_000_000)
        #expect(
            health.verdict().line.contains("busy (p90), 78 % of that with scripts: look at what they compute, or use"))
        var idle = self.healthy()
        idle.scriptRan(microseconds: 400_000)
        #expect(idle.scriptThousandths == 800)
        #expect(idle.verdict().state == .valid)
        #expect(GeneratorHealth().scriptThousandths == 0)
    }

    @Test("More than half of what a calibration found makes a run degraded, never invalid")
    func capacity() {
        let calibration = Calibration(busyRoundTrips: 5_000, busyMicroseconds: 500_000)
        #expect(calibration.roundTripsPerSecond == 10_000)
        var health = self.healthy()
        health.exchanged(roundTrips: 5_000)
        health.exchanged(roundTrips: 10)
        #expect(health.verdict(calibration: calibration).state == .valid)
        health.exchanged(roundTrips: 5_100)
        #expect(
            health.verdict(calibration: calibration).line.contains("users made 5,100 round trips in the busiest second")
        )
        health.exchanged(roundTrips: 90_000)
        #expect(health.verdict(calibration: calibration).state == .degraded)
        #expect(health.verdict().state == .valid)
        #expect(health.verdict(calibration: Calibration()).state == .valid)
    }

    @Test("A calibration says in one line what was found")
    func calibrationLine() {
        #expect(Calibration().line == nil)
        var calibration = Calibration(busyRoundTrips: 5_000, busyMicroseconds: 500_000)
        for time in [40, 50, 60] as [Int64] { calibration.roundTrips.record(time) }
        calibration.lateness.record(70)
        #expect(
            calibration.line
                == "an echo takes 50us (p50), 60us (p99), at most 10,000 round trips/s, timers are 70us late (p50), 70us (p99)"
        )
    }

    @Test("Workers merge to one account")
    func merging() {
        var left = self.healthy()
        var right = GeneratorHealth()
        right.timerFired(lateMicroseconds: 80_000)
        right.scriptRan(microseconds: 5)
        right.garbageCollected(microseconds: 6)
        right.loopStalled(microseconds: 900)
        right.sampled(processorThousandths: 999, memoryBytes: 5 << 30)
        right.arrivalsDue(7, notStarted: 2)
        left.scriptRan(microseconds: 10)
        left.merge(right)
        #expect(left.lateness.maximum == 80_000)
        #expect(left.lateness.count == 1_001)
        #expect(left.scriptMicroseconds == 15)
        #expect(left.collectionMicroseconds == 6)
        #expect(left.stalls.count == 2)
        #expect(left.processor.maximum == 999)
        #expect(left.memoryPeakBytes == 5 << 30)
        #expect(left.memoryLimitBytes == 4 << 30)
        #expect(left.arrivalsPlanned == 1_007)
        #expect(left.arrivalsNotStarted == 2)
    }

    @Test("A calibration tells the floor and the cost of a round trip")
    func calibration() {
        var calibration = Calibration()
        #expect(calibration.floor == nil)
        #expect(calibration.roundTripsPerProcessorSecond == nil)
        var other = Calibration(processorMicroseconds: 500_000)
        for value in 1...100 as ClosedRange<Int64> { other.roundTrips.record(value) }
        calibration.merge(other)
        #expect(calibration.floor?.medianMicroseconds == 50)
        #expect(calibration.floor?.p99Microseconds == 99)
        #expect(calibration.roundTripsPerProcessorSecond == 200)
    }
}
