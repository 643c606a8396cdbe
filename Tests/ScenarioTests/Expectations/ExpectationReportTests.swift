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
        ExpectationReport(actor: "bird", log: log, start: start, secrets: secrets)
    }

    /// A log of messages, a second apart.
    private static func log(_ texts: [String], taken: [Int] = [], noise: Set<Int> = []) -> EventLog {
        var log = EventLog()
        for (place, text) in texts.enumerated() {
            _ = log.append(.message(text), at: .start + .seconds(place + 1), isNoise: noise.contains(place))
        }
        log.take(taken)
        return log
    }

    private static func timeline(_ report: ExpectationReport, now: Int = 0) -> [String] {
        report.timelineSection(now: .start + .seconds(now)).flatMap(\.lines)
    }

    // MARK: Timelines

    @Test("an actor that observed nothing says how long")
    func nothing() {
        #expect(Self.timeline(Self.report(EventLog()), now: 3) == ["bird observed nothing in 3s"])
    }

    @Test("each event has what became of it, its number and the time since the one before")
    func lines() {
        let lines = Self.timeline(Self.report(Self.log(["a", "b", "c"], taken: [0], noise: [1])), now: 5)
        #expect(
            lines == [
                "✓ #1  1s  message  text=\"a\"", "· #2  +1s  message  text=\"b\"", "! #3  +1s  message  text=\"c\"",
                "       +2s  now", "(✓ taken by an expectation   · need not be expected   ! nobody expected it)",
            ])
    }

    @Test(
        "of many events the last twenty are shown, and before them five that nobody expected",
        arguments: [
            21, 22, 26, 100, 1000,
        ])
    func many(count: Int) {
        // Every third is left open, all others were taken.
        let log = Self.log(
            (0..<count).map { "m\($0)" }, taken: (0..<count).filter { !$0.isMultiple(of: 3) })
        let lines = Self.timeline(Self.report(log))
        let shown = lines.compactMap { line in line.split(separator: " ").first { $0.hasPrefix("#") }.map(String.init) }
        let earlier = (0..<(count - 20)).filter { $0.isMultiple(of: 3) }.prefix(5)
        #expect(shown == (Array(earlier) + Array((count - 20)..<count)).map { "#\($0 + 1)" })
        let hidden = lines.compactMap { line in
            line.hasPrefix("… ") ? Int(line.dropFirst(2).prefix { $0.isNumber }) : nil
        }
        #expect(hidden.reduce(0, +) == count - shown.count)
    }

    @Test("events that were let go are counted, not shown")
    func forgotten() {
        var log = Self.log((0..<30).map { "m\($0)" }, taken: Array(0..<30))
        _ = log.forget(by: .last(4))
        let lines = Self.timeline(Self.report(log))
        #expect(lines.first == "… 26 earlier events" && lines[1].hasPrefix("✓ #27"))
    }

    // MARK: The nearest event

    private static func nearest(
        _ log: EventLog, _ text: String, start: Int = 0, taken: [Int] = []
    ) -> ExpectationReport.Candidate? {
        Self.report(log, start: start).nearest(to: [.message(text, id: 1)], taken: taken)
    }

    @Test("of two events that differ equally the first after the cursor is nearer, and one that was taken is none")
    func first() {
        #expect(Self.nearest(Self.log(["a", "b"]), "c")?.event.number == 1)
        #expect(Self.nearest(Self.log(["a", "b", "d"]), "c", start: 1)?.event.number == 2)
        #expect(Self.nearest(Self.log(["a", "b"]), "c", start: 2)?.event.number == 2, "of those passed over the last")
        #expect(Self.nearest(Self.log(["a", "b"], noise: [0]), "c")?.event.number == 2, "noise is less likely meant")
        #expect(Self.nearest(Self.log(["a", "b"], taken: [0]), "c")?.event.number == 2)
        #expect(Self.nearest(Self.log(["a", "b"]), "c", taken: [0])?.event.number == 2)
        #expect(Self.nearest(Self.log(["a"], taken: [0]), "c") == nil)
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
        let candidate = Self.nearest(Self.log(["a", "b"], taken: [1]), "a", start: 2)
        #expect(candidate?.headline == "#1 message came before an event that was expected earlier")
        #expect(candidate?.event.remarks.last == "if the order does not matter, expect both with all { … }")
    }

    @Test("one that matches and came too early says before what, where that is one event")
    func tooEarly() {
        let log = Self.log(["b", "a", "c"])
        #expect(
            Self.nearest(log, "b", taken: [1])?.headline
                == "#1 message came before #2 message, which the order asks for first")
        #expect(
            Self.nearest(log, "b", taken: [1, 2])?.headline == "#1 message came before what the order asks for first")
        #expect(Self.nearest(log, "c", taken: [1])?.headline == nil)
    }

    @Test("only one difference in an event that is still open is a headline")
    func headline() {
        #expect(Self.nearest(Self.log(["b"]), "a")?.headline?.hasPrefix("#1 message has text ") == true)
        #expect(Self.nearest(Self.log(["b"], noise: [0]), "a")?.headline == nil)
        #expect(Self.nearest(Self.log(["b"]), "a", start: 1)?.headline == nil)
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
        #expect(text(Self.log(["a"], taken: [0]), start: 1, nil) == "nothing came after message")
        #expect(text(Self.log(["a"]), say, taken: [0]) == "nothing more came after message")
        #expect(text(Self.log(["a"]), say) == "#1 message text=\"a\" came instead after say")
        #expect(text(Self.log(["a"], noise: [0]), say) == "nothing but #1 message text=\"a\" came after say")
        #expect(text(Self.log(["a", "b"], noise: [0, 1]), say) == "nothing but 2 × message came after say")
        #expect(text(Self.log(["n", "a"], noise: [0]), nil) == "#2 message text=\"a\" came instead")
        // What came before the command is none of what came after it.
        let later = GivenCommand(name: "say", at: .start, eventCount: 1)
        #expect(text(Self.log(["a"], noise: [0]), later) == "nothing came after say")
        #expect(
            text(Self.log(["a", "b"], noise: [0, 1]), later) == "nothing but #2 message text=\"b\" came after say")
        #expect(text(Self.log(["a"]), later) == "#1 message text=\"a\" came instead")
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

    @Test("secrets are hidden in summaries, timelines and differences, also where a value is cut")
    func secrets() throws {
        let vault = SecretVault()
        vault.add("swordfish")
        let long = String(repeating: "x", count: 84) + "swordfish"
        let report = Self.report(Self.log([long, "it is swordfish"]), vault.current)
        let text = Self.timeline(report).joined(separator: "\n")
        #expect(!text.contains("sword") && text.contains("***"))
        let candidate = try #require(report.nearest(to: [.message("swordfish", id: 1)], taken: []))
        #expect(!"\(candidate.differences)\(candidate.headline ?? "")".contains("sword"))
    }

    @Test("a huge text takes little time in a failure, and little room", .timeLimit(.minutes(1)))
    func huge() {
        let log = Self.log([String(repeating: "x", count: 8 << 20)])
        let report = Self.report(log)
        let lines = Self.timeline(report) + [report.silence(after: nil, taken: [])]
        let headline = report.nearest(to: [.message("You said: hello", id: 1)], taken: [])?.headline
        #expect(lines.allSatisfy { $0.count < 200 } && (headline?.count ?? 0) < 300)
        #expect(headline?.hasPrefix("#1 message has text \"xxx") == true)
    }

    @Test("a repetition is the same but for what must differ")
    func repetitions() {
        var log = EventLog()
        func add(_ kind: EventKind, _ fields: JSONObject) -> LoggedEvent {
            let place = log.append(ChatEvent(kind, fields), at: .start, isNoise: false)
            return log[place]
        }
        let first = add(.message, ["text": "a", "time": 1, "number": 1])
        let other = add(.message, ["text": "b", "time": 1])
        let kind = add(.error, ["text": "a"])
        let again = add(.message, ["text": "a", "time": 9, "number": 4])
        let empty = add(.message, ["time": 1])
        let emptyAgain = add(.message, ["time": 2])
        let report = Self.report(log)
        #expect(report.original(of: again)?.number == first.number)
        for event in [first, other, kind, empty, emptyAgain] { #expect(report.original(of: event) == nil) }
    }
}
