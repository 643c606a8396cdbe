import HTTPTypes
import JSON
import Machines
import Transport

/// What happened to an actor that explains why something did not come: the headline of a failure.
struct Cause {
    /// What happened, in one line without when.
    private let what: String

    /// How long after which command it came; empty if there was none.
    private var delay = ""

    /// When, on the time line of the execution.
    let at: Instant

    /// Whether it is an event that nothing has expected, and nothing either that came after it, or one of the command
    /// that was given last.
    let isCurrent: Bool

    /// Whether it is that a connection ended.
    let isEndOfConnection: Bool

    /// Whether it is that the other side ended a connection as one that is not needed any more.
    let isOrderly: Bool

    /// Whether it is that the server answered a request with a status that is none of success.
    let isRefusal: Bool

    /// How many more of its kind there are, behind its words; empty if there is none.
    private let others: String

    /// The answer of the server that says why, line by line; empty if there was none.
    let answer: [String]

    /// An answer of the server is shown up to this many lines of this many characters.
    private static let answerLimit = (lines: 12, characters: 200)

    /// An answer of one line that is no longer stands in the headline itself.
    private static let headlineAnswerLimit = 160

    /// What a client says of itself is cut to this many characters: it may quote what it was sent.
    private static let wordsLimit = 1_000

    /// What happened, in one line.
    var text: String {
        self.what + self.delay + (self.lineOfAnswer.map { ": \($0)" } ?? "") + self.others
    }

    /// The answer, if it has one short line that the words do not say already, as it is or as a string.
    private var lineOfAnswer: String? {
        guard self.answer.count == 1, let line = self.answer.first, line.count <= Self.headlineAnswerLimit,
            !line.hasPrefix("<"), !self.what.contains(line),
            !self.what.contains(JSONValue.string(line).description.dropFirst().dropLast())
        else { return nil }
        return line
    }

    private init(
        _ what: String, at instant: Instant, isCurrent: Bool = false, isEndOfConnection: Bool = false,
        isOrderly: Bool = false, isRefusal: Bool = false, others: String = "", answer: [String] = []
    ) {
        self.what = what
        self.at = instant
        self.isCurrent = isCurrent
        self.isEndOfConnection = isEndOfConnection
        self.isOrderly = isOrderly
        self.isRefusal = isRefusal
        self.others = others
        self.answer = answer
    }

    /// Returns the cause with how long after a command it came.
    func after(_ command: GivenCommand?) -> Cause {
        guard let command, command.at <= self.at else { return self }
        let time = self.at - command.at
        var cause = self
        cause.delay = ", \(time < .milliseconds(1) ? "at once" : time.roundedText) after \(command.name)"
        return cause
    }

    /// Whether it happened before a wait that time ended, and so has not kept the client from going on.
    func isOver(before begin: Instant) -> Bool { self.at < begin && !self.isCurrent }
}

// MARK: - The search

