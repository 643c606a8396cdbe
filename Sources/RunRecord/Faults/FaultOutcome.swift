/// What an execution with a fault came to.
public enum FaultOutcome: String, CaseIterable, Hashable, Sendable {
    /// The scenario ended as it does without the fault.
    case sameEnd = "same_end"
    /// It ended otherwise, and a client had told that something was wrong.
    case toldError = "told_error"
    /// It ended otherwise for a reason that the system or the scenario declares.
    case explained
    /// It ended otherwise, and no client had told that anything was wrong.
    case otherEnd = "other_end"
    /// A text that was sent once arrived twice.
    case sentTwice = "sent_twice"
    /// It waited until a time limit, and no client had told that anything was wrong.
    case hang
    /// The process ended.
    case trap

    /// Whether that is as it should be.
    public var isGood: Bool {
        switch self {
        case .sameEnd, .toldError, .explained: true
        case .otherEnd, .sentTwice, .hang, .trap: false
        }
    }

    /// The outcome for people.
    public var title: String {
        switch self {
        case .sameEnd: "same end"
        case .toldError: "error told"
        case .explained: "explained"
        case .otherEnd: "another end"
        case .sentTwice: "sent twice"
        case .hang: "hang"
        case .trap: "trap"
        }
    }
}
