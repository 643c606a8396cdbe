import RunRecord

extension Outcome {
    /// What an iteration with this outcome came to.
    var yield: IterationYield {
        switch self {
        case .passed, .expectedFailure: .something
        case .failed, .skipped: .nothing
        case .error: .broken
        }
    }
}