extension Cause {
    /// Finds the cause in what an actor observed and in how its last connection or request ended.
    ///
    /// The first error that nothing has expected leads: those after it come of it more often than not. Else it is what
    /// the transport saw, which tells more of the end of a connection than the event of the client; where it saw the
    /// client end one in order, the event of the client tells why.
    ///
    /// - Parameters:
    ///   - log: What the actor observed.
    ///   - start: Where the expectation began to look: nothing from there on was expected.
    ///   - command: What the actor was told to do last; what came since has to do with it, wherever it stands.
    ///   - ending: How the last thing ended that it had under way, and when on the time line of the execution.
    ///   - losses: The connections that it has lost since something was expected or it was told to do something, and
    ///     when the first one was.
    ///   - tellsAtOnce: Whether the client tells of an error in the moment in which a request ends, so that no other
    ///     request can have ended between; handlers in Lua may do something else before.
    ///   - masked: Hides what must not be seen; whatever is shortened has been masked before.
    /// - Returns: Nil if nothing happened that a conversation that goes well would not come to.
    init?(
        log: EventLog, from start: Int = 0, since command: GivenCommand? = nil,
        ending: (ending: Ending, at: Instant)?, losses: (losses: Ending.Losses, at: Instant)? = nil,
        tellsAtOnce: Bool = true, masked: @escaping (String) -> String
    ) {
        let source = Source(log: log, ending: ending, tellsAtOnce: tellsAtOnce, masked: masked)
        let current = log.leftovers.filter { logged in
            logged.number > start || command.map { $0.at <= logged.at } ?? false
        }
        let errors = current.filter { $0.event.kind == .error && Self.words(of: $0.event) != nil }
        if let first = errors.first {
            let more = errors.count - 1
            self = source.cause(
                of: first, isCurrent: true,
                others: more == 0 ? "" : " (and \(more) more \(more == 1 ? "error" : "errors"))")
            return
        }
        let trouble = ending.flatMap { $0.ending.isTrouble ? $0 : nil }
        if trouble == nil, let end = current.first(where: { Self.words(ofEnd: $0.event, ending?.ending) != nil }) {
            self = source.cause(of: end, isCurrent: true)
        } else if let error = log.events.last(where: { $0.event.kind == .error }),
            ending.map({ $0.at <= error.at }) ?? true, Self.words(of: error.event) != nil
        {
            self = source.cause(of: error, isCurrent: false)
        } else if let losses, trouble?.ending.isLoss == true, losses.losses.count > 1 {
            // Nothing was expected and no command was given since the first of them.
            self.init(
                masked(losses.losses.first.description), at: losses.at, isCurrent: true, isEndOfConnection: true,
                others: " (and \(losses.losses.count - 1) more)")
        } else if let trouble {
            var closure: WebSocketClosure?
            if case .closed(let found, _) = trouble.ending.manner { closure = found }
            let isRefusal = if case .refused = trouble.ending.manner { true } else { false }
            self.init(
                masked(trouble.ending.description), at: trouble.at, isEndOfConnection: closure != nil,
                isOrderly: closure.map { Self.orderlyCodes.contains(Int64($0.code)) } ?? false,
                isRefusal: isRefusal, answer: source.lines(of: trouble.ending))
        } else {
            return nil
        }
    }

    /// Returns how something ended, as the client itself tells it: one that is disconnected by a message ends the
    /// connection by itself, and that it did so is not what happened.
    static func words(of ending: Ending, in log: EventLog) -> String {
        switch ending.manner {
        case .dropped, .closed(_, byClient: true): break
        case .failed, .closed, .answered, .refused: return "\(ending)"
        }
        let last = log.events.last { $0.event.kind == .disconnected || $0.event.kind == .connected }
        return last.flatMap { Self.words(ofEnd: $0.event, ending) } ?? "\(ending)"
    }

    /// What an event says of itself; nil if it says nothing.
    private static func words(of event: ChatEvent) -> String? {
        if let message = event.fields["message"]?.string, !message.isEmpty { return message }
        return event.fields["reason"]?.string ?? event.fields["code"]?.string
    }

    /// Why a connection ended, as the client tells it; nil if it says nothing of it, has ended it itself, or ended it
    /// in order.
    ///
    /// - Parameter ending: How the last thing ended that the client had under way.
    private static func words(ofEnd event: ChatEvent, _ ending: Ending?) -> String? {
        guard event.kind == .disconnected else { return nil }
        let (code, reason) = (event.fields["code"]?.integer, event.fields["reason"]?.string ?? "")
        if case .closed(let closure, byClient: true) = ending?.manner, closure.reason == reason,
            code.map({ $0 == Int64(closure.code) }) ?? true
        {
            return nil
        }
        if !reason.isEmpty { return reason }
        return code.flatMap { Self.orderlyCodes.contains($0) ? nil : "the connection ended with the code \($0)" }
    }

    /// How a connection may end without anything having gone wrong: normally, because a side goes away, without a code.
    private static let orderlyCodes: Set<Int64> = [1000, 1001, 1005]

    /// Returns the beginning of an answer as lines to show.
    ///
    /// - Parameter text: The answer, without what must not be seen.
    static func lines(_ text: String) -> [String] {
        let lines = text.split(whereSeparator: \.isNewline)
            .filter { !$0.isBlank }
        return lines.prefix(Self.answerLimit.lines).map { String($0).shortened(to: Self.answerLimit.characters) }
            + (lines.count > Self.answerLimit.lines ? ["…"] : [])
    }

    /// Returns so much of an answer as its lines can show, and far more, so that no secret in them lacks its end.
    static func beginning(of answer: String) -> String {
        guard answer.utf8.count > Ending.bodyLimit else { return answer }
        return String(decoding: answer.utf8.prefix(Ending.bodyLimit), as: UTF8.self)
    }

