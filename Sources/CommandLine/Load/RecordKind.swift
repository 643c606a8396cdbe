import Reports
import Scenario

/// What `repartee report` can be given: what test runs write, and what load runs write.
enum RecordKind: Hashable {
    case testRun
    case loadResult

    /// So many bytes tell a load result.
    private static let head = 100

    /// Looks at how a file begins; what is no load result is taken for a record and refused by its reader.
    ///
    /// - Throws: ``ScriptProblem`` if it cannot be read.
    init(of name: String, in environment: CommandEnvironment) throws(ScriptProblem) {
        guard let head = FileSystem.beginning(of: environment.path(name), length: Self.head) else {
            throw ScriptProblem(
                "\(name) cannot be read; name a file that `repartee test` or `repartee load` wrote", isUsage: true)
        }
        self = String(decoding: head, as: UTF8.self).contains("repartee.load") ? .loadResult : .testRun
    }

    /// Looks at several files, which must be of one kind.
    ///
    /// - Throws: ``ScriptProblem`` if one cannot be read, or they are not all of one kind.
    static func common(of names: [String], in environment: CommandEnvironment) throws(ScriptProblem) -> RecordKind {
        var first: (name: String, kind: RecordKind)?
        for name in names {
            let kind = try RecordKind(of: name, in: environment)
            guard let known = first else {
                first = (name, kind)
                continue
            }
            guard known.kind == kind else {
                throw ScriptProblem(
                    "\(known.name) is \(known.kind.text) and \(name) is \(kind.text); give files of one kind",
                    isUsage: true)
            }
        }
        return first?.kind ?? .testRun
    }

    private var text: String {
        switch self {
        case .testRun: "of a test run"
        case .loadResult: "the result of a load test"
        }
    }
}
