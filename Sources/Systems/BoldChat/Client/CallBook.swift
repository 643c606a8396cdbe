import HTTPTypes
import JSON
import Machines

/// What a REST call is for; decides what its answer means.
enum CallPurpose: Hashable, Sendable {
    case createChat, submit(FormKind)
    case startChat, finishChat, getUnavailableForm
    case emailHistory, changeLanguage(String)
    case ping, closedPing
    case availability(AvailabilityQuery)
    /// A long poll: no time limit, no retries.
    case poll
    /// A call of the event stream that goes over REST because the stream is a long poll.
    case outgoing
    /// A question whose answer the script gets as it is.
    case inquiry(String)
    /// After a reload of the page: whether the chat can go on, and the way back into it.
    case resolveKey, resumeChat
    /// A step of a file on its way, which counts by its HTTP status and is never repeated.
    case file(UInt64)
    /// A call whose answer nobody waits for.
    case unattended
}

/// The REST calls that are under way, and the vendor's rules for repeating them.
///
/// | in | event | then |
/// |---|---|---|
/// | waiting | JSON arrives | outcome `answered`, whatever the HTTP status |
/// | waiting | network error, tries left | the same request again (at once, or at the next scan); the first time told |
/// | waiting | network error, no try left | outcome `failed` −101 |
/// | waiting | other bytes arrive | the same request again after a pause, the first time told; −102 when no try is left |
/// | waiting | the time limit passes | outcome `failed` −104 |
/// | waiting | cancel | gone, no outcome |
/// | suspended | any outcome | held back until resumed |
struct CallBook: Sendable {
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

    /// What comes out of an answer or a timer.
    enum News: Sendable {
        case ended(CallPurpose, CallOutcome)
        case repeated(Repetition)
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

    /// Creates an empty book.
    init(policy: RetryPolicy, bodyResetsRetries: Bool) {
        self.policy = policy
        self.bodyResetsRetries = bodyResetsRetries
    }

    /// The number that the next call will have.
    var nextNumber: UInt64 { self.nextCall }

    /// Starts a call.
    ///
    /// - Parameter limit: The time limit over all tries; nil for none.
    /// - Returns: The call's number, by which it can be canceled.
    mutating func start(
        _ purpose: CallPurpose, _ request: Request, limit: Duration?, in step: inout BoldChatClient.Step
    ) -> UInt64 {
        let number = self.nextCall
        self.nextCall += 1
        self.calls[number] = Call(purpose: purpose, request: request, limit: limit, exchange: ExchangeID(0))
        self.sendAgain(number, in: &step)
        if let limit, !self.isSuspended { step.ask(.setTimer(.callLimit(number), limit)) }
        if self.policy == .scanned, limit != nil, !purpose.isFile {
            step.ask(.setTimer(.callRetry(number), .seconds(15)))
        }
        return number
    }

    private mutating func sendAgain(_ number: UInt64, in step: inout BoldChatClient.Step) {
        guard var call = self.calls[number] else { return }
        self.numbers[call.exchange] = nil
        call.exchange = ExchangeID(self.nextExchange)
        call.isPausing = false
        self.nextExchange += 1
        self.numbers[call.exchange] = number
        self.calls[number] = call
        step.ask(.send(call.exchange, call.request))
    }

    /// Takes in an answer.
    mutating func responded(
        _ exchange: ExchangeID, _ response: Response, in step: inout BoldChatClient.Step
    ) -> News? {
        guard let number = self.numbers[exchange], let call = self.calls[number] else { return nil }
        let status = response.head.status.code
        if let body = try? JSONReader.read(response.body) {
            return self.end(number, .answered(RESTAnswer(body, httpStatus: status)), in: &step)
        }
        let fault = "HTTP \(status) with \(Excerpt.of(response.body)), which is no JSON"
        if call.purpose.isFile {
            return self.end(number, .answered(RESTAnswer(.string(fault), httpStatus: status)), in: &step)
        }
        if call.purpose == .poll { return self.end(number, .failed(.malformedAnswer, fault), in: &step) }
        if self.bodyResetsRetries, self.policy == .immediate { self.calls[number]?.tries = 0 }
        return self.retry(number, after: Self.malformedPause, orFail: .malformedAnswer, fault, in: &step)
    }

    /// Takes in a failure of the network.
    mutating func exchangeFailed(
        _ exchange: ExchangeID, _ failure: TransportFailure, in step: inout BoldChatClient.Step
    ) -> News? {
        guard let number = self.numbers[exchange], let call = self.calls[number] else { return nil }
        let fault = failure.message
        if call.purpose == .poll || call.purpose.isFile { return self.end(number, .failed(.network, fault), in: &step) }
        return self.retry(number, after: nil, orFail: .network, fault, in: &step)
    }

    private mutating func retry(
        _ number: UInt64, after pause: Duration?, orFail code: ErrorCode, _ fault: String,
        in step: inout BoldChatClient.Step
    ) -> News? {
        guard let call = self.calls[number] else { return nil }
        self.numbers[call.exchange] = nil
        let detail = "\(code.summary): \(fault)"
        self.calls[number]?.lastFault = detail
        switch self.policy {
        case .immediate:
            guard call.tries <= Self.retryLimit else { return self.end(number, .failed(code, detail), in: &step) }
            self.calls[number]?.tries += 1
            if let pause {
                self.calls[number]?.isPausing = true
                step.ask(.setTimer(.callRetry(number), pause))
            } else {
                self.sendAgain(number, in: &step)
            }
        case .scanned:
            guard !call.purpose.isTriedOnce, call.tries < 2 else {
                return self.end(number, .failed(code, detail), in: &step)
            }
            self.calls[number]?.isPausing = true
        }
        guard call.lastFault == nil else { return nil }
        return .repeated(Repetition(method: call.request.method, code: code, detail: detail))
    }

