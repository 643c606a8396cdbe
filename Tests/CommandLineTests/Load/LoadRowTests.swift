import CommandLine
import JSON
import Metrics
import Testing

@Suite("Rows of data for the users of a load test")
struct LoadRowTests {
    /// A script whose users note which row they got in each iteration.
    private static func rows(_ workload: String) -> String {
        """
        workload { executor = "per_vu_iterations", users = 4, iterations = 2, max_duration = "1m", \(workload) }
        scenario("reads", function(t)
            wait(0.1)
            metric.count("read", 1, { row = tostring(t.user.row and t.user.row.account) })
        end)
        """
    }

    @Test(
        "Rows come from files beside the script, in each of their orders",
        arguments: [
            ("users.csv", "circular", ["a": 2, "b": 2, "c": 2, "d": 1, "e": 1]),
            ("users.json", "per_user", ["a": 2, "b": 2, "c": 2, "d": 2]),
            ("users.jsonl", "unique", ["a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "nil": 3]),
            ("users.csv", "shuffle", nil), ("users.csv", "random", nil),
        ] as [(String, String, [String: Int64]?)])
    func rowFiles(file: String, order: String, counts: [String: Int64]?) async throws {
        let folder = try TemporaryFolder()
        let names = ["a", "b", "c", "d", "e"]
        try folder.write("account,age\n" + names.map { "\($0),7\n" }.joined(), to: "users.csv")
        try folder.write("[" + names.map { "{\"account\":\"\($0)\"}" }.joined(separator: ",") + "]", to: "users.json")
        try folder.write(names.map { "{\"account\":\"\($0)\"}\n" }.joined(separator: "\n"), to: "users.jsonl")
        let source = Self.rows("rows = \"\(file)\", row_order = \"\(order)\"")
        let (run, _) = try await ToolRun.load(source, in: folder)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let bytes = try folder.data("Reports/load.json")
        let measurements = try folder.loadResult().totals().measurements
        let read = (names + ["nil"]).map { name in
            (name, measurements.histogram(of: "read", tags: [Tag("row", name)]).count)
        }
        #expect(read.reduce(0) { $0 + $1.1 } == 8)
        if let counts { #expect(Dictionary(uniqueKeysWithValues: read.filter { $0.1 > 0 }) == counts) }
        #expect(run.output.contains("3 iterations had no row") == (order == "unique"))
        #expect(measurements.histogram(of: "iterations_without_row").sum == (order == "unique" ? 3 : 0))
        _ = try await ToolRun.load(source, in: folder)
        #expect(try folder.data("Reports/load.json") == bytes)
    }

    @Test(
        "Each row is played once where there are as many as iterations, whatever begins these",
        arguments: [
            "executor = \"shared_iterations\", users = 3, iterations = 8",
            "executor = \"constant_arrival_rate\", rate = 8, duration = \"1s\"",
            "executor = \"arrivals\", at = { 0, 0, 0, 0, 1, 1, 2, 2 }",
        ])
    func everyIteration(shape: String) async throws {
        let names = (0..<8).map { "r\($0)" }
        let rows = names.map { "{ account = \"\($0)\" }" }.joined(separator: ", ")
        let (run, folder) = try await ToolRun.load(
            """
            workload { \(shape), rows = { \(rows) }, row_order = "unique" }
            scenario("reads", function(t)
                metric.count("read", 1, { row = tostring(t.user.row and t.user.row.account) })
                -- One user takes more of what is shared than the others.
                wait(t.user.number == 1 and 0.1 or 1)
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        for name in names {
            #expect(measurements.histogram(of: "read", tags: [Tag("row", name)]).count == 1, "\(name)")
        }
        #expect(measurements.histogram(of: "iterations_without_row").sum == 0)
    }

    @Test("A threshold decides whether iterations may be without a row", arguments: [(3, true), (2, false)])
    func threshold(rows: Int, isKept: Bool) async throws {
        let text = (0..<rows + 5).map { "{ account = \"\($0)\" }" }.joined(separator: ", ")
        let (run, _) = try await ToolRun.load(
            Self.rows(
                "rows = { \(text) }, row_order = \"unique\", thresholds = { \"count(iterations_without_row) == 0\" }"))
        #expect(run.ended(isKept ? .success : .failed), "\(run.output)\(run.error)")
    }

    @Test("A misspelt column is an error of whoever asks for it, and one that some rows have is nil in the others")
    func misspeltColumn() async throws {
        let script = { (read: String) in
            """
            workload {
                executor = "per_vu_iterations", users = 4, iterations = 1, max_duration = "1m",
                rows = { { account = "a", age = 7 }, { account = "b" } },
            }
            scenario("reads", function(t)
                wait(0.1)
                \(read)
            end)
            """
        }
        let folder = try TemporaryFolder()
        let (wrong, _) = try await ToolRun.load(script("expect(t.user.row.acount, nil)"), in: folder)
        #expect(wrong.ended(.script), "\(wrong.output)\(wrong.error)")
        #expect(wrong.output.contains("the row has no field \"acount\"; did you mean \"account\"?"), "\(wrong.output)")
        let (right, _) = try await ToolRun.load(
            script("expect(t.user.row.age, t.user.row.account == \"a\" and 7 or nil)"), in: folder)
        #expect(right.ended(.success), "\(right.output)\(right.error)")
    }

    @Test(
        "What is wrong with rows is said before anything is played, with all else that is wrong",
        arguments: [
            ("rows = \"none.csv\"", ["workload.rows: there is no file \"none.csv\""]),
            (
                "rows = \"bad.csv\", row_order = \"odd\"",
                ["bad.csv:3: there are 1 fields", "bad.csv:5: ", "row_order: \"odd\" is not known; write one of"]
            ),
            ("rows = \"bad.jsonl\", stages = 1", ["bad.jsonl:2: ", "bad.jsonl:4: ", "workload.stages"]),
            ("rows = \"empty.csv\"", ["empty.csv is empty"]), ("rows = {}", ["rows is empty"]), ("rows = 7", ["not 7"]),
            ("rows = \"../secret.csv\"", ["lies outside of the project"]),
            ("rows = { { a = 1 } }, row_order = \"per_user\"", ["a row for each of the 4 users, and there is 1 row"]),
        ])
    func wrongRows(workload: String, messages: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write("a,b\n1,2\n1\n3,4\n5,6,7\n", to: "bad.csv")
        try folder.write("{}\n{\n{}\nx\n", to: "bad.jsonl")
        try folder.write("", to: "empty.csv")
        let (run, _) = try await ToolRun.load(Self.rows(workload), in: folder)
        #expect(run.status == .script)
        for message in messages { #expect(run.error.contains(message), "\(run.error)") }
        #expect(!folder.has("Reports/load.json"))
    }

    @Test(
        "Parts that played other scripts are not merged, wherever the scripts lie",
        arguments: [
            (["1ms", "1ms"], ["return 'a'", "return 'a'"], true),
            (["1ms", "2ms"], ["return 'a'", "return 'a'"], false),
            (["1ms", "1ms"], ["return 'a'", "return 'b'"], false),
        ])
    func otherScripts(pauses: [String], helpers: [String], isMerged: Bool) async throws {
        let all = try TemporaryFolder()
        for part in 1...2 {
            let folder = try TemporaryFolder()
            try folder.write(helpers[part - 1], to: "helper.lua")
            let (run, _) = try await ToolRun.load(
                """
                local helper = require "helper"
                workload { executor = "per_vu_iterations", users = 2, iterations = 1 }
                scenario("waits", function(t) wait "\(pauses[part - 1])" end)
                """, ["--shard", "\(part)/2", "--run", "r", "--clock", "virtual"], in: folder)
            #expect(run.ended(.success), "\(run.error)")
            try all.write(try folder.data("Reports/load-\(part).json"), to: "load-\(part).json")
        }
        let merging = try await ToolRun(["report", "load-1.json", "load-2.json", "--html", "all.html"], in: all.path)
        #expect((merging.ended(.success)) == isMerged, "\(merging.output)\(merging.error)")
        if !isMerged { #expect(merging.error.contains("start all with the same files"), "\(merging.error)") }
    }

    @Test(
        "Parts with other rows, or rows in another order, are not merged",
        arguments: [
            ("rows = \"users.csv\"", "a,1\nb,2\n", "a,1\nb,2\n", true),
            ("rows = \"users.csv\"", "a,1\nb,2\n", "a,1\nb,3\n", false),
            ("rows = \"users.csv\"", "a,1\nb,2\n", "b,2\na,1\n", false),
            ("rows = \"users.csv\"", "a,1\nb,2\n", "a,1\nb,2\nc,3\n", false),
            ("rows = \"users.csv\", row_order = \"random\"", "a,1\nb,2\n", "a,1\nb,2\n", true),
            ("scenario = \"reads [1]\"", "a,1\n", "a,1\n", true), ("scenario = \"reads [1]\"", "a,1\n", "b,1\n", false),
        ])
    func otherRows(workload: String, first: String, second: String, isMerged: Bool) async throws {
        let folder = try TemporaryFolder()
        let options = workload.contains("scenario") ? "{ rows = \"users.csv\", row_key = \"age\" }, " : ""
        let source = Self.rows(workload).replacing("\"reads\", ", with: "\"reads\", \(options)")
        for (part, rows) in [first, second].enumerated() {
            try folder.write("account,age\n" + rows, to: "users.csv")
            let arguments = ["--shard", "\(part + 1)/2", "--run", "r", "--clock", "virtual"]
            let (run, _) = try await ToolRun.load(source, arguments, in: folder)
            #expect(run.ended(.success), "\(run.error)")
        }
        let merging = try await ToolRun(
            ["report", "Reports/load-1.json", "Reports/load-2.json", "--html", "all.html"], in: folder.path)
        #expect((merging.ended(.success)) == isMerged, "\(merging.output)\(merging.error)")
        if !isMerged { #expect(merging.error.contains("played different plans"), "\(merging.error)") }
    }
}
