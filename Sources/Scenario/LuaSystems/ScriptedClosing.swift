import JSON
import Machines

/// How a handler of a system in Lua closes a connection: `link:close(code, reason)`.
struct ScriptedClosing {
    /// The status code; 1000 unless one was given.
    let code: UInt16

    /// Why; empty unless a reason was given.
    let reason: String

    /// Why nothing can be sent behind it.
    static let isOver =
        "the handler has closed the connection before, so that nobody gets this; send it first, and leave out whose "
        + "is_closing is true"

    /// Reads what was given.
    ///
    /// - Throws: ``ConfigurationError`` if it cannot be sent as it is.
    init(_ arguments: JSONObject) throws(ConfigurationError) {
        let code = arguments["code"] ?? .integer(1000)
        guard let number = code.integer else { throw ConfigurationError("close takes a code as a number, not \(code)") }
        if let obstacle = CloseCode.obstacle(to: number) { throw ConfigurationError(obstacle) }
        let reason = arguments["reason"] ?? ""
        guard let text = reason.string else { throw ConfigurationError("close takes a reason as text, not \(reason)") }
        if let obstacle = CloseReason.obstacle(to: text) { throw ConfigurationError(obstacle) }
        self.code = UInt16(number)
        self.reason = text
    }
}

extension WebSocketClosure {
    /// How a connection has ended, as the handlers `closed` of systems in Lua get it.
    var fields: JSONValue {
        ["code": .integer(Int64(self.code)), "reason": .string(self.reason), "clean": .bool(self.wasClean)]
    }
}
