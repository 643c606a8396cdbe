import HTTPTypes
import Machines
import NIOCore
import Transport

/// The loopback port of a page that follows a run: its address, the requests, and those that wait for a change.
/// ``PageAccess`` decides which requests these are.
///
/// Confined to its event loop.
final class PagePort {
    /// The longest answer, in bytes. So much may wait for each window that does not read, and connections are few: a
    /// browser has six at most.
    static let answerLimit = 16 << 20

    /// So many connections may be open.
    static let connectionLimit = 16

    /// So many requests wait for a change; the oldest is answered when there is another. Connections are left for what
    /// is asked besides.
    private static let waitingLimit = 8

    /// Requests are short.
    private static let configuration = ServerDriverConfiguration(
        limits: HTTPLimits(body: 1 << 20), connections: PagePort.connectionLimit)

    private let access: PageAccess
    private let service: HTTPService
    private var waiting: [PageQuestion] = []

    /// Gets what is asked for.
    var onQuestion: (PageQuestion) -> Void = { _ in }

    /// The URL of the page.
    let url: String

    /// Opens any free port of the loopback.
    ///
    /// - Throws: ``TransportFailure`` if none can be had.
    init(on loop: any EventLoop) throws(TransportFailure) {
        // A little more than an answer, for its head and those before it that are being read.
        let sockets = SocketNetworkConfiguration(writeLimit: Self.answerLimit + (1 << 20))
        let listener = try SocketNetwork(eventLoop: loop, configuration: sockets).listen(
            on: Endpoint(host: "127.0.0.1", port: 0), identity: nil)
        let token = (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        self.url = "\(listener.origin)/\(token)/"
        self.access = PageAccess(token: token, port: listener.endpoint.port)
        self.service = HTTPService(
            label: "page", listener: listener, scheduler: EventLoopScheduler(eventLoop: loop),
            configuration: Self.configuration, webSocketRefusal: PageAccess.webSocketRefusal)
        self.service.onRequest = { [weak self] in self?.asked($1, of: $0) }
        self.service.onAbandonment = { [weak self] exchange in
            self?.waiting.removeAll { $0.exchange == exchange }
        }
    }

    /// Drops all windows.
    func close() {
        self.service.close()
        self.waiting = []
    }

    private func asked(_ request: Request, of exchange: ExchangeID) {
        switch self.access.decide(request, of: exchange) {
        case .question(let question): self.onQuestion(question)
        case .refusal(let response): self.service.respond(to: exchange, with: response)
        }
    }

    /// Lets a request wait until there is another version than it knows; ``tell(version:_:)`` answers it.
    func wait(_ question: PageQuestion) { self.waiting.append(question) }

    /// Answers the requests that know another version, and the oldest if there are too many.
    ///
    /// - Parameter render: Returns what has changed since a version, as JSON.
    func tell(version: Int, _ render: (_ version: Int) -> [UInt8]) {
        let excess = self.waiting.count - Self.waitingLimit
        let due = self.waiting.enumerated().filter { $0.offset < excess || $0.element.version != version }
        guard !due.isEmpty else { return }
        let exchanges = Set(due.map(\.element.exchange))
        self.waiting.removeAll { exchanges.contains($0.exchange) }
        for (_, question) in due { self.answer(question, render(question.version)) }
    }

    /// Answers with a document; one that is too long is refused with 413 and the reason.
    ///
    /// - Parameter bytes: UTF-8; nil if there is none.
    func answer(
        _ question: PageQuestion, _ bytes: [UInt8]?, type: String = "application/json; charset=utf-8"
    ) {
        guard let bytes else { return self.refuse(question, Refusal(.absent, "There is nothing here.")) }
        guard bytes.count <= Self.answerLimit else {
            let (length, limit) = (bytes.count >> 20, Self.answerLimit >> 20)
            let text =
                "It has \(length) MiB, and a page that follows is sent at most \(limit); the reports have it all."
            return self.refuse(question, Refusal(.tooLong, text))
        }
        self.service.respond(to: question.exchange, with: PageAccess.response(bytes, type: type))
    }

    /// Answers a request to do something.
    ///
    /// - Parameter refusal: Why not, if it was not done.
    func answer(_ question: PageQuestion, doneUnless refusal: Refusal?) {
        if let refusal { self.refuse(question, refusal) } else { self.answer(question, Array("{}".utf8)) }
    }

    /// Why something that a window asks for is not done.
    struct Refusal {
        /// What is wrong, as the status that says so.
        enum Reason {
            case malformed, absent, untimely, tooLong

            fileprivate var status: HTTPResponse.Status {
                switch self {
                case .malformed: .badRequest
                case .absent: .notFound
                case .untimely: .conflict
                case .tooLong: .contentTooLarge
                }
            }
        }

        let reason: Reason
        let text: String

        init(_ reason: Reason, _ text: String) {
            self.reason = reason
            self.text = text
        }
    }

    private func refuse(_ question: PageQuestion, _ refusal: Refusal) {
        self.service.respond(
            to: question.exchange, with: PageAccess.response(text: refusal.text, status: refusal.reason.status))
    }
}
