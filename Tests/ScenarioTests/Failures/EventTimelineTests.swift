import Machines
import RunRecord
import Secrets
import Testing

@testable import Scenario

@Suite("What an actor observed, as failures show it")
struct EventTimelineTests {
    private static func lines(_ log: EventLog, now: Int = 0, _ secrets: SecretMasker = SecretMasker()) -> [String] {
        EventTimeline(actor: "bird", log: log, secrets: secrets).section(now: .start + .seconds(now)).lines
    }

    @Test("an actor that observed nothing says how long")
    func nothing() {
        #expect(Self.lines(EventLog(), now: 3) == ["bird observed nothing in 3s"])
    }

    @Test("each event has what became of it, its number and the time since the one before")
    func lines() {
        let lines = Self.lines(.messages(["a", "b", "c"], taken: [0], noise: [1]), now: 5)
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
        let log = EventLog.messages(
            (0..<count).map { "m\($0)" }, taken: (0..<count).filter { !$0.isMultiple(of: 3) })
        let lines = Self.lines(log)
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
        var log = EventLog.messages((0..<30).map { "m\($0)" }, taken: Array(0..<30))
        _ = log.forget(by: .last(4))
        let lines = Self.lines(log)
        #expect(lines.first == "… 26 earlier events" && lines[1].hasPrefix("✓ #27"))
    }

    @Test("secrets are hidden, also where a value is cut")
    func secrets() {
        let vault = SecretVault()
        vault.add("swordfish")
        let long = String(repeating: "x", count: 84) + "swordfish"
        let text = Self.lines(.messages([long, "it is swordfish"]), vault.current).joined(separator: "\n")
        #expect(!text.contains("sword") && text.contains("***"))
    }

    @Test("a huge text takes little time, and little room", .timeLimit(.minutes(1)))
    func huge() {
        let lines = Self.lines(.messages([String(repeating: "x", count: 8 << 20)]))
        #expect(!lines.isEmpty && lines.allSatisfy { $0.count < 200 })
    }
}
