import Metrics
public import RunRecord

/// The run records of some of the shards of one run, from which one record is made when all are there.
///
/// Merging is associative, and the order in which records come does not matter: sets grow by shard, and only a whole
/// set becomes a record. Nothing is counted twice and nothing is left out silently.
public struct ShardSet: Hashable, Sendable {
    /// One shard: what it says of the run, its entries by scenario, and how it ended.
    struct Part: Hashable, Sendable {
        let start: RunStart
        let scenarios: [[RunEntry]]
        let end: RunEnd?

        /// Why the record is not that of a whole shard, if it is not.
        let problem: String?
    }

    /// The shards by number; a run that is not sharded is shard 1 of 1.
    let parts: [Int: Part]

    /// How many shards the run has.
    let count: Int

    /// Takes the record of one shard, or of a run without shards.
    ///
    /// - Throws: ``ShardMergingError`` if the entries are not one record from its start.
    public init(_ entries: [RunEntry]) throws(ShardMergingError) {
        guard case .runStarted(let start)? = entries.first else {
            throw ShardMergingError(message: "it does not begin as a run record does; was the run killed at once?")
        }
        var placeOfIndex: [Int: Int] = [:]
        var scenarios: [[RunEntry]] = []
        var end: RunEnd?
        for entry in entries.dropFirst() {
            switch entry {
            case .runStarted:
                throw ShardMergingError(message: "it holds several runs; give each its own file")
            case .runEnded(let last): end = last
            case .scenarioStarted(let start):
                placeOfIndex[start.index] = scenarios.count
                scenarios.append([entry])
            case .happened, .scenarioEnded:
                guard let place = entry.scenario.flatMap({ placeOfIndex[$0] }) else {
                    throw ShardMergingError(message: "it tells of a scenario that has not begun; is it damaged?")
                }
                scenarios[place].append(entry)
            }
        }
        let problem = RunCompleteness(entries).problem
        // No report of a whole run may be one of a part of it, so what nobody can tell is not left to --unfinished.
        if problem == nil, let end { try Self.check(end.counts, against: Self.counts(of: scenarios)) }
        let shard = start.shard ?? Shard(index: 1, count: 1)
        guard shard.count >= 1, (1...shard.count).contains(shard.index) else {
            throw ShardMergingError(message: "it says that it is shard \(shard); is it damaged?")
        }
        self.count = shard.count
        self.parts = [
            shard.index: Part(start: start, scenarios: scenarios, end: end, problem: problem)
        ]
    }

    /// How the scenarios ended that have come to their last attempt's end.
    private static func counts(of scenarios: [[RunEntry]]) -> OutcomeCounts {
        var counts = OutcomeCounts()
        for case .scenarioEnded(let end) in scenarios.joined() where !end.isRetried { counts.add(end.outcome) }
        return counts
    }

    /// Refuses a record whose end has counted other scenarios than there are, or more of those that did not pass: no
    /// run writes it, and its reports would say that all is well.
    private static func check(_ counted: OutcomeCounts, against found: OutcomeCounts) throws(ShardMergingError) {
        for (what, counted, found) in [
            ("scenario", counted.total, found.total), ("failed scenario", counted.failed, found.failed),
            ("scenario with an error", counted.errors, found.errors),
        ] where counted != found {
            let many = what.replacing("scenario", with: "scenarios", maxReplacements: 1)
            throw ShardMergingError(
                message: "the run counted \(NumberText.counted(counted, what, many)) at its end, and "
                    + "\(found) \(found == 1 ? "is" : "are") there; is it damaged?")
        }
    }

    private init(parts: [Int: Part], count: Int) {
        self.parts = parts
        self.count = count
    }

    /// Returns this set with the shards of another one.
    ///
    /// - Throws: ``ShardMergingError`` if the two are not of one run, or share a shard or a scenario.
    public func merging(_ other: ShardSet) throws(ShardMergingError) -> ShardSet {
        guard self.count > 1, other.count > 1 else {
            throw ShardMergingError(
                message: "only the shards of one run can be merged, and a record is of a whole run; give it alone")
        }
        guard self.count == other.count else {
            throw ShardMergingError(
                message: "one record is of \(self.count) shards and another of \(other.count); give those of one run")
        }
        if let double = self.parts.keys.filter({ other.parts[$0] != nil }).min() {
            throw ShardMergingError(message: "shard \(double)/\(self.count) is there twice; give each shard once")
        }
        if let mine = self.parts.values.first?.start, let others = other.parts.values.first?.start {
            try Self.check(mine, others)
        }
        if let file = Self.firstDifference(self.filesReadInPlay, other.filesReadInPlay) { throw Self.otherFile(file) }
        let known = self.attempts
        if let double = other.attempts.intersection(known).min() {
            throw ShardMergingError(
                message: "two shards have played \(double); were they made from the same scripts with the same options?"
            )
        }
        return ShardSet(parts: self.parts.merging(other.parts) { first, _ in first }, count: self.count)
    }

