import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Lines of transcripts")
struct TranscriptEntryTests {
    private static func stored(_ fields: JSONObject) -> JSONObject {
        TranscriptEntry(actor: "a", direction: .observed, name: "n", fields: fields).stored.fields
    }

    private static func problem(_ line: String) -> String? {
        do throws(TranscriptEntry.Problem) {
            _ = try TranscriptEntry(line: line)
            return nil
        } catch { return error.message }
    }

    @Test("whatever an entry holds, its line is read back as it was", arguments: 0..<100)
    func roundTrip(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let fields = JSONObject((0..<Int.random(in: 0...4, using: &random)).map { ("f\($0)", random.json()) })
        let entry = TranscriptEntry(
            actor: ["visitor", "Sam 2", "Dr. <b>"].randomElement(using: &random) ?? "",
            direction: Bool.random(using: &random) ? .did : .observed, name: "message", fields: fields)
        #expect(try TranscriptEntry(line: entry.line) == entry)
    }

    @Test(
        "what is left out of a stored line: names of things, nothing, and tables with nothing else",
        arguments: [
            (["id": 1, "chat_id": 2, "visitor_key": 3, "identity": 4], ["identity": 4]),
            (["a": .null, "b": [:], "c": [], "d": 0, "e": false, "f": ""], ["d": 0, "e": false, "f": ""]),
            (["a": ["id": 1], "b": ["x": ["_id": 2]], "c": [["id": 1]]], ["c": [[:]]]),
        ] as [(JSONObject, JSONObject)] as [(JSONObject, JSONObject)])
    func leftOut(fields: JSONObject, stored: JSONObject) {
        #expect(Self.stored(fields) == stored)
    }

    @Test("an event that a command is given is stored as what was said in it, and nothing else that looks like it")
    func givenEvent() {
        func stored(_ value: JSONValue, _ direction: TranscriptEntry.Direction = .did) -> JSONValue? {
            TranscriptEntry(actor: "a", direction: direction, name: "n", fields: ["given": value]).stored.fields[
                "given"]
        }
        let event: JSONValue = ["event": "ask", "number": 15, "at": 0.7, "raw": ["ack": 1], "question": "Which?"]
        #expect(stored(event) == ["event": "ask", "question": "Which?"])
        #expect(stored(event, .observed) == event)
        for whole: JSONValue in [["number": 15, "at": 0.7, "raw": 1], ["event": "ask", "number": 15, "at": "noon"]] {
            #expect(stored(whole) == whole)
        }
    }

    @Test("what the system of an actor declares to vary is left out, in tables too, and what it does not stays")
    func declaredToVary() {
        let fields: JSONObject = ["stamp": "17", "token": "x", "list": [["stamp": "18", "text": "y"]]]
        func stored(_ varying: Set<String>) -> JSONObject {
            TranscriptEntry(
                actor: "a", direction: .observed, name: "n", fields: fields, varyingFields: varying
            ).stored.fields
        }
        #expect(stored(["stamp"]) == ["token": "x", "list": [["text": "y"]]])
        #expect(stored([]) == fields)
    }

    @Test(
        "what varies is stored as a mask, and texts that look like masks as themselves",
        arguments: [
            ("0B8F5D54-7A0C-4A3E-9C1E-8E1D2F3A4B5C", "<uuid>"), ("2026-11-21T10:15:00Z", "<date>"),
            ("2026-11-21T10:15:00.123Z", "<date>"), ("2026-11-21", "2026-11-21"),
            ("2026-11-21T10:15:00.123456Z", "<date>"), ("2026-11-21T10:15:00+00:00", "<date>"),
            ("2026-11-21T10:15:00.5-0100", "<date>"), ("2026-11-21T10:15:00", "2026-11-21T10:15:00"),
            ("2026-11-31T10:15:00.123456Z", "2026-11-31T10:15:00.123456Z"),
            ("2026-11-21T10:15:00.123456Z and on", "2026-11-21T10:15:00.123456Z and on"),
            ("id 0b8f5d54-7a0c-4a3e-9c1e-8e1d2f3a4b5c", "id 0b8f5d54-7a0c-4a3e-9c1e-8e1d2f3a4b5c"),
            ("<number>", "\\<number>"), ("a \\ b", "a \\\\ b"), ("<b>", "<b>"),
        ] as [(String, String)])
    func masks(text: String, stored: String) {
        #expect(Self.stored(["x": .string(text)]) == ["x": .string(stored)])
        #expect(Self.stored(["x": [["y": .string(text)]]]) == ["x": [["y": .string(stored)]]])
    }

