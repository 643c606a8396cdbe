extension GeneratorHealth {
    private typealias Finding = (state: HealthVerdict.State, reason: String)

    /// Judges the generator.
    ///
    /// - Parameters:
    ///   - calibration: What it was found to be able to do.
    ///   - excusesArrivals: Whether arrivals that could not begin are no fault of the generator: where those who were
    ///     taken waited for a server that did not answer, no generator delivers the load.
    public func verdict(calibration: Calibration? = nil, excusesArrivals: Bool = false) -> HealthVerdict {
        let findings = [
            self.lateTimers, self.stalledLoop, self.busyProcessors, calibration.flatMap(self.reachedCapacity),
            self.fullMemory, excusesArrivals ? nil : self.arrivalsKeptBack,
        ]
        return HealthVerdict(findings.compactMap(\.self))
    }

    /// Returns what a figure is found to be; nil if it is within its limits.
    private static func finding(
        _ value: Int64, _ limit: (degraded: Int64, invalid: Int64), _ reason: @autoclosure () -> String
    ) -> Finding? {
        value > limit.degraded ? (value > limit.invalid ? .invalid : .degraded, reason()) : nil
    }

    private static func time(_ microseconds: Int64) -> String {
        NumberText.value(Double(microseconds), unit: .microseconds)
    }

    private var lateTimers: Finding? {
        let late = self.lateness.value(atPercentile: 99) ?? 0
        return Self.finding(
            late, HealthLimits.latenessMicroseconds,
            "timers fired up to \(Self.time(late)) late (p99), and so much latencies may be the generator's own; use fewer "
                + "users per machine or more shards")
    }

    private var stalledLoop: Finding? {
        let stall = self.stalls.maximum ?? 0
        return Self.finding(
            stall, HealthLimits.stallMicroseconds,
            "the event loop stood still for \(Self.time(stall)); look for a script that computes for long")
    }

    private var busyProcessors: Finding? {
        let busy = self.processor.value(atPercentile: 90) ?? 0
        let scripts = self.scriptThousandths
        let share =
            scripts > HealthLimits.scriptThousandths
            ? ", \(NumberText.decimal(Double(scripts) / 10, decimals: 0)) % of that with scripts: look at what they compute,"
                + " or"
            : ";"
        return Self.finding(
            busy, HealthLimits.processorThousandths,
            "the processors were \(NumberText.decimal(Double(busy) / 10, decimals: 1)) % busy (p90)\(share) use more shards"
        )
    }

    private func reachedCapacity(of calibration: Calibration) -> Finding? {
        guard let capacity = calibration.roundTripsPerSecond, capacity >= 1 else { return nil }
        return Self.finding(
            Int64(saturating: Double(self.roundTripsPeak) / capacity * 1000), HealthLimits.capacityThousandths,
            "users made \(NumberText.counted(self.roundTripsPeak, "round trip")) in the busiest second, over half of the "
                + "\(NumberText.grouped(Int64(saturating: capacity))) that this generator makes with an echo; use more shards"
        )
    }

    private var fullMemory: Finding? {
        guard self.memoryLimitBytes > 0 else { return nil }
        let share = self.memoryPeakBytes / max(1, self.memoryLimitBytes / 1_000)
        return Self.finding(
            share, HealthLimits.memoryThousandths,
            "memory was \(NumberText.decimal(Double(share) / 10, decimals: 1)) % full; use fewer users per machine")
    }

    private var arrivalsKeptBack: Finding? {
        guard self.arrivalsNotStarted > 0 else { return nil }
        let share = Double(self.arrivalsNotStarted) / Double(max(1, self.arrivalsPlanned)) * 1_000
        return (
            share > Double(HealthLimits.notStartedThousandths.invalid) ? .invalid : .degraded,
            "\(NumberText.grouped(self.arrivalsNotStarted)) of "
                + "\(NumberText.counted(self.arrivalsPlanned, "arrival")) could not begin, so the load was not delivered; allow more users, "
                + "or see why the server keeps those there are so long"
        )
    }
}