    /// Whether two records can be of one run.
    private static func check(_ first: RunStart, _ second: RunStart) throws(ShardMergingError) {
        let differences = [
            ("seed", "\(first.seed)", "\(second.seed)"), ("clock", first.clock.rawValue, second.clock.rawValue),
            ("target", first.target, second.target), ("version", first.toolVersion, second.toolVersion),
        ]
        for (name, one, other) in differences where one != other {
            throw ShardMergingError(
                message: "the records are not of one run: the \(name) of one is \(one) and that of another \(other); "
                    + "run all shards with the same --\(name == "version" ? "version of repartee" : name)")
        }
        guard let plan = first.shard?.plan, let otherPlan = second.shard?.plan, plan != otherPlan else { return }
        if let file = Self.firstDifference(plan.files, otherPlan.files) { throw Self.otherFile(file) }
        let single = Set(plan.files.keys).symmetricDifference(otherPlan.files.keys).min() ?? ""
        let difference =
            plan.scenarios != otherPlan.scenarios
            ? "they were planned with other scenarios; run all shards with the same paths and options"
            : plan.dealing != otherPlan.dealing
                ? "the scenarios were dealt in other ways; run all shards with the same history.json, or all without"
                : "only one of them has read \(single); run all shards with the same files"
        throw ShardMergingError(message: "the records are not of one run: \(difference)")
    }

    /// What the scenarios of the shards have read while they were played, by digests.
    private var filesReadInPlay: [String: String] {
        self.parts.values.reduce(into: [:]) { files, part in files.merge(part.end?.files ?? [:]) { first, _ in first } }
    }

    /// The first file that both have read and that was not the same; nil if there is none.
    private static func firstDifference(_ files: [String: String], _ others: [String: String]) -> String? {
        files.filter { name, digest in others[name].map { $0 != digest } ?? false }.keys.min()
    }

    private static func otherFile(_ name: String) -> ShardMergingError {
        ShardMergingError(
            message:
                "the records are not of one run: \(name) was not the same file in all of them; run all shards with the "
                + "same files")
    }

    /// The names of all attempts, with their numbers.
    ///
    /// What scenarios share is made by each shard that has one of them, and stands in each record if it fails.
    private var attempts: Set<String> {
        var attempts: Set<String> = []
        for part in self.parts.values {
            for case .scenarioStarted(let start)? in part.scenarios.map(\.first) where start.askedBy == nil {
                attempts.insert("\(start.id) (attempt \(start.attempt))")
            }
        }
        return attempts
    }
}

extension ShardSet {
    /// Returns the record of the whole run.
    ///
    /// - Throws: ``ShardMergingError`` that names the shards that are missing or did not come to their end.
    public func record() throws(ShardMergingError) -> [RunEntry] {
        let missing = (1...self.count).prefix(1_000).filter { self.parts[$0] == nil }
        guard missing.isEmpty else {
            let names = missing.map { "\($0)/\(self.count)" }.joined(separator: ", ")
            throw ShardMergingError(
                message:
                    "\(missing.count == 1 ? "shard \(names) is" : "shards \(names) are") missing; give the records of all \(self.count) shards"
            )
        }
        for (index, part) in self.parts.sorted(by: { $0.key < $1.key }) {
            guard let problem = part.problem else { continue }
            throw ShardMergingError(
                message: "shard \(index)/\(self.count) is not whole, \(problem); play that shard again")
        }
        try self.checkCompleteness()
        return MergedRecord(self).entries
    }

    /// Returns a record of what there is of the run, which has no end unless all shards are there and have ended.
    public var partialRecord: [RunEntry] { MergedRecord(self).entries }

    /// Shards that were dealt from other scripts or other recorded durations may leave a scenario to nobody.
    private func checkCompleteness() throws(ShardMergingError) {
        let starts = self.parts.values.map(\.start)
        guard let all = starts.lazy.compactMap(\.shard?.plannedScenarios).first else { return }
        let planned = starts.reduce(0) { $0 &+ $1.plannedScenarios }
        guard planned == all, starts.allSatisfy({ ($0.shard?.plannedScenarios ?? all) == all }) else {
            throw ShardMergingError(
                message: "the shards have \(NumberText.counted(planned, "scenario")) and the run \(all); "
                    + "run all shards with the same scripts, options and recorded durations")
        }
    }
}
