import CommandLine
import Foundation
import JSON
import LuaRuntime
import Machines
import Scenario
import Testing

@Suite("Starting out: projects, annotations for editors, the reference page")
struct ProjectTests {
    @Test("A new project passes at once, and what is there already stays")
    func initialized() async throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "chat/.gitignore")
        let made = try await ToolRun(["init", "chat"], in: folder.path)
        #expect(made.status == .success)
        #expect(made.output.contains("kept    chat/.gitignore\n"))
        #expect(made.output.contains("wrote   chat/Scenarios/first.lua\n"))
        #expect(made.output.hasSuffix("\nnext: cd chat && repartee test\n"))
        #expect(try folder.text("chat/.gitignore") == "mine")
        let run = try await ToolRun(["test", "--forbid-only"], in: folder.path + "/chat")
        #expect(run.status == .success)
        #expect(run.output.contains("1 scenario: 1 passed"))
        let editor = try JSONReader.read(try folder.data("chat/.luarc.json"))
        let library = try #require(editor["workspace.library"]?.array?.first?.string)
        #expect(folder.has("chat/\(library)/repartee.lua"))
        #expect(folder.has("chat/\(library)/boldchat.lua"))
        for file in [".github/workflows/conversations.yml", ".gitlab-ci.yml"] {
            let text = try folder.text("chat/" + file)
            #expect(text.contains(" repartee test --forbid-only"))
            #expect(text.contains("dpkg --install"))
            // Nothing of a project is built: a job that waits for a compiler is one that people switch off.
            #expect(!text.contains("swift") && !text.contains("git clone"))
            #expect(!text.contains("\t"))
        }
        let again = try await ToolRun(["init"], in: folder.path + "/chat")
        #expect(!again.output.contains("wrote"))
        #expect(again.output.contains("kept    Scenarios/first.lua\n"))
    }

    @Test("What is to do next in a folder whose name has blanks is a command that a shell takes")
    func nextInFolderWithBlanks() async throws {
        let folder = try TemporaryFolder()
        let made = try await ToolRun(["init", "my chat"], in: folder.path)
        #expect(made.output.hasSuffix("\nnext: cd 'my chat' && repartee test\n"), "\(made.output)")
    }

    @Test("The options of the CI files are ones that the tool knows")
    func ciOptions() async throws {
        let folder = try TemporaryFolder()
        _ = try await ToolRun(["init"], in: folder.path)
        for file in [".github/workflows/conversations.yml", ".gitlab-ci.yml"] {
            let line = try #require(
                try folder.text(file).split(separator: "\n").first { $0.contains(" repartee test") })
            let words = line.split(separator: " ").map(String.init)
            let start = try #require(words.firstIndex(of: "test"))
            let run = try await ToolRun(Array(words[start...]), in: folder.path)
            #expect(run.status == .success, "\(run.error)")
        }
        #expect(folder.has("Reports/junit.xml"))
    }

    @Test("The annotations are Lua that loads and defines what scripts find; every declaration stands in them")
    func stubs() async throws {
        let folder = try TemporaryFolder()
        let run = try await ToolRun(["types", "--folder", "t"], in: folder.path)
        #expect(run.status == .success)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/t").sorted()
        #expect(
            names == [
                "boldchat.lua", "graphql.lua", "http.lua", "liveassist.lua", "livelike.lua", "mqtt.lua", "openai.lua",
                "oracle.lua", "repartee.lua", "socketio.lua", "stomp.lua", "support.lua", "websocket.lua",
            ])
        let state = LuaState()
        defer { state.close() }
        let page = try await ToolRun(["types", "--reference", "-"], in: folder.path).output
        for name in names {
            let text = try folder.text("t/" + name)
            #expect(throws: Never.self) { try state.compile(text, name: "@" + name) }
            #expect(text.hasPrefix("---@meta"))
            // Every function of the annotations stands on the reference page.
            for match in text.matches(of: /(?m)^function (?:[a-z_]+[.:])?([A-Za-z_]+)\(/) {
                #expect(
                    page.contains("\(match.1)(") || page.contains("server:\(match.1) \"Name\""), "\(match.1) of \(name)"
                )
            }
            let classes = text.matches(of: /(?m)^---@class ([^\s:]+)/).map { String($0.1) }
            #expect(Set(classes).count == classes.count, "\(name) declares a class twice")
        }
        let language = try folder.text("t/repartee.lua")
        #expect(language.contains("---@overload fun(name: string, body: fun(t: repartee.t, row: any))\n"))
        #expect(language.contains("---@field within? repartee.duration The time limit; 10s unless given.\n"))
        // Those who write a system of their own find its tables, and what its handlers get.
        #expect(language.contains("---@return repartee.system\n"))
        #expect(language.contains("function me:open(options)") && language.contains("---@return repartee.link\n"))
        #expect(language.contains("---@field text? fun(me: repartee.me, text: string, link: repartee.link): any\n"))
        let mqtt = try folder.text("t/mqtt.lua")
        #expect(mqtt.contains("function client:subscribe(") && page.contains("## `require \"mqtt\"`"))
        let boldchat = try folder.text("t/boldchat.lua")
        #expect(boldchat.contains("function client:create_chat("))
        #expect(
            boldchat.contains("what: \"pre_chat\", fields?: table, options?: table): repartee.boldchat.event.pre_chat"))
        #expect(boldchat.contains("---@field form repartee.form "))
    }

    @Test("The annotations and the reference cover the systems that the project's own scripts declare")
    func ownSystems() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write(
            """
            local S = system {
                name = "shop", title = "Shop chat", client = "buyer", options = { user = "string?" },
                events = { message = { text = "string" }, offer = { price = "number", until_when = "string?" } },
                properties = { session = "string", seat = "string?" }, parties = { seller = { events = { asked = { what = "string" } } } },
            }
            S.commands.say = { parameters = { "text: string", "room: string?" }, sends = "text", function(me, text, room) end }
            function S.commands.haggle() end
            function S.server.commands.shut() end
            function S.parties.seller.offer() end
            return S
            """, to: "Scenarios/shop.lua")
        try folder.write("local s = require \"shop\" scenario(\"x\", function() end)", to: "Scenarios/a.lua")
        try folder.write("this is no Lua", to: "Scenarios/broken.lua")
        let run = try await ToolRun(["types"], in: folder.path)
        #expect(run.status == .success, "\(run.error)")
        #expect(run.error.contains("left out: Scenarios/broken.lua: "), "\(run.error)")
        let text = try folder.text(".repartee/types/shop.lua")
        let state = LuaState()
        defer { state.close() }
        #expect(throws: Never.self) { try state.compile(text, name: "@shop.lua") }
        for part in [
            "---@class repartee.shop.event.offer\n", "---@field price? number", "function client:say(text, room)",
            "---@param room? string", "function client:haggle(", "function server:shut(", "function seller:offer(",
            "function server:seller(name)", "---@field session string\n", "---@field seat? string",
            "---@class repartee.shop.client_options",
            "what: \"offer\", fields?: table, options?: table): repartee.shop.event.offer",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(try folder.text(".repartee/types/repartee.lua").contains("system: repartee.shop,"))
        let page = try await ToolRun(["types", "--reference", "-"], in: folder.path).output
        #expect(page.contains("## `require \"shop\"`: Shop chat") && page.contains("- **`buyer:say(text, room?)`**"))
    }

    @Test("The reference page goes to a file, too, and names options, methods and events of every system")
    func referencePage() async throws {
        let folder = try TemporaryFolder()
        #expect(try await ToolRun(["types", "--reference", "docs/r.md"], in: folder.path).status == .success)
        let lost = try await ToolRun(["types", "--reference", "/dev/full"], in: folder.path)
        #expect(lost.status == .harness)
        #expect(lost.error.contains("/dev/full cannot be written: No space left on device; "), "\(lost.error)")
        let page = try folder.text("docs/r.md")
        for part in [
            "# The language of scenarios\n", "- **`scenario(name, options?, body)`**: Declares a scenario.\n",
            "## `match`\n", "- **`match.any`** → any value: Anything but nil", "- **`t:skip(reason)`**",
            "`expected_failure?`",
            "## `require \"boldchat\"`", "- **`visitor:create_chat(", "- **`pre_chat`**", "- **`server:set_queue(",
            "- **`agent:accept(", "## `require \"websocket\"`",
        ] {
            #expect(page.contains(part) || page.contains(part.replacing(" → any value", with: "")), "\(part)")
        }
    }

    @Test(
        "A mistyped command is answered with what was meant",
        arguments: [
            (["tset"], "did you mean \"test\"?"), (["reprot", "x"], "did you mean \"report\"?"),
            (["inti"], "did you mean \"init\"?"), (["dance"], "there are test, load, report"),
        ])
    func mistypedCommand(arguments: [String], part: String) async throws {
        let run = try await ToolRun(arguments, in: "/")
        #expect(run.status == .usage)
        #expect(run.error.contains("there is no command \"\(arguments[0])\""))
        #expect(run.error.contains(part))
    }

    @Test(
        "A misspelt word of a script is answered with what was meant",
        arguments: [
            ("expct(1, 2)", "expect"), ("step(macth.any, function() end)", "match"),
            ("t:servr(boldchat)", "server"), ("t.sed()", "seed"),
            ("v:creat_chat()", "create_chat"), ("t:server(boldchat):blok_visitor \"x\"", "block_visitor"),
            ("v:expect \"mesage\"", "message"), ("v:expect(all { event \"mesage\" })", "message"),
            ("v:expect(\"message\", { txt = \"a\" })", "text"),
            ("v:maybe(any { event(\"message\", { fom = 1 }) })", "from"),
            ("v:expect(\"message\", {}, { witin = \"1s\" })", "within"),
            ("v:expect_silence(\"1s\", \"typng\")", "typing"),
            ("t:actor(boldchat, { langage = \"de\" })", "language"),
            ("step(\"s\", { timout = 1 }, function() end)", "timeout"),
            ("v:create_chat() v:expect(\"pre_chat\").form:fil {}", "fill"),
            ("v:create_chat() v:expect(\"pre_chat\").form:fill { frst_name = 1 }", "first_name"),
            ("t:allow \"typng\"", "typing"), ("require \"boldcat\"", "boldchat"),
        ])
    func misspelt(code: String, meant: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local boldchat = require "boldchat"
            scenario("s", function(t)
                local v = t:actor(boldchat)
                \(code)
            end)
            """, to: "s.lua")
        let run = try await ToolRun(["test", "s.lua"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.output.contains("did you mean \"\(meant)\"?"), "\(run.output)")
    }

    @Test(
        "A misspelt member of a library is answered with the one that was meant, as it is called",
        arguments: [("match.contians \"x\"", "match.contains"), ("random.intger(1, 2)", "random.integer")])
    func misspeltMember(code: String, meant: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"s\", function(t) \(code) end)", to: "s.lua")
        let run = try await ToolRun(["test", "s.lua"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.output.contains("did you mean \(meant)?"), "\(run.output)")
    }

    @Test("Options of scenarios, also of repartee.lua, are answered the same way")
    func misspeltOptions() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"s\", { expected_falure = \"x\" }, function() end)", to: "s.lua")
        #expect(
            try await ToolRun(["test", "s.lua"], in: folder.path).output.contains("did you mean \"expected_failure\"?"))
        try folder.write("return { limits = { rnu = 1 } }", to: "repartee.lua")
        #expect(try await ToolRun(["test", "s.lua"], in: folder.path).error.contains("did you mean \"run\"?"))
    }

    @Test(
        "How long a scenario still hears what comes after its body is a limit of the project", arguments: [false, true])
    func settling(isLong: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("return { limits = { settle = \"\(isLong ? "1s" : "100ms")\" } }", to: "repartee.lua")
        try folder.write(
            """
            local S = system { name = "echo", events = { message = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.server.text(desk, client, text)
                desk.client = client
                client:send(text)
                desk:after("again", "500ms")
            end
            function S.server.timer(desk) desk.client:send "hello" end
            scenario("an echo that comes twice", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:say "hello"
                client:expect("message", { text = "hello" })
            end)
            """, to: "s.lua")
        let run = try await ToolRun(["test", "s.lua"], in: folder.path)
        #expect(run.status == (isLong ? .failed : .success), "\(run.account)")
        #expect(run.output.contains("which repeats #1") == isLong, "\(run.account)")
    }
}
