import HTTPTypes
import JSON
import Machines

/// A client of any HTTP server: it asks what the script says and shows the answers, whole or as they come in.
///
/// Each request goes through these states; several may be under way at once.
///
/// | state | input | → state | events |
/// |---|---|---|---|
/// | | a command | awaiting | |
/// | awaiting | head of a stream | streaming | `stream_started` |
/// | awaiting | another head | collecting | |
/// | collecting | end | | `response` and `message`s, or `rate_limited` |
/// | streaming | a piece | streaming | `token` or `chunk`; `message` if each piece is one |
/// | streaming | the piece that ends it | draining | `stream_ended`, `message` |
/// | streaming | end | | `stream_ended`, `message`; `error` if its end was to be marked |
/// | draining | a piece with text | draining | `error`, once |
/// | draining | end, failure, time limit | | |
/// | awaiting, collecting | failure, time limit, too long a body | | `error` |
/// | streaming | failure, silence, too long a piece | | `stream_ended`, `error` |
/// | any | `cancel` | | `stream_ended` of a stream |
struct PlainHTTPClient: ClientMachine {
    /// What it has under way: requests by their numbers, and a timer for each answer; no connections of its own.
    enum Keys: MachineKeys {
        enum Timer: MachineTimer {
            /// The answer to a request is late.
            case answer(UInt64)

            var description: String {
                switch self {
                case .answer(let number): "answer.\(number)"
                }
            }
        }

        typealias Exchange = UInt64
        typealias Connection = Never
    }

    /// One request and what has come of its answer.
    struct Exchange: Sendable {
        enum State: Sendable {
            case awaiting
            case collecting(HTTPResponse, [UInt8])
            case streaming(Stream)
            /// The answer is whole since then; the end of its body is waited for, and the reader looks at what comes
            /// before that, until it has brought a text.
            case draining(since: Instant, StreamReader? = nil)
        }

        let options: RequestOptions
        let begin: Instant
        var state = State.awaiting
    }

    /// A streamed answer under way.
    struct Stream: Sendable {
        var reader: StreamReader
        var timings: StreamTimings
        var pieces = 0
        /// Whether a piece that is not JSON has been complained about; once is enough for a stream.
        var hasComplained = false
    }

    /// At most this many requests of an actor are under way; defined here.
    static let exchangeLimit = 256

    /// How long the end of a body may take after the piece that ended the stream; defined here.
    static let drainTime = Duration.seconds(2)

    /// Whom the messages of the server come from, for the server says nothing about it; defined here.
    static let sender = "bot"

    private var options: RequestOptions
    private let epochMilliseconds: Int64
    private var lastNumber: UInt64 = 0

    /// The requests under way by their numbers.
    var exchanges: [UInt64: Exchange] = [:]

