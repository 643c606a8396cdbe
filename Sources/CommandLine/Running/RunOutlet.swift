import Reports
import RunRecord
import Synchronization

/// What the entries of a run go through on their way to the reports, and who ends them: the run itself, or whoever ends
/// the process without waiting for what plays.
///
/// Entries are counted and handed on in one step, so that what is missing at any time is known exactly, and nothing
/// follows the end.
final class RunOutlet: Sendable {
    private let writer: ReportWriter
    private let tallies: RunTallies
    private let isClosed = Mutex(false)

    /// How long reports may take to be written by a process that hangs.
    private static let writingLimit = Duration.seconds(20)

    init(_ writer: ReportWriter, _ tallies: RunTallies) {
        self.writer = writer
        self.tallies = tallies
    }

    /// Takes the next entries of the run; none once something else has ended it.
    func record(_ entries: [RunEntry]) {
        self.isClosed.withLock { isClosed in
            guard !isClosed else { return }
            self.tallies.note(entries)
            self.writer.record(entries)
        }
    }

    /// Says that no more entries come.
    func finish() {
        self.isClosed.withLock { $0 = true }
        self.writer.finish()
    }

    /// Ends the record of a run that is not waited for, unless it has ended, and waits until it is written.
    ///
    /// - Parameters:
    ///   - reason: Why those that play do not end by themselves.
    ///   - kind: What kind of problem that is.
    ///   - isInterrupted: Whether somebody has asked the run to end; one that hangs by itself has no end, and its
    ///     record says so.
    func end(because reason: String, _ kind: ProblemKind, isInterrupted: Bool) {
        self.close {
            let ends = self.tallies.entries(endingBecause: reason, as: kind)
            self.tallies.note(ends)
            return ends + (isInterrupted ? self.tallies.interruptedEnd : [])
        }
    }

    private func close(with rest: () -> [RunEntry]) {
        self.isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            self.writer.record(rest())
        }
        self.writer.finish()
        self.writer.waitForEnd(atMost: Self.writingLimit)
    }
}
