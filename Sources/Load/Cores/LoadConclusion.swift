public import Metrics

/// What all cores of a process came to.
public struct LoadConclusion: Sendable {
    /// The results by the number of the shard that a core played.
    public var shards: [Int: ShardResult]
    /// What became of the planned starts.
    public let starts: PacingAccount
    /// What was not as it should be and ended nothing, each once.
    public let warnings: [String]

    /// Puts together what each core came to.
    ///
    /// - Parameters:
    ///   - conclusions: By the number of the shard that the core played.
    ///   - complaints: What went wrong between the cores.
    public init(_ conclusions: [Int: LoadRun.Conclusion], complaints: [String] = []) {
        let ordered = conclusions.sorted { $0.key < $1.key }.map(\.value)
        self.shards = conclusions.mapValues(\.result)
        let storms = [StormTally].merged(ordered.map(\.storms))
        if let first = conclusions.keys.min(), let part = self.shards[first],
            let shortfall = storms.shortfall(atMicroseconds: part.durationMicroseconds)
        {
            self.shards[first]?.causes = FailureCause.merged(part.causes + [shortfall])
        }
        self.starts = ordered.reduce(into: PacingAccount()) { $0 += $1.starts }
        var seen: Set<String> = []
        var remarks = ordered.first?.remarks
        for conclusion in ordered.dropFirst() { remarks? += conclusion.remarks }
        self.warnings = (ordered.flatMap(\.warnings) + (remarks?.warnings ?? []) + storms.warnings + complaints)
            .filter { seen.insert($0).inserted }
    }
}