    /// Takes in that the time limit of a call has passed.
    ///
    /// - Returns: Nil if the call is not under way any more, or its end is held back.
    mutating func limitFired(_ number: UInt64, in step: inout BoldChatClient.Step) -> News? {
        guard let call = self.calls[number] else { return nil }
        let limit = "the server did not answer within \(call.limit?.components.seconds ?? 0) seconds"
        let fault = call.lastFault.map { "; of the last try: \($0)" } ?? ""
        return self.end(number, .failed(.timedOut, limit + fault), in: &step)
    }

    /// Takes in that it is time to make a call again, if it still has no answer.
    ///
    /// - Returns: Nil if nothing ended.
    mutating func retryFired(_ number: UInt64, in step: inout BoldChatClient.Step) -> News? {
        guard let call = self.calls[number] else { return nil }
        guard self.policy == .scanned else {
            if call.isPausing { self.sendAgain(number, in: &step) }
            return nil
        }
        guard !call.purpose.isTriedOnce, call.tries < 2 else {
            let fault = call.lastFault ?? "\(ErrorCode.network.summary): no answer came"
            return self.end(number, .failed(.network, fault), in: &step)
        }
        self.calls[number]?.tries += 1
        let wait = min(15 * (call.tries + 1), 60)
        step.ask(.setTimer(.callRetry(number), .seconds(wait)))
        if !call.isPausing { step.ask(.cancel(call.exchange)) }
        self.sendAgain(number, in: &step)
        return nil
    }

    /// Drops a call without an outcome.
    ///
    /// - Returns: What it was for, or nil if it is not under way any more.
    @discardableResult
    mutating func cancel(_ number: UInt64, in step: inout BoldChatClient.Step) -> CallPurpose? {
        guard let call = self.calls.removeValue(forKey: number) else { return nil }
        if self.numbers.removeValue(forKey: call.exchange) != nil { step.ask(.cancel(call.exchange)) }
        self.cancelTimers(number, in: &step)
        return call.purpose
    }

    /// Drops all calls for a purpose without an outcome.
    mutating func cancelAll(_ isMeant: (CallPurpose) -> Bool, in step: inout BoldChatClient.Step) {
        for (number, call) in self.calls.sorted(by: { $0.key < $1.key }) where isMeant(call.purpose) {
            self.cancel(number, in: &step)
        }
        self.heldBack.removeAll { isMeant($0.0) }
    }

    /// The number of the call for a purpose, if one is under way.
    func number(for purpose: CallPurpose) -> UInt64? {
        self.calls.filter { $0.value.purpose == purpose }.keys.min()
    }

    /// Whether a call is under way for a purpose.
    func contains(where isMeant: (CallPurpose) -> Bool) -> Bool {
        self.calls.values.contains { isMeant($0.purpose) }
    }

    private mutating func end(
        _ number: UInt64, _ outcome: CallOutcome, in step: inout BoldChatClient.Step
    ) -> News? {
        guard let call = self.calls.removeValue(forKey: number) else { return nil }
        if self.numbers.removeValue(forKey: call.exchange) != nil, case .failed(.timedOut, _) = outcome {
            step.ask(.cancel(call.exchange))
        }
        self.cancelTimers(number, in: &step)
        guard self.isSuspended else { return .ended(call.purpose, outcome) }
        self.heldBack.append((call.purpose, outcome))
        return nil
    }

    private func cancelTimers(_ number: UInt64, in step: inout BoldChatClient.Step) {
        step.ask(.cancelTimer(.callLimit(number)))
        step.ask(.cancelTimer(.callRetry(number)))
    }

    /// Stops the time limits and holds outcomes back.
    mutating func suspend(in step: inout BoldChatClient.Step) {
        self.isSuspended = true
        for number in self.calls.keys.sorted() { step.ask(.cancelTimer(.callLimit(number))) }
    }

    /// Starts the time limits anew.
    ///
    /// - Returns: The outcomes that were held back, in order.
    mutating func resume(in step: inout BoldChatClient.Step) -> [(CallPurpose, CallOutcome)] {
        self.isSuspended = false
        for (number, call) in self.calls.sorted(by: { $0.key < $1.key }) {
            if let limit = call.limit { step.ask(.setTimer(.callLimit(number), limit)) }
        }
        defer { self.heldBack = [] }
        return self.heldBack
    }
}

extension Request {
    /// The method of the visitor API that a request calls: the last part of its path.
    fileprivate var method: String {
        let path = (self.head.path ?? "").prefix { $0 != "?" }
        return String(path.split(separator: "/").last ?? "")
    }
}

extension CallPurpose {
    /// What a call is for that the chat asks for.
    init(chat method: RESTMethod) {
        switch method {
        case .startChat: self = .startChat
        case .finishChat: self = .finishChat
        case .getUnavailableForm: self = .getUnavailableForm
        default: self = .unattended
        }
    }

    /// Whether the screen is covered until the answer is there.
    var hidesView: Bool {
        switch self {
        case .changeLanguage, .emailHistory: true
        default: false
        }
    }

    fileprivate var isFile: Bool {
        if case .file = self { true } else { false }
    }

    /// Whether the browser window does not repeat the call.
    fileprivate var isTriedOnce: Bool {
        switch self {
        case .ping, .closedPing, .availability: true
        default: false
        }
    }
}