    /// Creates a client that has asked nothing.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        self.options = try RequestOptions(
            origin: configuration.origin, target: configuration.target, options: configuration.options)
        self.epochMilliseconds = configuration.epochMilliseconds
    }

    var identity: JSONObject { [:] }

    var properties: JSONObject {
        // Cookies are kept by whoever carries the client, and stand here as soon as there are any.
        [
            "requests": .integer(Int64(clamping: self.lastNumber)), "pending": .integer(Int64(self.exchanges.count)),
            "cookies": [],
        ]
    }

    // MARK: Commands

    static var commands: CommandSet<ClientCommand> { ClientVocabulary.commands }

    mutating func perform(_ command: ClientCommand, in step: inout Step) -> CommandOutcome {
        do throws(ConfigurationError) {
            switch command {
            case .configure(let options):
                self.options = try self.options.overridden(by: options)
                return .done(.null)
            case .cancel(let request): return self.cancel(request, in: &step)
            case .ask(let method, let url, let body, let options):
                guard let method = HTTPRequest.Method(RequestMethodName.sent(for: method)) else {
                    return .refused("request takes the name of a method first, such as \"PUT\"")
                }
                return try self.ask(method, url, body, options ?? [:], in: &step)
            }
        } catch {
            return .refused(error.message)
        }
    }

    private mutating func ask(
        _ method: HTTPRequest.Method, _ url: String?, _ body: JSONValue?, _ own: JSONObject, in step: inout Step
    ) throws(ConfigurationError) -> CommandOutcome {
        guard self.exchanges.count < Self.exchangeLimit else {
            return .refused("\(Self.exchangeLimit) requests are under way already; expect their answers first")
        }
        let options = try self.options.overridden(url: url, by: own)
        let content = try RequestContent(
            body: body, form: own["form"]?.object, multipart: own["multipart"]?.array)
        var request = options.request(method, content)
        request.name = try RequestName.name(own)
        self.lastNumber += 1
        self.exchanges[self.lastNumber] = Exchange(options: options, begin: step.now)
        // All answers come in pieces: only their heads say which of them are streams.
        step.ask(.stream(self.lastNumber, request))
        return .done(.integer(Int64(clamping: self.lastNumber)))
    }

    private mutating func cancel(_ wanted: Int64?, in step: inout Step) -> CommandOutcome {
        let numbers = self.exchanges.keys.sorted().filter { wanted == nil || wanted == Int64(clamping: $0) }
        if let wanted, numbers.isEmpty { return .refused("the request \(wanted) is not under way") }
        for number in numbers {
            if case .streaming(let stream)? = self.exchanges[number]?.state {
                self.tellEnd(of: stream, number, isComplete: false, in: &step)
            }
            self.giveUp(number, in: &step)
        }
        return .done(.null)
    }

    mutating func tearDown(in step: inout Step) {
        for number in self.exchanges.keys.sorted() { self.giveUp(number, in: &step) }
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .responseBegan(let id, let head): self.began(id, head, in: &step)
        case .bodyReceived(let id, let bytes): self.received(id, bytes, in: &step)
        case .responseEnded(let id): self.ended(id, in: &step)
        case .exchangeFailed(let id, let failure):
            self.failed(id, failure.code.rawValue, failure.message, in: &step)
        case .timerFired(.answer(let number)): self.timedOut(number, in: &step)
        default: break
        }
    }

    private mutating func began(_ number: UInt64, _ head: HTTPResponse, in step: inout Step) {
        guard let exchange = self.exchanges[number], case .awaiting = exchange.state else { return }
        guard let format = self.format(of: head, exchange.options) else {
            self.exchanges[number]?.state = .collecting(head, [])
            // The port's own limit ends with the head.
            let left = exchange.options.timeout - (step.now - exchange.begin)
            step.ask(.setTimer(.answer(number), max(.zero, left)))
            return
        }
        let reader = StreamReader(format, options: exchange.options)
        self.exchanges[number]?.state = .streaming(
            Stream(reader: reader, timings: StreamTimings(since: exchange.begin)))
        step.ask(.setTimer(.answer(number), exchange.options.silence))
        var fields = self.common(number, exchange, step)
        fields["status"] = .integer(Int64(head.status.code))
        fields["headers"] = ScriptHeaders.json(head.headerFields)
        step.ask(.emit(ChatEvent(.streamStarted, fields)))
    }

    private func format(of head: HTTPResponse, _ options: RequestOptions) -> StreamFormat? {
        guard head.status.kind == .successful else { return nil }
        switch options.streaming {
        case .auto: return StreamFormat(of: head)
        case .sse: return .events
        case .ndjson: return .lines
        case .none: return nil
        }
    }

    private mutating func received(_ number: UInt64, _ bytes: [UInt8], in step: inout Step) {
        guard var exchange = self.exchanges.removeValue(forKey: number) else { return }
        switch exchange.state {
        case .awaiting, .draining(_, nil): self.exchanges[number] = exchange
        case .draining(let end, let reader?):
            // The exchange lets go of the reader, so that it is changed in place.
            exchange.state = .draining(since: end)
            self.exchanges[number] = exchange
            self.readRest(bytes.span, at: 0, of: number, reader, since: end, in: &step)
        case .collecting(let head, var body):
            // The exchange lets go of the body, so that it grows in place.
            exchange.state = .collecting(head, [])
            let limit = exchange.options.bodyLimit
            let fits = body.count + bytes.count <= limit
            if fits {
                body += bytes
                exchange.state = .collecting(head, body)
            }
            self.exchanges[number] = exchange
            guard !fits else { return }
            self.giveUp(
                number, "too_large", "the body is longer than \(limit) bytes; raise body_limit if that is right",
                in: &step)
        case .streaming(var stream):
            exchange.state = .draining(since: step.now)
            self.exchanges[number] = exchange
            self.read(bytes, of: number, &stream, in: &step)
        }
    }

    private mutating func ended(_ number: UInt64, in step: inout Step) {
        guard let exchange = self.exchanges[number] else { return }
        switch exchange.state {
        case .collecting(let head, let body):
            self.forget(number, in: &step)
            self.tell(number, exchange, head, body, in: &step)
        case .streaming(var stream): self.finish(number, &stream, in: &step)
        case .awaiting:
            self.failed(
                number, TransportFailure.Code.connectionLost.rawValue, "the answer ended without a head", in: &step)
        case .draining: self.forget(number, in: &step)
        }
    }

    private mutating func timedOut(_ number: UInt64, in step: inout Step) {
        guard let exchange = self.exchanges[number] else { return }
        switch exchange.state {
        case .awaiting: break
        case .collecting:
            self.giveUp(
                number, TransportFailure.Code.timedOut.rawValue,
                "the answer was incomplete \(exchange.options.timeout.scriptText) after the request", in: &step)
        case .streaming:
            self.giveUp(
                number, TransportFailure.Code.timedOut.rawValue,
                "nothing more of the stream came within \(exchange.options.silence.scriptText)", in: &step)
        case .draining: self.giveUp(number, in: &step)
        }
    }

    // MARK: Ends

    /// Forgets a request whose answer has ended.
    mutating func forget(_ number: UInt64, in step: inout Step) {
        self.exchanges[number] = nil
        step.ask(.cancelTimer(.answer(number)))
    }

    /// Drops a request without a word.
    mutating func giveUp(_ number: UInt64, in step: inout Step) {
        if case .draining(let end, _)? = self.exchanges[number]?.state {
            step.ask(.cancel(number, as: .answered(end)))
        } else {
            step.ask(.cancel(number))
        }
        self.forget(number, in: &step)
    }

    /// Drops a request and says why.
    mutating func giveUp(_ number: UInt64, _ code: String, _ message: String, in step: inout Step) {
        step.ask(.cancel(number, as: .unanswered))
        self.failed(number, code, message, in: &step)
    }

    /// Tells why an answer is not whole.
    mutating func failed(_ number: UInt64, _ code: String, _ message: String, in step: inout Step) {
        guard let exchange = self.exchanges[number] else { return }
        self.forget(number, in: &step)
        var fields: JSONObject = ["code": .string(code), "message": .string(message)]
        switch exchange.state {
        case .draining: return
        case .awaiting: break
        case .collecting(let head, _): fields["status"] = .integer(Int64(head.status.code))
        case .streaming(let stream): self.tellEnd(of: stream, number, isComplete: false, in: &step)
        }
        self.complain(number, fields, in: &step)
    }

    /// Tells of an error.
    func complain(_ number: UInt64, _ fields: JSONObject, in step: inout Step) {
        let event = JSONObject([("request", .integer(Int64(clamping: number)))]).merging(fields)
        step.ask(.emit(ChatEvent(.error, event)))
    }

    /// Tells of a whole answer.
    private func tell(
        _ number: UInt64, _ exchange: Exchange, _ head: HTTPResponse, _ body: [UInt8], in step: inout Step
    ) {
        var fields = self.common(number, exchange, step)
        let isWell = head.status.kind == .successful
        fields["status"] = .integer(Int64(head.status.code))
        fields["ok"] = .bool(isWell)
        fields["headers"] = ScriptHeaders.json(head.headerFields)
        fields = fields.merging(AnswerFields.body(body))
        let json = fields["json"]
        let now = step.now.onWallClock(startingAt: self.epochMilliseconds)
        if let limit = RateLimit(head, epochMilliseconds: now) {
            fields["ok"] = nil
            fields = fields.merging(limit.fields)
            step.ask(.emit(ChatEvent(.rateLimited, fields, raw: json ?? fields["body"])))
            return
        }
        step.ask(.emit(ChatEvent(.response, fields, raw: json ?? fields["body"])))
        guard isWell else { return }
        if json == nil, !body.isEmpty, MediaType.isJSON(MediaType.essence(of: head)) {
            self.complain(
                number,
                [
                    "code": "invalid_json", "status": .integer(Int64(head.status.code)),
                    "message": .string(
                        "the content type says JSON, but "
                            + (JSONReader.ambiguity(in: body) ?? "the body is none")),
                ], in: &step)
        }
        for message in Messages.found(in: json, exchange.options) {
            self.tell(message, number, in: &step)
        }
    }

    /// Tells of a message.
    func tell(_ message: Messages.Message, _ number: UInt64, in step: inout Step) {
        var fields: JSONObject = ["from": .string(Self.sender)]
        fields["text"] = message.text.map { .string($0) }
        fields["json"] = message.json
        fields["finish_reason"] = message.finishReason.map { .string($0) }
        fields["request"] = .integer(Int64(clamping: number))
        step.ask(.emit(ChatEvent(.message, fields, raw: message.json)))
    }

    /// What all events of an answer say: the number of its request, and the time since then in seconds.
    func common(_ number: UInt64, _ exchange: Exchange, _ step: Step) -> JSONObject {
        ["request": .integer(Int64(clamping: number)), "time": (step.now - exchange.begin).json]
    }
}
