import JSON
import Machines
import RunRecord
import Secrets
import Testing

@testable import Scenario

@Suite("What a failed expectation tells")
struct ExpectationReportTests {
    private static func report(_ log: EventLog, start: Int = 0, _ secrets: SecretMasker = SecretMasker())
        -> ExpectationReport
    {
        ExpectationReport(log: log, start: start, secrets: secrets)
    }

    // MARK: The nearest event

    private static func nearest(
        _ log: EventLog, _ text: String, start: Int = 0, taken: [Int] = []
    ) -> ExpectationReport.Candidate? {
        Self.report(log, start: start).nearest(to: [.message(text, id: 1)], taken: taken)
    }

    @Test("of two events that differ equally the first after the cursor is nearer, and one that was taken is none")
    func first() {
        #expect(Self.nearest(.messages(["a", "b"]), "c")?.event.number == 1)
        #expect(Self.nearest(.messages(["a", "b", "d"]), "c", start: 1)?.event.number == 2)
        #expect(Self.nearest(.messages(["a", "b"]), "c", start: 2)?.event.number == 2, "of those passed over the last")
        #expect(Self.nearest(.messages(["a", "b"], noise: [0]), "c")?.event.number == 2, "noise is less likely meant")
        #expect(Self.nearest(.messages(["a", "b"], taken: [0]), "c")?.event.number == 2)
        #expect(Self.nearest(.messages(["a", "b"]), "c", taken: [0])?.event.number == 2)
        #expect(Self.nearest(.messages(["a"], taken: [0]), "c") == nil)
        // What was to come at any time could have been one that was taken.
        let any = Self.report(.messages(["ticket 13"], taken: [0])).nearest(to: [.message("ticket 12", id: 1)])
        #expect(any?.event.number == 1 && any?.differences.map(\.path) == ["text"])
    }

    @Test("an event with fewer differences is nearer than a later one with more")
    func fewest() {
        var log = EventLog()
        let matcher = EventMatcher(
            id: 1, kind: .message,
            fields: ["text", "from"].map { MemberMatcher(name: $0, matcher: .equal("a")) })
        for fields in [["text": "a", "from": "b"], ["text": "c", "from": "d"]] as [JSONObject] {
            _ = log.append(ChatEvent(.message, fields), at: .start, isNoise: false)
        }
        let candidate = Self.report(log).nearest(to: [matcher], taken: [])
        #expect(candidate?.event.number == 1 && candidate?.differences.map(\.path) == ["from"])
    }

