import Machines

/// A simulated call between a consumer and an agent.
struct SimulatedCall: Sendable {
    let number: Int64
    let cid: String
    let destination: String
    let video: String
    var caller: ConnectionID?
    /// The connection for calls of the agent whom it rings at or who is in it.
    var agent: ConnectionID?
    var status: CallStatus
}
