import Machines

/// The keys of a member.
enum MemberKeys: MachineKeys {
    enum Timer: MachineTimer {
        /// A room on Android goes on with connecting; apart from the others, for each member of a load test has a table
        /// of timers.
        indirect case connecting(String)
        /// The subscribe loop tries again.
        case subscribeRetry
        /// The subscribe loop has waited long enough for an answer.
        case subscribeLimit
        /// The next message may be sent.
        case send
        /// The messages that wait for the play head are looked at.
        case playHead
        /// The message carrier's presence is told that the member is there.
        case heartbeat

        var description: String {
            switch self {
            case .connecting(let room): "connecting-\(room)"
            case .subscribeRetry: "subscribe-retry"
            case .subscribeLimit: "subscribe-limit"
            case .send: "send"
            case .playHead: "play-head"
            case .heartbeat: "heartbeat"
            }
        }
    }

    typealias Exchange = PendingRequest<Purpose>
    typealias Connection = Never
}
