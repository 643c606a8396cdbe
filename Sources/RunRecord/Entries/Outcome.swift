/// How a scenario ended.
public enum Outcome: Hashable, Sendable {
    /// Everything that was expected happened.
    case passed
    /// An expectation was not met.
    case failed
    /// The script, the connection or the harness broke, so that nothing can be said about what was tested.
    case error
    /// An expectation was not met, as the scenario declares; the problems say which one.
    case expectedFailure(reason: String)
    /// It was not played.
    case skipped(reason: String)
}

extension Outcome {
    /// Reads an outcome in the words of records and reports; nil if there is no such one.
    ///
    /// - Parameter reason: Why a scenario was not played, or may fail; the other outcomes have none.
    public init?(name: String, reason: String?) {
        switch name {
        case "passed": self = .passed
        case "failed": self = .failed
        case "error": self = .error
        case "expected_failure": self = .expectedFailure(reason: reason ?? "")
        case "skipped": self = .skipped(reason: reason ?? "")
        default: return nil
        }
    }

    /// The outcome in the words of records and reports.
    public var name: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .error: "error"
        case .expectedFailure: "expected_failure"
        case .skipped: "skipped"
        }
    }

    /// Why a scenario was not played, or may fail.
    public var reason: String? {
        switch self {
        case .expectedFailure(let reason), .skipped(let reason): reason
        case .passed, .failed, .error: nil
        }
    }

    /// Whether nothing is wrong with the scenario.
    public var isGood: Bool {
        switch self {
        case .passed, .expectedFailure, .skipped: true
        case .failed, .error: false
        }
    }
}
