import JSON
import Machines
import NIOCore
import Transport

/// The loopback port of a page that follows a run: its address, the requests, and those that wait for a change.
///
/// Confined to its event loop.
final class PagePort {
    /// What a window of the page asks for.
    struct Question {
        /// The path after the token.
        let path: String

        /// The version that the window knows, 0 if it does not say.
        let version: Int

        /// What it sends; nil if it only reads.
        let body: JSONObject?

        fileprivate let party: String
    }

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

    private var driver: ServerDriver?
    private var waiting: [Question] = []

    /// Gets what is asked for.
    var onQuestion: (Question) -> Void = { _ in }

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
        self.driver = ServerDriver(
            machine: LivePageServer(token: token, port: listener.endpoint.port), label: "page", listener: listener,
            scheduler: EventLoopScheduler(eventLoop: loop), random: RandomSource(seed: 0),
            configuration: Self.configuration, callScript: { _, _, _ in },
            emit: { [weak self] party, event in self?.heard(event, from: party) })
    }

    /// Drops all windows.
    func close() {
        self.driver?.close()
        self.driver = nil
        self.waiting = []
    }

    private func heard(_ event: ChatEvent, from party: String) {
        guard event.kind == .command else {
            self.waiting.removeAll { $0.party == party }
            return
        }
        self.onQuestion(
            Question(
                path: event.fields["path"]?.string ?? "",
                version: event.fields["after"]?.integer.map { Int(clamping: $0) } ?? 0,
                body: event.fields["body"]?.object, party: party))
    }

    /// Lets a request wait until there is another version than it knows; ``tell(version:_:)`` answers it.
    func wait(_ question: Question) { self.waiting.append(question) }

    /// Answers the requests that know another version, and the oldest if there are too many.
    ///
    /// - Parameter render: Returns what has changed since a version, as JSON.
    func tell(version: Int, _ render: (_ version: Int) -> [UInt8]) {
        let excess = self.waiting.count - Self.waitingLimit
        let due = self.waiting.enumerated().filter { $0.offset < excess || $0.element.version != version }
        guard !due.isEmpty else { return }
        let parties = Set(due.map(\.element.party))
        self.waiting.removeAll { parties.contains($0.party) }
        for (_, question) in due { self.answer(question, render(question.version)) }
    }

    /// Answers with a document; one that is too long is refused with 413 and the reason.
    ///
    /// - Parameter bytes: UTF-8; nil if there is none.
    func answer(
        _ question: Question, _ bytes: [UInt8]?, type: String = "application/json; charset=utf-8"
    ) {
        guard let bytes else { return self.refuse(question, Refusal(.absent, "There is nothing here.")) }
        guard bytes.count <= Self.answerLimit else {
            let (length, limit) = (bytes.count >> 20, Self.answerLimit >> 20)
            let text =
                "It has \(length) MiB, and a page that follows is sent at most \(limit); the reports have it all."
            return self.refuse(question, Refusal(.tooLong, text))
        }
        self.perform(["text": .string(String(decoding: bytes, as: UTF8.self)), "type": .string(type)], question)
    }

    /// Answers a request to do something.
    ///
    /// - Parameter refusal: Why not, if it was not done.
    func answer(_ question: Question, doneUnless refusal: Refusal?) {
        if let refusal { self.refuse(question, refusal) } else { self.answer(question, Array("{}".utf8)) }
    }

    /// Why something that a window asks for is not done.
    struct Refusal {
        /// What is wrong, as the status that says so.
        enum Reason: Int64 {
            case malformed = 400
            case absent = 404
            case untimely = 409
            case tooLong = 413
        }

        let reason: Reason
        let text: String

        init(_ reason: Reason, _ text: String) {
            self.reason = reason
            self.text = text
        }
    }

    private func refuse(_ question: Question, _ refusal: Refusal) {
        self.perform(["text": .string(refusal.text), "status": .integer(refusal.reason.rawValue)], question)
    }

    private func perform(_ answer: JSONObject, _ question: Question) {
        _ = self.driver?.perform(Command("answer", answer), by: question.party)
    }
}
