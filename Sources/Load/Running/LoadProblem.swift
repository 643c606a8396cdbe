public import Metrics
public import RunRecord

/// Why users did not pass, for all that failed alike.
public struct LoadProblem: Hashable, Sendable {
    /// The first that came: message, place and what is needed to understand it.
    public let example: Problem

    /// Who had it first, and when, in microseconds since the start of the run.
    public let user: Int
    public let atMicroseconds: Int64

    /// How many had it.
    public internal(set) var count: Int

    /// The same as results and reports have it.
    public var cause: FailureCause {
        FailureCause(
            kind: self.example.typeName, message: self.example.message, detail: self.example.detail,
            place: self.example.file.map { file in self.example.line.map { "\(file):\($0)" } ?? file },
            count: Int64(self.count), user: Int64(self.user), firstMicroseconds: self.atMicroseconds)
    }

    /// What failures must have in common to be counted as one: kind, file and line.
    struct Key: Hashable, Sendable {
        let typeName: String
        let file: String?
        let line: Int?
        let limit: String?

        init(_ problem: Problem) {
            self.typeName = problem.typeName
            self.file = problem.file
            self.line = problem.line
            self.limit = problem.limit
        }
    }

    /// Returns the problem with those that failed alike elsewhere; the first of all is the example.
    func adding(_ other: LoadProblem) -> LoadProblem {
        var sum = (other.atMicroseconds, other.user) < (self.atMicroseconds, self.user) ? other : self
        sum.count = self.count + other.count
        return sum
    }

    /// Returns problems in the order in which people read them: the most frequent first.
    static func sorted(_ problems: some Sequence<LoadProblem>) -> [LoadProblem] {
        problems.sorted { ($1.count, $0.atMicroseconds) < ($0.count, $1.atMicroseconds) }
    }
}
