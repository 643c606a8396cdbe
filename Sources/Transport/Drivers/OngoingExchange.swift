import HTTPTypes
import Machines

/// An exchange from its request to the end of its answer, whatever version of HTTP it travels by.
///
/// | state | event | becomes |
/// |---|---|---|
/// | awaiting | a head | answering; that of a redirect, or the refusal of a token, is told to nobody |
/// | answering | a piece of the body | answering; handed on or kept |
/// | answering | the end | over; answered, or begun again elsewhere |
/// | awaiting, answering | what cannot be read, the time limit, ``fail(_:)`` | over; failed |
/// | any | ``abandon()`` | over; nothing more is heard |
final class OngoingExchange: TimeLimited {
    /// How an exchange goes on after an answer.
    private enum Sequel {
        /// Where a redirect leads.
        case follow(Request)
        /// With another token.
        case renewToken
    }

    let exchange: ClientExchange

    /// When it began on its present connection.
    let start: Instant

    /// What it travels on.
    weak var transport: (any ExchangeTransport)?

    private let owner: ClientConnections
    private let endpoint: Endpoint
    private let capture: WireCapture?

    /// The head of an answer that is waited for whole.
    private var head: HTTPResponse?
    private var body: [UInt8] = []

    /// The status of the head that has come, if one has.
    private(set) var status: Int?

    /// Expands the body, if it is compressed.
    private var decoder: ContentDecoder?
    /// What the body says to be in, if nobody asked for that.
    private var unaskedCoding: String?

    /// What follows the answer under way, which nobody is told of.
    private var sequel: Sequel?
    var timeout: ScheduledID?
    private var isOver = false

    /// Begins an exchange; its time limit runs.
    init(_ exchange: ClientExchange, endpoint: Endpoint, owner: ClientConnections, capture: WireCapture?) {
        self.exchange = exchange
        self.endpoint = endpoint
        self.owner = owner
        self.capture = capture
        self.start = owner.scheduler.now
        guard let limit = exchange.request.timeLimit ?? owner.configuration.bounds.exchangeTimeout else { return }
        // The time of redirects and of asking for tokens counts, too.
        let left = max(.zero, limit - (self.start - exchange.begin))
        self.setTimeout(left) { _ in self.timedOut(limit) }
    }

    var scheduler: any Scheduler { self.owner.scheduler }

    /// Forgets it; nothing more of it is heard.
    func abandon() {
        self.isOver = true
        self.decoder = nil
        self.cancelTimeout()
    }

    /// Ends it with a failure.
    func fail(_ failure: TransportFailure) {
        guard !self.isOver else { return }
        self.abandon()
        self.transport?.drop(self)
        self.owner.finished(self.exchange, .failure(failure))
    }

    private func timedOut(_ limit: Duration) {
        let hasBegun = self.status != nil || self.transport?.hasBegunAnswer == true
        let what = hasBegun ? "the answer was incomplete" : "there was no answer"
        self.fail(
            TransportFailure(.timedOut, "\(what) \(limit.scriptText) after the request to \(self.endpoint)"))
    }

    // MARK: The answer

    /// Takes in the head of the answer.
    func began(_ head: HTTPResponse) {
        guard !self.isOver else { return }
        self.status = head.status.code
        let request = self.exchange.request
        if request.handling.usesCookies { self.owner.keepCookies(of: head, to: request.head) }
        let redirect = Redirect.after(
            head, to: request, visited: self.exchange.visited, hosts: self.owner.configuration.hosts)
        if case .follow(let next) = redirect { self.sequel = .follow(next) }
        if case .none = redirect, head.status.code == 401, self.exchange.token != nil, !self.exchange.hasNewToken {
            self.owner.rejected(self.exchange)
            self.sequel = .renewToken
        }
        let refusal: TransportFailure? = if case .refused(let failure) = redirect { failure } else { nil }
        let isAnswer = self.sequel == nil && refusal == nil
        // An answer that is waited for whole is seen when it is.
        if !isAnswer || self.exchange.isStreamed { self.capture?.record(.received, .response(Response(head))) }
        if let refusal { return self.fail(refusal) }
        guard isAnswer else { return }
        let limit = self.exchange.isStreamed ? Int.max : self.owner.configuration.bounds.limits.body
        if request.handling.takesCompressed {
            self.decoder = ContentDecoder(head, limit: limit)
            // Who asks for a coding by a header of its own reads it.
            let isAsked = request.head.headerFields[.acceptEncoding] != nil
            self.unaskedCoding = isAsked ? nil : ContentDecoder.unaskedCoding(of: head)
        }
        guard self.exchange.isStreamed else {
            self.head = head
            return
        }
        self.cancelTimeout()
        self.owner.deliver(.responseBegan(self.exchange.id, head))
    }

    /// Takes in a piece of the body.
    func received(_ bytes: [UInt8]) {
        // Nobody wants the body of an answer that is not the last.
        guard !self.isOver, self.sequel == nil else { return }
        guard let decoder = self.decoder else {
            guard let coding = self.unaskedCoding else { return self.deliver(bytes) }
            return self.unreadable("its body says to be in \"\(coding)\", where gzip or deflate was asked for")
        }
        do throws(ContentDecoder.Failure) {
            try decoder.decode(bytes) { piece in
                self.deliver(piece)
                return !self.isOver
            }
        } catch {
            self.unreadable(error.message)
        }
    }

    private func deliver(_ bytes: [UInt8]) {
        guard self.exchange.isStreamed else {
            if self.body.isEmpty { self.body = bytes } else { self.body += bytes }
            return
        }
        self.capture?.record(.received, .bodyPart(bytes))
        self.owner.deliver(.bodyReceived(self.exchange.id, bytes))
    }

    /// Takes in the end of the answer.
    func ended() {
        guard !self.isOver else { return }
        do throws(ContentDecoder.Failure) { try self.decoder?.finish() } catch {
            return self.unreadable(error.message)
        }
        let answer = self.head.map { Response($0, body: self.body) }
        self.abandon()
        self.transport?.release(self)
        if let sequel = self.sequel {
            var next = self.exchange
            switch sequel {
            case .follow(let request): next.follow(request)
            case .renewToken: next.renewToken()
            }
            self.owner.begin(next)
        } else if let answer {
            self.capture?.record(.received, .response(answer))
            self.owner.finished(self.exchange, .success(answer))
        } else {
            self.owner.ended(self.exchange, status: self.status ?? 0)
        }
    }

    private func unreadable(_ message: String) {
        self.fail(TransportFailure(.malformed, "the answer of \(self.endpoint) cannot be read: \(message)"))
    }
}
