import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Rows of data")
struct RowTests {
    private func rows(_ value: JSONValue, key: String? = nil, files: [String: String] = [:]) throws -> [DataRow] {
        try RowReader(key: key) { (name) throws(UsageError) in
            guard let text = files[name] else { throw UsageError("no \(name)") }
            return text
        }.rows(value)
    }

    @Test(
        "fields are read as they were written",
        arguments: [
            ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
            ("a\n\"x, \"\"y\"\"\"\n", [["a"], ["x, \"y\""]]), ("a\n\"two\nlines\"\n", [["a"], ["two\nlines"]]),
            ("a,b\n,\n", [["a", "b"], ["", ""]]), ("a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
            ("a, or b;c;d\n1;2;3\n", [["a, or b", "c", "d"], ["1", "2", "3"]]),
            ("\"a;b;c\",d\n1,2\n", [["a;b;c", "d"], ["1", "2"]]),
            ("a\tb\n1\t2\n", [["a", "b"], ["1", "2"]]), ("a\n\n\nx\n", [["a"], ["x"]]), ("", []),
            ("a,b\n1,", [["a", "b"], ["1", ""]]),
        ])
    func fields(text: String, expected: [[String]]) throws {
        #expect(try CSVReader.records(text).map(\.fields) == expected)
    }

    @Test(
        "what is wrong with a file is told with its line",
        arguments: [
            ("a,b\n1,2\n\"open,2\n", 3), ("a\n\"x\" y\n", 2), ("a\n\"x\ny\" z\n", 3),
        ])
    func broken(text: String, line: Int) {
        #expect { try CSVReader.records(text) } throws: { ($0 as? CSVReader.Problem)?.line == line }
    }

    @Test("a record knows its line also after a field of several lines")
    func lines() throws {
        #expect(try CSVReader.records("a\n\"x\ny\"\nz\n").map(\.line) == [1, 2, 4])
    }

    @Test("names come from the key, the member name or the content, and stay when rows move")
    func names() throws {
        let rows: [JSONValue] = [["name": "one", "id": 1], ["name": "two", "id": 2]]
        #expect(try self.rows(.array(rows)).map(\.name) == ["one", "two"])
        #expect(try self.rows(.array(rows), key: "id").map(\.name) == ["1", "2"])
        let plain: [JSONValue] = [["b": "x", "a": 1], ["b": "y", "a": 1], "text", 5]
        let names = try self.rows(.array(plain)).map(\.name)
        #expect(names == ["1, x", "1, y", "text", "5"])
        #expect(try self.rows(.array(plain.reversed())).map(\.name) == names.reversed())
    }

    @Test("lines of JSON are rows, and each that is none is told")
    func jsonLines() throws {
        #expect(
            try self.rows("r.jsonl", files: ["r.jsonl": "{\"a\":1}\r\n\n{\"a\":2}"]).map(\.origin) == [
                "r.jsonl:1", "r.jsonl:3",
            ])
        let mistake = #expect(throws: UsageError.self) {
            try self.rows("r.jsonl", files: ["r.jsonl": "{\n{}\n" + String(repeating: "x\n", count: 30)])
        }
        #expect(mistake?.message.split(separator: "\n").count == RowReader.mostMistakes + 1)
        #expect(mistake?.message.hasPrefix("r.jsonl:1: ") == true)
        #expect(mistake?.message.hasSuffix("and 11 more lines like these") == true)
    }

    @Test("a long row is named by its beginning and a hash of all of it")
    func longNames() throws {
        let long = String(repeating: "word ", count: 40)
        let names = try self.rows([.string(long + "a"), .string(long + "b")]).map(\.name)
        #expect(names[0] != names[1])
        #expect(names.allSatisfy { $0.count <= 62 })
    }

    @Test(
        "rows that cannot be told apart or be read are refused",
        arguments: [
            ([["name": "a"], ["name": "a"]], nil), ([], nil), ("rows.txt", nil), ("none.csv", nil), ([["a": 1]], "b"),
            ("twice.csv", nil), ("unnamed.csv", nil), ("object.json", nil), ("empty.csv", nil), (7, nil),
        ] as [(JSONValue, String?)])
    func refused(value: JSONValue, key: String?) {
        let files = [
            "twice.csv": "a,a\n1,2\n", "unnamed.csv": "a,\n1,2\n", "object.json": "{}", "empty.csv": "",
        ]
        #expect(throws: UsageError.self) { try self.rows(value, key: key, files: files) }
    }

    @Test("no bytes make the reader trap, and it always comes to an end", arguments: 0..<200)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let alphabet = Array("a,;\"\n\r\t é")
        let text = String((0..<60).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
        let records = (try? CSVReader.records(text)) ?? []
        #expect(records.count <= 61)
    }
}

@Suite("Lists of utterances")
struct UtteranceTests {
    private let lists: JSONValue = ["a": ["1", "2", "3"], "b": ["x", "y"], "c": ["p", "q", "r", "s"]]

    private func lists(_ value: JSONValue) throws -> UtteranceLists { try UtteranceLists(value, "test") }

    @Test("every combination comes once, and the first is that of the first ones")
    func all() throws {
        let all = try self.lists(self.lists).all()
        #expect(Set(all).count == 24 && all.count == 24)
        #expect(try self.lists(self.lists).first == [["a": "1", "b": "x", "c": "p"]])
        #expect(try self.lists(["1", "2"]).all() == ["1", "2"])
    }

    @Test("any two utterances of different lists meet, in fewer rows than all combinations")
    func pairwise() throws {
        let rows = try self.lists(self.lists).pairwise()
        #expect(rows.count < 24)
        for (left, right) in [("a", "b"), ("a", "c"), ("b", "c")] {
            let pairs = Set(rows.map { [$0[left], $0[right]] })
            let wanted = (self.lists[left]?.array?.count ?? 0) * (self.lists[right]?.array?.count ?? 0)
            #expect(pairs.count == wanted)
        }
    }

    @Test("a sample is a part of all combinations, and the same for the same seed")
    func sample() throws {
        func sample(_ seed: UInt64) throws -> [JSONValue] {
            var random = RandomSource(seed: seed)
            return try self.lists(self.lists).sample(5, using: &random)
        }
        let (one, other) = (try sample(1), try sample(2))
        let all = Set(try self.lists(self.lists).all())
        #expect(Set(one).count == 5 && all.isSuperset(of: one))
        #expect(try sample(1) == one)
        #expect(one != other)
    }

    @Test("too many combinations are refused, but a sample of them is not")
    func tooMany() throws {
        let list = JSONValue.array((0..<100).map { .integer($0) })
        let lists = try self.lists(["a": list, "b": list, "c": list])
        #expect(throws: UsageError.self) { try lists.all() }
        var random = RandomSource(seed: 1)
        #expect(try lists.sample(10, using: &random).count == 10)
        #expect(throws: UsageError.self) { try self.lists([:]) }
        #expect(throws: UsageError.self) { try self.lists(["a": []]) }
    }
}
