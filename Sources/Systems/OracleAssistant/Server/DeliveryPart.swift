import JSON
import Machines

/// What is to be sent to one user, in order; a skill can take its time.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | empty | `queued` without a delay | empty | delivers |
/// | empty | `queued` with a delay | waiting | sets the timer |
/// | waiting | `queued`, below the limit | waiting | |
/// | waiting | `queued` at the limit | waiting | delivers an error in its place |
/// | waiting | `due`, the next ones have no delay | empty | delivers all |
/// | waiting | `dropped` | empty | cancels the timer |
/// | waiting | `due`, one of the next ones has a delay | waiting | delivers those before it, sets the timer |
struct DeliveryPart: Sendable {
    /// A frame that waits for its time.
    struct Delivery: Hashable, Sendable {
        let frame: JSONObject
        /// The time since the frame before.
        let delay: Duration
        /// Whether the session is over once it is sent.
        let endsSession: Bool
    }

    /// What happens to frames.
    enum Input: Sendable {
        case queued(Delivery)
        case due
        /// Nobody wants to hear what waits any more.
        case dropped
    }

    private let userID: String
    private let limit: Int
    private var deliveries: [Delivery] = []

    /// Creates a part with nothing to send.
    init(userID: String, limit: Int = ServerConversation.limit) {
        self.userID = userID
        self.limit = limit
    }

    /// How many frames wait.
    var count: Int { self.deliveries.count }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ServerAction] {
        switch input {
        case .queued(let delivery):
            guard self.deliveries.count < self.limit else { return [.deliver(self.refusal(of: delivery))] }
            guard self.deliveries.isEmpty else {
                self.deliveries.append(delivery)
                return []
            }
            if delivery.delay == .zero { return [.deliver(delivery)] }
            self.deliveries.append(delivery)
            return [self.timer(delivery)]
        case .dropped:
            guard !self.deliveries.isEmpty else { return [] }
            self.deliveries = []
            return [.perform(.cancelTimer(.deliver(self.userID)))]
        case .due:
            guard !self.deliveries.isEmpty else { return [] }
            let next = self.deliveries.dropFirst().firstIndex { $0.delay != .zero } ?? self.deliveries.endIndex
            let due = self.deliveries[..<next]
            self.deliveries.removeSubrange(..<next)
            return due.map { .deliver($0) } + self.deliveries.prefix(1).map { self.timer($0) }
        }
    }

    /// What comes at once in the place of a frame for which there is no room: scripts are refused before, so the skill
    /// has said too much.
    private func refusal(of delivery: Delivery) -> Delivery {
        var frame = delivery.frame
        let text = "\(self.limit) messages wait for their time; this one is dropped."
        frame["messagePayload"] = ["type": "error", "errorMessage": .string(text)]
        return Delivery(frame: frame, delay: .zero, endsSession: false)
    }

    private func timer(_ delivery: Delivery) -> ServerAction {
        .perform(.setTimer(.deliver(self.userID), delivery.delay))
    }
}
