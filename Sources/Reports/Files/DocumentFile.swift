import RunRecord

/// A report that is replaced as a whole again and again while a run goes.
struct DocumentFile {
    private let path: String
    private var recorder: any DocumentRecorder

    /// Why the file could not be written the last time.
    private(set) var error: ReportFileError?

    private var hasReported = false
    private var change = Change.none
    private var lastReplacement: ContinuousClock.Instant?
    private var lastCost: Duration = .zero

    /// What has changed since the last replacement.
    private enum Change: Int {
        case none
        /// Only conversations went on; a reader can wait for that.
        case conversation
        /// A scenario began or ended.
        case cases
    }

    /// Conversations that go on are written at most this often.
    private static let conversationInterval: Duration = .seconds(1)

    /// Rendering and writing may take at most one part in this many of the time, however large the file.
    private static let costShare = 10

    init(path: String, _ recorder: any DocumentRecorder) {
        self.path = path
        self.recorder = recorder
    }

    /// Takes the next entry of the record.
    mutating func record(_ entry: RunEntry) {
        self.recorder.record(entry)
        switch entry {
        case .happened: if self.change == .none { self.change = .conversation }
        default: self.change = .cases
        }
    }

    /// When the file is to be replaced next, or nil if nothing has changed.
    func due(interval: Duration) -> ContinuousClock.Instant? {
        guard self.change != .none else { return nil }
        guard let last = self.lastReplacement else { return .now }
        let wait = self.change == .cases ? interval : max(interval, Self.conversationInterval)
        return last + max(wait, self.lastCost * Self.costShare)
    }

    /// Whether the file holds all entries so far.
    private var isCurrent: Bool {
        self.change == .none && self.error == nil && self.lastReplacement != nil && FileSystem.isReplaceable(self.path)
    }

    /// Replaces the file.
    ///
    /// What is no plain file, such as a pipe, is written only once.
    ///
    /// - Parameter isLast: Whether nothing more comes.
    /// - Returns: Why the file cannot be written, when that is noticed.
    mutating func replace(isLast: Bool) -> ReportFileError? {
        if isLast, self.isCurrent { return nil }
        let start = ContinuousClock.now
        defer {
            self.change = .none
            self.lastReplacement = .now
            self.lastCost = .now - start
        }
        guard isLast || FileSystem.isReplaceable(self.path) else { return nil }
        do throws(ReportFileError) {
            try FileSystem.replace(self.path, with: self.recorder.document())
            self.error = nil
            return nil
        } catch {
            self.error = error
            defer { self.hasReported = true }
            return self.hasReported ? nil : error
        }
    }
}
