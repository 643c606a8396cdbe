import JSON
import Machines
import RunRecord
import Testing

@testable import Reports

@Suite("The CTRF report")
struct CTRFRecorderTests {
    private func report(_ entries: [RunEntry]) throws -> JSONValue {
        var recorder = CTRFRecorder(options: CTRFOptions(startedAt: "2026-03-01T12:00:00Z"))
        for entry in entries { recorder.record(entry) }
        return try JSONReader.read(String(decoding: recorder.document(), as: UTF8.self), depth: 100)
    }

    @Test("The summary counts what the tests say, and failures carry message, trace and the command that replays them")
    func outcomes() throws {
        let entries = SampleRun.entries.map { entry in
            guard case .scenarioEnded(var end) = entry else { return entry }
            end.wallNanoseconds = 40_000_000
            return .scenarioEnded(end)
        }
        let results = try self.report(entries)["results"]
        let summary = results?["summary"]
        #expect(summary?["tests"] == 4)
        #expect(summary?["passed"] == 1)
        #expect(summary?["failed"] == 2)
        #expect(summary?["skipped"] == 1)
        #expect(summary?["start"] == 1_772_366_400_000)
        #expect(summary?["duration"] == 160)
        #expect(results?["extra"]?["virtual_time"] == "5.351")
        let tests = results?["tests"]?.array ?? []
        #expect(tests.map { $0["rawStatus"]?.string } == ["passed", "failed", "skipped", "error"])
        #expect(tests[1]["message"] == "no queue event within 3s")
        #expect(tests[1]["trace"]?.string?.hasPrefix(SampleRun.detail) == true)
        #expect(tests[1]["suite"] == ["Scenarios/queue.lua", "queue"])
        #expect(tests[1]["duration"] == 40)
        #expect(tests[1]["extra"]?["virtual_time"] == "3.000")
        #expect(tests[1]["attachments"]?[0]?["path"] == "Reports/screen.txt")
        #expect(tests[1]["extra"]?["replay"]?.string?.hasPrefix("repartee test Scenarios/queue.lua") == true)
        #expect(tests[2]["message"] == "no camera on this machine")
    }

    @Test("The attempts at a scenario are one test; it is flaky when it passed in the end, and running ones are other")
    func attempts() throws {
        let results = try self.report(SampleRun.retries)["results"]
        let tests = results?["tests"]?.array ?? []
        #expect(tests.map { $0["name"]?.string } == ["flaky", "bad", "broken", "slow", "the run ends"])
        #expect(tests.map { $0["status"]?.string } == ["passed", "failed", "failed", "other", "failed"])
        #expect(tests.map { $0["flaky"]?.bool } == [true, false, false, false, nil])
        #expect(tests.map { $0["retries"]?.integer } == [1, 2, 1, 1, 0])
        #expect(tests[4]["message"] == "the run did not end: 3 of 4 played")
        #expect(results?["summary"]?["tests"] == 5)
        #expect(results?["summary"]?["failed"] == 3)
        #expect(tests[1]["retryAttempts"]?.array?.map { $0["message"]?.string } == ["first", "second"])
        #expect(results?["summary"]?["flaky"] == 1)
        #expect(results?["summary"]?["other"] == 1)
    }

    @Test("Tries are one test with the time of all; they are no retries, and the rate stands beside")
    func tries() throws {
        let results = try self.report(SampleRun.tries)["results"]
        let tests = results?["tests"]?.array ?? []
        #expect(tests.count == 1 && tests[0]["status"] == "passed" && tests[0]["retries"] == 0)
        #expect(tests[0]["flaky"] == nil && tests[0]["retryAttempts"] == nil && tests[0]["duration"] == 3000)
        #expect(results?["summary"]?["flaky"] == 0)
        #expect(tests[0]["extra"]?["passes"]?["tries"] == 3 && tests[0]["extra"]?["passes"]?["passed"] == 2)
        #expect(tests[0]["extra"]?["passes"]?["baseline"]?["difference_low"] == -0.625)
        let checks = tests[0]["extra"]?["passes"]?["checks"]?.array
        #expect(checks?.map { $0["place"] } == ["4", "lib/short.lua:2"] && checks?.first?["passed"] == 2)
    }

    @Test(
        "The schema of the format accepts the report after every entry and of any text",
        .enabled(if: PythonPackages.problem == nil, "\(PythonPackages.problem ?? "")"),
        .enabled(if: SharedFile.path("schemas") != nil, "the shared schemas are not beside the project"))
    func schema() throws {
        var random = RandomSource(seed: 11)
        var reports = try (0...SampleRun.entries.count).map { try self.report(Array(SampleRun.entries.prefix($0))) }
        reports += [
            try self.report(SampleRun.retries), try self.report(SampleRun.tries), try self.report(HostileRun.entries),
        ]
        reports += try (0..<30).map { _ in try self.report(RandomRun.entries(scenarios: 5, using: &random)) }
        let schema = try #require(SharedFile.path("schemas/ctrf.schema.json"))
        #expect(try SchemaValidator.errors(reports, schemaAt: schema) == [])
        #expect(try SchemaValidator.errors([["results": [:]]], schemaAt: schema).count == 5)
    }
}
