import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("What files declare")
struct DeclarationLibraryTests {
    private static func suite(_ source: String) -> ScenarioSuite {
        ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: ScriptRun.settings())
    }

    @Test("scenarios are found in their order, with the groups around them, their lines and rows")
    func order() {
        let suite = Self.suite(
            """
            scenario("one", function(t) end)
            group("outer", function()
                scenario("two", { tags = { "x" } }, function(t) end)
                group("inner", function() scenario("three", function(t) end) end)
            end)
            for number = 4, 5 do scenario("number " .. number, function(t) end) end
            scenario("rows", { rows = { { name = "a" }, { name = "b" } } }, function(t) end)
            """)
        #expect(suite.errors.isEmpty)
        #expect(
            suite.members.map(\.definition.titlePath) == [
                ["one"], ["outer", "two"], ["outer", "inner", "three"], ["number 4"], ["number 5"], ["rows"], ["rows"],
            ])
        #expect(suite.members.map(\.definition.line) == [1, 3, 4, 6, 6, 7, 7])
        #expect(suite.members.map(\.definition.row?.name) == [nil, nil, nil, nil, nil, "a", "b"])
    }

    @Test("a group whose error is caught is over all the same")
    func caughtGroup() {
        let suite = Self.suite(
            """
            pcall(group, "broken", function()
                scenario("inside", function(t) end)
                error "oops"
            end)
            scenario("outside", function(t) end)
            """)
        #expect(suite.errors.isEmpty)
        #expect(suite.members.map(\.definition.titlePath) == [["broken", "inside"], ["outside"]])
    }

    @Test(
        "what cannot be declared is told with its line and what to do",
        arguments: [
            ("scenario(\"\", print)", 1, "a scenario needs a name"),
            ("scenario(\" \", print)", 1, "a scenario needs a name, and spaces are none"),
            ("group(\"\", function() end)", 1, "a group needs a name"),
            ("scenario(5, print)", 1, "scenario: argument 1 (name) must be a string, not an integer"),
            ("scenario(\"a\")", 1, "scenario: argument 3 (body) must be a function, not nothing"),
            (
                "scenario(\"a\", 5, print)", 1,
                "scenario: argument 2 (options) must be a table of named fields, not an integer"
            ),
            (
                "scenario(\"a\", print)\nscenario(\"a\", print)", 2,
                "there is a scenario \"a\" already, at line 1; give each its own name, so that reports can tell them apart"
            ),
            (
                "group(\"g\", function()\nscenario(\"a\", print)\nscenario(\"a\", print) end)", 3,
                "there is a scenario \"g › a\" already, at line 2; give each its own name, so that reports can tell them apart"
            ), ("before_each(5)", 1, "before_each takes one function"),
            ("after_all()", 1, "after_all takes one function"),
            ("fixture(\"\", print)", 1, "a fixture needs a name"),
            (
                "fixture(\"f\", { scop = \"file\" }, print)", 1,
                "fixture has no option \"scop\"; did you mean \"scope\"?"
            ),
            (
                "fixture(\"f\", { timeout = 0 }, print)", 1,
                "fixture: timeout is a duration of at least 1ms, not 0s"
            ),
            ("fixture(\"f\", print)\nfixture(\"f\", print)", 2, "there is a fixture \"f\" already, at a.lua:1"),
            (
                "system { name = \"s\", events = {} }\n\nsystem { name = \"s\", events = {} }", 3,
                "there is a chat system \"s\" already, at line 1; give each its own name, so that reports and other files can tell them apart"
            ),
            (
                "workload {}\nworkload {}", 2,
                "the file has a workload already, at line 1; give one workload a list of `workloads` instead"
            ), ("workload { user = print }", 1, "workload has no member \"user\"; did you mean \"users\"?"),
            ("workload(5)", 1, "workload: argument 1 (shape) must be a table of named fields, not an integer"),
            ("scenario(\"a\", { row_key = \"id\" }, print)", 1, "row_key names the key of rows; give rows, too"),
            (
                "scenario(\"a\", { rows = {} }, print)", 1,
                "rows is empty; a scenario without rows would never be played"
            ),
            (
                "scenario(\"a\", { rows = \"none.csv\" }, print)", 1,
                "there is no file \"none.csv\" beside a.lua or at the project's root, or it lies outside of the project"
            ),
            (
                "local function f() scenario(\"a\") end\nf()", 1,
                "scenario: argument 3 (body) must be a function, not nothing"
            ),
        ] as [(String, Int, String)])
    func mistakes(source: String, line: Int, message: String) {
        let errors = ScriptRun.loadingErrors(source)
        #expect(errors.map(\.message) == [message])
        #expect(errors.first?.line == line)
        #expect(errors.first?.category == .error)
    }

    @Test(
        "a declaration that is refused is told where the script catches that: it would be missing without a word",
        arguments: [
            (
                "pcall(scenario, \"a\", { timeot = \"1s\" }, print)",
                "scenario has no option \"timeot\"; did you mean \"timeout\"?"
            ), ("pcall(scenario, \"a\", {}, print, 5)", "scenario takes no more than name, options, body"),
            (
                "xpcall(workload, print, 5)",
                "workload: argument 1 (shape) must be a table of named fields, not an integer"
            ),
            (
                "coroutine.resume(coroutine.create(function() fixture(\"\", print) end))", "a fixture needs a name"
            ), ("pcall(before_each, print, 5)", "before_each takes one function"),
            (
                "pcall(group, \"g\", { tags = { \"x\" } }, print)",
                "group takes a name and a function, and nothing else; options belong to each scenario"
            ), ("pcall(group, \"g\", function() scenario(\"\", print) end)", "a scenario needs a name"),
            ("pcall(system, 5)", "system takes a table: system { name = \"support\", events = { … } }"),
            (
                "local own = system { name = \"own\", events = {} }\npcall(function() own.commands.say = 5 end)",
                "own.commands.say is a function, or a table with the function first: "
                    + "{ sends = \"text\", function(me, text) … end }"
            ),
        ])
    func caughtMistakes(declaration: String, message: String) {
        let errors = ScriptRun.loadingErrors(declaration + "\nscenario(\"other\", print)")
        #expect(errors.map(\.message) == [message])
        #expect(errors.first?.category == .error)
    }

    @Test("a misspelt option of a scenario is told with what was meant")
    func options() {
        let messages = ScriptRun.loadingErrors("scenario(\"a\", { tag = { \"x\" } }, function(t) end)").map(\.message)
        #expect(messages.first?.hasSuffix("did you mean \"tags\"?") == true, "\(messages)")
    }

    @Test("hooks run around each scenario of their group, those before from the outside in, those after back")
    func hooks() throws {
        let source = """
            before_each(function() log.info "b1" end)
            after_each(function() log.info "a1" end)
            group("g", function()
                before_each(function() log.info "b2" end)
                before_each(function() log.info "b3" end)
                after_each(function() log.info "a2" end)
                after_each(function() log.info "a3" end)
                scenario("s", function(t) log.info "s" end)
            end)
            scenario("other", function(t) log.info "o" end)
            """
        #expect(try ScriptRun(source).logs == ["b1", "b2", "b3", "s", "a3", "a2", "a1"])
        #expect(try ScriptRun(source, number: 1).logs == ["b1", "o", "a1"])
    }

    @Test("hooks that stand below a scenario run for it all the same")
    func hooksBelow() throws {
        let run = try ScriptRun(
            "scenario(\"s\", function(t) log.info \"s\" end)\nbefore_each(function() log.info \"b\" end)\nafter_each(function() log.info \"a\" end)"
        )
        #expect(run.logs == ["b", "s", "a"])
    }

    @Test("a hook that fails keeps the scenario from running, but not the hooks after it")
    func failingHook() throws {
        let run = try ScriptRun(
            """
            before_each(function(t) t:fail "not ready" end)
            after_each(function() log.info "after" end)
            scenario("s", function(t) log.info "s" end)
            """)
        #expect(run.end.outcome == .failed && run.messages == ["not ready"])
        #expect(run.logs == ["after"])
    }

    @Test("no scenario sees what another one did: each has globals of its own")
    func globals() throws {
        let source = """
            local count = 0
            shared = {}
            for number = 1, 3 do
                scenario("s" .. number, function(t) count = count + 1 shared[#shared + 1] = number log.info(count .. #shared) end)
            end
            """
        for number in 0..<3 { #expect(try ScriptRun(source, number: number).logs == ["11"]) }
    }
}

