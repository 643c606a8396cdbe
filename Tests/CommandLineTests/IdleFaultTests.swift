import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("Faults that a script orders and that strike nothing")
struct IdleFaultTests {
    private static let chat = """
        local boldchat = require "boldchat"
        local desk, visitor = t:server(boldchat), t:actor(boldchat)
        local function begin()
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
        end

        """

    @Test(
        "are a mistake of the script, whichever system was asked for them",
        arguments: [
            (
                Self.chat + "desk:fail_next(\"finishChat\", \"No\")\nbegin()",
                "server:fail_next(\"finishChat\") has struck"
            ),
            (
                Self.chat + "begin()\ndesk:delay_next(\"createChat\", \"1s\", 3)",
                "server:delay_next(\"createChat\") has"
            ),
            (
                Self.chat + "desk:break_next(\"socket\", \"drop\")\nvisitor:check_availability()\n"
                    + "visitor:expect \"available\"", "server:break_next(\"socket\") has struck nothing"
            ),
            (
                """
                local livelike = require "livelike"
                local service = t:server(livelike)
                local ada = t:actor(livelike, { roomID = "lobby" })
                ada:connect()
                ada:expect "connected"
                service:fail_next("/report-message", 500)
                """, "server:fail_next(\"/report-message\") has struck nothing"
            ),
            (
                """
                local server = t:server(require "liveassist")
                server:refuse_handshakes(2)
                expect(server.sessions, {})
                """, "server:refuse_handshakes() has struck nothing"
            ),
        ])
    func idle(body: String, message: String) async throws { try await Trap(body, .error, message).expect() }

    @Test("are told with the line that ordered them, each of several")
    func lines() async throws {
        let end = try await Trap.end(
            of: Self.chat + """
                desk:fail_next("createChat", "Not now")
                desk:fail_next("createChat", "Not then")
                desk:fail_next("finishChat", "No")
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect "error"
                """)
        let lines = end.problems.compactMap(\.line)
        #expect(lines.count == 2 && lines.last == lines.first.map { $0 + 1 }, "\(end.problems)")
        #expect(end.problems.allSatisfy { $0.message.contains("has struck nothing") }, "\(end.problems)")
    }

    @Test(
        "are none if one of several answers was struck, if they are struck by what ends the chat, and if they are taken back",
        arguments: [
            Self.chat + "desk:fail_next(\"createChat\", \"No\", 3)\nvisitor:create_chat()\nvisitor:expect \"error\"",
            Self.chat + "begin()\ndesk:delay_next(\"*\", \"10ms\")\nvisitor:end_session()",
            """
            local server = t:server(require "liveassist")
            server:refuse_handshakes(2)
            server:refuse_handshakes(0)
            expect(server.sessions, {})
            """,
            Self.chat + "begin()\nvisitor:end_session()\ndesk:block_sockets()",
        ])
    func struck(body: String) async throws {
        let end = try await Trap.end(of: body)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test("say nothing more about a scenario that fails anyway, or that is skipped")
    func failed() async throws {
        let order = Self.chat + "desk:fail_next(\"finishChat\", \"No\")\n"
        let failed = try await Trap.end(of: order + "expect(1, 2)")
        #expect(failed.outcome == .failed && failed.problems.count == 1, "\(failed.problems)")
        let skipped = try await Trap.end(of: order + "t:skip \"not today\"")
        #expect(skipped.outcome == .skipped(reason: "not today"), "\(skipped.problems)")
    }

    @Test(
        "are judged by a server in another process, too, where what has struck is none",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
    func served() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local boldchat = require "boldchat"
            local function refused(t, desk)
                local visitor = t:actor(boldchat)
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect "error"
            end
            scenario("struck", function(t)
                local desk = t:server(boldchat)
                desk:fail_next("createChat", "No")
                refused(t, desk)
            end)
            scenario("idle", function(t)
                local desk = t:server(boldchat)
                desk:fail_next("createChat", "No")
                desk:fail_next("submitPreChat", "No")
                refused(t, desk)
            end)
            """, to: "served.lua")
        let server = try ToolProcess(["serve", "--port", "0"], in: folder.path)
        defer { server.send(SIGKILL) }
        let run = try await ToolRun(["test", "served.lua", "--target", try server.controlURL()], in: folder.path)
        let outcomes = try run.outcomes
        #expect(outcomes["struck"] == .passed, "\(run.output)")
        #expect(outcomes["idle"] == .error, "\(run.output)")
        #expect(run.output.contains("server:fail_next(\"submitPreChat\") has struck nothing"), "\(run.output)")
        #expect(!run.output.contains("server:fail_next(\"createChat\")"), "\(run.output)")
        #expect(run.output.contains("served.lua:15"), "\(run.output)")
    }

    @Test("of a server that all users of a load test share are judged at the end of the run")
    func shared() async throws {
        func play(_ last: String) async throws -> ToolRun {
            try await ToolRun.load(
                """
                local boldchat = require "boldchat"
                workload { executor = "per_vu_iterations", users = 3, iterations = 2 }
                scenario("refused", function(t)
                    local desk, visitor = t:server(boldchat, { shared = true }), t:actor(boldchat)
                    desk:fail_next("createChat", "No")
                    visitor:create_chat { skip_pre_chat = true }
                    visitor:expect "error"
                    \(last)
                end)
                """
            ).run
        }
        let struck = try await play("")
        #expect(struck.status == .success, "\(struck.output)\(struck.error)")
        let idle = try await play("desk:fail_next(\"submitPreChat\", \"No\")")
        #expect(idle.status == .script, "\(idle.output)\(idle.error)")
        #expect(idle.output.contains("server:fail_next(\"submitPreChat\") has struck nothing"), "\(idle.output)")
        #expect(idle.output.contains("load.lua:8"), "\(idle.output)")
    }
}
