import JSON
import Machines

/// What a script asks a client to do.
enum ClientAction: Sendable {
    case connect(JSONObject?)
    case send(Sending)
    case close(code: Int64?, reason: String?)
    case drop

    /// The name of the method.
    var method: String {
        switch self {
        case .connect: "connect"
        case .send(let sending): sending.method
        case .close: "close"
        case .drop: "drop"
        }
    }

    /// All of them, as scripts call them.
    static let commands = CommandSet<ClientAction>(
        [
            CommandDeclaration(
                "connect", Parameter.record("options", ConnectOptions.parameters, "What to change this time.").optional,
                summary: "Opens the connection; `connected` or `error` follows.", as: ClientAction.connect)
        ] + Sending.commands { .send($0) } + [
            CommandDeclaration(
                "close", Parameter.closeCode("1000 or 3000 to 4999"), Parameter.closeReason,
                summary: "Starts the closing handshake.", as: { .close(code: $0, reason: $1) }),
            CommandDeclaration(
                "drop", isFault: true, summary: "Drops the connection without a close frame.", as: { .drop }),
        ])
}

/// What a script asks the peer of a client to do.
enum PeerAction: Sendable {
    case send(Sending)
    case sendBytes(base64: String)
    case close(code: Int64?, reason: String?)
    case drop

    /// The name of the method.
    var method: String {
        switch self {
        case .send(let sending): sending.method
        case .sendBytes: "send_bytes"
        case .close: "close"
        case .drop: "drop"
        }
    }

    /// All of them, as scripts call them.
    static let commands = CommandSet<PeerAction>(
        Sending.commands { .send($0) } + [
            CommandDeclaration(
                "send_bytes", Parameter.string("base64", "The bytes in base64."),
                summary: "Sends bytes as they are, past the framing, as a broken server would.",
                as: { .sendBytes(base64: $0) }),
            CommandDeclaration(
                "close", Parameter.closeCode(CloseCode.range), Parameter.closeReason,
                summary: "Starts the closing handshake.", as: { .close(code: $0, reason: $1) }),
            CommandDeclaration(
                "drop", isFault: true, summary: "Drops the connection without a close frame.", as: { .drop }),
        ])
}

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

extension Parameter where Value == Int64? {
    fileprivate static func closeCode(_ codes: String) -> Parameter {
        Parameter<Int64>.integer("code", "The close code: \(codes); 1000 unless given.").optional
    }
}

extension Parameter where Value == String? {
    fileprivate static var closeReason: Parameter {
        Parameter<String>.string("reason", "The reason, at most \(CloseReason.limit) bytes; empty unless given.")
            .optional
    }
}
