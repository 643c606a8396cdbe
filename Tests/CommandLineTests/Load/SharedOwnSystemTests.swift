import CommandLine
import Metrics
import Testing

@Suite("Systems in Lua that the users of a load run share", .waitsForProcesses)
struct SharedOwnSystemTests {
    private static let load = """
        workload { executor = "per_vu_iterations", users = 20, iterations = 2, max_duration = "1m",
            thresholds = { "rate(failures) == 0", "count(lost) == 0" } }
        scenario("meets an agent", function(t)
            local desk = t:server(desk_chat, { shared = true })
            local sam = desk:agent "Sam"
            local name = "user " .. t.user.number .. "." .. t.user.iteration
            local ada = t:actor(desk_chat, { user = name })
            ada:connect()
            sam:accept(name)
            ada:say "Hello?"
            sam:expect("message", { text = "Hello?" })
            sam:say "Hello!"
            ada:expect("message", { from = sam.name, text = "Hello!" })
        end)
        """

    @Test(
        "a request of the server that was refused, and that nothing looked at, fails who uses it",
        arguments: [
            ("local _ = ask()", ToolStatus.failed), ("local _ = ask().status", .success),
            // Who ends while a function of the server may still look is not failed by it.
            ("spawn(function() local answer = ask() wait '1s' local _ = answer.status end) wait '10ms'", .success),
        ])
    func unread(body: String, status: ToolStatus) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "platform", title = "Platform", events = {}, server_options = { hook = "string" } }
            function S.commands.tell(me) return me:request({ method = "POST", path = "/" }).status end
            function S.server.request(desk)
                local function ask() return desk:request({ url = desk.options.hook, method = "POST" }) end
                \(body)
                return 204
            end
            local hooks = system { name = "hooks", events = {} }
            function hooks.server.request() return 503 end
            return { S, hooks }
            """, to: "Scenarios/platform.lua")
        try folder.write(
            """
            local platform, hooks = table.unpack(require "platform")
            workload { executor = "per_vu_iterations", users = 2, iterations = 2, max_duration = "1m",
                thresholds = { "rate(failures) == 0" } }
            scenario("tells", function(t)
                local hook = t:server(hooks, { shared = true }).url .. "/hook"
                local desk = t:server(platform, { shared = true, hook = hook })
                expect(t:actor(platform, { server = desk }):tell(), 204)
            end)
            """, to: "Scenarios/play.lua")
        let run = try await ToolRun(
            ["load", "Scenarios/play.lua", "--clock", "virtual", "--seed", "3"], in: folder.path)
        #expect(run.status == status, "\(run.output)\(run.error)")
        let told = "Platform: POST /hook answered 503, and nothing asked whether that is ok"
        #expect(run.output.contains(told) == (status == .failed), "\(run.output)")
    }

    @Test("everybody talks to one server, and what is said is accounted for", arguments: ["virtual", "real"])
    func shared(clock: String) async throws {
        let folder = try TemporaryFolder()
        try OwnSystem.write(Self.load, to: folder)
        let run = try await ToolRun(
            ["load", "Scenarios/play.lua", "--clock", clock, "--seed", "3"], in: folder.path)
        // Whether the machine was fit for it is another question in real time.
        if clock == "virtual" { #expect(run.status == .success, "\(run.output)\(run.error)") }
        #expect(run.output.contains("40 iterations of 40 planned"), "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        #expect(totals.measurements.histogram(of: "failures").sum == 0)
        #expect(totals.measurements.histogram(of: "delivery").count == 80)
    }
}
