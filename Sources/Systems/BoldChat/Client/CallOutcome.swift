import Machines

/// How a REST call ended.
enum CallOutcome: Hashable, Sendable {
    case answered(RESTAnswer)
    /// The server reports success in an answer that the client cannot go on with; what is wrong, for people.
    case unreadable(RESTAnswer, String)
    /// The call has failed; what is known of why, for people.
    case failed(ErrorCode, String? = nil)

    /// Creates the outcome of a call of a method that has an answer.
    init(_ answer: RESTAnswer, to method: String) {
        self = .answered(answer)
        guard answer.isSuccess else { return }
        do throws(Misreading) { try AnswerExamination.check(answer, to: method) } catch {
            self = .unreadable(answer, "\(ErrorCode.malformedAnswer.summary): \(method), for \(error.text)")
        }
    }

    /// The answer, if the server reports success and it can be read.
    var success: RESTAnswer? {
        guard case .answered(let answer) = self, answer.isSuccess else { return nil }
        return answer
    }

    /// The answer, success or not.
    var answer: RESTAnswer? {
        switch self {
        case .answered(let answer), .unreadable(let answer, _): answer
        case .failed: nil
        }
    }

    /// What went wrong, if something did.
    var errorCode: ErrorCode {
        switch self {
        case .answered(let answer): ErrorCode(message: answer.message)
        case .unreadable: .malformedAnswer
        case .failed(let code, _): code
        }
    }

    /// What the server said about it, or what is known of the failure.
    var message: String? {
        switch self {
        case .answered(let answer): answer.message
        case .unreadable(_, let detail): detail
        case .failed(_, let detail): detail
        }
    }
}
