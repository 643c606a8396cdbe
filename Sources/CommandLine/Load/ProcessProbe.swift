import FoundationEssentials
import Load

#if canImport(Glibc)
    import Glibc
#endif

/// Looks at what the thread of the users and the process take, by what Linux counts.
final class ProcessProbe: GeneratorProbe {
    private let stopwatch = WallClock.stopwatch()
    private var last: (elapsed: Duration, processor: Duration)?

    func begin() {
        self.last = (self.stopwatch(), Self.threadTime)
    }

    func sample() -> GeneratorSample {
        let now = (elapsed: self.stopwatch(), processor: Self.threadTime)
        defer { self.last = now }
        let before = self.last ?? (.zero, .zero)
        let elapsed = now.elapsed - before.elapsed
        var thousandths: Int64?
        if elapsed >= Self.leastInterval {
            thousandths = Int64(min(max((now.processor - before.processor) / elapsed, 0), 1) * 1000)
        }
        return GeneratorSample(
            processorThousandths: thousandths, memoryBytes: Self.residentBytes, memoryLimitBytes: Self.machineBytes)
    }

    /// Within less time a thread that has anything to do at all is busy.
    private static let leastInterval = Duration.milliseconds(200)

    /// The processor time of the calling thread, to the instant: `getrusage` tells it as it was at the last tick of the
    /// system, so that what takes less than one would cost nothing.
    static var threadTime: Duration {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    private static var residentBytes: Int64 {
        guard let text = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int64(fields[1]) ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    private static var machineBytes: Int64 {
        Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
