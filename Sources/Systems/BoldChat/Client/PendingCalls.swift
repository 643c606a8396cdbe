import HTTPTypes
import JSON
import Machines

/// The REST calls that are under way: their repetition by the vendor's rules, and how each ends.
///
/// | in | event | then |
/// |---|---|---|
/// | waiting | JSON arrives | outcome `answered`, whatever the HTTP status; `unreadable` by ``AnswerExamination`` |
/// | waiting | network error, tries left | the same request again (at once, or at the next scan); the first time told |
/// | waiting | network error, no try left | outcome `failed` −101 |
/// | waiting | other bytes arrive | the same request again after a pause, the first time told; −102 when no try is left |
/// | waiting, a poll or a step of a file | network error, other bytes | its outcome, without another try |
/// | waiting, browser window | no answer in 15 s / 30 s | drops the try, makes another / outcome `failed` −101 |
/// | waiting | the time limit passes | outcome `failed` −104 |
/// | waiting | cancel | gone, no outcome |
/// | suspended | any outcome | held back until resumed |
struct PendingCalls: Sendable {
    private struct Call: Sendable {
        let purpose: CallPurpose
        let request: Request
        let limit: Duration?
        var tries = 1
        var exchange: ExchangeID
        /// Whether the last try ended without an answer and the next one waits for its time.
        var isPausing = false
        /// What was wrong with the last try that failed, for people.
        var lastFault: String?
    }

    /// That a call is made again, told once a call.
    struct Repetition: Hashable, Sendable {
        /// The method on the wire.
        let method: String
        /// What went wrong with the first try.
        let code: ErrorCode
        /// The same in words.
        let detail: String
    }

    /// What happens to calls.
    enum Input {
        /// A call is made; its number is the ``nextNumber`` before. The limit is over all tries; nil for none.
        case started(CallPurpose, Request, limit: Duration?)
        case responded(ExchangeID, Response)
        case exchangeFailed(ExchangeID, TransportFailure)
        /// The time limit of a call has passed.
        case limitPassed(UInt64)
        /// It is time to make a call again, if it still has no answer.
        case retryDue(UInt64)
        /// A call, or all for some purposes, are dropped without an outcome.
        case canceled(UInt64)
        case allCanceled((CallPurpose) -> Bool)
        /// Time limits stop and outcomes are held back, and the other way round.
        case suspended
        case resumed
    }

    /// What is to be done.
    enum Action: Sendable {
        case perform(BoldChatClient.Effect)
        case end(CallPurpose, CallOutcome)
        case tell(Repetition)
    }

    private let policy: RetryPolicy
    private let bodyResetsRetries: Bool
    private var calls: [UInt64: Call] = [:]
    private var numbers: [ExchangeID: UInt64] = [:]
    private var nextCall: UInt64 = 1
    private var nextExchange: UInt64 = 1
    private var heldBack: [(CallPurpose, CallOutcome)] = []
    /// Whether outcomes are held back.
    private var isSuspended = false

    /// The engine gives a call 15 more tries after network errors.
    static let retryLimit = 15

    /// Between a body that is not JSON and the next try; defined here, so that a broken server cannot make a client
    /// spin without time passing.
    static let malformedPause: Duration = .milliseconds(100)

    /// How long the browser window waits for the answer to each try of a call: after the first of these times it makes
    /// the call again, after the second it gives up. The limit of the whole call, 30 seconds at most, comes before the
    /// second, unless the client is suspended, for which no limit passes.
    ///
    /// The vendor's page (`bc-api-frame.js`) looks every 15 seconds for calls that are older than 15 seconds times
    /// their tries, at most 60, and drops those that it has tried twice; so the 60 never count.
    static let scannedWaits: [Duration] = [.seconds(15), .seconds(30)]

    /// Creates a part without calls.
    init(policy: RetryPolicy, bodyResetsRetries: Bool) {
        self.policy = policy
        self.bodyResetsRetries = bodyResetsRetries
    }

