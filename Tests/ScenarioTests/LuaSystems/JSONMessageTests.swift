import RunRecord
import Testing

@testable import Scenario

@Suite("Messages of JSON that a chat system in Lua declares")
struct JSONMessageTests {
    /// The beginning of a script: a shop that says hello to who comes, and repeats what it is told to.
    private static let shop = """
        local S = system {
            name = "shop",
            events = {
                queue = { position = "integer" }, message = { text = "string", from = "string?" },
                greeted = { session = "string", nick = "string?" }, ended = { reason = "string" },
            },
            noise = { "greeted" },
            json = {
                from_server = {
                    hello = { session = "string", nick = "string?" }, queue = {}, message = {}, ping = {},
                },
                from_client = { message = { text = "string" }, pong = {}, echo = { text = "string" } },
            },
        }
        function S.commands.connect(me) me.link = me:open {} me:wait "hello" end
        function S.commands.say(me, text) me.link:send_json { type = "message", text = text } end
        function S.commands.send(me, text) me.link:send(text) end
        -- Has the server send a text.
        function S.commands.hear(me, text) me.link:send_json { type = "echo", text = text } end
        function S.json.hello(me, message)
            me:emit("greeted", { session = message.session, nick = message.nick }, message)
            me:wake "hello"
        end
        function S.json.ping(_, _, link) link:send_json { type = "pong" } end
        function S.server.connected(_, client)
            client:send_json { type = "hello", session = "s1", nick = json.null, protocol = 7 }
        end
        function S.server.json.message(_, client, message)
            client:send_json { type = "message", text = message.text, from = "Sam" }
        end
        function S.server.json.echo(_, client, message) client:send(message.text) end
        function S.server.json.pong(_, client) client:send_json { type = "queue", position = 1 } end

        """

    /// Plays a client that has been greeted.
    private static func play(_ body: String, declarations: String = "", shop: String = Self.shop) throws -> ScriptRun {
        try ScriptRun(
            """
            \(shop)
            \(declarations)
            scenario("shops", function(t)
                local desk = t:server(S)
                local client = t:actor(S)
                client:connect()
                \(body)
            end)
            """)
    }

    @Test("a kind goes to its handler, or is the event of its name with what is declared of it")
    func kinds() throws {
        let run = try Self.play(
            """
            local greeted = client:expect("greeted", { session = "s1", raw = { protocol = 7 } })
            -- An optional member that is null is one that is not there.
            expect(greeted.raw.nick, nil)
            client:hear '{"type":"ping"}'
            client:expect("queue", { position = 1 })
            client:say "Hello"
            local message = client:expect("message", { text = "Hello", from = "Sam" })
            expect(message.raw, { type = "message" })
            client:hear '{"type":"message","text":"more","extra":[1,{"a":null}],"from":null}'
            local more = client:expect("message", { text = "more" })
            expect(more.from, nil)
            expect(more.raw, { extra = { 1, { a = json.null } } })
            """)
        #expect(run.messages == [])
    }

