import JSON
import Machines

/// An instant on the clock of the wall, as the wire tells it.
struct ServerMoment: Sendable {
    /// Since 1970 UTC.
    let milliseconds: Int64

    /// The time as it stands on the wire.
    var time: String { Timestamp.text(epochMilliseconds: self.milliseconds) }
}
