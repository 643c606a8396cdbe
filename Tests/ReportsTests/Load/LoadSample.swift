import Metrics

/// A load run that was never played: a ramp, a steady part with a fault in it, and the way down.
struct LoadSample {
    var title = "Chat desk under load"
    var seconds = 120
    var slowness = 1.0
    var seed: UInt64 = 1
    var thresholds: [String] = []
    var isFaulty = true

    /// The figures of the run.
    func totals() throws -> LoadTotals { try self.result().totals() }

    func result() throws -> LoadResult {
        var random = Numbers(state: self.seed)
        let length = Int64(self.seconds) * 1_000_000
        let phases = Phases([
            .init("ramp-up", startMicroseconds: 0), .init("steady", startMicroseconds: length / 4),
            .init("ramp-down", startMicroseconds: length * 9 / 10),
        ])
        var measured = Measurements(phases: phases)
        let delivery = try measured.series(
            Metric("delivery", .trend, unit: .microseconds), tags: [Tag("role", "visitor")])
        let answer = try measured.series(Metric("delivery", .trend, unit: .microseconds), tags: [Tag("role", "agent")])
        let connect = try measured.series(Metric("connect", .trend, unit: .microseconds))
        let messages = try measured.series(Metric("messages", .counter))
        let iterations = try measured.series(Metric("iterations", .counter))
        let errors = try measured.series(Metric("errors", .rate))
        let users = try measured.series(Metric("users", .gauge))
        var ledger = Ledger(run: LedgerEnvelope.runNumber(of: "2026-01-02-a"))
        var health = GeneratorHealth()
        for second in 0..<self.seconds {
            let at = Int64(second) * 1_000_000
            let ramp =
                min(1, Double(second + 1) / Double(self.seconds) * 4) * (second * 10 >= self.seconds * 9 ? 0.5 : 1)
            let isFault = self.isFaulty && second * 2 >= self.seconds && second * 2 < self.seconds + 12
            measured.record(users, Int64(200 * ramp), at: at)
            measured.record(iterations, 3, at: at)
            for part in 0..<Int(60 * ramp) {
                let time = at + Int64(part) * 1_000_000 / 60
                let value = 4_000 + random.exponential(9_000) + (isFault ? random.exponential(150_000) : 0)
                let taken = Int64(value * self.slowness)
                measured.record(part % 3 == 0 ? answer : delivery, taken, at: time)
                if part % 10 == 0 { measured.record(connect, Int64(900 + random.exponential(400)), at: time) }
                measured.record(messages, 1, at: time)
                measured.record(errors, isHit: isFault && part % 7 == 0, at: time)
                let envelope = ledger.send(
                    from: UInt32(part), in: UInt32(part / 2), receivers: 1, intendedMicroseconds: time)
                if !(isFault && part == 14) { ledger.receive(envelope, by: UInt32(part + 1_000), isAddressee: true) }
                health.timerFired(lateMicroseconds: Int64(random.exponential(120)))
            }
            health.sampled(processorThousandths: Int64(300 + 300 * ramp), memoryBytes: 180_000_000)
        }
        health.arrivalsDue(5_000, notStarted: self.isFaulty ? 3 : 0)
        health.scriptRan(microseconds: 8_000_000)
        health.garbageCollected(microseconds: 400_000)
        var calibration = Calibration(processorMicroseconds: 250_000)
        for _ in 0..<5_000 { calibration.roundTrips.record(Int64(35 + random.exponential(20))) }
        let identity = RunIdentity(
            runID: "2026-01-02-a", seed: self.seed, planHash: "abc", title: self.title, phases: phases,
            thresholds: self.thresholds)
        let fault = ShardResult.Annotation(
            startMicroseconds: length / 2, endMicroseconds: length / 2 + 6_000_000, label: "the server restarts")
        return try LoadResult(
            identity: identity, index: 1,
            ShardResult(
                startedAt: "2026-01-02T03:04:05Z", durationMicroseconds: length, measurements: measured, ledger: ledger,
                health: health, calibration: calibration, annotations: self.isFaulty ? [fault] : [],
                causes: self.isFaulty ? [Self.cause] : []))
    }

    private static let cause = FailureCause(
        kind: "hopeless", message: "visitor: the server answered 503: the desk is <closed>",
        detail: "visitor: the server answered 503: the desk is <closed>\nat desk.lua:7", place: "desk.lua:7",
        count: 1_200,
        user: 17, firstMicroseconds: 3_000_000, lastMicroseconds: 9_000_000)

    /// Seeded numbers with a long tail.
    private struct Numbers {
        var state: UInt64

        /// A whole number of eight bits for each of which the value doubles once in four times, so tails are long.
        mutating func exponential(_ mean: Double) -> Double {
            self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let bits = self.state >> 33
            let fraction = Double(bits & 0xFFFF) / 65_536
            // Halving the chance adds ln 2 each time: an exponential distribution without a logarithm.
            return mean * 0.693 * (Double((bits >> 16 | 1 << 15).trailingZeroBitCount) + fraction)
        }
    }
}
