import Machines

/// How an answer is spoilt.
enum Fault: Hashable, Sendable {
    /// `Status: error` with a message.
    case message(String)
    /// An HTTP status with a body that is not JSON.
    case status(Int)
    /// Bytes that are not JSON.
    case malformed
    /// The connection is dropped without an answer.
    case drop
    /// The answer comes late.
    case delay(Duration)
}
