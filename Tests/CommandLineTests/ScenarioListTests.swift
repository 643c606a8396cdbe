import CommandLine
import Foundation
import Testing

@Suite("Scenarios as they are listed")
struct ScenarioListTests {
    @Test("--list json names what text names, for other tools")
    func listsJSON() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"a\", { tags = { \"x\" }, retries = 2, only = true, skip = \"s\", expected_failure = \"e\" }, print)",
            to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--list", "json"], in: folder.path)
        #expect(run.status == .success)
        #expect(
            run.output == """
                {"scenarios":[{"id":"s.lua::a","file":"s.lua","line":1,"title":["a"],"tags":["x"],"only":true,\
                "skip":"s","expected_failure":"e","retries":2}]}

                """)
        let text = try await ToolRun(["test", "--list", "text", "s.lua"], in: folder.path)
        #expect(text.output == "s.lua:1  a  (skip: s; expected failure: e; only)  #x\n")
        try folder.write("scenario(", to: "json")
        let path = try await ToolRun(["test", "--list", "./json"], in: folder.path)
        #expect(path.status == .script)
    }
}