@Suite("Fixtures, defers and the context of a scenario")
struct ContextMethodsTests {
    @Test("a fixture is made when it is first used, once, and ended when the scenario has ended, last first")
    func fixtures() throws {
        let run = try ScriptRun(
            """
            fixture("room", function(t)
                log.info "open room"
                t:defer(function() log.info "close room" end)
                return { name = t:use "name" }
            end)
            fixture("name", function(t) t:defer(function() log.info "forget name" end) return "blue" end)
            fixture("unused", function() log.info "never" end)
            scenario("s", function(t)
                t:defer(function() log.info "first deferred" end)
                log.info "begin"
                assert(t:use("room").name == "blue" and t:use "room" == t:use "room")
                t:defer(function() log.info "last deferred" end)
            end)
            """)
        #expect(run.messages == [])
        #expect(run.logs.first == "begin" && run.logs.dropFirst().first == "open room")
        #expect(Set(run.logs.suffix(4)) == ["last deferred", "close room", "forget name", "first deferred"])
        #expect(run.logs.firstIndex(of: "last deferred") ?? 0 < run.logs.firstIndex(of: "first deferred") ?? 0)
    }

    @Test("a fixture that fails fails the scenario, each time it is used")
    func failing() throws {
        let run = try ScriptRun(
            "fixture(\"f\", function(t) t:fail \"no room\" end)\nscenario(\"s\", function(t) t:use \"f\" end)")
        #expect(run.end.outcome == .failed && run.messages == ["no room"])
    }

