public import HTTPTypes
public import Machines

/// How the last thing ended that a client machine had under way, for people who wonder why nothing comes any more.
public struct Ending: Hashable, Sendable {
    /// The ways in which something ends.
    public enum Manner: Hashable, Sendable {
        /// An exchange or a connection failed.
        case failed(TransportFailure)
        /// A WebSocket was closed.
        case closed(WebSocketClosure, byClient: Bool)
        /// The client dropped a connection.
        case dropped
        /// A request was answered with a status that is no error.
        case answered(status: Int)
        /// A request was answered with an error: the status, and the beginning of the body.
        case refused(status: HTTPResponse.Status, body: [UInt8])
    }

    /// How it ended.
    public let manner: Manner

    /// When it ended; of an answer that came in pieces, when its head came.
    public let at: Instant

    /// At most this many bytes of the body of an error answer are kept; far more than is shown, so that no secret in
    /// what is shown lacks its end.
    public static let bodyLimit = 16_384

    init(_ manner: Manner, at instant: Instant) {
        self.manner = manner
        self.at = instant
    }

    /// Takes in more of the body of an error answer.
    mutating func append(_ bytes: [UInt8]) {
        guard case .refused(let status, var body) = self.manner, body.count < Self.bodyLimit else { return }
        body += bytes.prefix(Self.bodyLimit - body.count)
        self = Ending(.refused(status: status, body: body), at: self.at)
    }

    /// Ends of connections that nobody asked for, one after the other: a client that connects again may be refused for
    /// ever, and what happened first says why.
    public struct Losses: Hashable, Sendable {
        /// The end of a connection with which they began.
        public let first: Ending

        /// How many there are.
        public internal(set) var count = 1
    }

    /// Whether a connection was closed by the other side, or not to be had.
    public var isLoss: Bool {
        switch self.manner {
        case .failed(let failure): failure.status == nil
        case .closed(_, let isByClient): !isByClient
        case .dropped, .answered, .refused: false
        }
    }

    /// Whether it is not what a conversation that goes well comes to.
    public var isTrouble: Bool {
        switch self.manner {
        case .failed, .refused: true
        case .closed(_, let isByClient): !isByClient
        case .dropped, .answered: false
        }
    }
}

extension Ending.Manner {
    /// What an answer to a request comes to.
    init(_ response: Response) {
        let status = response.head.status
        self =
            status.code < 400
            ? .answered(status: status.code)
            : .refused(status: status, body: Array(response.body.prefix(Ending.bodyLimit)))
    }
}

extension Ending: CustomStringConvertible {
    /// What happened, in words; the body of an answer is not among them.
    public var description: String {
        switch self.manner {
        case .failed(let failure): failure.message
        case .closed(let closure, let isByClient): closure.text(isByClient: isByClient)
        case .dropped: "the client dropped the connection"
        case .answered(let status): "the last request was answered with \(status)"
        case .refused(let status, _): "the server answered \(status.text)"
        }
    }
}
