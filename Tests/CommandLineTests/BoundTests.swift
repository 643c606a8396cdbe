import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("What is held for a scenario")
struct BoundTests {
    private static func run(_ body: String, limits: String = "held_memory = 8") async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write("return { limits = { \(limits) } }", to: "repartee.lua")
        try folder.write(
            """
            local websocket = require "websocket"
            scenario("much", function(t)
            \(body)
            end)
            scenario("after it", function() end)
            """, to: "s.lua")
        return try await ToolRun(["test", "s.lua", "--seed", "1"], in: folder.path)
    }

    @Test(
        "A script for which too much is held ends with an error that says what and where",
        arguments: [
            ("for i = 1, 1000 do print(('x'):rep(100000)) end", "log lines"),
            ("for i = 1, 1000 do pcall(print, ('x'):rep(100000)) end", "log lines"),
            ("for i = 1, 100000 do check(1, 2) end", "failures that the scenario went on after"),
            ("for i = 1, 100000 do spawn(function() wait '1h' end) end", "spawned functions"),
        ])
    func script(body: String, purpose: String) async throws {
        let run = try await Self.run(body)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("the scenario made the tool hold more than 8 MB: "), "\(run.output)")
        #expect(run.output.contains(purpose))
        #expect(run.output.contains("limits.held_memory in repartee.lua raises the limit"))
        #expect(run.output.contains("s.lua:3"))
        #expect(try run.outcomes["after it"] == .passed)
    }

    @Test("So does one that sends without waiting")
    func sending() async throws {
        let run = try await Self.run(
            """
                local s = t:server(websocket)
                local c = t:actor(websocket)
                c:connect()
                c:expect "connected"
                for i = 1, 1000 do c:send(('x'):rep(100000)) end
            """)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("the scenario made the tool hold more than 8 MB: "), "\(run.output)")
        #expect(run.output.contains("s.lua:7"))
    }

    @Test(
        "A server that sends more than can be held ends the scenario",
        arguments: ["('x'):rep(300000)", "'[' .. ('1,'):rep(150000) .. '1]'"])
    func flood(text: String) async throws {
        let run = try await Self.run(
            """
                local s = t:server(websocket)
                local p = s:peer "peer"
                local c = t:actor(websocket)
                c:connect()
                c:expect "connected"
                for i = 1, 40 do p:send(\(text)) wait "10ms" end
            """)
        #expect(run.status == .harness || run.status == .script, "\(run.output)")
        #expect(run.output.contains("the scenario made the tool hold more than 8 MB: "), "\(run.output)")
    }

    @Test("Letters that nobody takes have a limit in bytes; those that are taken weigh nothing any more")
    func letters() async throws {
        let full = try await Self.run("for i = 1, 1000 do mailbox.send('m', ('x'):rep(100000)) end")
        #expect(full.status == .script)
        #expect(
            full.output.contains("the mailboxes hold 7 MB of letters that nobody takes, and \"m\" is to get one more"))
        let taken = try await Self.run(
            """
                mailbox.send('m', 'first')
                for i = 1, 1000 do mailbox.send('m', ('x'):rep(100000)) mailbox.receive('m') end
                expect(#mailbox.receive('m'), 100000)
            """)
        #expect(taken.status == .success, "\(taken.output)")
    }

    @Test("What a server's handler returned is not held once it was answered with")
    func handlers() async throws {
        // Each table weighs 200 KB, and all of them together four times what a script may have.
        let run = try await Self.run(
            """
                local http = require "http"
                t:server(http, { handler = function(request)
                    return setmetatable({ json = {} }, { ballast = ("x"):rep(200000) .. request.path })
                end })
                local visitor = t:actor(http)
                for i = 1, 1200 do visitor:get("/" .. i) visitor:expect "response" end
            """)
        #expect(run.status == .success, "\(run.output)")
    }

    @Test("Twenty thousand functions that wait are all joined")
    func threads() async throws {
        let run = try await Self.run(
            """
                local all = {}
                for i = 1, 20000 do all[i] = spawn(function() wait '1s' return i end) end
                for i = 1, 20000 do expect(join(all[i]), i) end
            """, limits: "held_memory = 256")
        #expect(run.status == .success, "\(run.output)")
    }
}
