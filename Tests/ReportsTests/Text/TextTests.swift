import JSON
import Machines
import RunRecord
import Testing

@testable import Reports

@Suite("Texts that reports share")
struct TextTests {
    @Test(
        "Durations read well",
        arguments: [
            (0, "0s"), (999, "0s"), (1_000, "1us"), (850_000, "850us"), (1_500_000, "1.5ms"), (12_345_678, "12ms"),
            (850_000_000, "850ms"), (1_000_000_000, "1s"), (2_350_000_000, "2.35s"), (59_999_999_999, "59.999s"),
            (60_000_000_000, "1m"), (250_000_000_000, "4m 10s"), (3_600_000_000_000, "1h"),
            (3_660_000_000_000, "1h 1m"),
            (-5, "0s"), (.max, "2562047h 47m"),
        ] as [(Int64, String)])
    func durations(nanoseconds: Int64, text: String) {
        #expect(DurationText.text(nanoseconds: nanoseconds) == text)
    }

    @Test(
        "Seconds have a point and three decimals",
        arguments: [
            (0, "0.000"), (499_999, "0.000"), (500_000, "0.001"), (2_350_000_000, "2.350"), (999_999_999, "1.000"),
            (-1, "0.000"), (.max, "9223372036.855"), (1_234_567_000_000, "1234.567"),
        ] as [(Int64, String)])
    func seconds(nanoseconds: Int64, text: String) {
        #expect(DurationText.seconds(nanoseconds: nanoseconds) == text)
    }

    @Test("A long text keeps its first and last lines and says how many it left out")
    func headAndTail() {
        var text = HeadAndTail(limits: .init(head: 9, tail: 6))
        for number in 1...9 { text.append("\(number)\(number)") }
        #expect(text.lines == ["11", "22", "33", "… 4 lines left out …", "88", "99"])
        #expect(text.narrowed(to: .init(head: 3, tail: 3)).lines == ["11", "… 7 lines left out …", "99"])
    }

    @Test("A short text is kept whole, also when it is narrowed to what it needs")
    func shortText() {
        var text = HeadAndTail(limits: .init(head: 9, tail: 6))
        for number in 1...5 { text.append("\(number)\(number)") }
        #expect(text.lines == ["11", "22", "33", "44", "55"])
        #expect(text.narrowed(to: .init(head: 0, tail: 15)).lines == text.lines)
    }

    @Test("However many lines of whatever length, the text stays within its limits and no line is lost uncounted")
    func headAndTailLimits() {
        var random = RandomSource(seed: 5)
        for _ in 0..<50 {
            let limits = HeadAndTail.Limits(
                head: Int.random(in: 0...200, using: &random), tail: Int.random(in: 0...200, using: &random))
            var text = HeadAndTail(limits: limits)
            let count = Int.random(in: 0...500, using: &random)
            for _ in 0..<count {
                text.append(String(repeating: "x", count: Int.random(in: 0...60, using: &random)))
            }
            let lines = text.lines
            let kept = lines.filter { !$0.hasPrefix("…") }
            #expect(kept.reduce(0) { $0 + $1.utf8.count + 1 } <= limits.head + limits.tail)
            let hidden = lines.first { $0.hasPrefix("…") }.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
            #expect(kept.count + hidden == count)
        }
    }

