import CommandLine
import Testing

@Suite("Simulated servers to which nothing may come that the scenario does not expect")
struct StrictServerTests {
    /// Plays a scenario whose server of HTTP is called twice where the scenario is about one call.
    private static func play(
        _ options: String, _ body: String, declaration: String = "", command: [String] = ["test", "a.lua"]
    ) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local http = require "http"
            scenario("orders", { \(declaration) }, function(t)
                local shop = t:server(http, { answers = { { status = 204 } }, \(options) })
                local bot = t:actor(http)
                local function order()
                    bot:post("/orders", { item = "umbrella" })
                    bot:expect("response", { status = 204 })
                end
                \(body)
            end)
            """, to: "a.lua")
        return try await ToolRun(command, in: folder.path)
    }

    private static let named = "local peer = shop:peer 'till' order() peer:expect 'request' order()"

    @Test(
        "a request too many fails the scenario, whoever hears of it, and none does elsewhere",
        arguments: [
            (named, "till observed an event that nothing expected, first #2 request, which repeats #1"),
            ("order() order()", "peer observed 2 events that nothing expected, first #1 request"),
            // From when it is named on, a party hears what came to the unnamed one before.
            (
                "t:allow('request', { path = '/early' }) bot:get '/early' bot:expect 'response' "
                    + "local till = shop:peer 'till' order() till:expect 'request' order()",
                "till observed an event that nothing expected, first #2 request"
            ),
            // Who comes later may look, and the first has to expect.
            (
                "local till, desk = shop:peer 'till', shop:peer 'desk' order() desk:expect 'request'",
                "till observed an event that nothing expected, first #1 request"
            ),
        ], [[], ["--clock", "real"]] as [[String]])
    func requests(play: (body: String, message: String), clock: [String]) async throws {
        let run = try await Self.play("strict = true", play.body, command: ["test", "a.lua"] + clock)
        #expect(run.status == .failed, "\(run.account)")
        #expect(run.output.contains(play.message), "\(run.account)")
        for options in ["", "strict = false"] {
            let run = try await Self.play(options, play.body, command: ["test", "a.lua"] + clock)
            #expect(run.status == .success, "\(run.account)")
        }
    }

    @Test(
        "what is expected or allowed passes, and so does a request that its caller leaves",
        arguments: [
            ("local peer = shop:peer 'till' order() peer:expect 'request' order() peer:expect 'request'", ""),
            ("order() order()", "allow = { 'request' }"), ("t:allow('request', { path = '/orders' }) order()", ""),
            (
                "local peer = shop:peer 'till' shop:answer { pieces = { 'a' }, drop_after = 9, after = '1h' } "
                    + "bot:get '/later' peer:expect 'request' bot:cancel() wait '1s'", "allow = { 'error' }"
            ),
        ])
    func expected(body: String, declaration: String) async throws {
        let run = try await Self.play("strict = true", body, declaration: declaration)
        #expect(run.status == .success, "\(run.account)")
    }

    @Test("each user of a load test is judged by what comes to the user's own server, and a shared one is refused")
    func load() async throws {
        let command = ["load", "a.lua", "--users", "2", "--iterations", "4", "--clock", "virtual", "--seed", "1"]
        let good = try await Self.play("strict = true", "t:allow 'request' order() order()", command: command)
        #expect(good.status == .success, "\(good.account)")
        let bad = try await Self.play("strict = true", Self.named, command: command)
        #expect(bad.status == .failed, "\(bad.account)")
        #expect(bad.output.contains("till observed an event that nothing expected"), "\(bad.account)")
        let shared = try await Self.play("strict = true, shared = true", "order()", command: command)
        #expect(shared.status != .success)
        #expect(shared.account.contains("leave strict or shared out"), "\(shared.account)")
        let alone = try await Self.play("strict = true, shared = true", "t:allow 'request' order()")
        #expect(alone.status == .success, "\(alone.account)")
    }

    @Test("a frame too many fails the scenario, and neither does a connection nor its end")
    func frames() async throws {
        for (options, status) in [("strict = true", ToolStatus.failed), ("", .success)] {
            for count in 1...2 {
                let folder = try TemporaryFolder()
                try folder.write(
                    """
                    local websocket = require "websocket"
                    scenario("says", function(t)
                        local peer = t:server(websocket, { \(options) }):peer "peer"
                        local bot = t:actor(websocket)
                        bot:connect()
                        bot:expect "connected"
                        for number = 1, \(count) do bot:send("message " .. number) end
                        peer:expect("frame", { text = "message 1" })
                        wait "1s"
                        bot:close()
                        wait "1s"
                    end)
                    """, to: "a.lua")
                let run = try await ToolRun(["test", "a.lua"], in: folder.path)
                #expect(run.status == (count == 1 ? .success : status), "\(run.account)")
                if run.status == .failed {
                    #expect(run.output.contains("peer observed an event that nothing expected, first #3 frame"))
                }
            }
        }
    }
}
