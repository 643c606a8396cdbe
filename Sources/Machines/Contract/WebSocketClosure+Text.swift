extension WebSocketClosure {
    /// What happened, in words: who closed the connection, with which code and why, or what became of it.
    ///
    /// - Parameter isByClient: Whether it was the client that closed the connection.
    public func text(isByClient: Bool) -> String {
        guard self.wasClean else { return self.reason }
        let closer = isByClient ? "the client" : "the server"
        return "\(closer) closed the connection: \(self.code)" + (self.meaning.isEmpty ? "" : " \(self.meaning)")
    }

    /// The reason that was given, or else what the code stands for (RFC 6455 section 7.4.1); empty for codes of one's
    /// own.
    var meaning: String {
        guard self.reason.isEmpty else { return self.reason }
        return switch self.code {
        case 1000: "normal closure"
        case 1001: "going away"
        case 1002: "protocol error"
        case 1003: "unsupported data"
        case 1005: "no code given"
        case 1007: "invalid data"
        case 1008: "policy violation"
        case 1009: "message too big"
        case 1010: "extension missing"
        case 1011: "internal error"
        case 1012: "service restart"
        case 1013: "try again later"
        case 1014: "bad gateway"
        default: ""
        }
    }
}
