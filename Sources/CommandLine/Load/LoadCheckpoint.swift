import Dispatch
import Metrics
import Synchronization

/// Keeps on disk what a load run has come to so far, so that a night's run that is killed is not lost.
///
/// The users' thread offers a result once a second and goes on; it is written every few seconds by another one. Each
/// says that the run did not end, and the last report of a run that does end takes its place. What cannot be written is
/// told at the end, with the reports.
final class LoadCheckpoint: Sendable {
    private struct Written {
        var isBusy = false
        var files: Duration?
        var page: Duration?
    }

    /// How old what is on disk may become, and the page, which is the most work; writing takes a while, too.
    struct Intervals: Sendable {
        let files: Duration
        let page: Duration

        /// When nobody looks.
        static let unwatched = Self(files: .seconds(5), page: .seconds(30))

        /// When somebody looks at the page.
        static let watched = Self(files: .milliseconds(500), page: .milliseconds(500))
    }

    private let queue = DispatchQueue(label: "repartee.checkpoint")
    private let elapsed = WallClock.stopwatch()
    private let written = Mutex(Written())
    private let write: @Sendable (_ shards: [Int: ShardResult], _ withPage: Bool) -> Void
    private let intervals: Intervals

    /// - Parameters:
    ///   - intervals: How often; at most once for each offer.
    ///   - write: Writes a result, and the page if it is told to; called on a thread of its own.
    init(
        _ intervals: Intervals,
        write: @escaping @Sendable (_ shards: [Int: ShardResult], _ withPage: Bool) -> Void
    ) {
        self.intervals = intervals
        self.write = write
    }

    /// Takes a result over if it is time to write one; on the users' thread.
    ///
    /// - Parameter shards: Makes it, by the number of the shard.
    func offer(_ shards: () -> [Int: ShardResult]) {
        let now = self.elapsed()
        let (isDue, withPage) = self.written.withLock { written in
            guard !written.isBusy, written.files.map({ now - $0 >= self.intervals.files }) ?? true else {
                return (false, false)
            }
            let withPage = written.page.map { now - $0 >= self.intervals.page } ?? true
            written.isBusy = true
            written.files = now
            if withPage { written.page = now }
            return (true, withPage)
        }
        guard isDue else { return }
        let shards = shards()
        self.queue.async { [self] in
            self.write(shards, withPage)
            self.written.withLock { $0.isBusy = false }
        }
    }

    /// Waits until nothing is written any more.
    func finish() { self.queue.sync {} }
}
