import CommandLine
import Foundation
import Testing

@Suite("Why users fail, told while the run goes")
struct ToldCauseTests {
    private static let source = """
        local S = system { name = "probe", client = "guest", events = { message = { text = "string" } } }
        function S.commands.greet(me) me:emit("message", { text = "hi" }) end
        function S.server.text() end
        workload { executor = "constant_vus", users = 2, duration = "4s" }
        scenario("fails", function(t)
            local guest = t:actor(S)
            guest:greet()
            guest:expect "message"
            wait "50ms"
            if t.user.iteration > 3 then t:fail(("x"):rep(500)) end
            t:fail "the line is dead"
        end)
        """

    /// Returns what was told before the table of the end.
    private static func told(_ run: ToolRun) throws -> [Substring] {
        let end = try #require(run.output.firstRange(of: " min "))
        return run.output[..<end.lowerBound].split(whereSeparator: \.isNewline).filter { $0.hasPrefix("failed at ") }
    }

    @Test("Each reason is told once, when it first comes, and shortened")
    func once() async throws {
        let (run, _) = try await ToolRun.load(Self.source, [])
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        let told = try Self.told(run)
        try #require(told.count == 2, "\(run.output)")
        #expect(told[0].contains(", user ") && told[0].hasSuffix(": fail: the line is dead"), "\(told)")
        #expect(told[1].contains(": fail: xxx") && told[1].count < 300, "\(told)")
    }

    @Test("Who wants it quiet is told at the end alone")
    func quiet() async throws {
        let (run, _) = try await ToolRun.load(Self.source, ["--quiet"])
        #expect(try Self.told(run).isEmpty, "\(run.output)")
        #expect(run.output.contains("the line is dead"), "\(run.output)")
    }
}