    @Test("what was deferred runs after failures, too, and all of it")
    func deferring() throws {
        let run = try ScriptRun(
            body:
                "t:defer(function() log.info \"one\" end) t:defer(function() error(\"broken\", 0) end) t:defer(function() log.info \"three\" end) t:fail \"no\""
        )
        #expect(run.logs == ["three", "one"])
        #expect(run.messages == ["no", "broken"])
    }

    @Test("the context tells who plays what")
    func members() throws {
        let run = try ScriptRun(
            """
            group("g", function()
                scenario("s", { rows = { { name = "x", size = 5 } } }, function(t)
                    log.info(t.name) log.info(t.row.size) log.info(t.target) log.info(t.clock) log.info(tostring(t.stopping))
                    log.info(t.user.number + t.user.iteration) log.info(json.encode(t.shared)) log.info(tostring(t))
                    assert(t.user == t.user)
                    assert(t.seed:match "^%d+$")
                end)
            end)
            """)
        #expect(run.messages == [])
        #expect(run.logs.dropFirst() == ["5", "embedded", "virtual", "false", "0", "{}", "t"])
        #expect(run.logs.first?.contains("g › s") == true)
    }

    @Test("a skipped scenario is neither passed nor failed, and says why")
    func skipping() throws {
        let run = try ScriptRun(
            body: "t:defer(function() log.info \"deferred\" end) pcall(t.skip, t, \"not today\") log.info \"never\"")
        #expect(run.end.outcome == .skipped(reason: "not today"))
        #expect(run.logs == ["deferred"])
    }

    private static let noSystem =
        "t:actor takes a system first: what require \"boldchat\" returned; this is a table, and a chat of one's own is what "
        + "system { … } returned"

