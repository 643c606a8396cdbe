import Machines

/// How often members may send in one room.
///
/// | a member's state | input | → state | action |
/// |---|---|---|---|
/// | may send | `sendAsked`, the room has a throttle | must wait | `allow` |
/// | must wait | `sendAsked` before the throttle is over | must wait | `refuse` |
/// | must wait | `sendAsked` after it | must wait | `allow` |
/// | any | `sendAsked`, the room has none | unchanged | `allow` |
struct ThrottlePart: Sendable {
    /// What becomes of a message.
    enum Action: Sendable {
        case allow, refuse
    }

    private var lastSent: [String: Instant] = [:]

    /// Whether a member that wants to send must wait.
    func mustWait(_ profile: String, throttle: Duration, now: Instant) -> Bool {
        guard throttle > .zero, let last = self.lastSent[profile] else { return false }
        return now - last < throttle
    }

    /// Lets a member send if it may, and counts it as sent then.
    mutating func handle(sendAskedBy profile: String, throttle: Duration, now: Instant) -> Action {
        guard throttle > .zero else { return .allow }
        guard !self.mustWait(profile, throttle: throttle, now: now) else { return .refuse }
        self.lastSent[profile] = now
        return .allow
    }
}
