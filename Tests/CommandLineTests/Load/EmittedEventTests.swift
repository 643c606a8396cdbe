import CommandLine
import Testing

/// What a system in Lua emits stays a text in a load test until somebody looks at it, and must be the same event.
@Suite("Events of a system in Lua, in a test and in a load test")
struct EmittedEventTests {
    /// Emits whatever its command is given.
    private static let system = """
        local S = system {
            name = "own",
            events = {
                said = {
                    text = "string", size = "integer?", share = "number?", open = "boolean?", json = "any?", more = "any?",
                },
                plain = { word = "one|two" },
            },
        }
        function S.server.text() end
        function S.commands.emits(me, kind, fields, raw) me:emit(kind, fields, raw) end

        """

    @Test(
        "scripts see the same members",
        arguments: [
            "emits({ text = 'hé' }) expect(said.text, 'hé') expect(said.size, nil) expect(said.raw, nil)",
            "emits({ text = 'x', size = 3, open = false }) expect(said.size, 3) expect(said.open, false)",
            "emits({ text = 'x', size = 3.0 }) expect(math.type(said.size), 'integer')",
            "emits({ text = 'x', share = 2.0 }) expect(math.type(said.share), 'float')",
            "emits({ text = 'x', share = 2 }) expect(math.type(said.share), 'integer')",
            "emits({ text = 'x', json = json.null }) expect(said.json, nil)",
            "emits({ text = 'x', json = { a = json.null, b = {} } }) expect(said.json.a, json.null)",
            "emits({ text = 'x', json = json.decode '[]' }) expect(json.encode(said.json), '[]')",
            "emits({ text = 'a\\0\\\\\"\\u{10FFFF}' }) expect(said.text, 'a\\0\\\\\"\\u{10FFFF}')",
            "local j = { 1, { 2 } } emits({ text = 'x', json = j }, j) expect(rawequal(said.raw, said.json), true)",
            "local j = { a = 1 } emits({ text = 'x', more = j, json = { 2 } }, j) expect(said.raw.a, 1)",
            "emits({ text = 'x' }, 'wire') expect(said.raw, 'wire')",
            "emits({ text = ('x'):rep(5000) }) expect(#said.text, 5000)",
        ])
    func members(body: String) async throws {
        let script = """
            workload { executor = "per_vu_iterations", users = 1, iterations = 1 }
            \(Self.system)
            scenario("emits", function(t)
                local user, said = t:actor(S), nil
                local function emits(...)
                    user:emits("said", ...)
                    said = user:expect "said"
                end
                \(body)
                user:emits("said", { text = "last", json = { n = 1 } })
                user:expect("said", { text = match.contains "as", json = { n = 1 } })
                user:emits("plain", { word = "two" })
                user:expect("plain", { word = "two" })
            end)
            """
        let (loaded, folder) = try await ToolRun.load(script)
        #expect(loaded.status == .success, "\(loaded.output)\(loaded.error)")
        let tested = try await ToolRun(["test", "load.lua"], in: folder.path)
        #expect(tested.status == .success, "\(tested.output)\(tested.error)")
    }
}
