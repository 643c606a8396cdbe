import Foundation
import JSON
import RunRecord
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite(
    "A run that is killed", .waitsForProcesses,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
struct KillTests {
    private static let script = """
        for number = 1, 150 do
            scenario("number " .. number, { tags = { "t" } }, function(t)
                for line = 1, 20 do log.info(random.hex(100)) wait "1s" end
                if number % 7 == 0 then t:fail("seven") end
                if number % 11 == 0 then t:skip("eleven") end
            end)
        end
        scenario("endless", { timeout = "100000h" }, function() while true do wait "1h" log.info "on" end end)
        """

    /// What every report of a run that did not end says; the last of its scenarios never ends.
    private static var sentence: Regex<Substring> { /the run did not end: \d+ of 151 played/ }

    /// After how many lines of the record it is killed. With the last of them only the scenario that never ends plays,
    /// and every report is waited for, so that each is looked at.
    private static let moments = [
        0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765,
    ]

    private static let files = ["r/junit.xml", "r/ant.xml", "r/report.html", "r/c.json", "r/t.tap", "r/run.jsonl"]

    @Test(
        "leaves every report well-formed or not there, and each says so, however far it has come",
        arguments: Self.moments)
    func killed(lines: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "s.lua")
        let tool = try ToolProcess(
            [
                "test", "s.lua", "--retries", "1", "--tap", "r/t.tap", "--ctrf", "r/c.json", "--reports", "r",
                "--junit", "r/junit.xml", "--junit", "r/ant.xml,profile=ant", "--quiet",
            ], in: folder.path)
        if lines > 0 {
            try folder.wait(for: "r/run.jsonl") { record in record.utf8.count { $0 == UInt8(ascii: "\n") } >= lines }
        }
        if lines == Self.moments.last {
            for name in Self.files { try folder.wait(for: name) { !$0.isEmpty } }
        }
        tool.send(SIGKILL)
        #expect(tool.end().code == -SIGKILL)
        if lines == Self.moments.last {
            for name in Self.files { #expect(folder.has(name), "\(name)") }
        }
        for name in ["r/junit.xml", "r/ant.xml"] where folder.has(name) {
            let file = try XMLFile(try folder.data(name))
            let errors = file.all("error").compactMap { $0.attributes["message"] }
            #expect(errors.contains { $0.wholeMatch(of: Self.sentence) != nil }, "\(errors)")
        }
        if folder.has("r/report.html") {
            let page = try folder.text("r/report.html")
            #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</body>\n</html>\n"))
            #expect(page.firstMatch(of: /<title>The run did not end: \d+ of 151 played – repartee<\/title>/) != nil)
        }
        if folder.has("r/c.json") {
            let results = try JSONReader.read(try folder.data("r/c.json"))["results"]
            let tests = try #require(results?["tests"]?.array)
            #expect(results?["summary"]?["tests"]?.integer == Int64(tests.count))
            #expect(tests.last?["status"] == "failed")
            #expect(tests.last?["message"]?.string?.wholeMatch(of: Self.sentence) != nil)
        }
        if folder.has("r/t.tap") {
            let lines = try folder.text("r/t.tap").split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first == "TAP version 14" && lines.last == "")
            #expect(lines.dropLast().last?.hasPrefix("Bail out! The run did not end: ") == true)
            #expect(lines.last { $0.hasPrefix("not ok ") }?.hasSuffix(" - the run ends") == true)
            #expect(lines.filter { $0 == "  ---" }.count == lines.filter { $0 == "  ..." }.count)
            let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
            for (place, point) in points.enumerated() {
                #expect(point.hasPrefix("ok \(place + 1) ") || point.hasPrefix("not ok \(place + 1) "))
            }
        }
        if folder.has("r/run.jsonl") {
            var reader = RecordReader()
            let entries = try reader.read(try folder.data("r/run.jsonl"))
            _ = try reader.finish()
            #expect(lines == 0 || !entries.isEmpty)
            if let first = entries.first {
                guard case .runStarted = first else { throw CocoaError(.fileReadCorruptFile) }
            }
        }
        // The history is written at the end of a run only.
        #expect(!folder.has("r/history.json"))
    }

    @Test("gives its folder back, which no other run may use meanwhile")
    func lock() throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"s\", { timeout = \"1h\" }, function() wait(600) end)", to: "s.lua")
        let arguments = ["test", "s.lua", "--reports", "r"]
        let first = try ToolProcess(arguments + ["--clock", "real", "--verbose"], in: folder.path)
        #expect(first.line(containing: "▶ s") != nil)
        let record = try folder.data("r/run.jsonl")
        let second = try ToolProcess(arguments, in: folder.path).end()
        #expect(second.code == 2)
        #expect(second.output.contains("another run (process "), "\(second.output)")
        #expect(second.output.contains("writes its reports to r; "))
        #expect(second.output.contains("--reports"))
        #expect(try folder.data("r/run.jsonl").starts(with: record))
        // A load run has files of its own.
        try folder.write(
            "workload { executor = \"shared_iterations\", users = 1, iterations = 1, max_duration = \"1m\" }\n"
                + "scenario(\"l\", function() wait(1) end)", to: "l.lua")
        let load = try ToolProcess(["load", "l.lua", "--clock", "virtual", "--reports", "r"], in: folder.path).end()
        #expect(load.code == 0, "\(load.output)")
        first.send(SIGKILL)
        _ = first.end()
        #expect(folder.has("r/.test.lock"))
        let third = try ToolProcess(arguments, in: folder.path).end()
        #expect(third.code == 0, "\(third.output)")
        #expect(!folder.has("r/.test.lock"))
    }
}
