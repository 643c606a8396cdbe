import Testing

@testable import Scenario

@Suite("A line of a script with its neighbors")
struct SourceExcerptLineTests {
    private static func rendered(
        _ source: String, line: Int, masked: @escaping (String) -> String = { $0 }
    ) -> [String] {
        SourceExcerpt(source: source, line: line, masked: masked).rendered
    }

    @Test("the line stands between its neighbors, with a caret below the call")
    func neighbors() {
        #expect(
            Self.rendered("local a = 1\n  visitor:say \"hi\"\nend", line: 2) == [
                "  1 | local a = 1", "> 2 |   visitor:say \"hi\"", "    |   ^^^^^^^^^^^", "  3 | end",
            ])
    }

    @Test("the first line, the last one and the only one have the neighbors that there are")
    func ends() {
        #expect(Self.rendered("a()\nb()", line: 1) == ["> 1 | a()", "    | ^", "  2 | b()"])
        #expect(Self.rendered("a()\nb()", line: 2) == ["  1 | a()", "> 2 | b()", "    | ^"])
        #expect(Self.rendered("a()", line: 1) == ["> 1 | a()", "    | ^"])
    }

    @Test("a line that the file does not have shows nothing", arguments: [0, -1, 3, Int.max, Int.min + 1])
    func outside(line: Int) {
        #expect(Self.rendered("a()\nb()", line: line) == [])
    }

    @Test("numbers stand below each other")
    func widths() {
        let source = (1...100).map { "line\($0)" }.joined(separator: "\n")
        #expect(Self.rendered(source, line: 99).first == "   98 | line98")
        #expect(Self.rendered(source, line: 99).last == "  100 | line100")
        #expect(Self.rendered(source, line: 9).map { $0.prefix(6) }.first == "   8 |")
    }

    @Test("empty neighbors are left out, an empty line is shown, and line ends of other systems are line ends")
    func blanks() {
        #expect(Self.rendered("\nb()\n  \n", line: 2) == ["> 2 | b()", "    | ^"])
        #expect(Self.rendered("a\n\nb", line: 2) == ["  1 | a", "> 2 | ", "    | ^", "  3 | b"])
        #expect(Self.rendered("a\r\nb\r\nc", line: 2) == ["  1 | a", "> 2 | b", "    | ^", "  3 | c"])
    }

    @Test("a long line is cut, and a secret at the place of the cut is hidden before that")
    func long() throws {
        let secret = "swordfish"
        let source = String(repeating: "x", count: 155) + secret
        let line = try #require(
            Self.rendered(source, line: 1) { $0.replacing(secret, with: "***") }.first { $0.hasPrefix(">") })
        #expect(!line.contains("sword") && line.hasSuffix("***"))
        let cut = Self.rendered(String(repeating: "y", count: 10_000), line: 1)
        #expect(!cut.isEmpty && cut.allSatisfy { $0.count <= 170 })
    }
}
