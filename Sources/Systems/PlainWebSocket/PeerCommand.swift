import Machines

/// What a script asks the peer of a client to do.
enum PeerCommand: Sendable {
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
    static let commands = CommandSet<PeerCommand>(
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
