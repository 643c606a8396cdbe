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

    /// What opens a run of so many scenarios.
    private static func run(of count: Int) -> String {
        "do local _declares_first, _declares_last = _declares(scenario, \(count)) "
    }

    /// What opens a block of the scenarios with these numbers.
    private static func block(_ first: Int, _ last: Int) -> String {
        "if _declares_first <= \(last) and \(first) <= _declares_last then "
    }

    @Test("two scenarios in a row become blocks of a run, and no line moves")
    func two() {
        #expect(
            DeclarationBlocks.blocked(
                "local x = 1\nscenario(\"a\", f) -- first\n\nscenario(\"b\", { tags = { 'x' } }, f)\n")
                == "local x = 1\n\(Self.run(of: 2))\(Self.block(1, 1))scenario(\"a\", f) end -- first\n\n"
                + "\(Self.block(2, 2))scenario(\"b\", { tags = { 'x' } }, f) end end\n")
    }

    @Test("more than eight in a row become a tree of blocks")
    func tree() throws {
        let text = try #require(DeclarationBlocks.blocked(Self.scenarios(1...70)))
        #expect(
            text.hasPrefix(
                Self.run(of: 70) + Self.block(1, 64) + Self.block(1, 8) + Self.block(1, 1) + "scenario(\"s1\""))
        #expect(
            text.contains("\n" + Self.block(65, 70) + Self.block(65, 70) + Self.block(65, 65) + "scenario(\"s65\""))
        #expect(text.hasSuffix("scenario(\"s70\", function(t) end) end end end end"))
        #expect(text.split(separator: "\n").count == 70)
        #expect(text.matches(of: /if _declares_first/).count == 2 + 9 + 70)
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
        #expect(text?.contains("\n" + Self.run(of: 2) + Self.block(1, 1) + "scenario(\"a\"") == true)
        #expect(text?.hasSuffix("'it\\'s' end) end end") == true)
    }

    @Test("scenarios in a group become blocks of their own")
    func groups() {
        let text = DeclarationBlocks.blocked("group(\"g\", function()\n\(Self.scenarios(1...3))\nend)")
        #expect(
            text?.hasPrefix("group(\"g\", function()\n" + Self.run(of: 3) + Self.block(1, 1) + "scenario(\"s1\"")
                == true)
        #expect(text?.hasSuffix("scenario(\"s3\", function(t) end) end end\nend)") == true)
    }

    @Test("a loop over numbers that only declares is asked which passes it has to make, and no line moves")
    func loop() {
        #expect(
            DeclarationBlocks.blocked("for i = 1, #names do -- all\n    scenario(\"a\" .. i, f)\nend\nx()")
                == "do local _declares_first, _declares_last, _declares_step = _declares_passes(scenario, 1,  1, #names "
                + ") for i = _declares_first, _declares_last, _declares_step do -- all\n    scenario(\"a\" .. i, f)\n"
                + "end end\nx()")
        let two = DeclarationBlocks.blocked(
            "for i = 9, 1, -2 do scenario(\"a\" .. i, f); scenario(\"b\" .. i, f); end")
        #expect(two?.contains("_declares_passes(scenario, 2,  9, 1, -2 )") == true)
        #expect(two?.contains(" do " + Self.run(of: 2) + Self.block(1, 1) + "scenario(\"a\"") == true)
        #expect(two?.hasSuffix("scenario(\"b\" .. i, f) end end; end end") == true)
    }

    @Test(
        "a loop that does anything else, or whose numbers are called for, makes all its passes",
        arguments: [
            "for i = 1, 9 do local x = i scenario(\"a\" .. i, f) end", "for i = 1, 9 do end",
            "for i = 1, 9 do scenario(\"a\" .. i, f) break end", "for i = 1, 9 do scenario(name(i), f) end",
            "for i = 1, count() do scenario(\"a\" .. i, f) end", "for i = 1, count\"x\" do scenario(\"a\" .. i, f) end",
            "for i = 1, (...) do scenario(\"a\" .. i, f) end", "for i = 1, ... do scenario(\"a\" .. i, f) end",
            "for i, name in ipairs(names) do scenario(name, f) end", "for i\n= 1, 9 do scenario(\"a\" .. i, f) end",
            "for i = 1, 9 do for j = 1, 9 do x() end scenario(\"a\" .. i, f) end",
        ])
    func otherLoops(loop: String) {
        #expect(DeclarationBlocks.blocked(loop) == nil)
    }

    // MARK: Playing

    /// Plays all scenarios of a file, and returns what each has logged.
    private func logs(of source: String) throws -> [String] {
        let settings = ExecutionSettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1)
        let suite = ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings)
        #expect(suite.errors.isEmpty)
        let engine = ScriptEngine()
        defer { engine.close() }
        return suite.members.map { member in
            let worker = Worker()
            var logged: [String] = []
            var end: ScenarioEnd?
            let execution = ScenarioExecution(
                member.definition, attempt: member.attempt(1), settings: settings, worker: worker,
                network: MemoryNetwork(scheduler: worker), engine: engine,
                emit: { entry in
                    if case .happened(_, _, .logged(_, let text)) = entry { logged.append(text) }
                }, onEnd: { end = $0 })
            execution.start(member.file)
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

    @Test("a scenario is found among hundreds with one question, and no other one is declared on the way")
    func questions() throws {
        // What stands in the options of a scenario is only built where that is declared. A negated table runs Lua
        // without a call, which would keep the scenario out of a block.
        let source =
            "local built = 0\nlocal mark = setmetatable({}, { __unm = function() built = built + 1 return nil end })\n"
            + (1...300).map { "scenario(\"s\($0)\", { tags = -mark }, function(t) log.info(built) end)" }
            .joined(separator: "\n")
        #expect(DeclarationBlocks.blocked(source)?.matches(of: /_declares\(/).count == 1)
        #expect(try self.logs(of: source) == [String](repeating: "1", count: 300))
    }

    @Test(
        "a scenario of a loop is found without a pass of any other",
        arguments: ["1, 300", "300, 1, -1", "-600, -1, 2", "1, 899, 3", "1, 300.0", "1.0, 300"])
    func passes(numbers: String) throws {
        let source = """
            local built = 0
            local mark = setmetatable({}, { __unm = function() built = built + 1 return nil end })
            for i = \(numbers) do scenario("s" .. i, { tags = -mark }, function(t) log.info(built) end) end
            """
        let logs = try self.logs(of: source)
        // Which passes there are is only known where all numbers are integers.
        #expect(logs == (1...300).map { numbers.contains(".") ? "\($0)" : "1" })
    }

    @Test("scenarios in loops and beside them are each played once, with the numbers of their passes")
    func loops() throws {
        let source = """
            scenario("first", function(t) log.info "first" end)
            for i = 1, 3 do
                scenario("a" .. i, function(t) log.info("a" .. i) end)
                scenario("b" .. i, function(t) log.info("b" .. i) end)
            end
            for i = 3, 1 do scenario("none" .. i, function(t) end) end
            for i = 1, 2 do for j = i, 2 do scenario("c" .. i .. j, function(t) log.info("c" .. i .. j) end) end end
            group("g", function()
                for i = 2, 0, -2 do scenario("d" .. i, function(t) log.info("d" .. i) end) end
                after_each(function(t) log.info "after" end)
            end)
            scenario("last", function(t) log.info "last" end)
            """
        #expect(
            try self.logs(of: source) == [
                "first", "a1", "b1", "a2", "b2", "a3", "b3", "c11", "c12", "c22", "d2 after", "d0 after", "last",
            ])
    }

    @Test(
        "a loop whose numbers are none fails as it does in any other Lua",
        arguments: [
            ("1, nil", "bad 'for' limit (number expected, got nil)"), ("1, 9, 0", "'for' step is zero"),
            ("'x', 9", "bad 'for' initial value (number expected, got string)"),
        ])
    func wrongNumbers(numbers: String, message: String) throws {
        let settings = ExecutionSettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1)
        let source = "\nfor i = \(numbers) do scenario(\"a\" .. i, function(t) end) end"
        let suite = ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings)
        #expect(suite.members.isEmpty)
        let error = try #require(suite.errors.first)
        #expect(error.message.contains(message) && error.line == 2, "\(error)")
    }

    @Test(
        "a question that no block asks is refused or has no effect",
        arguments: [
            ("_declares(scenario, -1)", false), ("_declares(scenario, 1 << 62)", false),
            ("_declares_passes(scenario, 0, 1, 9)", false), ("_declares_passes(scenario, 1, 1, 9, 0)", true),
            ("_declares_passes(scenario, 1, math.mininteger, math.maxinteger)", true),
            ("_declares_passes(scenario, 1, math.maxinteger, math.mininteger, -1)", true),
        ])
    func hostile(question: String, isPassed: Bool) throws {
        let settings = ExecutionSettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1)
        let source = "\(question)\nscenario(\"a\", function(t) log.info \"a\" end)"
        let suite = ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings)
        #expect(suite.errors.isEmpty == isPassed)
        if isPassed { #expect(try self.logs(of: source) == ["a"]) }
    }
}
