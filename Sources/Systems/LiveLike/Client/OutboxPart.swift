import Machines

/// The messages of a member that wait to be sent: one request at a time, with a pause after each answer.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | idle | `queued` | sending | sends it |
/// | sending, resting | `queued` | unchanged | |
/// | sending | `answered` | resting | the timer of the pause |
/// | resting | `pauseOver`, something waits | sending | sends what has waited longest |
/// | resting | `pauseOver`, nothing waits | idle | |
/// | any | `roomLeft` | unchanged | |
/// | any | `ended` | unchanged | |
struct OutboxPart: Sendable {
    /// What the outbox is doing.
    enum State: String, CaseIterable, Sendable {
        case idle, sending, resting
    }

    /// What happens to the outbox.
    enum Input: Sendable {
        case queued(OutgoingMessage)
        case answered
        case pauseOver
        /// Messages to this room are not sent any more.
        case roomLeft(String)
        /// Nothing is sent any more.
        case ended
    }

    /// At most this many messages wait to be sent; defined here.
    static let limit = 1_000

    /// The pause after each answered message (vendor's Android SDK).
    private static let pause = Duration.milliseconds(100)

    private(set) var state = State.idle
    private var waiting: [OutgoingMessage] = []

    /// Whether no further message is taken.
    var isFull: Bool { self.waiting.count >= Self.limit }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [MemberAction] {
        switch input {
        case .queued(let message):
            self.waiting.append(message)
            return self.state == .idle ? self.next() : []
        case .answered:
            self.state = .resting
            return [.setTimer(.send, Self.pause)]
        case .pauseOver: return self.next()
        case .roomLeft(let room):
            self.waiting.removeAll { $0.room == room }
            return []
        case .ended:
            self.waiting = []
            return []
        }
    }

    private mutating func next() -> [MemberAction] {
        guard !self.waiting.isEmpty else {
            self.state = .idle
            return []
        }
        self.state = .sending
        return [.send(self.waiting.removeFirst())]
    }
}
