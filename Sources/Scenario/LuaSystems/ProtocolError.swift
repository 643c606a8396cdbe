import JSON
import Machines

/// The event by which a client of a system in Lua tells that something has come that is no message of its server.
enum ProtocolError {
    /// The fields that it may have.
    static let fields = ["code", "message", "body"]

    /// Returns the event.
    ///
    /// - Parameters:
    ///   - text: What has come.
    ///   - declaration: What the script declares of errors: it may have no place for the body.
    static func event(_ fault: MessageFault, of text: JSONValue, as declaration: EventDeclaration?) -> ChatEvent {
        let values: JSONObject = ["code": "protocol", "message": .string(fault.message), "body": text]
        let declared = declaration?.fields.map(\.name) ?? Self.fields
        return ChatEvent(.error, JSONObject(values.filter { name, _ in declared.contains(name) }))
    }
}
