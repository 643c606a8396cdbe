import Machines

/// How frames go out: at once, or late if the script says so.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | prompt, late | `sent` without latency | unchanged | transmits |
/// | prompt, late | `sent` with latency | late | sets a timer |
/// | late | `due`, the connection is there still | late, prompt after the last one | transmits |
/// | late | `due`, the connection is gone | late, prompt after the last one | |
/// | any | `latencySet` | unchanged | |
struct LateFramePart: Sendable {
    /// What happens to frames.
    enum Input: Sendable {
        case sent(TopicFrame, to: ConnectionID)
        case due(UInt64, TopicEnginePart)
        case latencySet(Duration)
    }

    private var latency: Duration
    /// The frames that are on their way, by their numbers.
    private(set) var delayed = Numbered<(connection: ConnectionID, message: WebSocketMessage)>()

    /// Creates a part that has nothing to send.
    init(latency: Duration) { self.latency = latency }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [AssistServer.Effect] {
        switch input {
        case .sent(let frame, let connection):
            let message = WebSocketMessage.binary(frame.bytes)
            guard self.latency > .zero else { return [.transmit(connection, message)] }
            return [.setTimer(.frame(self.delayed.add((connection, message))), self.latency)]
        case .due(let number, let engine):
            guard let frame = self.delayed.take(number), engine.has(frame.connection) else { return [] }
            return [.transmit(frame.connection, frame.message)]
        case .latencySet(let latency):
            self.latency = latency
            return []
        }
    }
}
