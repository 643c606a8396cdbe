import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Reading rows")
struct RowReaderTests {
    private static func reader(_ files: [String: String] = [:], key: String? = nil) -> RowReader {
        RowReader(key: key) { (name) throws(UsageError) in
            guard let text = files[name] else { throw UsageError("there is no file \"\(name)\"") }
            return text
        }
    }

    private static func mistake(_ value: JSONValue, _ files: [String: String] = [:], key: String? = nil) -> String? {
        do throws(UsageError) {
            _ = try Self.reader(files, key: key).rows(value)
            return nil
        } catch { return error.message }
    }

    @Test("a file of values has a table of texts for each line, with its place")
    func values() throws {
        let rows = try Self.reader(["users.CSV": "name,age\nAda,36\n\nAlan,41\n"]).rows("users.CSV")
        #expect(rows.map(\.value) == [["name": "Ada", "age": "36"], ["name": "Alan", "age": "41"]])
        #expect(rows.map(\.name) == ["Ada", "Alan"])
        #expect(rows.map(\.origin) == ["users.CSV:2", "users.CSV:4"])
    }

    @Test("a file of JSON has its elements, a file of lines its lines, each with what it holds")
    func json() throws {
        let rows = try Self.reader(["a.json": "[{\"n\":1},\n\"text\"]"]).rows("a.json")
        #expect(rows.map(\.value) == [["n": 1], "text"])
        #expect(rows.map(\.origin) == ["a.json, row 1", "a.json, row 2"])
        let lines = try Self.reader(["a.jsonl": "{\"n\":1}\n \r\n[1]\r\n"]).rows("a.jsonl")
        #expect(lines.map(\.value) == [["n": 1], [1]])
        #expect(lines.map(\.origin) == ["a.jsonl:1", "a.jsonl:3"])
        #expect(try Self.reader().rows([1, "b"]).map(\.origin) == [nil, nil])
    }

    @Test(
        "what is no row is told with its place and what to do",
        arguments: [
            ("a.txt", "rows come from a file that ends with .csv, .json or .jsonl, not \"a.txt\""),
            ("none.csv", "there is no file \"none.csv\""),
            ([], "rows is empty; a scenario without rows would never be played"),
            ([:], "rows is empty; a scenario without rows would never be played"),
            ("head.csv", "head.csv has no rows; a scenario without rows would never be played"),
            ("empty.csv", "empty.csv is empty; its first line names the columns"),
            (
                "short.csv",
                "short.csv:3: there are 1 fields, and 2 columns\nshort.csv:4: there are 3 fields, and 2 columns"
            ),
            ("columns.csv", "columns.csv:1: column 2 has no name\ncolumns.csv:1: two columns have the name \"a\""),
            ("open.csv", "open.csv:2: a quoted field is not closed"),
            ("object.json", "object.json holds no list of rows: [ { … }, … ]"),
            (
                "double.json",
                "double.json: an object has two members \"to\", of which one would be lost; give each its own name"
            ),
            (
                "double.jsonl",
                "double.jsonl:2: an object has two members \"to\", of which one would be lost; give each its own name"
            ),
            (7, "rows is a list of tables or the name of a CSV or JSON file, not 7"),
            (["a": 1], "rows is a list of tables or the name of a CSV or JSON file, not {\"a\":1}"),
            (
                [["name": "a"], ["name": "b"], ["name": "a"]],
                "row 1 and row 3 have the same name, \"a\"; give each row its own name, so that reports can tell them apart"
            ),
            (
                "twice.csv",
                "twice.csv:2 and twice.csv:4 have the same name, \"x\"; give each row its own name, so that reports can tell "
                    + "them apart"
            ),
        ] as [(JSONValue, String)] as [(JSONValue, String)])
    func mistakes(value: JSONValue, message: String) {
        let files = [
            "head.csv": "a,b\n", "empty.csv": "\n\n", "short.csv": "a,b\n1,2\n1\n1,2,3\n",
            "columns.csv": "a,,a\n1,2,3\n",
            "double.json": "[{\"to\":1,\"to\":2}]", "double.jsonl": "{\"to\":1}\n{\"to\":1,\"n\":1,\"to\":2}\n",
            "open.csv": "a\n\"x\n", "object.json": "{\"a\":1}", "twice.csv": "name,n\nx,1\ny,2\nx,3\n",
        ]
        #expect(Self.mistake(value, files) == message)
    }

    @Test("what is no JSON is told with the line of the file")
    func brokenJSON() throws {
        let message = try #require(Self.mistake("a.json", ["a.json": "[\n1,\n2,\n}"]))
        #expect(message.hasPrefix("a.json:4: "), "\(message)")
        let lines = try #require(Self.mistake("a.jsonl", ["a.jsonl": "1\n{\n2\nx"]))
        #expect(lines.split(separator: "\n").map { $0.prefix(10) } == ["a.jsonl:2:", "a.jsonl:4:"])
    }

    @Test("the key names rows, of whatever type its values are, and each row needs one")
    func keys() throws {
        let rows: [JSONValue] = [["id": 1, "name": "x"], ["id": 1.5, "name": "x"], ["id": true, "name": "x"]]
        #expect(try Self.reader(key: "id").rows(.array(rows)).map(\.name) == ["1", "1.5", "true"])
        #expect(Self.mistake([["id": 1], ["name": "x"]], key: "id") == "row 2 has no \"id\", which row_key asks for")
        #expect(Self.mistake([["id": ""]], key: "id") == "row 1 has no \"id\", which row_key asks for")
        #expect(
            Self.mistake([["id": 1], ["id": 1]], key: "id")
                == "row 1 and row 2 have the same name, \"1\"; give each row its own id, so that reports can tell them apart"
        )
    }

    @Test("a scenario has at most ten thousand rows, the users of a load test share a million without names")
    func limits() throws {
        let rows = JSONValue.array((0...10_000).map { .integer($0) })
        #expect(
            Self.mistake(rows)
                == "there are 10001 rows, and a scenario has at most 10000; utterances.sample or utterances.pairwise choose "
                + "fewer")
        #expect(try Self.reader().userRows(rows).count == 10_001)
        #expect(try Self.reader().userRows([["name": "a"], ["name": "a"]]).count == 2)
        for (value, message) in [
            ([], "rows is empty; leave rows out, or fill it"),
            ("head.csv", "head.csv has no rows; leave rows out, or fill it"),
        ] as [(JSONValue, String)] {
            let mistake = #expect(throws: UsageError.self) {
                try Self.reader(["head.csv": "a\n"]).userRows(value)
            }
            #expect(mistake?.message == message)
        }
    }

    @Test("null bytes and replacement characters are values like others")
    func oddText() throws {
        let rows = try Self.reader(["a.csv": "a\n\u{0}x\n\u{FFFD}\n"]).rows("a.csv")
        #expect(rows.map { $0.value["a"] } == ["\u{0}x", "\u{FFFD}"])
    }
}
