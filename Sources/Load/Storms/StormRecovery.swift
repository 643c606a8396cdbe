import Machines

/// Whether a user that a storm hit has heard anything again since the storm was over.
///
/// | state | input | → state | comes to |
/// |---|---|---|---|
/// | well, hit | `stormPassed` | hit | |
/// | hit | `heard` | well | the time since the storm was over, `recovery` |
/// | hit | `stopped` | well | one of the `unrecovered` |
struct StormRecovery {
    /// When the storm was over that the user has not recovered from, on the time line of the run.
    @Packed private var stormEnd: Instant?

    /// A storm that hit the user is over.
    mutating func stormPassed(at now: Instant) { self.stormEnd = now }

    /// The user hears a text of somebody else, an acknowledgement or an answer.
    ///
    /// - Returns: How long it took to recover; nil if there was nothing to recover from.
    mutating func heard(at now: Instant) -> Duration? {
        guard let stormEnd = self.stormEnd else { return nil }
        self.stormEnd = nil
        return now - stormEnd
    }

    /// The user plays no more.
    ///
    /// - Returns: Whether it has not recovered.
    mutating func stopped() -> Bool {
        guard self.stormEnd != nil else { return false }
        self.stormEnd = nil
        return true
    }
}
