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

    /// Whether it is a step of a file on its way.
    var isFile: Bool {
        if case .file = self { true } else { false }
    }

    /// Whether the browser window does not repeat the call.
    var isTriedOnce: Bool {
        switch self {
        case .ping, .closedPing, .availability: true
        default: false
        }
    }
}
