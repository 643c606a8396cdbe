import FoundationEssentials
import Scenario

/// The files by which a run would change, as the run knows them: what is saved after it was read counts as changed,
/// also while scenarios play.
struct KnownFiles {
    private let files: WatchedFiles

    /// What the run writes: files and folders.
    private let outputs: [String]

    /// What is looked at besides what the command line names.
    private var sources: Set<String> = []

    /// When each file had been written before it was read.
    private var dates: [String: Date]

    /// Begins before anything is read.
    ///
    /// - Parameter outputs: What the run writes, which is no change even where a scenario reads it.
    init(_ files: WatchedFiles, besides outputs: OutputFiles) {
        self.files = files
        self.outputs = outputs.paths
        self.dates = files.dates()
    }

    /// How many files there are.
    var count: Int { self.dates.count }

    /// Takes in what was read by now: once scenarios have been planned, and again once they have been played.
    mutating func add(_ plan: TestPlan) {
        let reads = plan.settings.files.reads
        let read = Dictionary(
            reads.dates.map { (ChangedFiles.withoutLinks($0.key), $0.value) }, uniquingKeysWith: min)
        self.sources.formUnion(plan.watched.union(read.keys))
        let now = self.files.dates(and: self.sources)
        // What was looked at first was so before the others.
        self.dates.merge(read) { first, _ in first }
        self.dates.merge(now) { first, _ in first }
        let written = reads.written
        for path in self.dates.keys where written.contains(path) || self.isOutput(path) { self.dates[path] = now[path] }
    }

    private func isOutput(_ path: String) -> Bool {
        self.outputs.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// The files that were written, came or went since they were read.
    var changes: Set<String> {
        let now = self.files.dates(and: self.sources)
        return Set(self.dates.keys).union(now.keys).filter { self.dates[$0] != now[$0] }
    }
}
