import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("How scenarios go on")
struct FlowLibraryTests {
    @Test(
        "a wait takes as long as it says, in each way to write it",
        arguments: [
            ("\"250ms\"", 0.25), ("\"2s\"", 2), ("\"5m\"", 300), ("\"1h\"", 3600), ("1.5", 1.5), ("3", 3), ("0", 0),
            ("\"0s\"", 0),
        ] as [(String, Double)])
    func waits(duration: String, seconds: Double) throws {
        let run = try ScriptRun(
            """
            scenario("s", { timeout = "2h" }, function(t)
                wait(\(duration)) expect(now(), match.near(\(seconds), 0.001))
            end)
            """)
        #expect(run.messages == [])
    }

    private static let waitMistake = "wait takes a duration such as \"250ms\", \"2s\", \"5m\" or a number of seconds"

    @Test(
        "what is no duration is refused",
        arguments: [
            "", "nil", "\"\"", "\"2\"", "\"2 s\"", "\"2x\"", "\"-1s\"", "-1", "true", "{}", "1e300", "\"1e5s\"",
        ])
    func noDurations(duration: String) throws {
        #expect(try ScriptRun.mistake(in: "wait(\(duration))") == Self.waitMistake)
    }

    @Test("infinite numbers and those that are none are no durations")
    func infinite() throws {
        for number in ["0/0", "1/0", "-1/0"] {
            #expect(
                try ScriptRun.mistake(in: "wait(\(number))")?.hasPrefix("wait: argument 1 (duration) is not JSON")
                    == true)
        }
    }

    @Test("spawned functions go on beside the scenario, which ends when they have")
    func spawning() throws {
        let run = try ScriptRun(
            body: """
                local function worker(name, pause, count)
                    for number = 1, count do wait(pause) log.info(name .. number) end
                    return name
                end
                local slow, quick = spawn(worker, "slow", 3, 2), spawn(worker, "quick", 1, 3)
                log.info "first"
                log.info(join(quick) .. " at " .. math.tointeger(now() // 1))
                """)
        #expect(run.messages == [])
        #expect(run.logs == ["first", "quick1", "quick2", "slow1", "quick3", "quick at 3", "slow2"])
        #expect(run.seconds == 6)
    }

    @Test("join returns what the last of several returned, and fails as they do")
    func joining() throws {
        #expect(
            try ScriptRun.value(of: "join(spawn(function() wait(2) return 1 end), spawn(function() return 2 end))") == 2
        )
        let failure = try ScriptRun.failure(
            of: "local a = spawn(function() wait(1) t:fail \"broken\" end) pcall(join, a) wait(5)")
        #expect(failure == "broken")
        let mistake = try ScriptRun.mistake(in: "join(spawn(function() wait(1) error(\"broken\", 0) end))")
        #expect(mistake == "broken")
    }

    @Test("functions that join each other are told that none would go on")
    func joinRings() throws {
        #expect(
            try ScriptRun.mistake(in: "local a a = spawn(function() wait(1) join(a) end) join(a)")
                == "a function cannot join itself; let it return")
        #expect(
            try ScriptRun.mistake(
                in: """
                    local a, b, c
                    a = spawn(function() wait(1) join(b) end)
                    b = spawn(function() wait(2) join(c) end)
                    c = spawn(function() wait(3) join(a) end)
                    join(c)
                    """)
                == "neither function would go on: the one that is joined waits for the end of this one")
    }

    @Test("a thousand functions that join one another end, and what they wait for is told in a few words")
    func joinChains() throws {
        let chain = """
            local last = spawn(function() wait(10) end)
            for _ = 1, 2000 do local joined = last last = spawn(function() join(joined) end) end
            """
        #expect(try ScriptRun(body: chain + " join(last)").seconds == 10)
        let message = try #require(
            try ScriptRun(body: chain.replacing("wait(10)", with: "wait(1000)") + " join(last)").messages.first)
        #expect(message.utf8.count < 500, "\(message)")
    }

    @Test("a canceled thread does nothing more, by cancel and by the end of its block")
    func canceling() throws {
        let run = try ScriptRun(
            body: """
                local thread = spawn(function() wait(1) log.info "never" end)
                thread:cancel()
                thread:cancel()
                do
                    local inner <close> = spawn(function() while true do wait(1) log.info "tick" end end)
                    wait(2.5)
                end
                wait(5)
                """)
        #expect(run.messages == [])
        #expect(run.logs == ["tick", "tick"])
    }

    @Test(
        "nothing is held of functions that have ended without a value or were canceled; what others returned is",
        arguments: [
            ("spawn(function() end):join()", true),
            ("local one = spawn(function() wait(1) end) one:cancel() expect(one:join(), nil)", true),
            ("spawn(function() return 1 end):join()", false),
        ])
    func heldOutcomes(round: String, fits: Bool) throws {
        var project = ProjectConfiguration()
        project.heldMemoryLimit = 2 << 20
        let run = try MiniRun.play(
            "scenario(\"a\", function(t) for _ = 1, 20000 do \(round) end end)", MiniRun.settings(project))
        #expect(run.messages.isEmpty == fits, "\(run.messages)")
        if !fits { #expect(run.messages.first?.contains("2 MB of spawned functions") == true) }
    }

    @Test("threads meet at a barrier, and the last one lets all go on")
    func barriers() throws {
        let run = try ScriptRun(
            body: """
                local function user(pause) return function() wait(pause) barrier("start", 3) log.info(math.tointeger(now() // 1)) end end
                join(spawn(user(1)), spawn(user(2)), spawn(user(4)))
                """)
        #expect(run.messages == [])
        #expect(run.logs == ["4", "4", "4"])
    }

    @Test("letters are taken in the order in which they were left, by whoever waits first")
    func mailboxes() throws {
        let run = try ScriptRun(
            body: """
                local reader = spawn(function() for _ = 1, 3 do log.info(json.encode(mailbox.receive "box")) end end)
                wait(1)
                mailbox.send("box", { a = 1 })
                mailbox.send("box", "two")
                mailbox.send("other", "elsewhere")
                mailbox.send("box", nil)
                join(reader)
                log.info(mailbox.receive "other")
                """)
        #expect(run.messages == [])
        #expect(run.logs == ["{\"a\":1}", "\"two\"", "null", "elsewhere"])
    }

    @Test("steps stand in the record with their names, around what belongs to them, and give what the body gives")
    func steps() throws {
        let run = try ScriptRun(
            body: """
                local value = step("outer", function()
                    log.info "in"
                    local inner = step("inner", { timeout = "5s" }, function() wait(1) return 7 end)
                    return inner
                end)
                log.info(value)
                """)
        let shown = run.happenings.compactMap { happening -> String? in
            switch happening {
            case .stepBegan(let name, let line): "+\(name)@\(line ?? 0)"
            case .stepEnded(let name): "-\(name)"
            case .logged(_, let text): text
            default: nil
            }
        }
        #expect(shown == ["+outer@2", "in", "+inner@4", "-inner", "-outer", "7"])
    }

    @Test("a step that takes too long fails with its name, and one that fails is closed all the same")
    func stepLimits() throws {
        let late = try ScriptRun(body: "step(\"login\", { timeout = \"2s\" }, function() wait(10) end)")
        #expect(late.end.outcome == .failed && late.end.problems.first?.message.contains("login") == true)
        #expect(late.seconds == 2)
        let failed = try ScriptRun(body: "step(\"login\", function() t:fail \"no\" end)")
        #expect(failed.happenings.contains(.stepEnded(name: "login")))
        #expect(failed.messages == ["no"])
    }

    @Test("levels of the log are told apart, and whatever is printed becomes text")
    func logs() throws {
        let run = try ScriptRun(body: "log.debug(1) log.info(nil) log.warn(true) print(1, nil, \"a\", 1.5) print()")
        let levels: [LogLevel] = run.happenings.compactMap { if case .logged(let level, _) = $0 { level } else { nil } }
        #expect(levels == [.debug, .info, .warning, .info, .info])
        #expect(run.logs == ["1", "nil", "true", "1\tnil\ta\t1.5", ""])
    }

    @Test("what was caught can be said by whatever fails or skips", arguments: ["t:fail(why)", "expect(1, 2, why)"])
    func caughtErrors(call: String) throws {
        let caught = "local _, why = pcall(json.decode, \"{\")\n"
        let failure = try #require(try ScriptRun.failure(of: caught + call))
        #expect(failure.contains("json.decode cannot read the text"), "\(failure)")
        let end = try ScriptRun(body: caught + "t:skip(why)").end
        guard case .skipped(let reason) = end.outcome else {
            Issue.record("\(end)")
            return
        }
        #expect(reason.contains("json.decode cannot read the text"), "\(reason)")
    }

    @Test(
        "an empty reason to skip is none, and an empty description says of nothing what it accepts",
        arguments: ["", " "])
    func emptyWords(text: String) throws {
        #expect(
            try ScriptRun.mistake(in: "t:skip \"\(text)\"")
                == "t:skip is empty, and reports show it as the reason; write why, or leave it out")
        #expect(
            try ScriptRun.mistake(in: "expect(1, match.where(function() return true end, \"\(text)\"))")
                == "match.where: the description is \"\(text)\", and failures show it as what is asked for; write a text, "
                + "or leave it out")
    }

    @Test("what is no text does not describe what a function accepts")
    func descriptionWithoutWords() throws {
        let mistake = try ScriptRun.mistake(in: "expect(1, match.where(function() return true end, 5))")
        #expect(
            mistake?.hasPrefix("match.where: the description is 5, and failures show it") == true, "\(mistake ?? "")")
    }

    @Test(
        "what has been played cannot be skipped any more; what was skipped before may ask again",
        arguments: [
            ("after_each(function(t) t:skip \"late\" end)", "expect(1, 1)", .error),
            ("", "t:defer(function() t:skip \"late\" end) expect(1, 1)", .error),
            ("after_each(function(t) t:use \"account\" end)", "expect(1, 1)", .error),
            ("after_each(function(t) t:skip \"late\" end)", "expect(1, 2)", .error),
            ("after_each(function(t) t:use \"account\" end)", "t:use \"account\"", .skipped(reason: "late")),
            ("before_each(function(t) t:skip \"late\" end)", "expect(1, 1)", .skipped(reason: "late")),
        ] as [(String, String, Outcome)])
    func lateSkips(hook: String, body: String, outcome: Outcome) throws {
        let run = try ScriptRun(
            """
            fixture("account", function(t) t:skip "late" end)
            \(hook)
            scenario("s", function(t) \(body) end)
            """)
        #expect(run.end.outcome == outcome, "\(run.messages)")
        let isRefused = run.messages.contains { $0.contains("cannot be skipped any more (\"late\")") }
        #expect(isRefused == (outcome == .error), "\(run.messages)")
    }

    @Test(
        "what has a name has one that people can read",
        arguments: [
            ("step(\"\", function() end)", "a step needs a name"),
            ("step(\" \", function() end)", "a step needs a name, and spaces are none"),
            ("barrier(\"\", 1)", "barrier needs a name"), ("mailbox.send(\"\", 1)", "mailbox.send needs a name"),
            ("mailbox.receive \"\"", "mailbox.receive needs a name"), ("metric.mark \"\"", "metric.mark needs a name"),
            ("metric.count(\"a\", 1, { [\"\"] = \"b\" })", "metric.count: a tag needs a name"),
            ("metric.time(\"a\", 1, { [\" \"] = \"b\" })", "metric.time: a tag needs a name, and spaces are none"),
            ("t:server(S):agent \"\"", "server:agent needs a name"),
            (
                "t:actor(S, { name = \"\" })",
                "t:actor: name is what reports call the actor, and not \"\"; name it, or leave it out"
            ),
        ])
    func emptyNames(statement: String, message: String) throws {
        let system = """
            local S = system { name = "own", events = {}, parties = { agent = { events = {} } } }
            function S.server.started() end
            """
        #expect(try ScriptRun.mistake(in: "\(system)\n\(statement)") == message)
    }

    @Test("an assertion of Lua fails the scenario, and gives its arguments where it holds")
    func assertions() throws {
        #expect(try ScriptRun.failure(of: "assert(1 == 2)") == "assertion failed")
        #expect(try ScriptRun.failure(of: "assert(nil, \"no \" .. \"answer\")") == "no answer")
        #expect(try ScriptRun.failure(of: "assert(false, 5)") == "5")
        #expect(
            try ScriptRun.failure(of: "assert(false, { code = 5 })")
                == "assertion failed with the value {\"code\":5}")
        let spoken = "assert(false, setmetatable({}, { __tostring = function() return \"gone\" end }))"
        #expect(try ScriptRun.failure(of: spoken) == "gone")
        #expect(try ScriptRun.value(of: "{ assert(1, 2, 3) }") == [1, 2, 3])
        // What a script catches would otherwise pass.
        #expect(try ScriptRun.failure(of: "pcall(assert, false, \"caught\")") == "caught")
    }

    @Test(
        "what cannot be done so is told with what to do",
        arguments: [
            ("think(\"soon\")", "think takes a duration such as \"2s\", or nothing for the think time of the workload"),
            ("barrier(\"a\", 0)", "barrier: argument 2 (count) must lie between 1 and 10000000, and is 0"),
            ("barrier(nil, 2)", "barrier: argument 1 (name) must be a string, not nil"),
            ("mailbox.send(5, 1)", "mailbox.send: argument 1 (name) must be a string, not an integer"),
            (
                "mailbox.send(\"a\", print)",
                "mailbox.send: argument 2 (value) is not JSON: a function cannot stand in JSON"
            ), ("spawn(5)", "spawn: argument 1 (function) must be a function, not an integer"),
            ("step(\"a\", { timeot = 1 }, print)", "step has no option \"timeot\"; did you mean \"timeout\"?"),
        ] as [(String, String)])
    func mistakes(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call) == message)
    }

    @Test(
        "what needs a scenario is refused while a file is loaded",
        arguments: [
            "now()", "mailbox.send(\"a\", 1)", "step(\"a\", print)", "spawn(print)", "metric.count \"a\"",
            "check(false)",
        ])
    func loading(call: String) {
        let messages = ScriptRun.loadingErrors("\(call)\nscenario(\"s\", function(t) end)").map(\.message)
        #expect(
            messages.first?.hasSuffix("can only be called while a scenario plays; call it in the scenario's function")
                == true,
            "\(messages)")
    }

    @Test(
        "what waits cannot be called while a file is loaded",
        arguments: ["wait(1)", "think(1)", "barrier(\"a\", 1)", "mailbox.receive \"a\""])
    func waitingWhileLoading(call: String) {
        let messages = ScriptRun.loadingErrors("\(call)\nscenario(\"s\", function(t) end)").map(\.message)
        #expect(messages.count == 1)
        #expect(
            messages.first?.hasPrefix("nothing can wait while a file is loaded") == true
                || messages.first?.hasSuffix("call it in the scenario's function") == true, "\(messages)")
    }

    @Test(
        "declarations are refused while a scenario plays",
        arguments: [
            ("scenario(\"x\", print)", "scenario"), ("group(\"x\", print)", "group"),
            ("before_each(print)", "before_each"),
            ("after_all(print)", "after_all"), ("fixture(\"x\", print)", "fixture"), ("workload {}", "workload"),
        ] as [(String, String)])
    func declaring(call: String, name: String) throws {
        #expect(
            try ScriptRun.mistake(in: call)
                == "\(name) declares; call it at the top of a file or in a group, not while a scenario plays")
    }
}
