import Foundation
import Testing

/// Whether the walks of the tests come to everything that the systems' transition tables say.
///
/// A walk fails itself where a change of its table is never seen, or one that the table lacks (``TransitionWalk`` in
/// `MachineKit`); here it is held that there is a walk for each table, and that it has each input of the table.
@Suite("Each transition table of a system is walked")
struct TransitionCoverageTests {
    /// A type with a transition table in its comment, or one that by its name should have one.
    private struct Part {
        let name: String
        let file: String
        /// The tests of its system.
        let tests: String
        /// The cells of each row below the headings of inputs.
        let inputs: [String]
        let hasTable: Bool
        /// The cases of its `Input`.
        let cases: Set<String>
    }

    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Put together from parts that are walked one by one, and without states of their own.
    private static let composed: Set<String> = ["ServicePart"]

    /// A file, and the names in it.
    private struct Source {
        let path: String
        let text: String
        let words: Set<String>
        /// Those that follow a dot.
        let members: Set<String>

        init(path: String, text: String) {
            self.path = path
            self.text = text
            var (words, members): (Set<String>, Set<String>) = ([], [])
            var (word, begin): ([UInt8], UInt8) = ([], 0)
            var previous: UInt8 = 0
            for byte in Array(text.utf8) + [0] {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    if word.isEmpty { begin = previous }
                    word.append(byte)
                default:
                    if !word.isEmpty {
                        let name = String(decoding: word, as: UTF8.self)
                        words.insert(name)
                        if begin == UInt8(ascii: ".") { members.insert(name) }
                        word = []
                    }
                }
                previous = byte
            }
            (self.words, self.members) = (words, members)
        }
    }

    private static func sources(in folder: String) throws -> [Source] {
        let files = FileManager.default.enumerator(atPath: Self.root.appendingPathComponent(folder).path)
        return try (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let file = Self.root.appendingPathComponent(folder).appendingPathComponent(path)
            return Source(path: path, text: try String(contentsOf: file, encoding: .utf8))
        }
    }

    /// The tests of each system that has parts.
    private static func tests(of parts: [Part]) throws -> [String: [Source]] {
        try Dictionary(uniqueKeysWithValues: Set(parts.map(\.tests)).map { ($0, try Self.sources(in: $0)) })
    }

    private static func parts() throws -> [Part] {
        try Self.sources(in: "Sources/Systems").flatMap { source in
            var comment: [Substring] = []
            var parts: [Part] = []
            for line in source.text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("///") || line.hasPrefix("@") {
                    comment.append(line)
                    continue
                }
                defer { comment = [] }
                guard line.hasPrefix("struct ") || line.hasPrefix("final class ") || line.hasPrefix("enum "),
                    let match = line.firstMatch(of: #/^(?:final )?(?:struct|class|enum) (\w+)/#)
                else { continue }
                let name = String(match.1)
                let table = Self.inputs(in: comment)
                let mayHaveTable = name.hasSuffix("Part") || name.hasSuffix("StateMachine")
                guard table != nil || mayHaveTable && !Self.composed.contains(name) else { continue }
                let system = source.path.split(separator: "/").first.map(String.init) ?? ""
                parts.append(
                    Part(
                        name: name, file: source.path, tests: "Tests/\(system)Tests", inputs: table ?? [],
                        hasTable: table != nil, cases: Self.cases(in: source.text)))
            }
            return parts
        }
    }

    /// Returns what stands in the column of inputs of the tables of a comment; nil without a table.
    private static func inputs(in comment: [Substring]) -> [String]? {
        var inputs: [String]?
        var column: Int?
        for (line, below) in zip(comment, comment.dropFirst() + [""]) {
            let cells = line.dropFirst(4).split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if !line.hasPrefix("/// |") {
                column = nil
            } else if below.contains(#/^/// \|[-|]+\|$/#) {
                column = cells.firstIndex { ["input", "event", "request"].contains($0) }
                inputs = inputs ?? []
            } else if let column, cells.indices.contains(column) {
                inputs?.append(cells[column])
            }
        }
        return inputs
    }

    private static func cases(in text: String) -> Set<String> {
        guard let body = text.firstMatch(of: #/(?s)\n    enum Input.*?\n    }/#)?.0 else { return [] }
        let lines = body.split(separator: "\n").filter { $0.contains(#/^ +case /#) }
        return Set(
            lines.flatMap { line in
                line.replacing(#/\([^)]*\)/#, with: "").matches(of: #/(?:case|,) `?(\w+)/#).map { String($0.1) }
            })
    }

    @Test("a part and a state machine have a transition table in their comments")
    func tables() throws {
        let parts = try Self.parts()
        #expect(parts.count > 80)
        let bare = parts.filter { !$0.hasTable }.map { "\($0.name) in \($0.file)" }
        #expect(bare.isEmpty, "without a table: \(bare.joined(separator: ", "))")
    }

    @Test("a transition table has a walk among the tests of its system")
    func walks() throws {
        let parts = try Self.parts()
        // What a walk is made of may stand in a fixture.
        let walks = try Self.tests(of: parts).mapValues { sources in
            sources.filter { source in
                ["TransitionWalk", "TransitionTable"].contains { source.words.contains($0) }
                    || source.path.contains("Fixture")
            }
        }
        let missing = parts.filter { part in
            part.hasTable && !(walks[part.tests] ?? []).contains { $0.words.contains(part.name) }
        }.map { "\($0.name) in \($0.file)" }
        #expect(missing.isEmpty, "no walk: \(missing.joined(separator: ", "))")
    }

    @Test("each input that a transition table names is given in a test of its part")
    func inputs() throws {
        let parts = try Self.parts()
        let tests = try Self.tests(of: parts)
        var missing: [String] = []
        for part in parts where part.hasTable {
            let named = Set(part.inputs.flatMap { $0.matches(of: #/`(\w+)/#).map { String($0.1) } })
            let own = (tests[part.tests] ?? []).filter { $0.words.contains(part.name) }
            for input in named.intersection(part.cases).sorted()
            where !own.contains(where: { $0.members.contains(input) }) {
                missing.append("`\(input)` of \(part.name)")
            }
        }
        #expect(missing.isEmpty, "never given: \(missing.joined(separator: ", "))")
    }
}
