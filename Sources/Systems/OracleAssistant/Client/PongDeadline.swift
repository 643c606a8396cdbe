import JSON
import Machines

/// The pings of an open WebSocket, and the deadline of the pong that answers each.
///
/// What is under way are the timers alone, so there is no state: each ping sets the timer of the next one and the
/// deadline of its pong, a pong cancels the deadline, and ``ConnectionStateMachine`` opens the connection again once
/// one has passed.
struct PongDeadline: Sendable {
    /// The time between two pings; the vendor's clients know no other value.
    static let interval = Duration.seconds(30)

    /// How long a pong may take.
    static let limit = Duration.seconds(10)

    /// Which WebSocket it is.
    let socket: UInt64

    /// The WebSocket is open.
    func opened() -> ConnectionAction { .perform(.setTimer(.connection(.ping), Self.interval)) }

    /// It is time for a ping.
    func pingDue() -> [ConnectionAction] {
        [
            .perform(.transmit(.chat(self.socket), .text(ClientFrame.ping.json.description))),
            .perform(.setTimer(.connection(.pong), Self.limit)), self.opened(),
        ]
    }

    /// A message arrived; nil if it is no pong.
    func received(_ value: JSONValue?) -> [ConnectionAction]? {
        value?["state"]?["type"] == "pong" ? [.perform(.cancelTimer(.connection(.pong)))] : nil
    }
}
