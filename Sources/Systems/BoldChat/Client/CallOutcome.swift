/// How a REST call ended.
enum CallOutcome: Hashable, Sendable {
    case answered(RESTAnswer)
    /// The call has failed; what is known of why, for people.
    case failed(ErrorCode, String? = nil)

    /// The answer, if the server reports success.
    var success: RESTAnswer? {
        guard case .answered(let answer) = self, answer.isSuccess else { return nil }
        return answer
    }

    /// The answer, success or not.
    var answer: RESTAnswer? {
        if case .answered(let answer) = self { answer } else { nil }
    }

    /// What went wrong, if something did.
    var errorCode: ErrorCode {
        switch self {
        case .answered(let answer): ErrorCode(message: answer.message)
        case .failed(let code, _): code
        }
    }

    /// What the server said about it, or what is known of the failure.
    var message: String? {
        switch self {
        case .answered(let answer): answer.message
        case .failed(_, let detail): detail
        }
    }
}