    @Test(
        "what the context cannot do is told with what was meant",
        arguments: [
            ("t:skp()", "t has no \"skp\"; did you mean \"skip\"?"),
            ("log.info(t.nme)", "t has no \"nme\"; did you mean \"name\"?"),
            ("log.info(t.zzzzzz)", "t has no \"zzzzzz\""),
            ("t.fail \"x\"", "t:fail needs the object it is called on: write a colon, as in object:name(), not a dot"),
            ("t:fail()", "t:fail: argument 1 (message) must be a string, not nothing"),
            ("t:use \"room\"", "there is no fixture \"room\"; declare it with fixture(name, function(t) … end)"),
            ("t:use(5)", "t:use: argument 1 (name) must be a string, not an integer"),
            ("t:defer(5)", "t:defer: argument 1 (function) must be a function, not an integer"),
            ("t:actor(\"boldchat\")", "t:actor takes a system first: what require \"boldchat\" returned"),
            ("t:actor({})", Self.noSystem), ("t:actor({ connect = function() end })", Self.noSystem),
            ("t:server()", "t:server takes a system first: what require \"boldchat\" returned"),
            (
                "t:actor(true)",
                "t:actor takes a system first, not true, which require gives for a module that returns nothing: end the "
                    + "module with return, as in return S"
            ), ("t:actor(t)", "t:actor takes a system first, and this is none"),
            (
                "t.name = \"x\"",
                "attempt to index a t value (local 't'); what it has can be read, and nothing can be assigned to it"
            ),
            (
                "t.shared.count = 7",
                "attempt to index a t.shared value (field 'shared'); what it has can be read, and nothing can be assigned "
                    + "to it"
            ),
            (
                "os.getenv \"HOME\"",
                "os.getenv is not defined: env \"NAME\" reads a variable that repartee.lua names, and secret \"NAME\" one "
                    + "that nobody may see; ask rawget(os, \"getenv\") whether it is there"
            ),
            (
                "t:network(5)",
                "t:network takes a table such as { latency = \"50ms\" }, and then the client whose network it is, not 5"
            ), ("t:network({}, 5)", "t:network takes a client of the scenario after the conditions, not 5"),
            ("t:attach(5, \"x\")", "t:attach: argument 1 (name) must be a string, not an integer"),
            ("require \"no.such\"", nil),
            (
                "require \"\"",
                "require takes a name such as \"helpers.orders\" for the file helpers/orders.lua, not \"\""
            ),
            (
                "require \"../x\"",
                "require takes a name such as \"helpers.orders\" for the file helpers/orders.lua, not \"../x\""
            ),
            (
                "require \"a b\"",
                "require takes a name such as \"helpers.orders\" for the file helpers/orders.lua, not \"a b\""
            ),
            (
                "read_text \"/etc/hostname\"",
                "there is no file \"/etc/hostname\" beside a.lua or at the project's root, or it lies outside of the project"
            ),
        ] as [(String, String?)] as [(String, String?)])
    func mistakes(body: String, message: String?) throws {
        let found = try #require(try ScriptRun.mistake(in: body))
        if let message { #expect(found == message) }
    }

    @Test("a fixture that is misspelt is told with those that there are")
    func misspeltFixture() throws {
        let source = "fixture(\"room\", print)\nfixture(\"table\", print)\nscenario(\"s\", function(t) t:use \"%\" end)"
        for (name, hint) in [("rom", "did you mean \"room\"?"), ("zzzzzz", "there are room, table")] {
            #expect(
                try ScriptRun(source.replacing("%", with: name)).messages == [
                    "there is no fixture \"\(name)\"; \(hint)"
                ])
        }
    }
}

@Suite("What may have been meant by a value that is nil")
struct NilValueHintTests {
    @Test(
        "a name that is nearly one of the language is told",
        arguments: [
            ("attempt to call a nil value (global 'expct')", "; did you mean \"expect\"?"),
            ("attempt to index a nil value (global 'jsn')", "; did you mean \"json\"?"),
            ("attempt to call a nil value (global 'tonumbr')", "; did you mean \"tonumber\"?"),
            ("attempt to call a nil value (field 'encod')", "; did you mean \"encode\"?"),
            ("attempt to call a nil value (method 'submitt')", "; did you mean \"submit\"?"),
            (
                "attempt to index a nil value (field 'row')",
                "; t.row is there in a scenario with rows, and t.user.row in a workload with rows"
            ),
            ("attempt to index a nil value (global 'row')", "; did you mean \"now\"?"),
            ("attempt to call a nil value (global 'expect')", nil),
            ("attempt to call a nil value (global 'zzzzzzzz')", nil),
            ("attempt to call a nil value (local 'expct')", nil),
            ("attempt to call a number value (global 'expct')", nil), ("something else", nil), ("", nil),
        ] as [(String, String?)] as [(String, String?)])
    func hints(message: String, hint: String?) {
        #expect(NilValueHint.text(for: message) == hint)
    }