    @Test(
        "what is none of the server's messages is an error that says what was there, with the text",
        arguments: [
            (#"no"#, "the text is no JSON: the text ends within a word at byte 0"),
            (#"[{"type":"ping"}]"#, #"the message is no object of JSON but [{"type":"ping"}]"#),
            (#"{"text":"a"}"#, #"the message has no member "type", which names its kind"#),
            (#"{"type":null}"#, #"the message has no member "type", which names its kind"#),
            (#"{"type":true}"#, "type of the message is true, not a string or an integer, which names its kind"),
            (#"{"type":"mesage"}"#, #"there is no message "mesage" from the server; did you mean "message"?"#),
            (
                #"{"type":"pong"}"#, #"there is no message "pong" from the server; did you mean "ping"?"#
            ),
            (
                #"{"type":"teleport"}"#,
                #"there is no message "teleport" from the server; it sends hello, message, ping, queue"#
            ),
            (
                #"{"type":"queue","position":1,"position":2}"#,
                #"an object of the message has two members "position", and readers differ in which counts"#
            ),
            (
                #"{"type":"ping","data":[{"a":{"b":1,"\u0062":1}}]}"#,
                #"an object of the message has two members "b", and readers differ in which counts"#
            ),
            (#"{"type":"hello"}"#, #"message "hello" needs the member session"#),
            (#"{"type":"hello","session":null}"#, #"message "hello" needs the member session, and null is none"#),
            (#"{"type":"hello","session":5}"#, #"message "hello": session is 5, not a string"#),
            (#"{"type":"hello","session":"s","nick":5}"#, #"message "hello": nick is 5, not a string"#),
            (#"{"type":"queue"}"#, #"message "queue" needs the member position"#),
            (#"{"type":"queue","position":"1"}"#, #"message "queue": position is "1", not an integer"#),
        ])
    func faults(text: String, message: String) throws {
        let told = try Self.play(
            """
            client:hear [==[\(text)]==]
            client:expect("error", { code = "protocol", message = [==[\(message)]==], body = [==[\(text)]==] })
            client:say "still there"
            client:expect("message", { text = "still there" })
            """)
        #expect(told.messages == [])
        let run = try Self.play("client:hear [==[\(text)]==] wait '1s'")
        #expect(run.end.outcome == .failed && run.messages.count == 1, "\(run.messages)")
        #expect(run.messages.first?.hasSuffix("first #2 error: \(message)") == true, "\(run.messages)")
    }

    @Test("null is none where anything may come, too, and what is optional need not come")
    func nullOfAnything() throws {
        let shop = Self.shop.replacing("ping = {}", with: #"ping = { data = "any", more = "any?" }"#)
        let error = #"message "ping" needs the member data, and null is none"#
        let run = try Self.play(
            """
            client:hear '{"type":"ping","data":null}'
            client:expect("error", { code = "protocol", message = '\(error)' })
            client:hear '{"type":"ping","data":[null],"more":null}'
            client:expect("queue", { position = 1 })
            """, shop: shop)
        #expect(run.messages == [])
    }

    @Test("an empty text and one of white space are passed over on both sides", arguments: ["", " ", "\\r\\n\\t"])
    func empty(text: String) throws {
        let run = try Self.play(
            """
            client:send "\(text)"
            client:hear "\(text)"
            client:say "still there"
            client:expect("message", { text = "still there" })
            """)
        #expect(run.messages == [])
    }

    @Test(
        "a misspelt member of a message is refused in its handler",
        arguments: [("queue", "postion", "position"), ("queue", "tpye", "type"), ("echo", "txet", "text")])
    func slips(kind: String, member: String, meant: String) throws {
        let shop = Self.shop.replacing("client:send(message.text)", with: "client:send(message.\(member))")
        let run = try Self.play(
            "client:\(kind == "echo" ? "hear 'x'" : "send '{\"type\":\"pong\"}'") wait '1s'",
            declarations: "function S.json.queue(_, message) log.info(tostring(message.\(member))) end",
            shop: kind == "echo" ? shop : Self.shop)
        let told = "message \"\(kind)\" has no member \"\(member)\"; did you mean \"\(meant)\"? What may come"
        #expect(run.end.outcome == .error && run.messages.first?.contains(told) == true, "\(run.messages)")
    }

    @Test("a member of a message that is not declared and did not come is nil, unless it is like one that is")
    func others() throws {
        let declarations = """
            function S.json.queue(me, message)
                for _, name in ipairs { "priority", "id" } do log.info(name .. " " .. tostring(message[name])) end
                me:emit("queue", { position = message.position }, message)
            end
            """
        let run = try Self.play(
            """
            client:hear '{"type":"queue","position":1,"id":7}'
            expect(client:expect("queue", { position = 1 }).raw, { type = "queue", id = 7 })
            """, declarations: declarations)
        #expect(run.messages == [] && run.logs == ["priority nil", "id 7"], "\(run.messages) \(run.logs)")
    }

    @Test("a member of a letter or two that did not come is no slip, for it is like any other one")
    func shortNames() throws {
        let run = try ScriptRun(
            """
            local S = system {
                name = "shop", events = { told = {} },
                json = { from_server = { told = { at = "string" } }, from_client = {} },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.json.told(me, message) log.info(tostring(message.it)) me:emit("told", {}) end
            function S.server.connected(_, client) client:send '{"type":"told","at":"noon"}' end
            scenario("hears", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect "told"
            end)
            """)
        #expect(run.messages == [] && run.logs == ["nil"], "\(run.messages) \(run.logs)")
    }

    @Test("binary is an error, too, unless it has a handler")
    func binary() throws {
        let server = "function S.server.json.echo(_, client, message) client:send_bytes(message.text) end"
        let shop = Self.shop.replacing(
            "function S.server.json.echo(_, client, message) client:send(message.text) end", with: server)
        let error = #"client:expect("error", { code = "protocol", message = match.contains "a binary message" })"#
        #expect(try Self.play("client:hear 'x' \(error)", shop: shop).messages == [])
        let handler = "function S.on.bytes(me, bytes) me:emit('message', { text = bytes }) end"
        let run = try Self.play(
            "client:hear 'x' client:expect('message', { text = 'x' })", declarations: handler, shop: shop)
        #expect(run.messages == [])
    }

    @Test(
        "what is none of a client's messages fails its scenario, closes it with 1008 and is not heard",
        arguments: [
            (#"{"type":"message","text":5}"#, #"message "message": text is 5, not a string"#),
            (#"{"type":"message"}"#, #"message "message" needs the member text"#),
            (
                #"{"type":"hello","session":"s"}"#,
                #"there is no message "hello" from clients; they send echo, message, pong"#
            ),
            (#"{"type":"masage"}"#, #"there is no message "masage" from clients; did you mean "message"?"#),
            ("[]", "the message is no object of JSON but []"),
        ])
    func clients(text: String, message: String) throws {
        let closed = "function S.on.closed(me, closure) log.info(closure.code .. ' ' .. closure.reason) end"
        let run = try Self.play(
            """
            client:send [==[\(text)]==]
            client:send '{"type":"message","text":"behind it"}'
            wait "1s"
            """, declarations: closed)
        let told = "the simulated server of shop: client 1 broke the protocol: \(message)"
        #expect(run.end.outcome == .failed && run.messages == [told])
        #expect(run.logs == [told, "1008 \(message)"])
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName == "protocol" && problem.detail.contains(text), "\(problem.detail)")
    }

    @Test(
        "a kind and a word are those that are declared if their bytes are, and not if they look the same",
        arguments: [
            ("\u{E9}t\u{E9}", "caf\u{E9}", true), ("e\u{301}te\u{301}", "caf\u{E9}", false),
            ("\u{E9}t\u{E9}", "cafe\u{301}", false),
        ])
    func composition(kind: String, word: String, isOne: Bool) throws {
        let run = try ScriptRun(
            """
            local S = system {
                name = "shop", events = { told = { at = "string" } },
                json = { from_server = { ["\u{E9}t\u{E9}"] = { at = "caf\u{E9}|bar" } }, from_client = {} },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.json["\u{E9}t\u{E9}"] = function(me, message) me:emit("told", { at = message.at }) end
            function S.server.connected(_, client) client:send '{"type":"\(kind)","at":"\(word)"}' end
            scenario("hears", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect("\(isOne ? "told" : "error")")
            end)
            """)
        #expect(run.messages == [])
    }

    @Test("a failure that comes first says what a client had sent before")
    func circumstances() throws {
        let run = try Self.play(
            "client:send '{}' client:expect('message', nil, { within = '1s' })",
            declarations: "function S.on.closed() end")
        #expect(run.messages.count == 1)
        let section = run.end.problems.first?.evidence?.sections.first { $0.heading == "violation" }
        #expect(
            section?.lines.first?.hasSuffix(
                "client 1 broke the protocol: the message has no member \"type\", which names its kind")
                == true)
    }

    @Test("who expects the end of the connection with its reason has meant it, and who expects any end has not")
    func meant() throws {
        let closed = "function S.on.closed(me, closure) me:emit('ended', { reason = closure.reason }) end"
        let meant = "client:send '{}' client:expect('ended', { reason = match.contains 'no member' })"
        #expect(try Self.play(meant, declarations: closed).messages == [])
        let error = "client:send '{}' client:expect('error', { message = match.contains '1008' })"
        #expect(try Self.play(error).messages == [])
        let silent = "function S.on.closed(me, closure) me:emit('ended', { reason = 'gone' }) end"
        let run = try Self.play("client:send '{}' client:expect('ended')", declarations: silent)
        #expect(run.end.outcome == .failed && run.messages.count == 1, "\(run.messages)")
    }

    @Test("a client of another system that sends such fails the scenario as well")
    func strangers() throws {
        let run = try ScriptRun(
            """
            \(Self.shop)
            local plain = system { name = "plain", events = {}, options = { url = "string" } }
            function plain.commands.send(me) me.link = me:open { url = me.options.url } me:wait "open" me.link:send "{}" end
            function plain.on.text() end
            function plain.on.closed() end
            function plain.server.text() end
            scenario("sends", function(t)
                local desk = t:server(S)
                t:actor(plain, { url = desk.url }):send()
                wait "1s"
            end)
            """)
        #expect(run.messages.count == 1)
        #expect(run.messages.first?.contains("client 1 broke the protocol: the message has no member") == true)
    }

    @Test("a server that is closing who broke the protocol may go on sending to all")
    func broadcast() throws {
        let declarations = """
            function S.server.commands.tell(desk) for _, one in ipairs(desk.clients) do one:send '{"type":"ping"}' end end
            function S.on.closed() end
            """
        let run = try Self.play("client:send '{}' desk:tell() wait '1s'", declarations: declarations)
        #expect(run.end.outcome == .failed && run.messages.count == 1, "\(run.messages)")
    }

    @Test("any member names the kind, and a kind may be a number")
    func numbers() throws {
        let run = try ScriptRun(
            """
            local S = system {
                name = "hub", events = { said = { text = "string" } },
                json = {
                    by = "op", from_server = { ["1"] = { text = "string" }, ["room.update"] = {} },
                    from_client = { ["1"] = { text = "string" } },
                },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.send(me, message) me.link:send_json(message) end
            S.json["1"] = function(me, message) me:emit("said", { text = message.text }) end
            S.json["room.update"] = function(me, message) me:emit("said", { text = message.op }) end
            S.server.json["1"] = function(_, client, message)
                client:send_json { op = 1, text = message.text }
                client:send_json { op = "1", text = message.text }
                client:send_json { op = "room.update" }
                client:send_json { op = 2 }
            end
            scenario("speaks", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:send { op = 1, text = "Hi" }
                for _, text in ipairs { "Hi", "Hi", "room.update" } do client:expect_next("said", { text = text }) end
                client:expect("error", { message = 'there is no message "2" from the server; did you mean "1"?' })
            end)
            """)
        #expect(run.messages == [])
    }

    @Test("lines of a link over TCP are messages, too")
    func lines() throws {
        let run = try ScriptRun(
            """
            local S = system {
                name = "wire", frames = "lines", events = { message = { text = "string" } },
                json = { from_server = { message = {} }, from_client = { message = { text = "string" } } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.send(me, bytes) me.link:send_bytes(bytes) end
            function S.on.closed() end
            function S.server.json.message(_, client, message)
                if message.text == "raw" then return client:send_bytes '{"type":"\\xff"}\\n' end
                client:send_json { type = "message", text = message.text }
            end
            scenario("speaks", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:send '{"type":"message","text":"one"}\\n{"type":"message","text":"raw"}\\n'
                client:expect("message", { text = "one" })
                client:expect("error", { message = match.contains "not valid UTF-8", body = '{"type":"\\xff"}' })
                client:send '{"type":"message"}\\n'
                wait "1s"
            end)
            """)
        #expect(
            run.messages == [
                "the simulated server of wire: client 1 broke the protocol: message \"message\" needs the member text"
            ])
    }

    @Test("a handler that waits holds up no other message")
    func waiting() throws {
        let declarations = """
            function S.json.queue(me, message)
                if message.position == 2 then me:wait "first" end
                me:emit("queue", { position = message.position })
                me:wake "first"
            end
            """
        let shop = Self.shop.replacing(
            "hello = { session", with: "queue = { position = \"integer\" }, hello = { session"
        )
        .replacing("nick = \"string?\" }, queue = {}, message", with: "nick = \"string?\" }, message")
        let run = try Self.play(
            """
            client:hear '{"type":"queue","position":2}'
            client:hear '{"type":"queue","position":1}'
            client:expect_next("queue", { position = 1 })
            client:expect_next("queue", { position = 2 })
            """, declarations: declarations, shop: shop)
        #expect(run.messages == [])
    }
}