    @Test("an event with long lists in another order does not keep a later one from being understood")
    func longLists() throws {
        func lists(of length: Int, from first: Int64) -> [JSONValue] {
            (first..<first + 16).map { .array([.integer($0)] + Array(repeating: .null, count: length)) }
        }
        let asked = lists(of: 180, from: 0)
        let matcher = EventMatcher(
            id: 1, kind: .message, fields: [MemberMatcher(name: "list", matcher: .equal(.array(asked)))])
        var log = EventLog()
        // Ten of them would compare nearly as much as may be compared in all.
        for list in Array(repeating: lists(of: 375, from: 100), count: 10) + [asked.reversed()] {
            _ = log.append(ChatEvent(.message, ["list": .array(list)]), at: .start, isNoise: false)
        }
        let nearest = try #require(Self.report(log).nearest(to: [matcher], taken: []))
        #expect(nearest.event.number == 11)
        #expect(nearest.differences.count == 1)
        #expect(nearest.differences.first?.found.text.contains("what was expected, but in another order") == true)
        #expect(
            nearest.event.remarks == [
                "the search for other orders of lists stopped in another event, which may come closer"
            ])
    }

    @Test("an event of another kind is near only if one of its fields fits")
    func otherKind() {
        var log = EventLog()
        _ = log.append(ChatEvent(.error, ["message": "x"]), at: .start, isNoise: false)
        #expect(Self.nearest(log, "a") == nil)
        _ = log.append(ChatEvent(.squawk, ["text": "a"]), at: .start, isNoise: false)
        let candidate = Self.nearest(log, "a")
        #expect(candidate?.event.number == 2 && candidate?.headline == nil)
        #expect(candidate?.differences.map(\.path) == ["event"])
        var noisy = EventLog()
        _ = noisy.append(ChatEvent(.squawk, ["text": "a"]), at: .start, isNoise: true)
        #expect(Self.nearest(noisy, "a") == nil, "the acknowledgement of a text has its words")
    }

    @Test("one that matches and was passed over says why it does not count")
    func passedOver() {
        let candidate = Self.nearest(.messages(["a", "b"], taken: [1]), "a", start: 2)
        #expect(candidate?.headline == "#1 message came before an event that was expected earlier")
        #expect(candidate?.event.remarks.last == "if the order does not matter, expect both with all { … }")
    }

    @Test("one that matches and came too early says before what, where that is one event")
    func tooEarly() {
        let log = EventLog.messages(["b", "a", "c"])
        #expect(
            Self.nearest(log, "b", taken: [1])?.headline
                == "#1 message came before #2 message, which the order asks for first")
        #expect(
            Self.nearest(log, "b", taken: [1, 2])?.headline == "#1 message came before what the order asks for first")
        #expect(Self.nearest(log, "c", taken: [1])?.headline == nil)
    }

    @Test("only one difference in an event that is still open is a headline")
    func headline() {
        #expect(Self.nearest(.messages(["b"]), "a")?.headline?.hasPrefix("#1 message has text ") == true)
        let ban = MemberMatcher(name: "text", matcher: .not(.containsText("b")))
        #expect(
            Self.report(.messages(["b"])).nearest(to: [EventMatcher(id: 1, kind: .message, fields: [ban])], taken: [])?
                .headline == "#1 message has text \"b\", where not text that contains \"b\" was expected")
        #expect(Self.nearest(.messages(["b"], noise: [0]), "a")?.headline == nil)
        #expect(Self.nearest(.messages(["b"]), "a", start: 1)?.headline == nil)
    }

    @Test("a list in another order is one difference, which is a headline")
    func order() {
        var log = EventLog()
        _ = log.append(ChatEvent(.message, ["items": ["b", "a"]]), at: .start, isNoise: false)
        let items = MemberMatcher(name: "items", matcher: .elements([.equal("a"), .equal("b")]))
        let candidate = Self.report(log).nearest(to: [EventMatcher(id: 1, kind: .message, fields: [items])], taken: [])
        #expect(
            candidate?.headline
                == "#1 message has items [\"b\",\"a\"] (what was expected, but in another order: at 2, 1), "
                + "not { \"a\", \"b\" }")
    }

    @Test("what should be JSON and is none is told as that")
    func notJSON() {
        var log = EventLog()
        _ = log.append(ChatEvent(.response, ["body": "<html>"]), at: .start, isNoise: false)
        let matcher = EventMatcher(
            id: 1, kind: .response,
            fields: [MemberMatcher(name: "json", matcher: .members([]))])
        let candidate = Self.report(log).nearest(to: [matcher], taken: [])
        #expect(candidate?.headline?.hasPrefix("#1 response is not JSON: ") == true)
    }

    // MARK: What came instead

    @Test("what came since an expectation began is told in one line")
    func silence() {
        let say = GivenCommand(name: "say", at: .start, eventCount: 0)
        func text(_ log: EventLog, start: Int = 0, _ command: GivenCommand?, taken: [Int] = []) -> String {
            Self.report(log, start: start).silence(after: command, taken: taken)
        }
        #expect(text(EventLog(), nil) == "nothing came")
        #expect(text(EventLog(), say) == "nothing came after say")
        #expect(text(.messages(["a"], taken: [0]), start: 1, nil) == "nothing came after message")
        #expect(text(.messages(["a"]), say, taken: [0]) == "nothing more came after message")
        #expect(text(.messages(["a"]), say) == "#1 message text=\"a\" came instead after say")
        #expect(text(.messages(["a"], noise: [0]), say) == "nothing but #1 message text=\"a\" came after say")
        #expect(text(.messages(["a", "b"], noise: [0, 1]), say) == "nothing but 2 × message came after say")
        #expect(text(.messages(["n", "a"], noise: [0]), nil) == "#2 message text=\"a\" came instead")
        // What came before the command is none of what came after it.
        let later = GivenCommand(name: "say", at: .start, eventCount: 1)
        #expect(text(.messages(["a"], noise: [0]), later) == "nothing came after say")
        #expect(
            text(.messages(["a", "b"], noise: [0, 1]), later) == "nothing but #2 message text=\"b\" came after say")
        #expect(text(.messages(["a"]), later) == "#1 message text=\"a\" came instead")
    }

    @Test("noise of several kinds is counted kind by kind")
    func noise() {
        var log = EventLog()
        for kind in ["ping", "typing", "ping", "queue", "seen", "away"] {
            _ = log.append(ChatEvent(EventKind(rawValue: kind)), at: .start, isNoise: true)
        }
        #expect(
            Self.report(log).silence(after: nil, taken: [])
                == "nothing but 2 × ping, typing, queue, 2 others came")
    }

    @Test("secrets are hidden, also where a value is cut")
    func secrets() throws {
        let vault = SecretVault()
        vault.add("swordfish")
        let long = String(repeating: "x", count: 84) + "swordfish"
        let report = Self.report(.messages([long, "it is swordfish"]), vault.current)
        let candidate = try #require(report.nearest(to: [.message("swordfish", id: 1)], taken: []))
        #expect(!"\(candidate.differences)\(candidate.headline ?? "")".contains("sword"))
        #expect(!report.silence(after: nil, taken: []).contains("sword"))
    }

    @Test("a huge text takes little time in a failure, and little room", .timeLimit(.minutes(1)))
    func huge() {
        let report = Self.report(.messages([String(repeating: "x", count: 8 << 20)]))
        let headline = report.nearest(to: [.message("You said: hello", id: 1)], taken: [])?.headline
        #expect(report.silence(after: nil, taken: []).count < 200 && (headline?.count ?? 0) < 300)
        #expect(headline?.hasPrefix("#1 message has text \"xxx") == true)
    }
}
