import Metrics

/// Gathers what is wrong while a shape is read, so that reading goes on after the first problem.
final class ProblemCollector {
    /// The first problems in the order of reading.
    private(set) var problems: [ShapeError.Problem] = []

    /// How many problems were found beyond those kept; a recorded list of a million bad values must not fill the
    /// memory.
    private var further = 0

    /// Whether the shape may lack members, for something else gives them.
    let isPartial: Bool

    /// Creates a collector without problems.
    init(isPartial: Bool = false) { self.isPartial = isPartial }

    /// How many problems are kept.
    static let limit = 100

    /// Adds a problem, once: a member that several workloads inherit is read by each of them.
    func add(_ path: String, _ message: String) {
        let isKnown = self.problems.contains { $0.path == path && $0.message == message }
        if isKnown { return }
        if self.problems.count < Self.limit {
            self.problems.append(ShapeError.Problem(path: path, message: message))
        } else {
            self.further += 1
        }
    }

    /// Whether nothing was found so far.
    var isEmpty: Bool { self.problems.isEmpty }

    /// Throws what was found, if anything was.
    func check() throws(ShapeError) {
        guard !self.isEmpty else { return }
        var problems = self.problems
        if self.further > 0 {
            problems.append(
                ShapeError.Problem(
                    path: "workload",
                    message: "\(NumberText.counted(self.further, "more problem")); correct these first"))
        }
        throw ShapeError(problems: problems)
    }
}
