import JSON
import Machines

/// Ways in which the simulated server misbehaves when a script asks for it.
struct ServerFaults: Sendable {
    /// The switches.
    enum Switch: String, CaseIterable, Sendable {
        /// Refuse every WebSocket with this HTTP status; 0 stops it.
        case refuseSocket = "refuse_socket"
        /// Never answer a ping.
        case noPong = "no_pong"
        /// Take every message and say nothing.
        case silent
        /// Send every message twice, under the same number.
        case duplicates
        /// Leave `endOfTurn` out.
        case noEndOfTurn = "no_end_of_turn"
        /// Close connections with this code on seeing a bad token in place of 1008.
        case authenticationCode = "authentication_code"
        /// Answer uploads with this HTTP status; 0 stops it.
        case uploadStatus = "upload_status"
        /// Answer long polls with this HTTP status; 0 stops it.
        case pollStatus = "poll_status"
        /// Drop the connection of every request.
        case dropRequests = "drop_requests"
        /// Never say that a session has closed.
        case noSessionClosed = "no_session_closed"
        /// Tell a client that its session has expired in place of starting another one.
        case sayExpired = "say_expired"
        /// Answer frames that mean nothing and payloads that users may not send with an error message, and refuse
        /// payloads that skills may not send.
        case strict
        /// Answer at most this many messages in a second, others with an error, or with 429 if polled; 0 stops it.
        case rateLimit = "rate_limit"
        /// Take connections for unknown channels and close them at once, in place of refusing them.
        case lateRefusal = "late_refusal"
    }

    private var values: [Switch: Int64] = [:]

    /// Whether a fault is switched on.
    subscript(fault: Switch) -> Bool { self.values[fault, default: 0] != 0 }

    /// The number of a fault, or nil if it is off.
    func number(_ fault: Switch) -> Int? {
        self.values[fault].flatMap { $0 == 0 ? nil : Int(clamping: $0) }
    }

    /// Sets a fault; returns what is wrong, or nil.
    mutating func set(_ name: String, _ value: JSONValue) -> String? {
        guard let fault = Switch(rawValue: name) else {
            return "there is no fault \"\(name)\"; there are "
                + Switch.allCases.map(\.rawValue).joined(separator: ", ")
        }
        let number: Int64? = value.bool.map { $0 ? 1 : 0 } ?? (value.isNull ? 1 : value.integer)
        guard let number, number == 0 || Self.takes(number, fault) else {
            return "the fault \(name) takes \(Self.form(of: fault)), and false or 0 to stop it, not \(value)"
        }
        self.values[fault] = number
        return nil
    }

    private static func takes(_ number: Int64, _ fault: Switch) -> Bool {
        switch fault {
        case .refuseSocket, .uploadStatus, .pollStatus: 200...599 ~= number
        case .authenticationCode: CloseCode.isSendable(number) || number == Self.brokenOff
        case .rateLimit: 1...65_535 ~= number
        default: number == 1
        }
    }

    /// The code of a connection that ends without one.
    private static let brokenOff: Int64 = 1006

    private static func form(of fault: Switch) -> String {
        switch fault {
        case .refuseSocket, .uploadStatus, .pollStatus: "an HTTP status from 200 to 599"
        case .authenticationCode: "a close code, \(CloseCode.range), or \(Self.brokenOff) for a connection that dies"
        case .rateLimit: "a number of messages up to 65535"
        default: "true"
        }
    }
}
