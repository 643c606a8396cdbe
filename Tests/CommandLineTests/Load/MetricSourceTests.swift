import CommandLine
import Testing

@Suite("Thresholds on what nothing in a run can produce")
struct MetricSourceTests {
    private static let plain = "local s = require \"websocket\""
    private static let web = "local s = require \"http\""
    private static let mute = "local s = system { name = \"mute\", events = { message = { text = \"string\" } } }"

    /// It tells of answers, but not how long they took.
    private static let untimed = """
        local s = system {
            name = "untimed", events = { response = { ok = "boolean" }, token = { time = "number" }, stream_ended = {} },
        }
        """

    private func run(_ beginning: String, _ threshold: String, _ options: [String] = []) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            \(beginning)
            workload { executor = "per_vu_iterations", users = 1, iterations = 1, thresholds = { "\(threshold)" } }
            scenario("x", function(t) error "it must not be played" end)
            """, to: "a.lua")
        return try await ToolRun(
            ["load", "a.lua", "--reports", "out", "--clock", "virtual"] + options, in: folder.path)
    }

    @Test(
        "are refused before the run, with what would produce it",
        arguments: [
            (Self.plain, "p99(queue) < 1s", "a system with the events queue, and accepted or agent_joined"),
            (Self.plain, "p99(pre_chat) < 1s", "a system with the event pre_chat"),
            (Self.plain, "count(lost) == 0", "the option ledger of a websocket or http actor"),
            (Self.plain, "p99(delivery) < 1s", "sends = \"text\" in a system of your own"),
            (Self.plain, "p99(first_response) < 1s", "accepted, agent_joined or chat_started"),
            (Self.plain, "p99(acknowledgement) < 1s", "a system with the event message_sent"),
            (Self.plain, "p95(first_token) < 1s", "a system with the event token that has the field time"),
            (Self.web, "p99(reconnect) < 1s", "a system with the events disconnected or reconnecting"),
            (Self.web, "p99(connect) < 1s", "a system with the event connected"),
            (Self.mute, "count(lost) == 0", "a command that sends a text"),
            (Self.mute, "count(dropped_arrivals) == 0", "executor = \"constant_arrival_rate\""),
            (Self.mute, "count(iterations_without_row) == 0", "rows = \"users.csv\""),
            (Self.mute, "p95(response) < 1s", "a system with the event response"),
            (Self.mute, "p95(step) < 1s", "a step of a scenario"),
            (
                Self.mute + " s.commands.say = { sends = \"text\", function() end }", "count(unacknowledged) == 0",
                "a command that is acknowledged_by an event in a system of your own"
            ),
            (Self.untimed, "p95(response) < 1s", "that has the field time, in seconds"),
            (Self.untimed, "p95(token_gap) < 1s", "that has the field gap, in seconds"),
            (
                Self.untimed, "p95(last_token) < 1s",
                "a system with the event stream_ended that has the field time_to_last"
            ),
        ])
    func refused(beginning: String, threshold: String, source: String) async throws {
        let run = try await self.run(beginning, threshold)
        #expect(run.status == .script, "\(run.output)\(run.error)")
        #expect(run.error.contains("the threshold \(threshold) would never have samples"), "\(run.error)")
        #expect(run.error.contains(source), "\(run.error)")
        #expect(!run.output.contains("must not be played"))
    }

    @Test(
        "A script takes no name of a metric that every run has",
        arguments: [
            ("metric.value('iteration', 1)", "iteration"), ("metric.count 'sent'", "sent"),
            ("metric.count 'lost'", "lost"), ("metric.count('err' .. 'ors')", "errors"),
        ])
    func takenName(call: String, name: String) async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 1, iterations = 1 }
            scenario("x", function(t) \(call) end)
            """)
        #expect(run.status == .script, "\(run.status) \(run.output)\(run.error)")
        let message = "\(name) is a metric of the tool itself; take another name\n"
        #expect(run.output.contains(message), "\(run.output)\(run.error)")
    }

    @Test("A name that only begins as one of the tool's, or stands in a comment, is the script's own")
    func freeName() async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 1, iterations = 1 }
            -- once this was metric.count "sent"
            scenario("x", function(t) metric.count("request" .. 1) metric.count("connect_own") end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("request1 1"), "\(run.output)")
    }

    @Test("without the ledger nothing can be lost")
    func withoutLedger() async throws {
        let run = try await self.run("local s = require \"boldchat\"", "count(lost) == 0", ["--no-ledger"])
        #expect(run.status == .script && run.error.contains("--ledger, or ledger = true"), "\(run.output)\(run.error)")
    }

    @Test(
        "are no others",
        arguments: [
            ("local s = require \"boldchat\"", "p99(queue) < 1s"), (Self.plain, "p99(connect) < 1s"),
            (Self.plain + " local options = { ledger = { sent = \"$\" } }", "count(lost) == 0"),
            (Self.plain, "rate(failures) == 0"), (Self.plain, "count(errors) == 0"), ("", "p99(queue) < 1s"),
            (Self.untimed, "rate(rate_limited) < 1%"), (Self.untimed, "p95(first_token) < 1s"),
            (Self.mute + " s.commands.say = { sends = \"text\", function() end }", "p99(first_response) < 1s"),
            (
                Self.mute + " s.commands.say = { sends = \"text\", acknowledged_by = \"message\", function() end }",
                "count(unacknowledged) == 0"
            ),
            ("local function later() return require \"boldchat\" end", "p99(queue) < 1s"),
        ])
    func taken(beginning: String, threshold: String) async throws {
        let run = try await self.run(beginning, threshold)
        #expect(!run.error.contains("would never have samples"), "\(run.error)")
        #expect(run.output.contains("must not be played"), "\(run.output)\(run.error)")
    }
}
