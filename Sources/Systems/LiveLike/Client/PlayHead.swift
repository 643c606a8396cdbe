import Machines

/// Where the video is that a member watches: messages from further on are not shown yet.
struct PlayHead: Sendable {
    /// Where it was, in ticks since 1970.
    let ticks: Int64

    /// When it was there.
    let instant: Instant

    /// Returns whether a message is of a time that the play head has not reached.
    func isBehind(_ message: ChatMessage, at now: Instant) -> Bool {
        guard self.ticks > 0, let time = message.times.programTicks else { return false }
        let passed = (now - self.instant).clampedNanoseconds / 100
        return time > self.ticks.addingReportingOverflow(passed).partialValue
    }
}
