import RunRecord
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What was handed over to a writer and is not written, so that whoever is faster than the disk waits for it.
///
/// Scenarios in virtual time make entries many times faster than reports take them; without this a long run would hold
/// them all.
final class WriterPressure: Sendable {
    /// About so many bytes may wait to be written.
    static let limit = 64 << 20

    private let waiting = Atomic(0)

    /// Notes that entries are handed over, and waits while too much is.
    ///
    /// - Returns: What they weigh.
    func enter(_ entries: [RunEntry]) -> Int {
        let weight = entries.reduce(0) { $0 + $1.weight }
        // One batch may pass, however heavy it is: it must be written at some time.
        while self.waiting.load(ordering: .relaxed) > Self.limit { usleep(1000) }
        self.waiting.add(weight, ordering: .relaxed)
        return weight
    }

    /// Notes that entries are written.
    func leave(_ weight: Int) {
        self.waiting.subtract(weight, ordering: .relaxed)
    }
}

extension RunEntry {
    /// About how many bytes of memory the entry takes.
    fileprivate var weight: Int {
        if case .happened(_, _, let runEvent) = self { 64 + runEvent.weight } else { 1024 }
    }
}