    @Test(
        "what cannot be read says what is expected",
        arguments: [
            ("visitor message", "a line reads `actor < event name=value …` or `actor > command name=value …`"),
            ("visitor <message", "a line reads `actor < event name=value …` or `actor > command name=value …`"),
            (" < message", "the name of an event is missing"), ("visitor <  a=1", "the name of an event is missing"),
            ("visitor < message text", "a field is written name=value, not \"text\""),
            ("visitor < message =1", "a field is written name=value, not \"=1\""),
            ("visitor < message a = 1", "a field is written name=value, not \"a = 1\""),
            ("visitor < message a=1 b=2 a=1", "a stands twice, and only one would count; leave one out"),
            ("visitor < message a=null a=2", "a stands twice, and only one would count; leave one out"),
            (
                "visitor < message a=[{\"b\": 1, \"c\": 2, \"b\": 1}]",
                "the value of a has two members \"b\", and only one would count; leave one out"
            ),
        ] as [(String, String)])
    func problems(line: String, message: String) {
        #expect(Self.problem(line) == message)
    }

    @Test(
        "a value that is no JSON names its field", arguments: ["hello", "<number>", "{", "[1,", "\"a", "", "1 2", "}"])
    func values(value: String) throws {
        let message = try #require(Self.problem("visitor < message text=\(value)"))
        #expect(
            message.hasPrefix("the value of text is no JSON (masks stand in quotes): ")
                || message.hasPrefix("a field is written name=value"), "\(message)")
    }

    @Test("the first arrow that stands alone divides a line, so names and texts may have others")
    func arrows() throws {
        let entry = try TranscriptEntry(line: "a>b <c> > say text=\"x < y > z\"")
        #expect(entry.actor == "a>b <c>" && entry.direction == .did && entry.name == "say")
        #expect(entry.fields == ["text": "x < y > z"])
    }

    @Test("spaces between fields do not matter")
    func spaces() throws {
        let entry = try TranscriptEntry(line: "v < m   a=1    b={\"x\": [1, 2]}  c=2 ")
        #expect(entry.fields == ["a": 1, "b": ["x": [1, 2]], "c": 2])
    }
}

@Suite("Files of transcripts")
struct StoredTranscriptTests {
    @Test("comments, gaps and entries are told apart, and every line keeps its text")
    func lines() throws {
        let text = "# head\n\n  # inner\n  …\n...\n  v < m a=1\n…x < y\n"
        let stored = try StoredTranscript(text, name: "t")
        #expect(stored.text == text)
        let kinds = stored.lines.map { line in
            switch line {
            case .comment: "comment"
            case .gap: "gap"
            case .entry: "entry"
            }
        }
        #expect(kinds == ["comment", "comment", "comment", "gap", "gap", "entry", "entry"])
    }

    @Test("a last line without an end gets one, and line ends of other systems are understood")
    func ends() throws {
        #expect(try StoredTranscript("v < m", name: "t").text == "v < m\n")
        #expect(try StoredTranscript("v < m\r\nv < n\r\n", name: "t").text == "v < m\nv < n\n")
        #expect(try StoredTranscript("", name: "t").lines.isEmpty)
    }

    @Test("a line that cannot be read is told with the file and its number")
    func mistake() {
        let mistake = #expect(throws: UsageError.self) { try StoredTranscript("# a\n\nnope\n", name: "x/t.txt") }
        #expect(mistake?.message.hasPrefix("x/t.txt:3: a line reads ") == true)
    }

    @Test("the head of a new file is all comment, and a title of several lines stays in one")
    func header() throws {
        let header = StoredTranscript.header("two\nlines \"quoted\"")
        let read = try StoredTranscript(StoredTranscript(lines: header).text, name: "t")
        #expect(read.lines == header && header.count == 3)
        #expect(header.first?.text == "# The conversation of \"two lines \"quoted\"\".")
    }

    @Test("a transcript asks for an entry that one of its lines fits")
    func asks() throws {
        let stored = try StoredTranscript("# v < other\n…\nv < typing text=\"<any>\"\n", name: "t")
        func entry(_ name: String, _ fields: JSONObject = [:]) -> TranscriptEntry {
            TranscriptEntry(actor: "v", direction: .observed, name: name, fields: fields)
        }
        #expect(stored.asks(for: entry("typing", ["text": "x"])))
        #expect(!stored.asks(for: entry("typing")))
        #expect(!stored.asks(for: entry("other")))
    }
}
