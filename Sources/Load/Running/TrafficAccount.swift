import Machines
import Metrics
import Transport

/// Takes down how many bytes the connections of a pool have carried, from one look to the next.
///
/// The network counts them as they go, which costs next to nothing; whoever looks once a second and was late says when
/// they went all the same, as if they had gone evenly.
struct TrafficAccount {
    private var traffic = Traffic()
    private var lookedAt = Instant.start

    /// When the parts of the run begin, which tell figures apart as seconds do; in order, in microseconds.
    private let begins: [Int64]

    /// Begins with nothing carried.
    init(phases: Phases) {
        self.begins = phases.list.map(\.startMicroseconds)
    }

    /// Takes in what the connections have carried by now.
    ///
    /// - Parameter note: Gets how many bytes went, and when, once for each second that there was since the last look,
    ///   or for each part of the run in it.
    mutating func look(
        at traffic: Traffic, _ now: Instant, _ note: (BuiltInMetric, _ bytes: Int64, _ at: Instant) -> Void
    ) {
        let growth = traffic - self.traffic
        let span = (from: self.lookedAt.microseconds, to: now.microseconds)
        self.traffic = traffic
        self.lookedAt = now
        for (metric, bytes) in [(BuiltInMetric.dataSent, growth.sent), (.dataReceived, growth.received)] {
            var left = bytes
            var begin = span.from
            while left > 0 {
                let end = min(span.to, self.end(after: begin))
                let share = end < span.to ? Double(end - begin) / Double(span.to - begin) : 1
                let part = Int64((Double(left) * share).rounded(.down))
                if part > 0 { note(metric, part, .start + .microseconds(begin)) }
                left -= part
                begin = end
            }
        }
    }

    /// The end of the second at a time, or of the part of the run if that comes first.
    private func end(after begin: Int64) -> Int64 {
        let second = (begin / Self.second + 1) * Self.second
        return self.begins.first { $0 > begin }.map { min($0, second) } ?? second
    }

    private static let second: Int64 = 1_000_000
}
