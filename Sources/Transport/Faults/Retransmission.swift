import Machines

/// How a byte stream brings back what was lost, in the terms of Linux: RFC 6298 with a least time-out of 200 ms.
public enum Retransmission {
    /// A segment carries up to so many bytes over Ethernet.
    public static let segmentSize = 1460

    /// The least time until a segment that nobody acknowledged is sent again.
    public static let leastTimeout = Duration.milliseconds(200)

    /// The first time-out of the segment that opens a connection (RFC 6298 section 2.1).
    public static let openingTimeout = Duration.seconds(1)

    /// Time-outs double up to this.
    public static let longestTimeout = Duration.seconds(120)

    /// A segment that was lost as often as this ends its connection (`tcp_retries2`).
    public static let mostTries = 15

    /// An opening segment that was lost as often as this ends the attempt (`tcp_syn_retries`).
    public static let mostOpeningTries = 6

    /// Draws how long a segment is late because it was lost and sent again.
    ///
    /// - Parameters:
    ///   - loss: The chance of each loss.
    ///   - timeout: The first time-out.
    ///   - mostTries: After how many losses the sender gives up.
    /// - Returns: The lateness, and whether the sender gave up then.
    static func lateness(
        loss: Double, timeout: Duration, mostTries: Int, random: inout RandomSource
    ) -> (lateness: Duration, isLost: Bool) {
        var lateness = Duration.zero
        var timeout = timeout
        for _ in 0..<mostTries {
            guard Double.random(in: 0..<1, using: &random) < loss else { return (lateness, false) }
            lateness += timeout
            timeout = min(timeout * 2, Self.longestTimeout)
        }
        return (lateness, true)
    }
}
