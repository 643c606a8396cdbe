import Machines
import Testing

@testable import Scenario

@Suite("Comma-separated values")
struct CSVReaderTests {
    private static func fields(_ text: String) throws -> [[String]] { try CSVReader.records(text).map(\.fields) }

    @Test(
        "the examples of RFC 4180 §2 are read as it says",
        arguments: [
            ("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
            ("aaa,bbb,ccc\r\nzzz,yyy,xxx", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
            ("\"aaa\",\"bbb\",\"ccc\"\r\nzzz,yyy,xxx", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
            ("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,yyy,xxx", [["aaa", "b\r\nbb", "ccc"], ["zzz", "yyy", "xxx"]]),
            ("\"aaa\",\"b\"\"bb\",\"ccc\"", [["aaa", "b\"bb", "ccc"]]),
        ] as [(String, [[String]])] as [(String, [[String]])])
    func standard(text: String, expected: [[String]]) throws {
        #expect(try Self.fields(text) == expected)
    }

    /// Writes a record, quoting what has to be and now and then what need not.
    private static func line(_ fields: [String], _ separator: String, _ random: inout RandomSource) -> String {
        fields.map { field in
            let mustQuote = field.unicodeScalars.contains { "\",;\t\r\n".unicodeScalars.contains($0) }
            guard mustQuote || Bool.random(using: &random) else { return field }
            return "\"" + field.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: separator)
    }

    @Test("whatever is written as values is read back, with each separator and line end", arguments: 0..<80)
    func roundTrip(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        for separator in [",", ";", "\t"] {
            for end in ["\n", "\r\n", "\r"] {
                let width = Int.random(in: 2...4, using: &random)
                // A first line with names tells the separator.
                var records = [(0..<width).map { "column\($0)" }]
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    records.append((0..<width).map { _ in random.text(of: "ab\",;\t\n\ré€ ", count: 0...6) })
                }
                let text = records.map { Self.line($0, separator, &random) }.joined(separator: end)
                #expect(try Self.fields(text) == records, "\(text.debugDescription)")
            }
        }
    }

    @Test("each record knows the line at which it begins, whatever stands in the fields before it", arguments: 0..<30)
    func lines(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var text = "a,b\n"
        var expected = [1]
        var line = 2
        for _ in 0..<6 {
            let breaks = Int.random(in: 0...3, using: &random)
            let isEmpty = Int.random(in: 0..<4, using: &random) == 0
            if isEmpty {
                text += "\n"
                line += 1
                continue
            }
            expected.append(line)
            text += "\"x" + String(repeating: "\n", count: breaks) + "y\",z\n"
            line += breaks + 1
        }
        #expect(try CSVReader.records(text).map(\.line) == expected)
    }

    @Test(
        "the separator is what the first line has most of outside of quotes, a comma where nothing tells",
        arguments: [
            ("a;b;c,d\n1;2;3", ["a", "b", "c,d"]), ("\"a;b;c\",d", ["a;b;c", "d"]), ("a\tb;c\td", ["a", "b;c", "d"]),
            ("abc", ["abc"]), ("a,b;c", ["a", "b;c"]), ("a\n1;2;3;4", ["a"]),
        ] as [(String, [String])] as [(String, [String])])
    func separators(text: String, first: [String]) throws {
        #expect(try Self.fields(text).first == first)
    }

    @Test(
        "what is broken is told with the line to look at and what to do",
        arguments: [
            ("a,b\n\"x,y\n1,2\n", 2, "a quoted field is not closed"),
            (
                "a,b\n1,2\n\"x\"y,z", 3,
                "a quoted field goes on after its end; double the quotes that stand within one"
            ), ("\"", 1, "a quoted field is not closed"), ("a,\"b\"\"", 1, "a quoted field is not closed"),
        ] as [(String, Int, String)])
    func broken(text: String, line: Int, message: String) {
        #expect(throws: CSVReader.Problem(line: line, message: message)) { try CSVReader.records(text) }
    }

    @Test("a quote within a field that does not begin with one is a quote")
    func innerQuotes() throws {
        #expect(try Self.fields("a,b\n5\" pipe,x\"\"y") == [["a", "b"], ["5\" pipe", "x\"\"y"]])
    }

    @Test("a field of white space is kept, an empty line is none, a line of separators or of an empty text is one")
    func space() throws {
        #expect(try Self.fields("a,b\n , \n\n,\n \n\"\"\n") == [["a", "b"], [" ", " "], ["", ""], [" "], [""]])
        #expect(try Self.fields("text\r\n\"\"\r\n\r\nx\r\n\"\"") == [["text"], [""], ["x"], [""]])
    }
}
