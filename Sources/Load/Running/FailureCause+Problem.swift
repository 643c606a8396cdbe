import Metrics
import RunRecord

extension FailureCause {
    /// Creates the cause of a failure that one user had so far, or nobody in particular.
    ///
    /// - Parameter count: How often it was had.
    init(_ problem: Problem, user: Int?, count: Int64 = 1, atMicroseconds: Int64) {
        self.init(
            kind: problem.typeName, isError: problem.category == .error, message: problem.message,
            detail: problem.detail, place: problem.place, limit: problem.limit, count: count,
            user: user.map { Int64($0) }, firstMicroseconds: atMicroseconds, lastMicroseconds: atMicroseconds)
    }
}
