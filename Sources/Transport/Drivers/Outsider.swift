import Machines

/// Somebody outside of this process at the other end of a connection of a server, who is under test.
///
/// A client of the same run is none: it may break its protocol on purpose, to see what the server does.
struct Outsider {
    /// So many bytes of what was sent are kept; far more than is shown, so that no secret in what is shown lacks its
    /// end.
    private static let byteLimit = Ending.bodyLimit

    /// Where it is.
    let endpoint: Endpoint

    /// Looks who is there, once something has come.
    ///
    /// - Returns: Nil if it is a client of this process.
    init?(_ stream: any ByteStream) {
        guard stream.isFromOutside else { return nil }
        self.endpoint = stream.peer
    }

    /// Returns what it has done, as the server's owner is told. Its port is another one in each run.
    ///
    /// - Parameters:
    ///   - what: What it did, as it stands behind where it is.
    ///   - bytes: What it sent, if that says more.
    ///   - closure: How its WebSocket or link has ended by that, if it has.
    func violation(_ what: String, _ bytes: Span<UInt8>, closure: WebSocketClosure?) -> ClientViolation {
        ClientViolation(
            message: "\(self.endpoint.host) \(what)", bytes: Array(bytes, 0..<min(bytes.count, Self.byteLimit)),
            closure: closure)
    }
}

extension WebSocketClosure {
    /// Whether its code says that something has gone wrong (RFC 6455 section 7.4.1 and the registry that it makes).
    var isTrouble: Bool {
        switch self.code {
        case 1002, 1003, 1007...1011: true
        default: false
        }
    }
}
