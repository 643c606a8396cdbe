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

    /// Whether it is an event that no expectation has taken so far.
    let isOpen: Bool

    /// The answer of the server that says why, line by line; empty if there was none.
    let answer: [String]

    /// An answer of the server is shown up to this many lines of this many characters.
    private static let answerLimit = (lines: 12, characters: 200)

    /// An answer of one line that is no longer stands in the headline itself.
    private static let headlineAnswerLimit = 160

    /// What happened, in one line.
    var text: String {
        let text = self.what + self.delay
        guard self.answer.count == 1, self.answer[0].count <= Self.headlineAnswerLimit, !self.answer[0].hasPrefix("<"),
            !text.contains(self.answer[0])
        else { return text }
        return "\(text): \(self.answer[0])"
    }

    /// Returns the cause with how long after a command it came.
    func after(_ command: GivenCommand?) -> Cause {
        guard let command, command.at <= self.at else { return self }
        let time = self.at - command.at
        var cause = self
        cause.delay = ", \(time < .milliseconds(1) ? "at once" : time.roundedText) after \(command.name)"
        return cause
    }

    /// Finds the cause in what an actor observed and in how its last connection or request ended.
    ///
    /// An error that the client observed says more than what its transport saw, unless something ended after it.
    ///
    /// - Parameters:
    ///   - log: What the actor observed.
    ///   - ending: How the last thing ended that it had under way, and when on the time line of the execution.
    ///   - masked: Hides what must not be seen; whatever is shortened has been masked before.
    /// - Returns: Nil if nothing happened that a conversation that goes well would not come to.
    init?(log: EventLog, ending: (ending: Ending, at: Instant)?, masked: (String) -> String) {
        let trouble = ending.flatMap { $0.ending.isTrouble ? $0 : nil }
        let error = log.events.last { $0.event.kind == .error }
        if let error, ending.map({ $0.at <= error.at }) ?? true, let text = Self.text(of: error.event) {
            let answer = Self.lines(of: trouble?.ending, masked)
            self.answer = answer.isEmpty ? Self.saidError(in: log).map { Self.lines(masked($0)) } ?? [] : answer
            self.what = masked(text + Self.unreadable(error.event, in: log))
            self.at = error.at
            self.isOpen = error.disposition == .open
        } else if let trouble {
            self.answer = Self.lines(of: trouble.ending, masked)
            self.what = masked(trouble.ending.description)
            self.at = trouble.at
            self.isOpen = false
        } else {
            return nil
        }
    }

    private static func text(of error: ChatEvent) -> String? {
        if let message = error.fields["message"]?.string, !message.isEmpty { return message }
        return error.fields["reason"]?.string ?? error.fields["code"]?.string
    }

    /// What the other side said of an error in the last value that it sent, as chatbots do within a stream.
    private static func saidError(in log: EventLog) -> String? {
        let said = log.events.last { $0.event.kind != .error && $0.event.fields["json"] != nil }?.event.fields["json"]
        guard let error = said?["error"], !error.isNull else { return nil }
        return error["message"]?.string ?? error.string ?? error.description
    }

    /// Why the answer is not JSON that should be, if that is the error.
    private static func unreadable(_ error: ChatEvent, in log: EventLog) -> String {
        guard error.fields["code"]?.string == "invalid_json",
            let answer = log.events.last(where: { $0.event.kind == .response })?.event,
            let problem = UnreadableAnswer.text(of: answer).flatMap({ UnreadableAnswer.problem(of: $0) })
        else { return "" }
        let encoding = answer.fields["headers"]?["content-encoding"]?.string
        return ": \(problem)" + (encoding.map { ", and it says to be in \($0)" } ?? "")
    }

    private static func lines(of ending: Ending?, _ masked: (String) -> String) -> [String] {
        let body: [UInt8]
        switch ending?.manner {
        case .refused(_, let bytes): body = bytes
        case .failed(let failure): body = failure.body
        case .closed, .dropped, .answered, nil: return []
        }
        return Self.lines(masked(String(decoding: body, as: UTF8.self)))
    }

    /// Returns the beginning of an answer as lines to show.
    ///
    /// - Parameter text: The answer, without what must not be seen.
    static func lines(_ text: String) -> [String] {
        let lines = text.split(whereSeparator: \.isNewline)
            .filter { !$0.allSatisfy(\.isWhitespace) }
        return lines.prefix(Self.answerLimit.lines).map {
            ExpectationReport.shortened(String($0), to: Self.answerLimit.characters)
        } + (lines.count > Self.answerLimit.lines ? ["…"] : [])
    }
}
