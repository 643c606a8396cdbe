/// Whether the figures of a load run can be trusted, as far as the generator is concerned, and why not.
public struct HealthVerdict: Hashable, Sendable {
    /// How far figures can be trusted.
    public enum State: String, Hashable, Sendable, Comparable, CaseIterable {
        /// The generator had room to spare.
        case valid
        /// The generator was strained; figures may be worse than the server's own.
        case degraded
        /// The generator did not produce the load that was asked for, or measured mostly itself.
        case invalid

        public static func < (left: State, right: State) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The worst of all reasons.
    public let state: State
    /// Why it is not valid, the worst first, each with its figure and what to do.
    public let reasons: [String]

    init(_ findings: [(state: State, reason: String)]) {
        self.state = findings.map(\.state).max() ?? .valid
        self.reasons =
            findings.filter { $0.state == .invalid }.map(\.reason)
            + findings.filter { $0.state == .degraded }.map(\.reason)
    }

    /// The verdict in one line.
    public var line: String {
        self.reasons.isEmpty ? self.state.rawValue : "\(self.state.rawValue): " + self.reasons.joined(separator: "; ")
    }
}

/// From which figures on a generator counts as strained and as unfit.
///
/// Defined here: the first of each pair makes a run degraded, the second one invalid.
enum HealthLimits {
    /// The 99th percentile of timer lateness, in microseconds.
    static let latenessMicroseconds: (degraded: Int64, invalid: Int64) = (5_000, 50_000)
    /// The longest stall of the event loop, in microseconds.
    static let stallMicroseconds: (degraded: Int64, invalid: Int64) = (100_000, 1_000_000)
    /// The 90th percentile of processor use, in thousandths.
    static let processorThousandths: (degraded: Int64, invalid: Int64) = (850, 980)
    /// The memory taken of what there is, in thousandths.
    static let memoryThousandths: (degraded: Int64, invalid: Int64) = (850, 970)
    /// The time of scripts of all the time that the process was busy, in thousandths; it is a reason only where the
    /// processors are one.
    static let scriptThousandths: Int64 = 500
    /// The round trips of the busiest second of those that the generator was found to make at most, in thousandths.
    static let capacityThousandths: (degraded: Int64, invalid: Int64) = (500, .max)
    /// The arrivals that could not begin, in thousandths; any at all make a run degraded.
    static let notStartedThousandths: (degraded: Int64, invalid: Int64) = (0, 10)
}

extension GeneratorHealth {
    /// Judges the generator.
    ///
    /// - Parameters:
    ///   - calibration: What it was found to be able to do.
    ///   - excusesArrivals: Whether arrivals that could not begin are no fault of the generator: where those who were
    ///     taken waited for a server that did not answer, no generator delivers the load.
    public func verdict(calibration: Calibration? = nil, excusesArrivals: Bool = false) -> HealthVerdict {
        var findings: [(state: HealthVerdict.State, reason: String)] = []
        func check(_ value: Int64, _ limit: (degraded: Int64, invalid: Int64), _ reason: String) {
            guard value > limit.degraded else { return }
            findings.append((value > limit.invalid ? .invalid : .degraded, reason))
        }
        func time(_ microseconds: Int64) -> String { NumberText.value(Double(microseconds), unit: .microseconds) }

        let late = self.lateness.value(atPercentile: 99) ?? 0
        check(
            late, HealthLimits.latenessMicroseconds,
            "timers fired up to \(time(late)) late (p99), and so much latencies may be the generator's own; use fewer "
                + "users per machine or more shards")
        let stall = self.stalls.maximum ?? 0
        check(
            stall, HealthLimits.stallMicroseconds,
            "the event loop stood still for \(time(stall)); look for a script that computes for long")
        let busy = self.processor.value(atPercentile: 90) ?? 0
        let scripts = self.scriptThousandths
        let share =
            scripts > HealthLimits.scriptThousandths
            ? ", \(NumberText.decimal(Double(scripts) / 10, decimals: 0)) % of that with scripts: look at what they compute,"
                + " or"
            : ";"
        check(
            busy, HealthLimits.processorThousandths,
            "the processors were \(NumberText.decimal(Double(busy) / 10, decimals: 1)) % busy (p90)\(share) use more shards"
        )
        if let capacity = calibration?.roundTripsPerSecond, capacity >= 1 {
            check(
                Int64(saturating: Double(self.roundTripsPeak) / capacity * 1000), HealthLimits.capacityThousandths,
                "users made \(NumberText.counted(self.roundTripsPeak, "round trip")) in the busiest second, over half of the "
                    + "\(NumberText.grouped(Int64(saturating: capacity))) that this generator makes with an echo; use more shards"
            )
        }
        if self.memoryLimitBytes > 0 {
            let share = self.memoryPeakBytes / max(1, self.memoryLimitBytes / 1_000)
            check(
                share, HealthLimits.memoryThousandths,
                "memory was \(NumberText.decimal(Double(share) / 10, decimals: 1)) % full; use fewer users per machine")
        }
        if self.arrivalsNotStarted > 0, !excusesArrivals {
            let share = Double(self.arrivalsNotStarted) / Double(max(1, self.arrivalsPlanned)) * 1_000
            findings.append(
                (
                    share > Double(HealthLimits.notStartedThousandths.invalid) ? .invalid : .degraded,
                    "\(NumberText.grouped(self.arrivalsNotStarted)) of "
                        + "\(NumberText.counted(self.arrivalsPlanned, "arrival")) could not begin, so the load was not delivered; allow more users, "
                        + "or see why the server keeps those there are so long"
                ))
        }
        return HealthVerdict(findings)
    }
}
