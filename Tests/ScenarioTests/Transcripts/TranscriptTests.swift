import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Stored transcripts")
struct TranscriptTests {
    private func observed(_ text: String, name: String = "message", id: Int64 = 1) -> TranscriptEntry {
        TranscriptEntry(
            actor: "visitor", direction: .observed, name: name, fields: ["text": .string(text), "id": .integer(id)])
    }

    private func stored(_ lines: [String]) throws -> StoredTranscript {
        try StoredTranscript(lines.joined(separator: "\n") + "\n", name: "test.txt")
    }

    @Test(
        "a line is read as it was written",
        arguments: [
            "visitor < message text=\"Hi \\\"you\\\" = {a}\" from=\"operator\"", "visitor 2 > create_chat",
            "Sam > say text=\"a > b < c\"", "visitor < pre_chat form={\"fields\":[{\"key\":\"a b\"}],\"kind\":\"x\"}",
            "visitor < queue position=2 open=true",
        ])
    func roundTrip(line: String) throws {
        #expect(try TranscriptEntry(line: line).line == line)
    }

    @Test(
        "a line that cannot be read is refused",
        arguments: [
            "visitor", "visitor < ", "visitor < message text=<number>", "visitor < message text", "visitor < m =1",
            "visitor < m a={", "visitor < m a=\"x",
        ])
    func refused(line: String) {
        #expect(throws: UsageError.self) { try self.stored([line]) }
    }

