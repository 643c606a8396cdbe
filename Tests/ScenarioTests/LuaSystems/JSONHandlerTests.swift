import RunRecord
import Testing

@testable import Scenario

@Suite("Handlers of messages of JSON")
struct JSONHandlerTests {
    /// Plays a client of a system that declares messages, and puts in what follows.
    private static func play(
        _ functions: String,
        json: String = "{ from_server = { hello = {}, [\"a.b\"] = {} }, from_client = { say = {} } }",
        events: String = "message = {}", body: String = "t:server(S) t:actor(S) expect(1, 1)"
    ) throws -> ScriptRun {
        try ScriptRun(
            body: """
                local S = system { name = "shop", events = { \(events) }, json = \(json) }
                \(functions)
                \(body)
                """)
    }

    /// All that there has to be.
    private static let whole = """
        function S.json.hello() end
        S.json["a.b"] = function() end
        function S.server.json.say() end

        """

    @Test("all that there has to be is enough, in whatever order and table")
    func whole() throws {
        #expect(try Self.play(Self.whole).messages == [])
        #expect(
            try Self.play(
                "S.server.json = { say = function() end }\n"
                    + Self.whole.replacing(
                        "function S.server.json.say() end", with: "")
            ).messages == [])
        #expect(try Self.play(Self.whole, events: "hello = {}").messages == [])
        let event = Self.whole.replacing("function S.json.hello() end", with: "")
        #expect(try Self.play(event, events: "hello = {}").messages == [])
    }

    @Test(
        "what has neither a handler nor an event is a mistake that says what to write",
        arguments: [
            (
                "function S.json.hello() end", "",
                "shop: nothing is done with the message \"hello\" from the server; write function "
                    + "shop.json.hello(me, message, link) … end, or declare an event \"hello\""
            ),
            (
                "S.json[\"a.b\"] = function() end", "",
                "shop: nothing is done with the message \"a.b\" from the server; write shop.json[\"a.b\"] = "
                    + "function(me, message, link) … end"
            ),
            (
                "function S.server.json.say() end", "function S.server.connected() end",
                "shop: nothing is done with the message \"say\" from clients; write function "
                    + "shop.server.json.say(desk, client, message) … end"
            ),
        ])
    func missing(function: String, instead: String, message: String) throws {
        let run = try Self.play(Self.whole.replacing(function, with: instead))
        #expect(run.end.outcome == .error && run.messages.count == 1, "\(run.messages)")
        #expect(run.messages.first?.contains(message) == true, "\(run.messages)")
    }

    @Test("a kind that is a word of Lua stands between brackets in what is to be written")
    func keywords() throws {
        let json = "{ from_server = { [\"end\"] = {} }, from_client = {} }"
        let message = try #require(try Self.play("function S.server.connected() end", json: json).messages.first)
        #expect(message.contains("write shop.json[\"end\"] = function(me, message, link) … end"), "\(message)")
    }

    @Test("the error that every system has is none that a message is by its name alone")
    func errors() throws {
        let json = "{ from_server = { error = { text = \"string\" } }, from_client = {} }"
        let functions = "function S.server.connected() end"
        let message = try #require(try Self.play(functions, json: json).messages.first)
        #expect(message.contains("nothing is done with the message \"error\" from the server"), "\(message)")
        let events = "error = { code = \"string\", message = \"string\" }"
        #expect(try Self.play(functions, json: json, events: events).messages == [])
    }

    @Test(
        "what cannot be a handler is refused",
        arguments: [
            ("function S.json.helo() end", "shop.json has no message \"helo\"; did you mean \"hello\"?"),
            ("function S.server.json.hello() end", "shop.server.json has no message \"hello\"; it has say"),
            (
                "S.json[1] = function() end",
                "shop.json has members with names; a kind that is a number is its text, such as [\"1\"]"
            ),
            ("S.json.hello = { sends = 'text', function() end }", "shop.json.hello is a function alone"),
            ("S.json.hello = 5", "shop.json.hello is a function"),
            ("function S.json.hello() end", "shop.json.hello is declared twice"),
            (
                "function S.on.text() end",
                "shop.on.text would get nothing: the system declares its messages in json, and each kind has a handler of "
                    + "its own; write function shop.json.KIND(me, message, link)"
            ),
            (
                "function S.server.text() end",
                "shop.server.text would get nothing: the system declares its messages in json, and each kind has a handler "
                    + "of its own; write function shop.server.json.KIND(desk, client, message)"
            ),
        ])
    func refused(function: String, message: String) throws {
        let run = try Self.play(function + "\n" + Self.whole)
        #expect(run.end.outcome == .error)
        #expect(run.messages.first?.contains(message) == true, "\(run.messages)")
        #expect(try Self.play(Self.whole + "function S.on.bytes() end function S.server.bytes() end").messages == [])
    }

    @Test("a system without declared messages has no handlers of them, and says how to declare some")
    func undeclared() throws {
        for table in ["S.json", "S.server.json"] {
            let run = try ScriptRun(
                body: "local S = system { name = 'shop', events = {} }\nfunction \(table).hello() end")
            #expect(run.end.outcome == .error)
            let shown = table.replacing("S.", with: "shop.")
            #expect(
                run.messages.first?.contains(
                    "\(shown): the system declares no messages of JSON; say which there are in")
                    == true, "\(run.messages)")
        }
    }

    @Test("a handler that is wrapped runs as it was meant")
    func wrapped() throws {
        let functions =
            Self.whole + """
                local hello = S.json.hello
                function S.json.hello(me) hello(me) me:emit "message" end
                function S.commands.connect(me) me:open {} me:wait "open" end
                function S.server.connected(_, client) client:send_json { type = "hello" } end

                """
        let run = try Self.play(
            functions, body: "t:server(S) local client = t:actor(S) client:connect() client:expect 'message'")
        #expect(run.messages == [])
    }

    @Test("editors and the reference know the tables of handlers")
    func annotated() {
        let stubs = LuaStubs(systems: []).files.map(\.text).joined()
        let client = "---@field json table<string, fun(me: repartee.me, message: table, link: repartee.link): any>"
        let server =
            "---@field json table<string, fun(desk: repartee.desk, client: repartee.connection, message: table): any>"
        #expect(stubs.contains(client) && stubs.contains(server))
        let page = ReferencePage(systems: []).markdown
        #expect(page.contains("S.json.KIND(me, message, link)") && page.contains("`from_client?`"))
    }
}
