import CommandLine
import Foundation
import JSON
import Metrics
import Testing

/// The article on `load.json`, held against what runs write.
@Suite("The article on the file of a load test")
struct LoadResultsArticleTests {
    private static func article() throws -> String {
        try String(contentsOfFile: Product.root + "/Sources/Repartee.docc/LoadResults.md", encoding: .utf8)
    }

    /// The members that the article names, with the path of the object that its heading names before them, and the
    /// other cells of their rows.
    private static func named() throws -> [(member: String, cells: [String])] {
        var prefix = ""
        var rows: [(member: String, cells: [String])] = []
        for line in try Self.article().split(separator: "\n") {
            let spans = line.split(separator: "`", omittingEmptySubsequences: false)
            if line.hasPrefix("## ") { prefix = spans.count > 1 ? "\(spans[1])." : "" }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
            rows.append((prefix + spans[1], cells))
        }
        return rows
    }

    /// Adds the members of a value and of all that it holds: by their paths, and those of histograms, which stand at
    /// many places, by `histogram`. The names of tags are the run's own.
    private static func collect(_ value: JSONValue, at path: String, into members: inout Set<String>) {
        if let object = value.object {
            let owner = object["counts"] == nil ? path : "histogram"
            for (name, member) in object {
                let place = owner.isEmpty ? name : "\(owner).\(name)"
                members.insert(place)
                if place != "shards[].series[].tags" { Self.collect(member, at: place, into: &members) }
            }
        }
        for element in value.array ?? [] { Self.collect(element, at: "\(path)[]", into: &members) }
    }

    private static func members(of text: some Sequence<UInt8>) throws -> Set<String> {
        var members: Set<String> = []
        Self.collect(try JSONReader.read(text), at: "", into: &members)
        return members
    }

    /// A run with a warm-up, a storm, failures, skips and a figure of the script, which a threshold ends.
    private static let script = """
        local websocket = require "websocket"
        workload {
            executor = "constant_vus", users = 6, duration = "20s", warm_up = "1s",
            storms = { { at = "2s", network = { cut = true }, name = "a cut" } },
            thresholds = { "count(over) < 1 abort" },
        }
        scenario("talks", function(t)
            local number = t.user.number
            if number == 1 then expect(1, 2) end
            if number == 2 then t:skip "no account" end
            metric.value("mood", number - 3.5)
            local peer = t:server(websocket):peer "peer"
            local user = t:actor(websocket, { ledger = { sent = "$", received = "$" } })
            user:connect()
            user:expect "connected"
            user:send "hello"
            peer:expect "frame"
            wait "5s"
            if number == 3 then metric.count "over" end
        end)
        """

    /// What a small run in virtual time does not come to: it measures no echo of its own, loses no text that 64 later
    /// ones overtake, and has all acknowledged that is to be.
    private static func rest() throws -> Set<String> {
        var ledger = Ledger(run: 1)
        for number in 0..<70 {
            let envelope = ledger.send(from: 1, in: 2, receivers: 1, intendedMicroseconds: 0)
            if number != 1 { ledger.receive(envelope, by: 3, isAddressee: true) }
        }
        ledger.lacksAcknowledgement(1, ofUser: 1)
        var calibration = Calibration(processorMicroseconds: 1, busyRoundTrips: 1, busyMicroseconds: 1)
        calibration.roundTrips.record(55)
        let result = try LoadResult(
            identity: RunIdentity(runID: "r", seed: 1, planHash: "h", title: "t"), index: 1,
            ShardResult(
                durationMicroseconds: 1, measurements: Measurements(), ledger: ledger, health: GeneratorHealth(),
                calibration: calibration))
        return try Self.members(of: result.text)
    }

    @Test("It names each member that a run writes, and no other")
    func sameMembers() async throws {
        let (run, folder) = try await ToolRun.load(Self.script)
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        let rest = try Self.rest()
        #expect(rest.contains("shards[].ledger.overdue") && rest.contains("shards[].calibration.round_trips"))
        let written = try Self.members(of: folder.data("Reports/load.json")).union(rest)
        let rows = try Self.named()
        let named = Set(rows.map(\.member))
        #expect(named.count == rows.count, "a member stands in two rows")
        #expect(written.subtracting(named).sorted() == [], "the article does not name them")
        #expect(named.subtracting(written).sorted() == [], "no run writes them")
    }

    @Test("Each row has a unit and a meaning, and what is one of a few words has them all")
    func words() throws {
        for row in try Self.named() {
            #expect(row.cells.count == 2 && row.cells.allSatisfy { !$0.isEmpty }, "\(row.member)")
        }
        func meaning(_ member: String) throws -> String {
            try #require(try Self.named().first { $0.member == member }?.cells.last)
        }
        let words = [
            "shards[].metrics[].kind": MetricKind.allCases.map(\.rawValue),
            "shards[].metrics[].unit": MetricUnit.allCases.map(\.rawValue),
            "shards[].metrics[].combination": GaugeCombination.allCases.map(\.rawValue),
            "shards[].ending.kind": ["finished", "aborted", "mistaken", "interrupted", "unfinished"],
            "shards[].health.verdict": HealthVerdict.State.allCases.map(\.rawValue),
        ]
        for (member, words) in words {
            let meaning = try meaning(member)
            for word in words { #expect(meaning.contains("`\(word)`"), "\(member): \(word)") }
        }
    }

    @Test("LoadTesting leads to it")
    func link() throws {
        let page = try String(contentsOfFile: Product.root + "/Sources/Repartee.docc/LoadTesting.md", encoding: .utf8)
        #expect(page.contains("](LoadResults.md)"))
    }
}
