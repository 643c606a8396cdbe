extension LoadTotals {
    private func sum(of name: String) -> Int64 { self.measurements.histogram(of: name).sum }

    /// Why the run has shown nothing, if it has; of some of its shards it is no matter that they have no users.
    public var emptiness: RunEmptiness? {
        let ended = self.sum(of: "iterations")
        guard ended > 0 else {
            if self.health.contains(where: { $0.health.arrivalsPlanned > 0 }) { return .noIteration }
            return self.health.count == self.identity.shardCount ? .nobodyBegan : nil
        }
        if self.sum(of: "skipped") == ended { return .allSkipped(ended) }
        return self.isTargetUntouched ? .targetUntouched : nil
    }

    /// Whether the run had a target, and nobody failed although no connection was opened, also in the warm-up.
    private var isTargetUntouched: Bool {
        guard self.identity.target != "embedded", self.causes.isEmpty else { return false }
        let traffic = ["connections", "data_sent", "data_received"].flatMap { self.measurements.series(of: $0) }
        // A result without the counts of bytes does not tell.
        return !traffic.isEmpty && traffic.allSatisfy { $0.total.sum == 0 }
    }

    /// Whether every iteration failed because its users could not reach a server, of which the run then says nothing,
    /// whatever thresholds make of it.
    public var isUnreached: Bool {
        let ended = self.sum(of: "iterations")
        return ended > 0 && self.causes.filter(\.isUnreachable).map(\.count).saturatingSum >= ended
    }

    /// Whether most iterations came to nothing because what users waited for did not come, or no server was there: who
    /// was taken when others were to begin waited for it. Those who still waited when the run was over count as those
    /// do whose limit was over before, unless a threshold says how many may be broken off: then the end of the run is
    /// expected to meet users who talk.
    var isServerSilent: Bool {
        func count(_ isMeant: (FailureCause) -> Bool) -> Int64 {
            self.causes.filter(isMeant).map(\.count).saturatingSum
        }
        let brokenOff = self.unjudgedCauses.filter(\.isBrokenOff).map(\.count).saturatingSum
        let played = self.sum(of: "iterations").saturatingAdd(brokenOff)
        let vain = count { $0.isUnreachable || $0.isTimeout }.saturatingAdd(brokenOff)
        return played > 0 && vain >= played - played / 2
    }

    /// Whether arrivals that could not begin are no fault of the generator: the server did not answer those who played,
    /// or the time was virtual, in which no generator is too slow.
    var excusesArrivals: Bool { self.identity.isVirtual || self.isServerSilent }

    /// That more than 1 in 100 arrivals were kept back where that is no fault of the generator, and what to do: who
    /// never began has not passed, whatever a threshold on failures says of the others. Nil if fewer were, or a
    /// threshold says how many may be. The warm-up does not count.
    public var keptBackProblem: String? {
        guard self.ending == .finished, self.excusesArrivals else { return nil }
        let missing = self.sum(of: Self.keptBackName)
        let planned = self.health.map(\.health.arrivalsPlanned).saturatingSum
        let share = Double(missing) / Double(max(1, planned)) * 1_000
        guard share > Double(HealthLimits.notStartedThousandths.invalid), !self.isJudgedOnArrivals else { return nil }
        let reason =
            self.isServerSilent ? "those who played waited in vain" : "all users that there may be were taken"
        return "\(NumberText.grouped(missing)) of \(NumberText.counted(planned, "arrival")) could not begin, for "
            + "\(reason); who never began has not passed: allow more users (max_users), or say by a threshold such as "
            + "count(\(Self.keptBackName)) < 5 how many may be kept back"
    }

    /// That users could not begin because those before them waited for what did not come; nil if all could, or others
    /// kept them from it.
    public var silenceProblem: String? {
        let planned = self.health.map(\.health.arrivalsPlanned).saturatingSum
        let missing = self.health.map(\.health.arrivalsNotStarted).saturatingSum
        guard missing > 0, self.isServerSilent else { return nil }
        return "those who played waited in vain, so that \(NumberText.grouped(missing)) of "
            + "\(NumberText.counted(planned, "arrival")) could not begin"
    }

    /// That the run did not come to its end, and how far it had come; nil if it did.
    public var unfinishedProblem: String? {
        self.ending == .unfinished ? "the run did not end: \(self.iterationsSoFar)" : nil
    }

    /// That the run goes on, and how far it has come, for who follows it.
    public var progress: String { "the run goes on: \(self.iterationsSoFar)" }

    private var iterationsSoFar: String {
        let seconds = NumberText.decimal(Double(self.durationMicroseconds) / 1_000_000, decimals: 1)
        return "\(NumberText.counted(self.sum(of: "iterations"), "iteration")) had ended after \(seconds)s"
    }
}