    @Test("what is stored first says what was said, not what a run measures or a server sends along")
    func spoken() {
        let response = TranscriptEntry(
            actor: "visitor", direction: .observed, name: "response",
            fields: [
                "time": 0.005, "status": 200, "headers": ["date": "today"], "size": 8, "body": "{\"a\": 1}",
                "json": ["a": 1],
            ])
        #expect(response.stored.line == "visitor < response status=200 json={\"a\":1}")
        let command = TranscriptEntry(
            actor: "visitor", direction: .did, name: "post",
            fields: ["url": "/login", "options": ["headers": ["accept": "x"], "name": "login"]])
        #expect(command.stored.line == "visitor > post url=\"/login\" options={\"name\":\"login\"}")
        // Of a message the text is not the JSON that it came in, and its time is no duration.
        let message = TranscriptEntry(
            actor: "visitor", direction: .observed, name: "message",
            fields: ["text": "Hi", "json": ["text": "Hi"], "time": "2026-01-01T00:00:00Z"])
        #expect(
            message.stored.line == "visitor < message text=\"Hi\" json={\"text\":\"Hi\"} time=\"<date>\"")
    }

    @Test(
        "stored fields ask only for what they name, masks for what fits",
        arguments: [
            ("visitor < message", true), ("visitor < message text=\"Order 12 left.\"", true),
            ("visitor < message text=\"Order <number> left.\"", true), ("visitor < message id=\"<integer>\"", true),
            ("visitor < message text=\"<number>\"", false), ("visitor < message missing=1", false),
            ("visitor > message", false), ("other < message", false), ("visitor < message text=\"<any>\"", true),
        ])
    func fits(line: String, expected: Bool) throws {
        #expect(TranscriptTemplate.fits(try TranscriptEntry(line: line), self.observed("Order 12 left.")) == expected)
    }

    @Test(
        "a conversation is the same or not, with gaps and comments",
        arguments: [
            (["# c", "visitor < message text=\"a\"", "", "visitor < message text=\"b\""], true), (["…"], true),
            (["...", "visitor < message text=\"b\""], true), (["visitor < message text=\"a\"", "…"], true),
            (["visitor < message text=\"a\""], false), (["visitor < message text=\"b\""], false), ([], false),
            (["…", "visitor < message text=\"a\""], false),
            (["…", "visitor < message text=\"a\"", "…", "…", "visitor < message text=\"b\"", "…"], true),
        ])
    func comparison(lines: [String], expected: Bool) throws {
        let found = [self.observed("a"), self.observed("b")]
        #expect(TranscriptComparison(try self.stored(lines), found).isSame == expected)
    }

    @Test(
        "a conversation that no later line can make fit is told from one that may still become what is stored",
        arguments: [
            (["a"], ["a", "b"], false), (["a", "b"], ["a"], true), (["a", "b"], ["b"], false), (["a"], [], true),
            (["a", "# c", "", "b"], ["a", "b"], true), (["…", "b"], ["a"], true), (["…", "b"], ["b", "a"], true),
            (["a", "…", "b"], ["b"], false), (["a", "…"], ["a", "b", "a"], true), (["a", "…", "…", "b"], ["a"], true),
            (["***"], ["a", "b"], true),
        ])
    func hopelessness(rows: [String], texts: [String], expected: Bool) throws {
        let lines = rows.map { row in
            ["…", "", "# c"].contains(row) ? row : "visitor < message text=\"\(row)\""
        }
        #expect(try self.stored(lines).mayBegin(with: texts.map { self.observed($0) }) == expected)
    }

    @Test("it may if, and only if, some lines that come later make it fit", arguments: 0..<300)
    func hopelessnessOfAny(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        func some(_ texts: [String]) -> [String] {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in texts.randomElement(using: &random) ?? "" }
        }
        let stored = try self.stored(some(["…", "visitor < message text=\"a\"", "visitor < message text=\"b\""]))
        let found = some(["a", "b"]).map { self.observed($0) }
        // As many as there are stored lines are enough.
        var later: [[String]] = [[]]
        for count in 0..<4 { later += later.filter { $0.count == count }.flatMap { [$0 + ["a"], $0 + ["b"]] } }
        let canFit = later.contains { texts in
            TranscriptComparison(stored, found + texts.map { self.observed($0) }).isSame
        }
        #expect(stored.mayBegin(with: found) == canFit)
    }

    @Test("what changed is shown beside what is stored, and only what the stored line is about")
    func difference() throws {
        let stored = try self.stored([
            "visitor < message text=\"a\"", "visitor < message text=\"b\"", "visitor < message text=\"c\"",
        ])
        let found = [self.observed("a"), self.observed("x"), self.observed("c"), self.observed("d")]
        #expect(
            TranscriptComparison(stored, found).lines.dropLast() == [
                "  visitor < message text=\"a\"", "- visitor < message text=\"b\"", "+ visitor < message text=\"x\"",
                "  visitor < message text=\"c\"", "+ visitor < message text=\"d\"",
            ])
    }

    @Test("reports get both conversations line by line, with masks, gaps, and how much is left out")
    func differences() throws {
        let stored = try self.stored(
            (1...6).map { "visitor < message text=\"\($0)\"" } + [
                "…", "visitor < message text=\"Order <number> left\" id=1", "visitor < message text=\"good bye now\"",
                "visitor < queue",
            ])
        let texts = (1...6).map { "\($0)" } + ["x", "y", "Order 12 left", "good bye then"]
        let differences = TranscriptComparison(stored, texts.map { self.observed($0, id: 2) }).differences
        #expect(differences.map(\.kind) == [.hidden, .same, .gap, .changed, .changed, .missing])
        #expect(differences.map(\.count) == [5, 1, 2, 1, 1, 1])
        guard differences.count == 6 else { return }
        #expect(
            differences[3].fields == [
                .init(name: "text", stored: "\"Order <number> left\"", found: "\"Order 12 left\"", fits: true),
                .init(name: "id", stored: "1", found: "2", fits: false),
            ])
        #expect(
            differences[4].fields == [
                .init(name: "text", stored: "\"good bye now\"", found: "\"good bye then\"", fits: false)
            ])
        #expect(differences[5] == .init(.missing, actor: "visitor", name: "queue"))
    }

    @Test("an update writes only what changed, and keeps comments, gaps and masks that still fit")
    func renewal() throws {
        let lines = [
            "# Keep me", "visitor < message text=\"a\"", "…",
            "visitor < message text=\"Order <number> left <date> by train.\" id=\"<integer>\"",
            "visitor < message text=\"gone\"",
        ]
        let found = [
            self.observed("a"), self.observed("between"), self.observed("Order 12 left 2026-11-21 by ship."),
        ]
        let renewed = TranscriptComparison(try self.stored(lines), found).renewed
        #expect(
            renewed.lines.map(\.text) == [
                "# Keep me", "visitor < message text=\"a\"", "…",
                "visitor < message text=\"Order <number> left <date> by ship.\" id=\"<integer>\"",
            ])
        let again = TranscriptComparison(try StoredTranscript(renewed.text, name: "t"), found)
        #expect(again.isSame)
        #expect(again.renewed.text == renewed.text)
    }

    @Test("whatever was found fits what is stored of it", arguments: 0..<200)
    func storing(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let pieces = ["<", ">", "\\", "<number>", "\"", " ", "12", "<id:uuid>", "\n", "é", "=", "# ", "…"]
        func text() -> String {
            (0..<6).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        let found = (0..<8).map { _ in
            TranscriptEntry(
                actor: "visitor", direction: .observed, name: "message",
                fields: [
                    "text": .string(text()), "list": [.string(text()), 1.5, .null], "id": "x",
                    "inner": ["a_id": 1, "b": .string(text())],
                ])
        }
        let lines = found.map { StoredTranscript.Line.entry($0.stored, text: $0.stored.line) }
        let stored = try StoredTranscript(StoredTranscript(lines: lines).text, name: "t")
        #expect(TranscriptComparison(stored, found).isSame)
        var changed = found
        changed.remove(at: 3)
        changed[5] = self.observed(text())
        let comparison = TranscriptComparison(stored, changed)
        #expect(!comparison.isSame)
        let renewed = try StoredTranscript(comparison.renewed.text, name: "t")
        #expect(TranscriptComparison(renewed, changed).isSame)
    }

    @Test(
        "names that lead elsewhere are refused",
        arguments: ["../a", "/a", "a//b", ".a", "a/../b", "", "a\u{0}", "a\nb"])
    func names(name: String) {
        let folder = TranscriptFolder(
            scriptFolder: "s", workingDirectory: "/w", projectRoot: "/w", project: ProjectConfiguration())
        #expect(throws: UsageError.self) { try folder.name(of: name) }
    }
}
