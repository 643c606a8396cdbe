import JSON
import Machines

/// The misbehavior that a script has ordered.
struct Faults: Sendable {
    /// How the next answer of a method is spoilt.
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

    private var next: [String: [Fault]] = [:]

    /// Answers that wait for their time.
    var delayed: [UInt64: Delayed] = [:]
    /// The number of the last answer that was kept back.
    var lastDelayed: UInt64 = 0

    /// What waits for its time.
    enum Delayed: Sendable {
        case response(ExchangeID, Response)
        case frame(ConnectionID, JSONValue)
        /// A poll that is only looked at later.
        case poll(ExchangeID, query: [String: String])
        /// The greeting of a socket.
        case greeting(ConnectionID, OSSCall)
    }

    /// What faults can be ordered for besides the methods of the visitor API: the file transfer, the opening of a
    /// socket, its greeting, a long poll, and anything at all.
    static let otherNames = ["files", "socket", "connect", "poll", "*"]

    /// Orders a fault for coming answers of a method; `*` stands for any method.
    mutating func order(_ fault: Fault, method: String, times: Int64) {
        let count = Int(clamping: min(max(times, 1), 1000))
        self.next[method, default: []] += Array(repeating: fault, count: count)
    }

    /// Forgets a poll whose client went away.
    mutating func forgetPoll(_ exchange: ExchangeID) {
        for (number, delayed) in self.delayed {
            if case .poll(exchange, _) = delayed { self.delayed[number] = nil }
        }
    }

    /// Takes the fault that the next answer of a method has.
    mutating func take(for method: String) -> Fault? {
        for name in [method, "*"] {
            guard let first = self.next[name]?.first else { continue }
            self.next[name]?.removeFirst()
            return first
        }
        return nil
    }
}
