import JSON
import Machines

/// The WebSocket over which calls come to an agent who has logged in, and the token of the log-in.
///
/// How calls are signalled is not published, so the WebSocket and its JSON texts are defined here; so is that an agent
/// whose connection breaks is told and stays off duty until it logs in again.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | off, on | `loggedIn` | on | open; closes the connection before |
/// | on | `opened` | on | begin |
/// | on | `received` a call | on | report |
/// | on | `received` anything else | on | fail |
/// | on | `lost` | off | fail |
/// | on, with a call | `told` | on | transmit |
/// | on | `tornDown` | off | close |
struct AgentCallSocketPart: Sendable {
    /// What happens.
    enum Input: Sendable {
        /// - Parameter answer: What the server said to the log-in.
        case loggedIn(token: String, answer: JSONValue)
        case opened(AssistConnection)
        case received(AssistConnection, WebSocketMessage)
        /// The connection could not be opened, or has ended.
        case lost(AssistConnection, reason: String)
        /// The agent answers, rejects or ends the call.
        case told(String)
        case tornDown
    }

    /// What is to be done.
    enum Action: Hashable, Sendable {
        case open(AssistConnection, token: String)
        case transmit(AssistConnection, String)
        case close(AssistConnection)
        /// Calls can come from now on; with the server's answer to the log-in.
        case begin(JSONValue)
        /// The call has come to another state.
        case report(CallStatus, call: Int64, JSONValue)
        case fail(String)
    }

    /// The token of the log-in, empty as long as there is none.
    private(set) var token = ""
    private var connection: AssistConnection?
    /// The server's answer to the log-in, until calls can come.
    private var answer = JSONValue.null
    private var number: UInt64 = 0
    private var call: Int64?

    /// Whether calls can come.
    var isOn: Bool { self.connection != nil }

    /// Whether there is a call about which something can be said.
    var hasCall: Bool { self.isOn && self.call != nil }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .loggedIn(let token, let answer):
            let former = self.connection.map { [Action.close($0)] } ?? []
            self.token = token
            self.answer = answer
            self.number += 1
            let connection = AssistConnection.gateway(self.number)
            self.connection = connection
            self.call = nil
            return former + [.open(connection, token: token)]
        case .opened(let connection): return connection == self.connection ? [.begin(self.answer)] : []
        case .received(let connection, let message):
            return connection == self.connection ? self.received(message) : []
        case .lost(let connection, let reason):
            guard connection == self.connection else { return [] }
            self.connection = nil
            self.call = nil
            return [.fail("the connection over which calls come is gone: \(reason)")]
        case .told(let action):
            guard let call, let connection else { return [] }
            let message: JSONValue = ["call": .integer(call), "action": .string(action)]
            return [.transmit(connection, message.description)]
        case .tornDown:
            guard let connection else { return [] }
            self.connection = nil
            return [.close(connection)]
        }
    }

    private mutating func received(_ message: WebSocketMessage) -> [Action] {
        guard let value = try? message.json(depth: 8),
            let status = value["status"]?.string.flatMap(CallStatus.init), let call = value["call"]?.integer
        else { return [.fail("the server sent the state of a call that cannot be read")] }
        self.call = status == .ended ? nil : call
        return [.report(status, call: call, value)]
    }
}
