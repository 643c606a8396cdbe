import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Comparing transcripts")
struct TranscriptComparisonTests {
    private static func entry(_ name: String, _ text: String? = nil) -> TranscriptEntry {
        TranscriptEntry(
            actor: "v", direction: .observed, name: name, fields: text.map { ["text": .string($0)] } ?? [:])
    }

    private static func stored(_ lines: [String]) throws -> StoredTranscript {
        try StoredTranscript(
            lines.map { $0 == "…" || $0.hasPrefix("#") ? $0 : "v < \($0)" }.joined(separator: "\n"), name: "t")
    }

    /// Whether lines ask for just these names, where a gap stands for any of them; found by trying everything.
    private static func matches(_ lines: ArraySlice<String>, _ names: ArraySlice<String>) -> Bool {
        guard let line = lines.first else { return names.isEmpty }
        if line.hasPrefix("#") { return Self.matches(lines.dropFirst(), names) }
        if line == "…" {
            return Self.matches(lines.dropFirst(), names)
                || !names.isEmpty && Self.matches(lines, names.dropFirst())
        }
        return names.first == line && Self.matches(lines.dropFirst(), names.dropFirst())
    }

    /// The fewest lines that are left out or put in, by the definition of it.
    private static func distance(_ lines: ArraySlice<String>, _ names: ArraySlice<String>) -> Int {
        guard let line = lines.first else { return names.count }
        if line.hasPrefix("#") { return Self.distance(lines.dropFirst(), names) }
        var best = names.isEmpty ? Int.max : 1 + Self.distance(lines, names.dropFirst())
        if line == "…" {
            best = min(best, Self.distance(lines.dropFirst(), names))
            if !names.isEmpty { best = min(best, Self.distance(lines, names.dropFirst())) }
        } else {
            best = min(best, 1 + Self.distance(lines.dropFirst(), names))
            if names.first == line { best = min(best, Self.distance(lines.dropFirst(), names.dropFirst())) }
        }
        return best
    }

    @Test(
        "conversations are the same where trying everything says so, and differ in as few lines as they must",
        arguments: 0..<80)
    func reference(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        for _ in 0..<10 {
            let lines = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                ["a", "b", "c", "…", "# x"].randomElement(using: &random) ?? ""
            }
            let names = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                ["a", "b", "c"].randomElement(using: &random) ?? ""
            }
            let comparison = TranscriptComparison(try Self.stored(lines), names.map { Self.entry($0) })
            #expect(comparison.isSame == Self.matches(lines[...], names[...]), "\(lines) with \(names)")
            let differing = comparison.steps.count { step in
                switch step {
                case .missing, .unexpected: true
                case .comment, .gap, .same, .changed: false
                }
            }
            #expect(differing == Self.distance(lines[...], names[...]), "\(lines) with \(names)")
        }
    }

    @Test("each line and each entry is told of once, in its order, whatever was compared", arguments: 0..<60)
    func complete(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        func texts() -> [String] {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in random.text(of: "ab c", count: 1...5) }
        }
        let (left, right) = (texts(), texts().map { Self.entry("m", $0) })
        let stored = try Self.stored(left.map { "m text=\(JSONValue.string($0))" } + ["…", "# end"])
        let comparison = TranscriptComparison(stored, right)
        var (lines, entries): ([String], [TranscriptEntry]) = ([], [])
        var gapCount = 0
        for step in comparison.steps {
            switch step {
            case .comment(let text): lines.append(text)
            case .gap(let text, let count):
                lines.append(text)
                gapCount += count
                // What a gap stands for is not told one by one.
                entries += right[entries.count..<(entries.count + count)]
            case .same(_, let text, let found), .changed(_, let text, let found):
                lines.append(text)
                entries.append(found)
            case .missing(_, let text): lines.append(text)
            case .unexpected(let found): entries.append(found)
            }
        }
        #expect(lines == stored.lines.map(\.text))
        #expect(entries == right)
        #expect(gapCount <= right.count)
    }

    @Test("a text that is alike is a change of the line, one that is not is another line")
    func likeness() throws {
        let stored = try Self.stored(["m text=\"one two three\""])
        func kinds(_ text: String) -> [String] {
            TranscriptComparison(stored, [Self.entry("m", text)]).lines.dropLast().map { String($0.prefix(1)) }
        }
        #expect(kinds("one two four") == ["-", "+"])
        #expect(TranscriptComparison(stored, [Self.entry("m", "one two four")]).steps.count == 1)
        #expect(TranscriptComparison(stored, [Self.entry("m", "nothing in common")]).steps.count == 2)
        #expect(TranscriptComparison(stored, [Self.entry("n", "one two three")]).steps.count == 2)
    }

    @Test("conversations that are too long to be matched line by line are shown as blocks")
    func bound() throws {
        let lines = (0..<600).map { "m\($0)" }
        let comparison = TranscriptComparison(try Self.stored(["first"] + lines), lines.map { Self.entry($0) })
        #expect(!comparison.isSame)
        #expect(comparison.steps.count == 1201)
        #expect(comparison.lines.count == 82)
        #expect(comparison.lines.dropLast().last == "  (1121 more lines differ)")
        #expect(comparison.differences.count == 121)
        #expect(comparison.differences.last?.count == 1081)
        // What begins the same is taken off before anything is matched.
        #expect(TranscriptComparison(try Self.stored(lines), lines.map { Self.entry($0) }).isSame)
    }

    @Test("two lines stand around a difference, and how many are left out is said")
    func context() throws {
        let names = ["a", "b", "c", "d", "e", "f", "g"]
        let found = names.map { Self.entry($0 == "d" ? "x" : $0) }
        #expect(
            TranscriptComparison(try Self.stored(names), found).lines.dropLast() == [
                "  (1 line as stored)", "  v < b", "  v < c", "- v < d", "+ v < x", "  v < e", "  v < f",
                "  (1 line as stored)",
            ])
        #expect(
            TranscriptComparison(try Self.stored(names), names.map { Self.entry($0) }).lines == [
                "  (7 lines as stored)", "(- stored, + found; repartee test --update stores what was found)",
            ])
    }

    @Test("long values are cut in reports, and fields that nobody stored are not told of")
    func fields() throws {
        let stored = try Self.stored(["m text=\"a b\""])
        let found = TranscriptEntry(
            actor: "v", direction: .observed, name: "m",
            fields: ["text": .string("a " + String(repeating: "x", count: 3_000)), "other": 1])
        let difference = try #require(TranscriptComparison(stored, [found]).differences.first)
        #expect(difference.kind == .changed)
        #expect(difference.fields.map(\.name) == ["text"])
        #expect(difference.fields.first?.found?.count == 2_002)
        #expect(difference.fields.first?.found?.hasSuffix(" …") == true)
    }

    @Test("a conversation that is stored nowhere is told of as it would be stored, up to a bound")
    func unstored() {
        let entries = (0..<200).map {
            TranscriptEntry(actor: "v", direction: .did, name: "m", fields: ["id": 1, "n": .integer(Int64($0))])
        }
        let differences = TranscriptComparison.differences(of: entries)
        #expect(differences.count == 120)
        #expect(differences.allSatisfy { $0.kind == .unexpected && $0.fields.map(\.name) == ["n"] })
    }
}
