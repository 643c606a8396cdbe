import Machines
import Transport

/// Takes down how many bytes the connections of a pool have carried, from one look to the next.
///
/// The network counts them as they go, which costs next to nothing; whoever looks once a second and was late says when
/// they went all the same, as if they had gone evenly.
struct TrafficAccount {
    private var traffic = Traffic()
    private var lookedAt = Instant.start

    /// Takes in what the connections have carried by now.
    ///
    /// - Parameter note: Gets how many bytes went, and when, once for each second that there was since the last look.
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
                let end = min(span.to, (begin / Self.second + 1) * Self.second)
                let share = end < span.to ? Double(end - begin) / Double(span.to - begin) : 1
                let part = Int64((Double(left) * share).rounded(.down))
                if part > 0 { note(metric, part, .start + .microseconds(begin)) }
                left -= part
                begin = end
            }
        }
    }

    private static let second: Int64 = 1_000_000
}
