import CommandLine
import Testing

@Suite("repartee doctor")
struct DoctorTests {
    @Test("where these tests run, all is well")
    func well() async throws {
        let folder = try TemporaryFolder()
        let run = try await ToolRun(["doctor"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.hasPrefix("ok      Lua: Lua 5.4\nok      loopback: can listen at http"), "\(run.output)")
    }

    @Test("what is wrong says what to do")
    func problems() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return { targets = 7 }", to: "repartee.lua")
        try folder.write("a file", to: "Reports")
        let run = try await ToolRun(["doctor"], in: folder.path)
        #expect(run.status == .harness)
        #expect(run.output.contains("problem reports: Reports cannot be written; choose another with --reports"))
        #expect(run.output.contains("problem project: "), "\(run.output)")
    }
}
