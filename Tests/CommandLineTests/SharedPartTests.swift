import CommandLine
import Testing

@Suite("What several scenarios share is judged like a scenario")
struct SharedPartTests {
    private func play(_ source: String) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write("local websocket = require \"websocket\"\n\(source)", to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--seed", "1"], in: folder.path)
    }

    /// A client whose handshake is refused, which is an event that nothing expects.
    private static let refused =
        "t:server(websocket, { refuse = 503 }) local client = t:actor(websocket) client:connect() wait \"1s\""

    @Test(
        "Events that nothing expected fail what scenarios share",
        arguments: [
            "before_all(function(t) \(Self.refused) end)",
            "fixture(\"login\", { scope = \"file\" }, function(t) \(Self.refused) return { token = \"t\" } end)",
        ])
    func leftovers(part: String) async throws {
        let use = part.hasPrefix("fixture") ? "t:use \"login\"" : ""
        let run = try await self.play("\(part)\nscenario(\"plays\", function(t) \(use) expect(1, 1) end)")
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("observed an event that nothing expected"), "\(run.output)")
    }

    @Test("A rule that before_all declares is judged at the end of what is shared")
    func rules() async throws {
        let run = try await self.play(
            """
            before_all(function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                t:eventually("frame", { text = "never sent" })
            end)
            scenario("plays", function(t) expect(1, 1) end)
            """)
        #expect(run.status == .failed, "\(run.output)")
    }

    @Test("A mistake in a handler of a server that before_all has started is told, though the hook has ended")
    func handlers() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system {
                name = "desk", client = "visitor", options = { at = "string" },
                events = { message = { text = "string" } },
            }
            function S.commands.connect(me)
                me.link = me:open { url = me.options.at:gsub("^http", "ws") }
                me:wait "open"
            end
            function S.commands.say(me, text) me.link:send(text) end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.server.text(desk, client, text)
                if text == "break" then error "the desk is broken" end
                client:send(text)
            end
            before_all(function(t) return { at = t:server(S).url } end)
            for _, text in ipairs { "break", "hello" } do
                scenario(text, function(t)
                    local ada = t:actor(S, { at = t.shared.at })
                    ada:connect()
                    ada:say(text)
                    if text == "hello" then ada:expect "message" else ada:expect_silence("1s", "message") end
                end)
            end
            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--seed", "1", "--clock", "real"], in: folder.path)
        #expect(run.status != .success && run.output.contains("the desk is broken"), "\(run.output)")
        #expect(run.output.contains("✓ hello"), "\(run.output)")
        let fine = try await ToolRun(
            ["test", "a.lua", "--seed", "1", "--clock", "real", "--filter", "hello"], in: folder.path)
        #expect(fine.status == .success, "\(fine.output)")
    }

    @Test("A part that skips itself skips the scenarios that need it", arguments: [false, true])
    func skipped(isFixture: Bool) async throws {
        let run = try await self.play(
            isFixture
                ? "fixture(\"account\", { scope = \"file\" }, function(t) t:skip \"no account\" end)\n"
                    + "scenario(\"needs it\", function(t) t:use \"account\" expect(1, 2) end)"
                : "before_all(function(t) t:skip \"no account\" end)\n"
                    + "scenario(\"needs it\", function(t) expect(1, 2) end)")
        #expect(run.status == .nothingToRun, "\(run.output)")
        #expect(run.output.contains("no account"), "\(run.output)")
    }

    @Test(
        "What is skipped once it was made and used is an error",
        arguments: [
            "after_all(function(t) t:skip \"late\" end)\nscenario(\"s\", function(t) expect(1, 1) end)",
            "fixture(\"account\", { scope = \"file\" }, function(t) t:defer(function() t:skip \"late\" end) return {} end)\n"
                + "scenario(\"s\", function(t) t:use \"account\" expect(1, 1) end)",
        ])
    func skippedLate(source: String) async throws {
        let run = try await self.play(source)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("cannot be skipped any more"), "\(run.output)")
    }

    @Test("Two before_all hooks cannot return the same name, and others become one table")
    func names() async throws {
        func source(_ second: String) -> String {
            """
            before_all(function(t) return { room = 1 } end)
            before_all(function(t) return { \(second) = 2 } end)
            scenario("s", function(t) expect(t.shared.room, 1) expect(t.shared.desk, 2) end)
            """
        }
        let both = try await self.play(source("desk"))
        #expect(both.status == .success, "\(both.output)")
        let twice = try await self.play(source("room"))
        #expect(twice.status == .script, "\(twice.output)")
        #expect(twice.output.contains("two before_all hooks return a member \"room\""), "\(twice.output)")
    }

    @Test("What before_all returned is read as a table is, and a scenario assigns nothing to it")
    func reading() async throws {
        let run = try await self.play(
            """
            before_all(function() return { count = 1, list = { 2, 3 } } end)
            scenario("reads", function(t)
                local names = {}
                for name, value in pairs(t.shared) do names[#names + 1] = name end
                table.sort(names)
                expect(names, { "count", "list" })
                expect(t.shared, { count = 1, list = { 2, 3 } })
                expect(t.shared.list[2], 3)
                expect(json.encode(t.shared), match.contains '"count":1')
                expect(t.shared.other, nil)
            end)
            scenario("assigns", function(t) t.shared.count = 7 end)
            """)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("✓ reads"), "\(run.output)")
        #expect(run.output.contains("nothing can be assigned to it"), "\(run.output)")
    }

    @Test("A server, or a module that returned nothing, is no system")
    func noSystem() async throws {
        let server = try await self.play(
            "scenario(\"s\", function(t) local desk = t:server(websocket) t:actor(desk) end)")
        #expect(
            server.output.contains(
                "t:actor takes a system first, and this is a server; t:actor(websocket, { server = … }) connects to one"
            ),
            "\(server.output)")
        let folder = try TemporaryFolder()
        try folder.write("local S = system { name = \"mod\", events = { hi = {} } }", to: "mod.lua")
        try folder.write("local S = require \"mod\"\nscenario(\"s\", function(t) t:actor(S) end)", to: "a.lua")
        let module = try await ToolRun(["test", "a.lua"], in: folder.path)
        try folder.write(
            "local S = require \"mod\"\nscenario(\"s\", function(t) expect(S.name, \"mod\") end)", to: "b.lua")
        let index = try await ToolRun(["test", "b.lua"], in: folder.path)
        #expect(
            index.output.contains(
                "boolean value (upvalue 'S'); require gives true for a module that returns nothing"), "\(index.output)")
        #expect(
            module.output.contains("not true, which require gives for a module that returns nothing"),
            "\(module.output)")
    }

    @Test("What before_all returns is a table of names")
    func values() async throws {
        let run = try await self.play(
            "before_all(function() return \"token-123\" end)\nscenario(\"s\", function() expect(1, 1) end)")
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("a hook returns a table, whose members are those of t.shared"), "\(run.output)")
    }
}
