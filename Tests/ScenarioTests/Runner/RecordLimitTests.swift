import JSON
import RunRecord
import Testing

@testable import Scenario

@Suite("How much of a long message a record holds")
struct RecordLimitTests {
    private static func observed(_ fields: JSONObject, raw: JSONValue? = nil) -> RunEvent {
        .observed(actor: "ada", number: 1, kind: "message", fields: fields, raw: raw)
    }

    private static func fields(of event: RunEvent) -> (fields: JSONObject, raw: JSONValue?)? {
        guard case .observed(_, _, _, let fields, let raw) = event else { return nil }
        return (fields, raw)
    }

    @Test("what is not long stays as it is")
    func short() {
        let event = Self.observed(["text": .string(String(repeating: "x", count: 60_000)), "n": 1], raw: [1, [2]])
        #expect(RecordLimit.cut(event) { $0 } == event)
    }

    @Test("a long text is cut, wherever it stands, and says how long it was")
    func long() throws {
        let text = JSONValue.string(String(repeating: "ä", count: 100_000))
        let cut = try #require(
            Self.fields(
                of: RecordLimit.cut(Self.observed(["text": text, "list": [["deep": text]]], raw: text)) { $0 }))
        for found in [cut.fields["text"], cut.fields["list"]?[0]?["deep"], cut.raw] {
            let found = try #require(found?.string)
            #expect(found.utf8.count < 66_000 && found.hasSuffix("ä… (200000 bytes)"))
        }
    }

    @Test(
        "an argument of a command is cut as well, and a value of very many short ones becomes the beginning of its text"
    )
    func values() throws {
        let event = RunEvent.commanded(
            actor: "ada", name: "say", arguments: ["list": .array(Array(repeating: 7, count: 1_000_000))], line: 3)
        guard case .commanded(_, _, let arguments, _) = RecordLimit.cut(event, { $0 }) else {
            Issue.record("it is another event")
            return
        }
        let text = try #require(arguments["list"]?.string)
        #expect(text.hasPrefix("[7,7,") && text.utf8.count < 66_000)
    }

    @Test("a secret at the place of the cut leaves no beginning")
    func secrets() throws {
        let text = String(repeating: "x", count: 65_536 - 5) + "swordfish" + String(repeating: "y", count: 5_000)
        let event = RecordLimit.cut(Self.observed(["text": .string(text)])) {
            $0.replacing("swordfish", with: "***")
        }
        let found = try #require(Self.fields(of: event)?.fields["text"]?.string)
        #expect(found.contains("x***yy…") && !found.contains("swo"))
    }

    @Test("a scenario's record holds the beginning of a huge message, and its expectation sees all of it")
    func played() throws {
        let run = try MiniRun.parrot(
            "bird:say((\"x\"):rep(1000000)) expect(#bird:expect(\"message\").text, 1000000)")
        #expect(run.messages == [])
        let texts = run.happenings.compactMap { Self.fields(of: $0.what)?.fields["text"]?.string }
        #expect(texts.count == 1 && texts.allSatisfy { $0.utf8.count < 66_000 })
    }
}
