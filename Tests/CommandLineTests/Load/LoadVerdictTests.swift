import CommandLine
import Testing

@Suite("What thresholds of a load run answer for")
struct LoadVerdictTests {
    private func run(_ thresholds: String, body: String, roles: String = "") async throws -> ToolRun {
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "shared_iterations", users = 2, iterations = 4, \(roles)
                thresholds = { \(thresholds) } }
            scenario("order", function(t) wait "100ms" \(body) end)
            """, ["--clock", "virtual", "--cores", "1"])
        return run
    }

    @Test(
        "A tag that samples of a metric never have is refused, whatever else holds",
        arguments: [
            ("count(failures{scenario=\\\"order\\\"}) == 0", "samples of failures have no tag \"scenario\""),
            ("count(iterations{rle=x}) > 0", "did you mean \"role\"?"),
            ("count(failures{role=x}) == 0", "the users of this run have no roles"),
            ("max(users{role=x}) < 9", "samples of users have no tag \"role\""),
        ])
    func unknownTag(threshold: String, message: String) async throws {
        let run = try await self.run("\"\(threshold)\"", body: "expect(1, 1)")
        #expect(run.status == .script, "\(run.output) \(run.error)")
        #expect(run.error.contains(message), "\(run.error)")
    }

    private static let roles = "roles = { buyer = 1, seller = 1 },"

    @Test("A threshold on the failures of one role does not answer for those of another")
    func otherRole() async throws {
        let body = "if t.user.role == \"seller\" then expect(1, 2) end"
        let one = try await self.run("\"count(failures{role=buyer}) == 0\"", body: body, roles: Self.roles)
        #expect(one.status == .failed, "\(one.output) \(one.error)")
        let both = try await self.run(
            "\"count(failures{role=buyer}) == 0\", \"count(failures{role=seller}) < 9\"", body: body, roles: Self.roles)
        #expect(both.status == .success, "\(both.output) \(both.error)")
        let misspelt = try await self.run("\"count(failures{role=byer}) == 0\"", body: body, roles: Self.roles)
        #expect(misspelt.error.contains("there is no role \"byer\"; did you mean \"buyer\"?"), "\(misspelt.error)")
    }

    @Test("No threshold excuses a mistake of the script; what it raises itself may be about the server")
    func scriptError() async throws {
        let run = try await self.run("\"rate(failures) <= 100%\"", body: "local none; none.x = 1")
        #expect(run.status == .script, "\(run.output)")
        let failing = try await self.run("\"rate(failures) <= 100%\"", body: "error(\"the server has gone\", 0)")
        #expect(failing.status == .success, "\(failing.output)")
        #expect(failing.output.contains("replay      repartee load"), "\(failing.output)")
    }

    @Test(
        "A figure that cannot be counted is an error of the script",
        arguments: [
            ("metric.count(\"orders\") metric.gauge(\"orders\", 7)", "\"orders\" is a counter"),
            ("metric.count(\"orders\", 1, { kind = { \"a\", \"b\" } })", "the tag kind is a text"),
        ])
    func figures(body: String, message: String) async throws {
        let run = try await self.run("\"count(iterations) > 0\"", body: body)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains(message), "\(run.output)")
    }
}
