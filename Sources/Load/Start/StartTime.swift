import Machines

/// When a run is to start, as `--start-at` says.
public enum StartTime: Hashable, Sendable {
    /// At a time that all shards were told alike.
    case at(EpochTime)
    /// So long after this process was started.
    case after(Duration)

    /// Reads an RFC 3339 time such as `2026-11-21T12:00:00Z`, or a duration with a plus sign such as `+30s`.
    ///
    /// - Throws: ``StartError`` that says what to write.
    public init(text: String) throws(StartError) {
        if text.hasPrefix("+"), let duration = Duration(scriptText: String(text.dropFirst())) {
            self = .after(duration)
        } else if let time = EpochTime(text: text) {
            self = .at(time)
        } else {
            throw StartError(
                message: "--start-at \"\(text.prefix(60))\" is no time; write 2026-11-21T12:00:00Z, or +30s for half a "
                    + "minute from now")
        }
    }

    /// Returns the time.
    ///
    /// - Parameter now: When this process was started.
    /// - Throws: ``StartError`` if the time has passed or is more than a day ahead, as a mistaken offset makes it.
    public func time(now: EpochTime) throws(StartError) -> EpochTime {
        switch self {
        case .after(let duration): return now + duration
        case .at(let time):
            guard time > now else {
                throw StartError(
                    message:
                        "--start-at \(time) passed \((now - time).scriptText) ago; write a later time, and mind that "
                        + "every shard has to be ready by then")
            }
            guard time - now <= .seconds(86_400) else {
                throw StartError(message: "--start-at \(time) is more than a day ahead; write a nearer time")
            }
            return time
        }
    }
}