    @Test(
        "A transcript has one line for whatever happened",
        arguments: [
            (.actorJoined(name: "Ada", system: "boldchat", role: "visitor"), "Ada joins as visitor (boldchat)"),
            (.commanded(actor: "Ada", name: "finish", arguments: [:]), "Ada → finish"),
            (
                .observed(actor: "Ada", number: 3, kind: "message", fields: ["text": "a\nb", "n": [1, .null]]),
                #"Ada ← #3 message text="a\nb" n=[1,null]"#
            ),
            (.stepBegan(name: "pays"), "step pays"), (.stepEnded(name: "pays"), "step pays ended"),
            (
                .expected(actor: "Ada", line: 4, description: "queue", result: .satisfied(events: [1, 2])),
                "Ada ✓ queue (line 4): #1 #2"
            ),
            (.expected(description: "1 equals 2", result: .failed), "✗ 1 equals 2"),
            (.logged(level: .warning, text: "two\nlines"), #"warning: two\u{A}lines"#),
            (.attached(name: "screen", path: "a.txt", mediaType: "text/plain"), "attached screen: a.txt"),
        ] as [(RunEvent, String)])
    func transcript(runEvent: RunEvent, text: String) {
        #expect(TranscriptLine.text(runEvent, sinceNanoseconds: 0) == "      +0s  " + text)
        #expect(TranscriptLine.text(runEvent, sinceNanoseconds: 1_200_000_000) == "    +1.2s  " + text)
    }

    @Test("Bytes on the wire are not part of a transcript")
    func wire() {
        let frame = WireFrame(connection: "c", direction: .sent, summary: "s")
        #expect(TranscriptLine.text(.wire(frame), sinceNanoseconds: 0) == nil)
    }

    @Test("A duration of more nanoseconds than there are numbers for stays at the greatest one")
    func longDurations() {
        #expect(Duration.seconds(Int64.max).nanoseconds == .max)
        #expect(Duration.seconds(Int64.min).nanoseconds == .min)
        #expect((Duration.seconds(9_223_372_036) + .nanoseconds(854_775_808)).nanoseconds == .max)
        #expect(Duration.milliseconds(-1_500).nanoseconds == -1_500_000_000)
    }

    @Test("A long value is cut")
    func longValue() throws {
        let line = try #require(
            TranscriptLine.text(
                .observed(
                    actor: "Ada", number: 1, kind: "message",
                    fields: ["text": .string(String(repeating: "é", count: 9_999))]),
                sinceNanoseconds: 0))
        #expect(line.count < 300)
        #expect(line.hasSuffix("é…"))
    }

    @Test("The replay command is one that a shell takes as it is meant")
    func replay() {
        let scenario = ScenarioStart(
            index: 1, file: "my tests/a.lua", line: 1, titlePath: ["it's \"$HOME\"", "b"], seed: 5, atNanoseconds: 0)
        var run = RunStart(
            toolVersion: "1", seed: .max, clock: .real, target: "staging", plannedScenarios: 1)
        let beginning = #"repartee test 'my tests/a.lua' --filter 'it'\''s "$HOME" › b' --seed 18446744073709551615 "#
        #expect(ReplayCommand.text(for: scenario, in: run) == beginning + "--target staging --clock real")
        (run.target, run.clock, run.fault) = ("embedded", .virtual, "cut@12")
        #expect(ReplayCommand.text(for: scenario, in: run) == beginning + "--fault cut@12")
    }

    @Test("A quote ends no word of the replay command, whatever mark combines with it")
    func combinedQuote() {
        let text = ReplayCommand.text(["echo", "a'\u{301}; reboot"])
        #expect(Array(text.utf8) == Array("echo 'a'\\''\u{301}; reboot'".utf8))
    }

    @Test(
        "The replay command names the place of a scenario that its name does not choose, and no option",
        arguments: [
            (nil, "-v", "a.lua --filter=-v"), (ScenarioChoice(line: 3), "a", "a.lua:3"),
            (ScenarioChoice(line: 3, filter: "[x]"), "a", "a.lua:3 --filter '[x]'"),
            (ScenarioChoice(line: 3, filter: "-x"), "a", "a.lua:3 --filter=-x"),
            (ScenarioChoice(line: 3, number: 2), "a\nb", "'a.lua:3#2'"),
        ])
    func choice(choice: ScenarioChoice?, title: String, words: String) {
        var scenario = ScenarioStart(
            index: 1, file: "a.lua", line: 3, titlePath: [title], seed: 5, choice: choice, atNanoseconds: 0)
        let run = RunStart(toolVersion: "1", seed: 7, clock: .virtual, target: "embedded", plannedScenarios: 1)
        #expect(ReplayCommand.text(for: scenario, in: run) == "repartee test \(words) --seed 7")
        let faulted = FaultedScenario(
            file: "a.lua", line: 3, title: title, choice: choice, systems: [], points: [], pointCount: 0, playCount: 0)
        let cell = FaultCell(FaultName(kind: "cut", point: 2), outcome: .hang, detail: "")
        #expect(
            ReplayCommand.text(for: cell, of: faulted, seed: 7) == "repartee test \(words) --seed 7 --fault cut@2")
        scenario.askedBy = .init(file: "b.lua", name: "c", choice: ScenarioChoice(line: 8))
        #expect(ReplayCommand.text(for: scenario, in: run) == "repartee test b.lua:8 --seed 7")
    }
}
