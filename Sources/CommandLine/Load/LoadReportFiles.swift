import RunRecord

/// The files that a load run leaves in its folder for reports; none of them has the name of one of a test run.
struct LoadReportFiles {
    private let folder: String
    private let shard: Shard

    init(of shard: Shard, in folder: String) {
        self.shard = shard
        self.folder = folder
    }

    /// What the results of one run or part are called, beside those of other parts.
    var name: String { self.shard.count > 1 ? "load-\(self.shard.index)" : "load" }

    /// The result.
    var result: String { "\(self.folder)/\(self.name).json" }

    /// The page; a part of a run has none, for what the run came to is told once the results of all parts are merged.
    var page: String? { self.shard.count > 1 ? nil : self.folder + "/load.html" }

    /// The JUnit file, under a name of its own beside that of `repartee test`.
    var junit: String? { self.shard.count > 1 ? nil : self.folder + "/load-junit.xml" }

    /// All of them.
    var all: [String] { [self.result] + [self.page, self.junit].compactMap(\.self) }
}
