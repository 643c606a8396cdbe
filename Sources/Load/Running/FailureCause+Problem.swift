import Metrics
import RunRecord

extension FailureCause {
    /// Creates the cause of a failure that one user had so far, or nobody in particular.
    init(_ problem: Problem, user: Int?, atMicroseconds: Int64) {
        self.init(
            kind: problem.typeName, isError: problem.category == .error, message: problem.message,
            detail: problem.detail, place: problem.place, limit: problem.limit, count: 1,
            user: user.map { Int64($0) }, firstMicroseconds: atMicroseconds, lastMicroseconds: atMicroseconds)
    }
}

extension Problem {
    /// Where in the scripts it is, as `file:line`; nil if nowhere.
    fileprivate var place: String? { self.file.map { file in self.line.map { "\(file):\($0)" } ?? file } }

    /// Whether the script uses the tool or the language wrongly (``FailureCause/isMistake``).
    var isMistake: Bool { FailureCause(self, user: nil, atMicroseconds: 0).isMistake }

    /// What it has in common with those that are counted with it.
    var causeKey: FailureCause.Key {
        FailureCause.Key(kind: self.typeName, place: self.place, limit: self.limit, message: self.message)
    }
}
