import Metrics

/// The figures that a load run saved, of all its shards.
struct LoadRunResult {
    private let totals: LoadTotals

    init(_ folder: TemporaryFolder, _ name: String = "Reports/load.json") throws {
        self.totals = try folder.loadResult(name).totals()
    }

    /// What a counter came to.
    func count(_ name: String) -> Int64 { self.totals.measurements.histogram(of: name).sum }

    /// What happened to the run.
    var events: [String] { self.totals.annotations.map(\.label) }

    /// The names of the phases of the run.
    var phases: [String] { self.totals.identity.phases.names }

    /// How the run ended.
    var ending: ShardResult.Ending { self.totals.ending }
}
