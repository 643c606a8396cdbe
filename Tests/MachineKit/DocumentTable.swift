import Foundation

/// Every name of a vendor's document, what becomes of it here, and what proves it.
public struct DocumentTable: Sendable {
    /// What becomes of a name.
    public enum Verdict: String, Sendable {
        /// It does what the document says.
        case acts
        /// It shapes what a person or a script can read, and nothing else.
        case held
        /// It is refused in words, or documented as something that a client without a window cannot do.
        case refused
    }

    /// What proves it: the title of a scenario or of a test, by which each can be found.
    public enum Proof: Hashable, Sendable {
        case scenario(String)
        case test(String)
    }

    /// One name.
    public struct Row: Sendable {
        public let name: String
        public let defaultValue: String
        public let verdict: Verdict
        public let proof: Proof
    }

    /// The document.
    public let title: String
    public private(set) var rows: [Row] = []

    /// Creates a table.
    public init(_ title: String, _ groups: [[Row]]) {
        self.title = title
        self.rows = groups.flatMap { $0 }
    }

    /// Rows with one proof; a name may carry its default after an equals sign.
    public static func rows(_ verdict: Verdict, _ proof: Proof, _ names: [String]) -> [Row] {
        names.map { name in
            let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
            return Row(
                name: parts[0], defaultValue: parts.count > 1 ? parts[1] : "", verdict: verdict, proof: proof)
        }
    }

    /// Returns what is wrong with the table: names of the document without a row, rows of no name, names that stand
    /// twice, and proofs that are not there.
    ///
    /// - Parameters:
    ///   - names: All names of the document.
    ///   - scenarios: The folder below `Scenarios`.
    ///   - tests: The folder below `Tests`.
    public func problems(names: [String], scenarios: String, tests: String) throws -> [String] {
        let listed = self.rows.map(\.name)
        var problems = Set(names).subtracting(listed).sorted().map { "\($0) has no row" }
        problems += Set(listed).subtracting(names).sorted().map { "\($0) is no name of the document" }
        problems += Dictionary(grouping: listed, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
            .map { "\($0) stands twice" }
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let played = try Self.text(of: root.appendingPathComponent("Scenarios/\(scenarios)"), ending: ".lua")
        let tested = try Self.text(of: root.appendingPathComponent("Tests/\(tests)"), ending: ".swift")
        // A table that names a title is no proof by itself, so a title must stand where a test begins.
        for proof in Set(self.rows.map(\.proof)) {
            switch proof {
            case .scenario(let title):
                if !played.contains("scenario(\"\(title)\"") { problems.append("there is no scenario \"\(title)\"") }
            case .test(let title):
                let isThere = tested.contains("@Test(\"\(title)\"") || tested.contains("@Test(\n        \"\(title)\"")
                if !isThere { problems.append("there is no test \"\(title)\"") }
            }
        }
        return problems
    }

    private static func text(of folder: URL, ending suffix: String) throws -> String {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(suffix) }.sorted()
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
    }

    /// The table as people read it.
    public var text: String {
        let rows = self.rows.map { row in
            let proof =
                switch row.proof {
                case .scenario(let title): "scenario \"\(title)\""
                case .test(let title): "test \"\(title)\""
                }
            return "| \(row.name) | \(row.defaultValue) | \(row.verdict.rawValue) | \(proof) |"
        }
        let counts = [Verdict.acts, .held, .refused].map { verdict in
            "\(self.rows.count { $0.verdict == verdict }) \(verdict.rawValue)"
        }
        return
            (["\(self.title): \(self.rows.count) names, \(counts.joined(separator: ", "))"]
            + ["| name | default | verdict | proof |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
