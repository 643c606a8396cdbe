public import RunRecord

/// What went wrong with something that virtual users share, which is no user's failure.
public struct SharedProblem: Sendable {
    /// What went wrong.
    public let problem: Problem

    /// How often it did.
    public let count: Int

    /// Creates one.
    ///
    /// - Parameters:
    ///   - problem: What went wrong.
    ///   - count: How often it did.
    public init(_ problem: Problem, count: Int = 1) {
        self.problem = problem
        self.count = count
    }
}
