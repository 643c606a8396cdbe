import JSON
import Machines

/// How long visitors in the queue are told that they will wait.
struct EstimatedWait: Hashable, Sendable {
    /// How long each place in the queue is estimated to take.
    let perPlace: Duration

    /// The members that tell the wait at a position: full minutes from two minutes on, else seconds; the units are
    /// defined here.
    func members(at position: Int64) -> JSONObject {
        let seconds = min(max(self.perPlace.components.seconds, 0), 86_400) * max(position, 1)
        let isLong = seconds >= 120
        return [
            "ShowWaitTime": true, "WaitTime": .integer(isLong ? (seconds + 59) / 60 : seconds),
            "WaitTimeUnit": isLong ? "minutes" : "seconds",
        ]
    }
}