    /// Returns the body of the answer with which something ended as lines to show; none if there was none.
    static func answer(of ending: Ending, masked: (String) -> String) -> [String] {
        let body: [UInt8]
        switch ending.manner {
        case .refused(_, let bytes): body = bytes
        case .failed(let failure): body = failure.body
        case .closed, .dropped, .answered: return []
        }
        let text = String(decoding: body.prefix(Ending.bodyLimit), as: UTF8.self)
        return Self.lines(PageWords.shown(text, masked: masked))
    }

    /// Where a cause is found.
    private struct Source {
        let log: EventLog
        let ending: (ending: Ending, at: Instant)?
        let tellsAtOnce: Bool
        let masked: (String) -> String

        /// Returns an event of the client as the cause.
        func cause(of logged: LoggedEvent, isCurrent: Bool, others: String = "") -> Cause {
            let event = logged.event
            let words =
                event.kind == .error
                ? Cause.words(of: event) : Cause.words(ofEnd: event, self.ending?.ending)
            let what = self.masked(Cause.beginning(of: words ?? event.kind.rawValue) + self.unreadable(logged))
            return Cause(
                what.shortened(to: Cause.wordsLimit), at: logged.at, isCurrent: isCurrent,
                isEndOfConnection: event.kind == .disconnected,
                isOrderly: event.kind == .disconnected
                    && event.fields["code"]?.integer.map(Cause.orderlyCodes.contains) ?? false,
                others: others,
                answer: self.answer(to: logged))
        }

        /// What the server answered where an error came of it: the event's own body before all, and nothing of another
        /// request.
        private func answer(to error: LoggedEvent) -> [String] {
            if let body = error.event.fields["body"], !body.isNull {
                return Cause.lines(PageWords.shown(body.string ?? body.description, masked: self.masked))
            }
            if let ending, (.zero..<Self.moment).contains(error.at - ending.at), self.isOf(ending.ending, error.event) {
                return self.lines(of: ending.ending)
            }
            let said = self.saidError(before: error)
            return said.map { Cause.lines(self.masked(Cause.beginning(of: $0))) } ?? []
        }

        /// What a client says of an answer comes this soon after it, though real time passes in between.
        private static let moment = Duration.milliseconds(100)

        /// Whether an error is about what ended.
        private func isOf(_ ending: Ending, _ error: ChatEvent) -> Bool {
            let status: Int64?
            let words: String?
            switch ending.manner {
            case .refused(let refusal, _): (status, words) = (Int64(refusal.code), nil)
            case .failed(let failure): (status, words) = (failure.status.map { Int64($0) }, failure.message)
            case .closed, .dropped, .answered: return false
            }
            if let told = error.fields["status"]?.integer { return told == status }
            return self.tellsAtOnce || words.map { error.fields["message"]?.string?.contains($0) ?? false } ?? false
        }

        /// What the other side said of an error in the last value that it sent before, as chatbots do within a stream.
        private func saidError(before error: LoggedEvent) -> String? {
            let said = self.log.events.last { logged in
                logged.number < error.number && logged.event.kind != .error && logged.event.fields["json"] != nil
                    && Self.areOfOneRequest(logged.event, error.event)
            }
            guard let error = said?.event.fields["json"]?["error"], !error.isNull else { return nil }
            return error["message"]?.string ?? error.string ?? error.description
        }

        private static func areOfOneRequest(_ event: ChatEvent, _ other: ChatEvent) -> Bool {
            guard let request = event.fields["request"], let number = other.fields["request"] else { return true }
            return request == number
        }

        /// Why the answer is not JSON that should be, if that is the error.
        private func unreadable(_ error: LoggedEvent) -> String {
            guard error.event.fields["code"]?.string == "invalid_json",
                let answer = self.log.events.last(where: { logged in
                    logged.number < error.number && logged.event.kind == .response
                        && Self.areOfOneRequest(logged.event, error.event)
                })?.event,
                let text = UnreadableAnswer.text(of: answer), let problem = UnreadableAnswer.problem(of: text),
                // The error has said that already.
                JSONReader.ambiguity(in: text.utf8) == nil
            else { return "" }
            let encoding = answer.fields["headers"]?["content-encoding"]?.string
            return ": \(problem)" + (encoding.map { ", and it says to be in \($0)" } ?? "")
        }

        /// The body of an answer as lines to show.
        func lines(of ending: Ending) -> [String] { Cause.answer(of: ending, masked: self.masked) }
    }
}
