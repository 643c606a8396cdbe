import JSON
import RunRecord
import Testing

@testable import Reports

@Suite(
    "The JSON Schema of run records", .enabled(if: PythonPackages.problem == nil, "\(PythonPackages.problem ?? "")"))
struct RecordSchemaTests {
    private func errors(_ lines: [JSONValue]) throws -> [String] {
        try PythonPackages.withFile(JSONWriter.write(RecordSchema.json), suffix: "json") {
            try SchemaValidator.errors(lines, schemaAt: $0)
        }
    }

    private func lines() throws -> [JSONValue] {
        try
            (SampleRun.entries + SampleRun.retries + SampleRun.tries + HostileRun.entries + ChatRun.retried
            + TranscriptRun.entries).map { try JSONReader.read($0.line) }
    }

    @Test("It accepts every line that is written, unknown lines and unknown members")
    func accepts() throws {
        #expect(try self.errors(self.lines()) == [])
        #expect(
            try self.errors([
                ["type": "from_the_future"], ["type": "step_ended", "scenario": 1, "at": 0, "name": "", "x": 1],
            ]) == [])
    }

    @Test("It refuses a line without any one of its members that must be there, as the reader does")
    func refuses() throws {
        var seen: Set<String> = []
        var broken: [JSONValue] = []
        for line in try self.lines() {
            guard let members = line.object, let type = line["type"]?.string, seen.insert(type).inserted else {
                continue
            }
            for name in members.names where name != "type" {
                var rest = members
                rest[name] = nil
                // The id of a scenario is there for other tools; readers of ours make it of the other members.
                if name != "id", (try? RunEntry(json: .object(rest))) != nil { continue }
                broken.append(.object(rest))
            }
        }
        #expect(seen.count == 14)
        let refused = Set(try self.errors(broken).compactMap { $0.split(separator: " ").first.flatMap { Int($0) } })
        // The reader takes absent titles for empty ones; whatever the reader refuses, the schema does, too.
        for (number, line) in broken.enumerated() { #expect(refused.contains(number), "\(line)") }
        #expect(broken.count > 40)
    }
}
