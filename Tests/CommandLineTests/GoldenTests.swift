import CommandLine
import Foundation
import RunRecord
import Testing

/// A folder of a script and what the tool prints for it.
///
/// | file | meaning |
/// |---|---|
/// | `script.lua` | what is played |
/// | `arguments` | the arguments; `test script.lua --seed 1` unless there |
/// | `status` | the exit code; that of the group unless there |
/// | `output`, `error` | what the streams get, with `~~~` for anything |
/// | `junit.xml` | the report, with `~~~` for anything; only checked to be well-formed unless there |
struct GoldenCase: CustomTestStringConvertible, Sendable {
    let group: String
    let name: String

    var testDescription: String { "\(self.group)/\(self.name)" }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden").path

    static let statuses: [(group: String, status: ToolStatus)] = [
        ("ok", .success), ("failed", .failed), ("error", .script), ("usage", .usage),
    ]

    static let all: [GoldenCase] = Self.statuses.flatMap { group, _ in
        ((try? FileManager.default.contentsOfDirectory(atPath: Self.root + "/" + group)) ?? []).sorted()
            .filter { !$0.hasPrefix(".") }
            .map { GoldenCase(group: group, name: $0) }
    }

    var folder: String { "\(Self.root)/\(self.group)/\(self.name)" }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: self.folder + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    var arguments: [String] {
        (self.text("arguments") ?? "test script.lua --seed 1").split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Whether it comes to playing, and so to reports.
    var isPlayed: Bool {
        // Where scenarios are only listed, or are refused because one is marked to be the only one, none is played.
        self.group != "usage" && Set(self.arguments).isDisjoint(with: ["--list", "--forbid-only"])
    }

    var status: ToolStatus? {
        if let text = self.text("status") {
            return Int32(text.prefix { character in character.isNumber }).flatMap(ToolStatus.init(rawValue:))
        }
        return Self.statuses.first { $0.group == self.group }?.status
    }
}

@Suite("Whole runs, against what they should print")
struct GoldenTests {
    /// Set to write the golden files anew; what changed is then read in the difference.
    private static let isRecording = ProcessInfo.processInfo.environment["REPARTEE_RECORD_GOLDEN"] == "1"

    @Test("there are cases in every group", arguments: GoldenCase.statuses.map(\.group))
    func groups(group: String) {
        #expect(GoldenCase.all.contains { $0.group == group })
    }

    @Test("a run prints and reports what it should", arguments: GoldenCase.all)
    func golden(_ golden: GoldenCase) async throws {
        let run = try await ToolRun(
            golden.arguments, in: golden.folder, variables: ["GREETING": "hello", "DESK_TOKEN": "tk-8&<\"ö 1815"])
        #expect(run.status == golden.status)
        if Self.isRecording { try self.record(run, golden) }
        for (name, found) in [("output", run.output), ("error", run.error)] {
            let mismatch = ExpectedText(golden.text(name) ?? "").mismatch(found)
            #expect(mismatch == nil, "\(golden.testDescription)/\(name)")
        }
        #expect(run.reports.has("junit.xml") == golden.isPlayed)
        guard golden.isPlayed else { return }
        _ = try XMLFile(try run.reports.data("junit.xml"))
        if let expected = golden.text("junit.xml") {
            #expect(ExpectedText(expected).mismatch(try run.reports.text("junit.xml")) == nil)
        }
        let record = try run.record
        guard case .runStarted(let start) = record.first, case .runEnded(let end) = record.last else {
            Issue.record("the run record has no beginning or no end")
            return
        }
        #expect(start.clock == .virtual)
        #expect(!end.isInterrupted)
    }

    private func record(_ run: ToolRun, _ golden: GoldenCase) throws {
        func write(_ text: String, _ name: String) throws {
            let path = golden.folder + "/" + name
            if text.isEmpty {
                try? FileManager.default.removeItem(atPath: path)
            } else {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            }
        }
        let time = #/\n[^\n]+ \(([^\n]+ of virtual time\),)/#
        try write(run.output.replacing(time) { "\n~~~ (\($0.output.1)" }, "output")
        try write(run.error, "error")
        if golden.text("junit.xml") != nil {
            let report = try run.reports.text("junit.xml")
                .replacing(#/ (time|timestamp)="[^"]+"/#) { " \($0.output.1)=\"~~~\"" }
            try write(report, "junit.xml")
        }
    }
}