    /// The number that the next call will have.
    var nextNumber: UInt64 { self.nextCall }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .started(let purpose, let request, let limit): self.start(purpose, request, limit: limit)
        case .responded(let exchange, let response): self.responded(exchange, response)
        case .exchangeFailed(let exchange, let failure): self.exchangeFailed(exchange, failure)
        case .limitPassed(let number): self.limitPassed(number)
        case .retryDue(let number): self.retryDue(number)
        case .canceled(let number): self.cancel(number)
        case .allCanceled(let isMeant): self.cancelAll(isMeant)
        case .suspended: self.suspend()
        case .resumed: self.resume()
        }
    }

    private mutating func start(_ purpose: CallPurpose, _ request: Request, limit: Duration?) -> [Action] {
        let number = self.nextCall
        self.nextCall += 1
        self.calls[number] = Call(purpose: purpose, request: request, limit: limit, exchange: ExchangeID(0))
        var actions = self.sendAgain(number)
        if let limit, !self.isSuspended { actions.append(.perform(.setTimer(.callLimit(number), limit))) }
        if self.policy == .scanned, limit != nil, !purpose.isFile {
            actions.append(.perform(.setTimer(.callRetry(number), Self.scannedWaits[0])))
        }
        return actions
    }

    private mutating func sendAgain(_ number: UInt64) -> [Action] {
        guard var call = self.calls[number] else { return [] }
        self.numbers[call.exchange] = nil
        call.exchange = ExchangeID(self.nextExchange)
        call.isPausing = false
        self.nextExchange += 1
        self.numbers[call.exchange] = number
        self.calls[number] = call
        return [.perform(.send(call.exchange, call.request))]
    }

    private mutating func responded(_ exchange: ExchangeID, _ response: Response) -> [Action] {
        guard let number = self.numbers[exchange], let call = self.calls[number] else { return [] }
        let status = response.head.status.code
        if let body = try? JSONReader.read(response.body) {
            return self.end(number, CallOutcome(RESTAnswer(body, httpStatus: status), to: call.request.method))
        }
        let fault = "HTTP \(status) with \(Excerpt.of(response.body)), which is no JSON"
        if call.purpose.isFile {
            return self.end(number, .answered(RESTAnswer(.string(fault), httpStatus: status)))
        }
        if call.purpose == .poll { return self.end(number, .failed(.malformedAnswer, fault)) }
        if self.bodyResetsRetries, self.policy == .immediate { self.calls[number]?.tries = 0 }
        return self.retry(number, after: Self.malformedPause, orFail: .malformedAnswer, fault)
    }

    private mutating func exchangeFailed(_ exchange: ExchangeID, _ failure: TransportFailure) -> [Action] {
        guard let number = self.numbers[exchange], let call = self.calls[number] else { return [] }
        let fault = failure.message
        if call.purpose == .poll || call.purpose.isFile {
            return self.end(number, .failed(.network, fault))
        }
        return self.retry(number, after: nil, orFail: .network, fault)
    }

    private mutating func retry(
        _ number: UInt64, after pause: Duration?, orFail code: ErrorCode, _ fault: String
    ) -> [Action] {
        guard let call = self.calls[number] else { return [] }
        self.numbers[call.exchange] = nil
        let detail = "\(code.summary): \(fault)"
        self.calls[number]?.lastFault = detail
        var actions: [Action] = []
        switch self.policy {
        case .immediate:
            guard call.tries <= Self.retryLimit else { return self.end(number, .failed(code, detail)) }
            self.calls[number]?.tries += 1
            if let pause {
                self.calls[number]?.isPausing = true
                actions.append(.perform(.setTimer(.callRetry(number), pause)))
            } else {
                actions += self.sendAgain(number)
            }
        case .scanned:
            guard !call.purpose.isTriedOnce, call.tries < Self.scannedWaits.count else {
                return self.end(number, .failed(code, detail))
            }
            self.calls[number]?.isPausing = true
        }
        if call.lastFault == nil {
            actions.append(.tell(Repetition(method: call.request.method, code: code, detail: detail)))
        }
        return actions
    }

    private mutating func limitPassed(_ number: UInt64) -> [Action] {
        guard let call = self.calls[number] else { return [] }
        let limit = "the server did not answer within \(call.limit?.components.seconds ?? 0) seconds"
        let fault = call.lastFault.map { "; of the last try: \($0)" } ?? ""
        return self.end(number, .failed(.timedOut, limit + fault))
    }

    private mutating func retryDue(_ number: UInt64) -> [Action] {
        guard let call = self.calls[number] else { return [] }
        guard self.policy == .scanned else { return call.isPausing ? self.sendAgain(number) : [] }
        guard !call.purpose.isTriedOnce, call.tries < Self.scannedWaits.count else {
            let fault = call.lastFault ?? "\(ErrorCode.network.summary): no answer came"
            // A last try that fails ends its call at once, so this one still waits for its answer.
            return [.perform(.cancel(call.exchange, as: .unanswered))] + self.end(number, .failed(.network, fault))
        }
        self.calls[number]?.tries += 1
        let wait = Self.scannedWaits[call.tries]
        let ending: [Action] = call.isPausing ? [] : [.perform(.cancel(call.exchange, as: .unanswered))]
        return [.perform(.setTimer(.callRetry(number), wait))] + ending + self.sendAgain(number)
    }

    private mutating func cancel(_ number: UInt64) -> [Action] {
        guard let call = self.calls.removeValue(forKey: number) else { return [] }
        let isUnderWay = self.numbers.removeValue(forKey: call.exchange) != nil
        return (isUnderWay ? [.perform(.cancel(call.exchange))] : []) + Self.cancelTimers(number)
    }

    private mutating func cancelAll(_ isMeant: (CallPurpose) -> Bool) -> [Action] {
        self.heldBack.removeAll { isMeant($0.0) }
        return self.calls.filter { isMeant($0.value.purpose) }.keys.sorted().flatMap { self.cancel($0) }
    }

    /// What a call is for, or nil if it is not under way any more.
    func purpose(of number: UInt64) -> CallPurpose? { self.calls[number]?.purpose }

    /// The number of the call for a purpose, if one is under way.
    func number(for purpose: CallPurpose) -> UInt64? {
        self.calls.filter { $0.value.purpose == purpose }.keys.min()
    }

    /// Whether a call is under way for a purpose.
    func contains(where isMeant: (CallPurpose) -> Bool) -> Bool {
        self.calls.values.contains { isMeant($0.purpose) }
    }

    private mutating func end(_ number: UInt64, _ outcome: CallOutcome) -> [Action] {
        guard let call = self.calls.removeValue(forKey: number) else { return [] }
        var actions: [Action] = []
        if self.numbers.removeValue(forKey: call.exchange) != nil, case .failed(.timedOut, _) = outcome {
            actions.append(.perform(.cancel(call.exchange, as: .unanswered)))
        }
        actions += Self.cancelTimers(number)
        if self.isSuspended {
            self.heldBack.append((call.purpose, outcome))
        } else {
            actions.append(.end(call.purpose, outcome))
        }
        return actions
    }

    private static func cancelTimers(_ number: UInt64) -> [Action] {
        [.perform(.cancelTimer(.callLimit(number))), .perform(.cancelTimer(.callRetry(number)))]
    }

    private mutating func suspend() -> [Action] {
        self.isSuspended = true
        return self.calls.keys.sorted().map { .perform(.cancelTimer(.callLimit($0))) }
    }

    private mutating func resume() -> [Action] {
        self.isSuspended = false
        let limits = self.calls.sorted { $0.key < $1.key }.compactMap { number, call in
            call.limit.map { Action.perform(.setTimer(.callLimit(number), $0)) }
        }
        defer { self.heldBack = [] }
        return limits + self.heldBack.map { .end($0.0, $0.1) }
    }
}

extension Request {
    /// The method of the visitor API that a request calls: the last part of its path.
    fileprivate var method: String {
        // By bytes, for to find the characters of a path takes many times as long, and every call asks.
        let path = (self.head.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") }
        return path.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
