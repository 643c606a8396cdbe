import Metrics
import RunRecord

/// Why users did not pass, for all that failed alike.
struct LoadProblem: Hashable, Sendable {
    /// The first that came: message, place and what is needed to understand it.
    private let example: Problem

    /// Who had it first, if a user had it, and when, in microseconds since the start of the run.
    private let user: Int?
    private let atMicroseconds: Int64

    /// When somebody had it last, in microseconds since the start of the run.
    private var lastMicroseconds: Int64

    /// How many had it.
    private var count = 1

    /// Creates the problem that one user had, or nobody in particular.
    init(_ example: Problem, user: Int?, atMicroseconds: Int64) {
        self.example = example
        self.user = user
        self.atMicroseconds = atMicroseconds
        self.lastMicroseconds = atMicroseconds
    }

    /// Notes that one more user had it, later than all others.
    mutating func add(atMicroseconds: Int64) {
        self.count += 1
        self.lastMicroseconds = atMicroseconds
    }

    /// The same as results and reports have it.
    var cause: FailureCause {
        FailureCause(
            kind: self.example.typeName, isError: self.example.category == .error, message: self.example.message,
            detail: self.example.detail, place: self.example.place, limit: self.example.limit, count: Int64(self.count),
            user: self.user.map { Int64($0) }, firstMicroseconds: self.atMicroseconds,
            lastMicroseconds: self.lastMicroseconds)
    }
}

extension Problem {
    /// Where in the scripts it is, as `file:line`; nil if nowhere.
    fileprivate var place: String? { self.file.map { file in self.line.map { "\(file):\($0)" } ?? file } }

    /// What it has in common with those that are counted with it.
    var causeKey: FailureCause.Key {
        FailureCause.Key(kind: self.typeName, place: self.place, limit: self.limit, message: self.message)
    }
}
