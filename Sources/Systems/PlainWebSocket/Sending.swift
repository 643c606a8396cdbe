import JSON
import Machines

/// A message that a script asks either side to send.
enum Sending: Sendable {
    case text(String)
    case json(JSONValue)
    /// A value by its JSON text.
    case encoded(String)
    case binary(base64: String)

    /// The name of the method.
    var method: String {
        switch self {
        case .text: "send"
        case .json, .encoded: "send_json"
        case .binary: "send_binary"
        }
    }

    /// The message.
    ///
    /// - Throws: ``CommandError`` if bytes are not in base64.
    var message: WebSocketMessage {
        get throws(CommandError) {
            switch self {
            case .text(let text): return .text(text)
            case .json(let value): return .text(value.description)
            case .encoded(let text): return .text(text)
            case .binary(let base64): return .binary(try Self.bytes(base64, of: self.method))
            }
        }
    }

    /// Returns the bytes that a text in base64 stands for.
    static func bytes(_ base64: String, of method: String) throws(CommandError) -> [UInt8] {
        guard let bytes = Base64.decode(base64) else {
            throw CommandError("\(method) takes base64 text (RFC 4648 §4, with padding)")
        }
        return bytes
    }

    /// The commands that send, for either side.
    static func commands<Action>(
        as action: @escaping @Sendable (Sending) -> Action
    ) -> [CommandDeclaration<Action>] {
        [
            CommandDeclaration(
                "send", Parameter.string("text", "The text."), summary: "Sends a text message.",
                as: { action(.text($0)) }),
            CommandDeclaration(
                "send_json", encoding: Parameter.json("value", "Any value that JSON can hold."),
                summary: "Sends a value as the JSON text of a text message.", as: { action(.json($0)) },
                asText: { action(.encoded($0)) }),
            CommandDeclaration(
                "send_binary", Parameter.string("base64", "The bytes in base64."), summary: "Sends a binary message.",
                as: { action(.binary(base64: $0)) }),
        ]
    }
}
