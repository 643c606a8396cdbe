/// Everything that is wrong with a load shape, found at once and before any connection is opened.
public struct ShapeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that is wrong.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Where it stands, as the script's author would write it: `workload.workloads[2].stages[1].target`.
        public var path: String

        /// What is wrong and what to write instead.
        public var message: String

        /// Creates a problem.
        ///
        /// - Parameters:
        ///   - path: Where it stands.
        ///   - message: What is wrong and what to write instead.
        public init(path: String, message: String) {
            self.path = path
            self.message = message
        }

        public var description: String { "\(self.path): \(self.message)" }
    }

    /// The problems in the order of the table; at least one.
    public var problems: [Problem]

    /// Creates an error.
    ///
    /// - Parameter problems: What is wrong, at least one problem.
    public init(problems: [Problem]) {
        self.problems = problems
    }

    public var description: String {
        self.problems.map(\.description).joined(separator: "\n")
    }
}
