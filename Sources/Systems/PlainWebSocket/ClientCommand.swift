import JSON
import Machines

/// What a script asks a client to do.
enum ClientCommand: Sendable {
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
    static let commands = CommandSet<ClientCommand>(
        [
            CommandDeclaration(
                "connect", Parameter.record("options", ConnectOptions.parameters, "What to change this time.").optional,
                summary: "Opens the connection; `connected` or `error` follows.", as: ClientCommand.connect)
        ] + Sending.commands { .send($0) } + [
            CommandDeclaration(
                "close", Parameter.closeCode("1000 or 3000 to 4999"), Parameter.closeReason,
                summary: "Starts the closing handshake.", as: { .close(code: $0, reason: $1) }),
            CommandDeclaration(
                "drop", isFault: true, summary: "Drops the connection without a close frame.", as: { .drop }),
        ])
}
