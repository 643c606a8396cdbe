import Machines
import RunRecord
import Testing
import Transport

@testable import Scenario

@Suite("Blocks of scenarios that can be passed over")
struct DeclarationBlockTests {
    private static func scenarios(_ names: some Sequence<Int>) -> String {
        names.map { "scenario(\"s\($0)\", function(t) end)" }.joined(separator: "\n")
    }

    @Test("two scenarios in a row become a block, and no line moves")
    func two() {
        #expect(
            DeclarationBlocks.blocked(
                "local x = 1\nscenario(\"a\", f) -- first\n\nscenario(\"b\", { tags = { 'x' } }, f)\n")
                == "local x = 1\nif _declares(scenario, 2) then scenario(\"a\", f) -- first\n\n"
                + "scenario(\"b\", { tags = { 'x' } }, f) end\n")
    }

    @Test("more than eight in a row become a tree of blocks")
    func tree() throws {
        let text = try #require(DeclarationBlocks.blocked(Self.scenarios(1...70)))
        #expect(text.hasPrefix("if _declares(scenario, 64) then if _declares(scenario, 8) then scenario(\"s1\""))
        #expect(text.contains("\nif _declares(scenario, 6) then if _declares(scenario, 6) then scenario(\"s65\""))
        #expect(text.split(separator: "\n").count == 70)
        #expect(text.matches(of: /_declares/).count == 11)
    }

    @Test(
        "what stands between two scenarios keeps them out of one block",
        arguments: [
            "local x = 1", "helper()", "before_each(function(t) end)", "x = x + 1", "for i = 1, 2 do end", "do end",
            "::label::", "print \"x\"",
        ])
    func between(statement: String) {
        #expect(DeclarationBlocks.blocked("\(Self.scenarios([1]))\n\(statement)\n\(Self.scenarios([2]))") == nil)
    }

    @Test(
        "a scenario whose arguments do something is always declared",
        arguments: [
            "scenario(name(), f)", "scenario(\"a\" .. next{}, f)", "scenario(t.name, f)", "scenario(t[1], f)",
            "scenario(\"a\", { rows = read \"x\" }, f)", "scenario(\"a\", f)(1)", "scenario(\"a\", f):also()",
            "scenario(\"a\", wrap(function(t) end))", "scenario(\"a\", ...)", "scenario \"a\"",
            "local y = scenario(\"a\", f)",
            "x.scenario(\"a\", f)", "x:scenario(\"a\", f)", "function scenario(a) end", "x = { scenario = 1 }",
        ])
    func doing(call: String) {
        #expect(DeclarationBlocks.blocked("\(call)\n\(call)\n") == nil)
    }

    @Test("what looks like a scenario in texts and comments is none, and what is in functions is passed over")
    func texts() {
        let source = """
            --[[ scenario("x", f)
            scenario("y", f) ]]
            local a = [==[ scenario("x", f) ]] scenario("y", f) ]==]
            local b = "scenario(\\"x\\", f) scenario(\\"y\\", f)" -- scenario("x", f)
            scenario("a", function(t)
                if a then repeat local f = function() return "end" end until not b end
                while true do break end
                for _ = 1, 2 do end -- end
            end)
            scenario("b", function(t) return 0x1p-3, 1e+5, 'it''s' end)
            """
        let text = DeclarationBlocks.blocked(source.replacing("'it''s'", with: "'it\\'s'"))
        #expect(text?.contains("\nif _declares(scenario, 2) then scenario(\"a\"") == true)
        #expect(text?.hasSuffix("'it\\'s' end) end") == true)
    }

    @Test("scenarios in a group become blocks of their own")
    func groups() {
        let text = DeclarationBlocks.blocked("group(\"g\", function()\n\(Self.scenarios(1...3))\nend)")
        #expect(text?.hasPrefix("group(\"g\", function()\nif _declares(scenario, 3) then scenario(\"s1\"") == true)
        #expect(text?.hasSuffix("scenario(\"s3\", function(t) end) end\nend)") == true)
    }

    // MARK: Playing

    /// Plays all scenarios of a file, and returns what each has logged.
    private func logs(of source: String) throws -> [String] {
        let settings = PlaySettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1)
        let suite = ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings)
        #expect(suite.errors.isEmpty)
        let engine = ScriptEngine()
        defer { engine.close() }
        return suite.members.map { member in
            let worker = Worker()
            var logged: [String] = []
            var end: ScenarioEnd?
            let play = ScenarioPlay(
                member.definition, attempt: member.attempt(1), settings: settings, worker: worker,
                network: MemoryNetwork(scheduler: worker), engine: engine,
                emit: { entry in
                    if case .happened(_, _, .logged(_, let text)) = entry { logged.append(text) }
                }, onEnd: { end = $0 })
            play.start(member.file)
            _ = worker.runVirtually { end != nil }
            #expect(end?.outcome == .passed)
            return logged.joined(separator: " ")
        }
    }

    @Test("each scenario of a file is played, whichever blocks it stands in", arguments: [2, 8, 9, 65, 130])
    func each(count: Int) throws {
        let source = (1...count).map { "scenario(\"s\($0)\", function(t) log.info(\"\($0)\") end)" }
            .joined(separator: "\n")
        #expect(try self.logs(of: source) == (1...count).map(String.init))
    }

    @Test("what stands between blocks is run for each scenario, groups and hooks with it")
    func mixed() throws {
        let source = """
            local n = 0
            local function count() n = n + 1 return n end
            scenario("a", function(t) log.info("a " .. n) end)
            scenario("b", function(t) log.info("b " .. n) end)
            count()
            group("g", function()
                before_each(function(t) log.info "before" end)
                scenario("c", function(t) log.info("c " .. n) end)
                scenario("d", { rows = { { x = 1 }, { x = 2 } } }, function(t) log.info("d " .. t.row.x) end)
                scenario("e", function(t) log.info("e " .. n) end)
            end)
            count()
            for i = 1, 2 do scenario("f" .. i, function(t) log.info("f " .. i .. n) end) end
            scenario("g", function(t) log.info("g " .. n) end)
            scenario("h", function(t) log.info("h " .. n) end)
            after_each(function(t) log.info "after" end)
            """
        #expect(
            try self.logs(of: source) == [
                "a 2 after", "b 2 after", "before c 2 after", "before d 1 after", "before d 2 after",
                "before e 2 after", "f 12 after", "f 22 after", "g 2 after", "h 2 after",
            ])
    }

    @Test("a script that puts something of its own in the place of scenario is asked for every scenario")
    func replaced() throws {
        let source = """
            local stock, calls = scenario, 0
            function scenario(name, body)
                calls = calls + 1
                local number = calls
                stock(name, function(t) body(t, number) end)
            end
            scenario("a", function(t, number) log.info("a " .. number) end)
            scenario("b", function(t, number) log.info("b " .. number) end)
            scenario("c", function(t, number) log.info("c " .. number) end)
            """
        #expect(try self.logs(of: source) == ["a 1", "b 2", "c 3"])
    }
}
