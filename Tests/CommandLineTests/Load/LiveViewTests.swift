import CommandLine
import Load
import Metrics
import Testing

@Suite("The view of a load run that is redrawn in place")
struct LiveViewTests {
    private static let second: Int64 = 1_000_000

    /// A run that is at a second, with three metrics and what else is given.
    private func view(
        at second: Int64 = 12, phases: [String] = ["ramp-up", "steady"], isCounted: Bool = false,
        isStopping: Bool = false, thresholds: [String] = ["p99(delivery) < 1ms", "p50(delivery) < 1s"]
    ) throws -> LiveView {
        let list = phases.enumerated().map { place, name in
            Phases.Phase(name, startMicroseconds: Int64(place) * 10 * Self.second)
        }
        var measurements = Measurements(phases: Phases(list))
        for name in ["delivery", "connect", "a_metric_of_the_script_with_a_very_long_name"] {
            let id = try measurements.series(Metric(name, .trend, unit: .microseconds))
            for place in 0..<200 {
                measurements.record(id, Int64(1000 + place * 50), at: Int64(place) * second * Self.second / 200)
            }
        }
        let errors = try measurements.series(Metric("errors", .counter))
        measurements.record(errors, 3, at: Self.second)
        var deliveries = DeliveryAccount()
        (deliveries.sent, deliveries.expected, deliveries.lost) = (2345, 2345, 2)
        var starts = PacingAccount()
        (starts.planned, starts.started, starts.finished) = (400, 320, 300)
        starts.dropped = [.workloadFull: 4]
        let (parsed, problems) = Threshold.parse(thresholds, metrics: measurements.metrics, phases: phases)
        #expect(problems.isEmpty)
        let run = LiveView.Run(
            lengthMicroseconds: 60 * Self.second, isCounted: isCounted, phases: Phases(list), thresholds: parsed)
        let progress = LoadProgress(
            atMicroseconds: second * Self.second, users: 20, starts: starts, measurements: measurements,
            deliveries: deliveries, health: GeneratorHealth().verdict(), failureCount: 7)
        return LiveView(
            run: run, progress: progress, rates: .init(iterations: 12, texts: 34), isStopping: isStopping)
    }

    @Test("It shows how far the run is, rates, times, what went wrong and the verdicts")
    func content() throws {
        let lines = try self.view().lines(width: 120, height: 40, usesColors: false)
        #expect(lines[0] == "12s of 60s  steady  20 users")
        #expect(lines[1] == String(repeating: "━", count: 19) + String(repeating: "─", count: 77) + " 20%")
        #expect(
            lines[2]
                == "300 iterations (12/s)  2,345 texts (34/s)  7 failed  2 lost  3 errors  4 not started")
        #expect(lines[3].split(separator: " ").joined(separator: " ") == "count p50 p90 p99 max last 10s p99")
        #expect(lines[4].hasPrefix("connect  "))
        #expect(lines[5].hasPrefix("delivery  "))
        #expect(lines[7] == "thresholds  1 hold  1 broken")
        #expect(lines[8].hasPrefix("  p99(delivery) < 1ms: failed with 10.9ms"))
        #expect(lines[9] == "generator valid")
        #expect(lines.count == 10)
    }

    @Test("A run that ends with its iterations shows those; one that ends says how to end it faster")
    func states() throws {
        let counted = try self.view(isCounted: true).lines(width: 80, height: 24, usesColors: false)
        #expect(counted[0] == "12s  300 of 400 iterations  steady  20 users")
        #expect(counted[1].hasSuffix(" 76%"))
        let stopping = try self.view(isStopping: true).lines(width: 80, height: 24, usesColors: false)
        #expect(stopping[0] == "12s of 60s  stopping; interrupt again to break users off  20 users")
        let late = try self.view(at: 7_384).lines(width: 80, height: 24, usesColors: false)
        #expect(late[0] == "2:03:04 of 60s  users finish  20 users")
        #expect(late[1].hasSuffix(" 100%"))
    }

    @Test("Whatever the size of the terminal, no line is wider and the view is no higher", arguments: [false, true])
    func fits(usesColors: Bool) throws {
        let names = ["名前名前名前名前名前", "👩‍👩‍👧🎉\u{1B}[2J\u{202E}", "e\u{301}\u{0}\n\r\t steady"]
        for phases in [["ramp", "steady"]] + names.map({ ["x", $0] }) {
            let view = try self.view(phases: phases)
            for width in Array(1...90) + [200, 1000] {
                for height in [1, 2, 3, 7, 12, 50] {
                    let lines = view.lines(width: width, height: height, usesColors: usesColors)
                    #expect(lines.count <= max(1, height - 1))
                    for line in lines {
                        let shown = usesColors ? line.replacing(#/\u{1B}\[\d+m/#, with: "") : line
                        #expect(TerminalText.width(of: shown) <= max(1, width - 1), "\(shown)")
                        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
                    }
                }
            }
        }
    }

    @Test("Texts that are cut off say so, and wide characters count twice")
    func clipping() {
        #expect(TerminalText.clipped("steady", to: 6) == "steady")
        #expect(TerminalText.clipped("steady", to: 5) == "stea…")
        #expect(TerminalText.clipped("名前名", to: 5) == "名前…")
        #expect(TerminalText.clipped("名前名", to: 4) == "名…")
        #expect(TerminalText.clipped("a\u{1B}[2Jb", to: 10) == "a?[2Jb")
        #expect(TerminalText.clipped("steady", to: 0) == "")
    }

    @Test("On a terminal the view replaces itself and goes; colors are as asked for; a dumb terminal has lines")
    func whole() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"x\", function() wait \"100ms\" end)", to: "load.lua")
        let arguments = ["load", "load.lua", "--users", "2", "--duration", "3s"]
        let size = (columns: 60, rows: 20)
        let colored = try await ToolRun(arguments, in: folder.path, terminal: size)
        #expect(colored.output.contains("━"))
        #expect(colored.output.contains(#/\u{1B}\[\d+A\r\u{1B}\[J/#))
        #expect(colored.output.contains("\u{1B}[32m"))
        // What is left on the screen begins where the last view was erased.
        let left = try #require(colored.output.split(separator: "\u{1B}[J").last)
        #expect(!left.contains("━") && left.contains("generator   "))
        let plain = try await ToolRun(arguments, in: folder.path, variables: ["NO_COLOR": "1"], terminal: size)
        #expect(plain.output.contains("\u{1B}[J") && !plain.output.contains(#/\u{1B}\[\d+m/#))
        for run in [
            try await ToolRun(arguments, in: folder.path, variables: ["TERM": "dumb"], terminal: size),
            try await ToolRun(arguments, in: folder.path),
        ] {
            #expect(!run.output.contains("\u{1B}") && !run.output.contains("━"))
            #expect(run.output.contains("1s  2 users  "))
        }
    }
}