    @Test("while a scenario plays, it declares systems of one name as often as it likes")
    func systemsInPlay() throws {
        let source = """
            local function make() return system { name = "probe", events = {} } end
            make()
            scenario("two", function(t) expect(make() ~= make(), true) end)
            """
        let played = try ScriptRun(source)
        #expect(played.messages == [])
    }

    @Test("a command of a system that expects is told who does, and how a client waits")
    func expectingClient() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.tell(me) me:expect("message") end
            function S.server.text() end
            scenario("tells", function(t) t:actor(S):tell() end)
            """
        #expect(
            try ScriptRun(source).messages == [
                "attempt to call a nil value (method 'expect'); me is no actor: only what t:actor(…) returns, and the "
                    + "parties of a server, have expect; in a system, a client waits by me:wait(name), which a handler "
                    + "such as S.on.text ends by me:wake(name)"
            ])
    }

    @Test(
        "what expects and is no actor is told so by its name, and not of systems where none is written",
        arguments: [
            ("local x = {} x:expect_silence('1s')", "x", "expect_silence"),
            ("local own = { x = {} } own.x : never 'message'", "own.x", "never"),
            ("local x, y = {}, {} y.expect = print y:expect() x:expect()", "this", "expect"),
            ("local x = {} x\n:events()", "this", "events"),
        ])
    func noActor(source: String, name: String, method: String) throws {
        #expect(
            try ScriptRun.mistake(in: source)
                == "attempt to call a nil value (method '\(method)'); \(name) is no actor: only what t:actor(…) returns, "
                + "and the parties of a server, have \(method)")
    }

    @Test(
        "what has a command of a system of the script's own is told",
        arguments: [
            (
                "local x = {} x:tell()",
                "attempt to call a nil value (method 'tell'); only what t:actor(probe) or t:server(probe):desk(…) returns "
                    + "has tell, and x does not come from there"
            ),
            (
                "t:server(S):tell()",
                "probe server has no \"tell\"; what t:actor(probe) or t:server(probe):desk(…) returns has it"
            ),
            (
                "t:server(S) t:actor(S):close_shop()",
                "probe client has no \"close_shop\"; what t:server(probe) returns has it"
            ),
            ("t:server(S):desk('Sam'):skip('a')", "probe desk has no \"skip\"; t has it: write t:skip(…)"),
        ])
    func ownCommands(body: String, message: String) throws {
        let source = """
            local S = system { name = "probe", events = {}, parties = { desk = { events = {} } } }
            function S.commands.tell(me) end
            function S.server.text() end
            function S.server.commands.close_shop(desk) end
            function S.parties.desk.tell(desk) end
            scenario("s", function(t)
                \(body)
            end)
            """
        #expect(try ScriptRun(source).messages == [message])
    }

    @Test(
        "a colon for the dot of a library of Lua is told",
        arguments: [
            ("string:format('%d', 5)", "format", "string expected, got table"),
            ("math:floor()", "floor", "number expected, got table"),
        ])
    func colonOfLibrary(call: String, name: String, problem: String) throws {
        #expect(
            try ScriptRun.mistake(in: call)
                == "calling '\(name)' on bad self (\(problem)); a colon passes what stands before it on: a function of a "
                + "library is called with a dot, .\(name)(…)")
    }

    @Test("a script gets the hint behind Lua's own words")
    func inScripts() throws {
        #expect(
            try ScriptRun.mistake(in: "local own = {} own.encod(1)")
                == "attempt to call a nil value (field 'encod'); did you mean \"encode\"?")
    }
}
