import JSON
import Machines

/// When the pieces with text of a streamed answer came.
struct StreamTimings: Sendable {
    private let begin: Instant
    private var first: Instant?
    private var last: Instant?
    private var gaps = 0
    private var largest = Duration.zero

    /// Begins with the instant at which the request was sent.
    init(since begin: Instant) {
        self.begin = begin
    }

    /// Takes note of a piece.
    ///
    /// - Returns: The time since the one before; nil for the first.
    mutating func note(_ now: Instant) -> Duration? {
        defer { self.last = now }
        guard let last = self.last else {
            self.first = now
            return nil
        }
        let gap = now - last
        self.gaps += 1
        self.largest = max(self.largest, gap)
        return gap
    }

    /// `time_to_first`, `time_to_last` and `gaps`, in seconds, as far as there are any.
    var fields: JSONObject {
        guard let first = self.first, let last = self.last else { return [:] }
        var fields: JSONObject = [
            "time_to_first": (first - self.begin).json, "time_to_last": (last - self.begin).json,
        ]
        if self.gaps > 0 {
            let mean = (last - first) / self.gaps
            fields["gaps"] = [
                "count": .integer(Int64(self.gaps)), "largest": self.largest.json, "mean": mean.json,
            ]
        }
        return fields
    }
}

extension Duration {
    /// The duration in seconds, as scripts see it.
    var json: JSONValue { .double(self.scriptSeconds) }
}
