@testable import BoldChat

extension SessionStateMachine.Input {
    /// The input in the words of the table of transitions.
    var label: String {
        switch self {
        case .createRequested: "create"
        case .creationAnswered(let answer): "createChat answered: \(answer.label)"
        case .creationCanceled: "create canceled"
        case .submitRequested(let form, let isValid): "submit \(form.rawValue), \(isValid ? "valid" : "not valid")"
        case .submitAnswered(let form, let answer): "\(form.rawValue) answered: \(answer.label)"
        case .submitCanceled(let form): "submit \(form.rawValue) canceled"
        case .chatFinished(let hasPostChat): "chat finished, \(hasPostChat ? "post-chat form" : "no form")"
        case .chatUnavailable(let hasForm): "chat unavailable, \(hasForm ? "form" : "no form")"
        case .chatFailed: "chat error"
        case .historyFailed: "transcript refused"
        case .finishRequested: "end session"
        }
    }
}

extension SessionStateMachine.Answer {
    fileprivate var label: String {
        switch self {
        case .unavailableWithForm: "unavailable with form"
        case .unavailable: "unavailable without form"
        case .preChat: "pre-chat form"
        case .postChat: "post-chat form"
        case .success: "success"
        case .failure: "failure"
        }
    }
}

extension ChatStateMachine.Input {
    /// The input in the words of the table of transitions.
    var label: String {
        switch self {
        case .started: "start"
        case .say: "say"
        case .typing: "typing"
        case .finishRequested: "finish"
        case .cancelRequested: "cancel"
        case .answerTimerFired: "answer time-out"
        case .linkConnected: "link connected"
        case .callAnswered(.message, _, _): "message answered"
        case .callAnswered(.typing, _, _): "typing answered"
        case .callAnswered(.connect, _, _), .callAnswered(.other, _, _): "call answered"
        case .callRefused: "call refused"
        case .eventReceived(let call): "event \(call.method)"
        case .linkEnded(.timeout): "link timed out"
        case .linkEnded(.closed): "link closed for good"
        case .linkEnded(.reported(let reason, _)): "end: \(reason.rawValue)"
        case .linkReset: "reset"
        case .linkFailed: "link failed"
        case .startAnswered(let connection): "startChat answered: \(connection == nil ? "failure" : "success")"
        case .finishAnswered(let isSuccess): "finishChat answered: \(isSuccess ? "success" : "failure")"
        case .unavailableFormAnswered(let isSuccess):
            "getUnavailableForm answered: \(isSuccess ? "success" : "failure")"
        case .suspended: "suspend"
        case .resumed: "resume"
        }
    }
}

extension LinkStateMachine.Input {
    /// The input in the words of the table of transitions.
    var label: String {
        switch self {
        case .started: "start"
        case .opened: "socket opened"
        case .openFailed: "socket not opened"
        case .received(_, .call(let call)): "event \(call.method)"
        case .received(_, .answer): "answer"
        case .unreadable: "unreadable frame"
        case .closed(_, let wasClean): wasClean ? "socket closed" : "socket lost"
        case .pollAnswered: "poll answered"
        case .pollFailed: "poll failed"
        case .postEnded(let answer): answer == nil ? "post failed" : "post answered"
        case .timerFired(let timer): "timer \(timer.rawValue)"
        case .send: "send"
        case .suspended: "suspend"
        case .resumed: "resume"
        case .stopped: "stop"
        }
    }
}
