/// The connections of consumers and agents, counted from 1.
enum AssistConnection: Hashable, Sendable {
    /// The topic WebSocket of a session.
    case topics(UInt64)
    /// The WebSocket to the gateway: of the consumer's call, or for the calls of an agent.
    case gateway(UInt64)
}
