import Machines

/// What the client has under way.
enum ClientKeys: MachineKeys {
    enum Timer: MachineTimer {
        /// A call takes too long.
        case callLimit(UInt64)
        /// A call is made again.
        case callRetry(UInt64)
        case link(LinkStateMachine.Timer)
        /// A visitor has waited too long for an answer.
        case answer
        /// A ping is due.
        case ping

        var description: String {
            switch self {
            case .callLimit(let number): "call.limit.\(number)"
            case .callRetry(let number): "call.retry.\(number)"
            case .link(let timer): "link.\(timer.rawValue)"
            case .answer: "chat.answer"
            case .ping: "session.ping"
            }
        }
    }

    typealias Exchange = ExchangeID
    typealias Connection = ConnectionID
}
