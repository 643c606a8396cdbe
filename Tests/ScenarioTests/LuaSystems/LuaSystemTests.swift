import JSON
import Machines
import RunRecord
import Testing
import Transport

@testable import Scenario

@Suite("Chat systems written in Lua")
struct LuaSystemTests {
    @Test(
        "a type is a word, with a question mark where it may be missing, or words between bars",
        arguments: [
            ("string", ScriptType.string, false), ("integer?", .integer, true), ("duration", .duration, false),
            ("any?", .json, true), ("table", .map(.json), false), ("list?", .list(.json), true),
            ("open|ended", .choice(["open", "ended"]), false), ("a|b|c?", .choice(["a", "b", "c"]), true),
        ])
    func types(text: String, type: ScriptType, isOptional: Bool) throws {
        let read = try LuaTypeReader.type(text, of: "here")
        #expect(read.type == type)
        #expect(read.isOptional == isOptional)
    }

    @Test("what is no type is refused", arguments: ["strnig", "", "?", "a||b", "|", "string??"])
    func noTypes(text: String) {
        #expect(throws: UsageError.self) { _ = try LuaTypeReader.type(text, of: "here") }
    }

    @Test("a parameter without a type may be anything, and may be missing")
    func parameters() throws {
        let typed = try LuaTypeReader.parameter("text: string", of: "here")
        #expect(typed.name == "text" && typed.type == .string && !typed.isOptional)
        let open = try LuaTypeReader.parameter("whatever", of: "here")
        #expect(open.type == .json && open.isOptional)
        #expect(throws: UsageError.self) { _ = try LuaTypeReader.parameter("two words: string", of: "here") }
    }

    @Test("a declaration without an event error has the standard one, and one that declares it keeps its own")
    func standardEvents() throws {
        let plain = try LuaSystemDeclaration(["name": "a", "events": ["message": ["text": "string"]]], reserved: [])
        #expect(plain.events.first { $0.kind == .error }?.fields.map(\.name) == ["code", "message", "status", "body"])
        let own = try LuaSystemDeclaration(["name": "a", "events": ["error": ["why": "string"]]], reserved: [])
        #expect(own.events.map(\.kind) == [.error])
        #expect(own.events.first?.fields.map(\.name) == ["why"])
    }

    @Test("a command that sends a text without parameters has that one")
    func sentText() throws {
        let command = try LuaCommand(["sends": "text"], name: "say")
        #expect(command.parameters?.map(\.name) == ["text"])
        #expect(throws: UsageError.self) {
            _ = try LuaCommand(["sends": "text", "parameters": ["text: integer"]], name: "say")
        }
    }

    @Test("handlers and commands find every method that the reference declares, and no others are declared")
    func methods() throws {
        let names = Dictionary(
            uniqueKeysWithValues: LanguageReference.ownTables.map { ($0.name, $0.methods.map(\.name)) })
        func check(_ variable: String, _ table: String) -> String {
            (names[table] ?? []).map { "expect(type(\(variable).\($0)), \"function\")" }.joined(separator: " ")
        }
        let source = """
            local S = system { name = "probe", events = {}, parties = { peer = {} } }
            function S.commands.probe(me)
                \(check("me", "me"))
                me.link = me:open {}
                \(check("me.link", "link"))
                me:wait "open"
                local answer = me:request { path = "/", stream = true }
                expect(answer.status, match.integer)
                \(check("answer", "answer"))
            end
            function S.server.request(desk, request)
                \(check("request", "request"))
            end
            function S.server.connected(desk, client)
                \(check("desk", "desk"))
                \(check("client", "client"))
            end
            function S.parties.peer.probe(party)
                \(check("party", "party"))
            end
            scenario("probes", function(t)
                local desk = t:server(S)
                desk:peer "anybody":probe()
                t:actor(S):probe()
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
        // An event of a stream is told, and does nothing.
        #expect(names.filter { $0.value.isEmpty }.keys.sorted() == ["event"])
    }

    @Test("the annotations know every handler that there is, and no other")
    func annotatedHandlers() {
        #expect(OwnSystemStubs.handlers.map(\.0) == LuaSystem.Part.handlers.names)
        #expect(OwnSystemStubs.serverHandlers.map(\.0) == LuaSystem.Part.server.names)
    }

    @Test("the methods of a missing name would be noticed")
    func missing() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.probe(me) expect(type(me.no_such_method), "function") end
            function S.server.text() end
            scenario("probes", function(t) t:actor(S):probe() end)
            """
        #expect(try ScriptRun(source).end.outcome == .failed)
    }

    @Test("clients of a server are counted from one, whatever requests and connections come in between")
    func clientNumbers() throws {
        let source = """
            local S = system { name = "probe", events = { number = { value = "integer" } } }
            function S.commands.start(me)
                expect(me:request { path = "/" }.ok, true)
                me:open {}
                me:wait "open"
            end
            function S.on.text(me, text) me:emit("number", { value = tonumber(text) }) end
            function S.server.request() return 200 end
            function S.server.connected(desk, client) client:send(tostring(client.number)) end
            scenario("counts", function(t)
                for number = 1, 3 do
                    local client = t:actor(S)
                    client:start()
                    client:expect("number", { value = number })
                end
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }

    @Test(
        "any JSON that a server may send can be told of as an event",
        arguments: [
            "1e999", "-1e999", #"[{"a":1e400}]"#, String(repeating: "9", count: 400),
            String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
        ])
    func hostileJSON(text: String) throws {
        let source = """
            local S = system { name = "probe", events = { value = { value = "any" } } }
            function S.commands.start(me) me:open { path = "/" } end
            function S.on.text(me, text)
                local value = json.decode(text)
                me:emit("value", { value = value }, { raw = value })
                me:emit("value", { value = value }, value)
            end
            function S.server.connected(desk, client) client:send '\(text)' end
            scenario("tells", function(t)
                t:server(S)
                local client = t:actor(S)
                client:start()
                client:expect "value"
                client:expect "value"
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }

    @Test("bytes of a peer that are not UTF-8 can be told of as an event, which shows them")
    func hostileBytes() throws {
        let source = #"""
            local S = system { name = "probe", frames = "lines", events = { line = { text = "string" } } }
            function S.commands.start(me) me:open { frames = "lines" } end
            function S.on.text(me, text)
                me:emit("line", { text = text }, { [text] = text })
                me:emit("error", { code = "protocol", message = "no JSON", body = text })
            end
            function S.server.connected(desk, client) client:send_bytes "\xE9t\xC3\xA9 \xFF\n" end
            scenario("tells", function(t)
                t:server(S)
                local client = t:actor(S)
                client:start()
                local line = client:expect "line"
                expect(line.text, "�xE9té �xFF")
                expect(line.raw, { [line.text] = line.text })
                client:expect("error", { body = line.text })
            end)
            """#
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }

    @Test(
        "what fails in the handler ending fails the scenario, and a goodbye that works is none",
        arguments: [
            ("expect(1, 2)", "2"), ("error 'boom'", "boom"), ("while true do end", "instructions"),
            ("me.link:send 'bye'", nil), ("me:wait('never', '20s')", nil),
        ] as [(String, String?)])
    func endings(body: String, message: String?) throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.start(me)
                me.link = me:open {}
                me:wait "open"
            end
            function S.on.text() end
            function S.on.closed() end
            function S.on.ending(me) \(body) end
            function S.server.text() end
            scenario("ends", function(t)
                t:server(S)
                t:actor(S):start()
                expect(1, 1)
            end)
            """
        let messages = try ScriptRun(source).end.problems.map(\.message)
        #expect(messages.count == (message == nil ? 0 : 1), "\(messages)")
        if let message { #expect(messages.first?.contains(message) == true, "\(messages)") }
    }

    @Test(
        "a connection that does not end in order is an error, unless the system takes it or has closed it itself",
        arguments: [
            ("client:close(1011, 'gone')", "", "closed: 1011 gone"), ("client:drop()", "", "closed: 1006"),
            ("client:close(1000)", "", nil), ("client:close(1001)", "", nil),
            ("client:close(1011)", "function S.on.closed() end", nil),
            ("client:send 'x'", "function S.on.text(_, _, link) link:close(4000) end", nil),
        ] as [(String, String, String?)])
    func endings(end: String, handler: String, message: String?) throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.start(me) me.link = me:open {} me:wait "open" end
            \(handler.contains("on.text") ? "" : "function S.on.text() end")
            \(handler)
            function S.server.connected(desk, client) \(end) end
            function S.server.text() end
            scenario("ends", function(t)
                t:server(S)
                t:actor(S):start()
                wait "1s"
                expect(1, 1)
            end)
            """
        let problems = try ScriptRun(source).end.problems
        #expect(problems.isEmpty == (message == nil), "\(problems)")
        if let message { #expect(problems.first?.detail.contains(message) == true, "\(problems)") }
    }

    @Test("a streamed text is cut between characters, however the network cuts it")
    func cuts() throws {
        let source = """
            local S = system { name = "probe", events = { piece = { text = "string" } } }
            function S.commands.read(me)
                local answer, bytes = me:request { path = "/", stream = true }, ""
                for piece in function() return answer:read() end do
                    bytes = bytes .. piece
                    if utf8.len(piece) then me:emit("piece", { text = piece }) end
                end
                return bytes
            end
            function S.server.request(desk, request)
                request:begin()
                request:write "Grüße an 😀 und €"
            end
            scenario("reads", { allow = { "piece" } }, function(t)
                t:server(S)
                t:network { pieces = 1 }
                local client = t:actor(S)
                expect(client:read(), "Grüße an 😀 und €")
                local text = ""
                for _, event in ipairs(client:events "piece") do text = text .. event.text end
                expect(text, "Grüße an 😀 und €")
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }

    @Test("a system whose own event error cannot tell of a failed connection is told to take it")
    func ownError() throws {
        let source = """
            local S = system { name = "probe", events = { error = { code = "integer" } } }
            function S.commands.start(me) me:open {} me:wait("open", "1s") end
            function S.on.text() end
            function S.server.upgrade() return 401 end
            function S.server.text() end
            scenario("opens", function(t)
                t:server(S)
                t:actor(S):start()
            end)
            """
        let messages = try ScriptRun(source).end.problems.map(\.message)
        #expect(messages.first?.contains("write function probe.on.failed(me, …)") == true, "\(messages)")
    }

    @Test(
        "what no event of the system has cannot be asked for, and what would be dropped cannot be said",
        arguments: [
            ("t:never('message', { body = match.personal_data() })", "body"),
            ("t:always('message', { sender = match.absent })", "sender"),
            ("client:never('message', { content = 'x' })", "content"),
            ("client:expect('message', { text = 'hi', body = match.absent })", "body"),
            ("client:expect('message', nil, '1s')", "takes its options as a table"),
            ("client:expect('message', {}, {}, 'zz')", "takes no more than what, fields, options"),
            ("client:events('message', { text = 'hi' }, 1)", "takes no more than what, fields"),
            ("t:never('message', { text = 'card' }) client:expect('message', { raw = 7 }, { within = '1s' })", nil),
        ] as [(String, String?)])
    func fields(statement: String, message: String?) throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.go(me) me:emit("message", { text = "hi" }, 7) end
            function S.server.text() end
            scenario("asks", { allow = { "message" } }, function(t)
                t:server(S)
                local client = t:actor(S)
                client:go()
                \(statement)
                expect(1, 1)
            end)
            """
        let problems = try ScriptRun(source).end.problems
        #expect(problems.isEmpty == (message == nil), "\(problems)")
        if let message {
            #expect(problems.first?.category == .error, "\(problems)")
            #expect(problems.first?.message.contains(message) == true, "\(problems)")
        }
    }

    @Test(
        "what a command of a system in Lua says and nobody would read is refused",
        arguments: [
            ("me:cancel(5)", "me:cancel: argument 1 (name) must be a string"),
            ("me:fail(\"a\", \"b\")", "me:fail takes no more than text"),
            ("me:emit(\"message\", { text = \"a\" }, 7, 8)", "me:emit takes no more than kind, fields, raw"),
            ("me:after(\"a\", \"1s\", 2)", "me:after takes no more than name, delay"),
        ])
    func dropped(statement: String, message: String) throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.go(me) \(statement) end
            function S.server.text() end
            scenario("goes", { allow = { "message" } }, function(t)
                t:server(S)
                t:actor(S):go()
            end)
            """
        let messages = try ScriptRun(source).end.problems.map(\.message)
        #expect(messages.first?.contains(message) == true, "\(messages)")
    }

    @Test(
        "an answer of a simulated server that cannot be meant so is an error of its handler",
        arguments: [
            ("{ jsn = { 1 } }", "has no member \"jsn\"; did you mean \"json\""), ("{ status = '404' }", "status"),
            ("{ status = 1000 }", "status is from 200 to 599, not 1000"), ("0", "status is from 200 to 599, not 0"),
            ("{ body = 5 }", "body"), ("{ body = 'a', json = {} }", "not both json and body"),
            ("{ base64 = '*' }", "base64"), ("{ headers = { a = 'x\\ny' } }", "the header \"a\" has a line end"),
            ("{ headers = { ['a b'] = 'x' } }", "\"a b\" cannot be the name of an HTTP header"),
            ("{ status = 404, headers = { a = 1, b = { 'x', 'y' } }, body = 'no' }", nil), ("nil", nil), ("204", nil),
            ("'text'", nil), ("{}", nil), ("{ headers = { a = true } }", "headers.a is a string or a number or a list"),
        ] as [(String, String?)])
    func answers(answer: String, message: String?) throws {
        let source = """
            local S = system { name = "probe", events = { answered = { status = "integer" } } }
            function S.commands.ask(me) me:emit("answered", { status = me:request { path = "/" }.status }) end
            function S.server.request() return \(answer) end
            scenario("asks", function(t)
                t:server(S)
                local client = t:actor(S)
                client:ask()
                client:expect "answered"
            end)
            """
        let messages = try ScriptRun(source).end.problems.map(\.message)
        #expect(messages.isEmpty == (message == nil), "\(messages)")
        if let message { #expect(messages.first?.contains(message) == true, "\(messages)") }
    }

    @Test(
        "the head of an answer in pieces is checked as that of a whole one",
        arguments: [
            ("{ status = 1000 }", "request:begin: status is from 200 to 599, not 1000"),
            ("{ stauts = 201 }", "has no member \"stauts\"; did you mean \"status\""),
            ("{ status = '201' }", "status"), ("{ body = 'x' }", "has no member \"body\""), ("7", "request:begin"),
            ("{ headers = { ['a b'] = 'x' } }", "\"a b\" cannot be the name of an HTTP header"),
            ("{ headers = { a = 'x\\ny' } }", "the header \"a\" has a line end"),
            ("{ status = 599, headers = { a = 1, b = { 'x', 'y' } } }", nil), ("nil", nil), ("{}", nil),
        ] as [(String, String?)])
    func heads(head: String, message: String?) throws {
        let source = """
            local S = system { name = "probe", events = { answered = { status = "integer" } } }
            function S.commands.ask(me) me:emit("answered", { status = me:request { path = "/" }.status }) end
            function S.server.request(desk, request)
                request:begin(\(head))
                request:write "x"
            end
            scenario("asks", function(t)
                t:server(S)
                local client = t:actor(S)
                client:ask()
                client:expect "answered"
            end)
            """
        let messages = try ScriptRun(source).end.problems.map(\.message)
        #expect(messages.isEmpty == (message == nil), "\(messages)")
        if let message { #expect(messages.first?.contains(message) == true, "\(messages)") }
    }

    @Test(
        "a handshake is refused by an answer or false, and accepted by true or a sub-protocol; nothing decides nothing")
    func upgrades() throws {
        for (answer, message) in [
            ("401", nil), ("true", nil), ("false", nil), ("nil", "and false, a status or a table to refuse, not nil"),
            ("{ stats = 401 }", "\"stats\""),
        ] {
            let source = """
                local S = system { name = "probe", events = { error = {} } }
                function S.commands.start(me) me:open {} end
                function S.on.failed() end
                function S.on.text() end
                function S.server.upgrade() return \(answer) end
                function S.server.text() end
                scenario("opens", function(t)
                    t:server(S)
                    t:actor(S):start()
                    expect(1, 1)
                end)
                """
            let messages = try ScriptRun(source).end.problems.map(\.message)
            #expect(messages.isEmpty == (message == nil), "\(answer): \(messages)")
            if let message { #expect(messages.first?.contains(message) == true, "\(messages)") }
        }
    }

    @Test("a handler that polls for ever does not hold the scenario, and a request is held until there is something")
    func polling() throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } }, parties = { peer = {} } }
            function S.commands.start(me) me:after("poll", 0) end
            function S.on.timer(me)
                while true do
                    local answer = me:request { path = "/poll" }
                    if not answer.ok then return end
                    me:emit("message", { text = answer.body })
                end
            end
            function S.server.started(desk) desk.texts = {} end
            function S.server.request(desk)
                while #desk.texts == 0 do desk:wait "text" end
                return { body = table.remove(desk.texts, 1) }
            end
            function S.parties.peer.say(peer, text)
                table.insert(peer.desk.texts, text)
                expect(peer.desk:wake "text", 1)
            end
            scenario("polls", function(t)
                local peer = t:server(S):peer "anybody"
                local client = t:actor(S)
                client:start()
                for number = 1, 3 do
                    wait "1s"
                    peer:say("text " .. number)
                    client:expect("message", { text = "text " .. number })
                end
            end)
            """
        let end = try ScriptRun(source).end
        #expect(end.problems.map(\.message) == [])
        // The request that is under way at the end is canceled, and not waited for until the tear-down's limit.
        #expect(end.atNanoseconds < 4_000_000_000)
    }

    @Test("what a handler waits for when the scenario ends is forgotten, and a goodbye may still ask the server")
    func forgottenWaits() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.connect(me) me:open {} me:wait "open" end
            function S.on.text(me) me:wait("nothing", "1m") end
            function S.on.ending(me) expect(me:request({ path = "/bye" }).status, 202) end
            function S.server.connected(desk, client) client:send "text" end
            function S.server.request(desk, request) return 202 end
            scenario("ends", function(t)
                t:actor(S):connect()
                wait "1s"
            end)
            """
        let end = try ScriptRun(source).end
        #expect(end.problems.map(\.message) == [])
        #expect(end.atNanoseconds < 2_000_000_000)
    }

    @Test("a misspelt method of what handlers get is told with what was meant")
    func misspeltMethod() throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.tell(me) me:emitt("message", { text = "x" }) end
            function S.server.text() end
            scenario("tells", function(t) t:actor(S):tell() end)
            """
        #expect(
            try ScriptRun(source).end.problems.map(\.message) == [
                "attempt to call a nil value (method 'emitt'); did you mean \"emit\"?"
            ])
    }

    @Test("a handler's error names where the scenario waited")
    func handlerError() throws {
        let source = """
            local own = system { name = "own", events = {} }
            function own.commands.connect(me)
                me:open {}
                me:wait("open")
            end
            function own.on.text(me, text) error("boom " .. text, 0) end
            function own.server.connected(desk, client) client:send "hello" end
            scenario("waits", function(t)
                t:actor(own):connect()
                wait "1s"
            end)
            """
        let problem = try #require(try ScriptRun(source).end.problems.first)
        #expect(problem.message == "boom hello")
        #expect(problem.line == 6)
        let lines = problem.evidence?.sections.first { $0.heading == "called from" }?.lines ?? []
        #expect(lines.first?.hasPrefix("a.lua:4: in ") == true && lines.first?.hasSuffix(", which waited") == true)
        #expect(lines.last == "a.lua:9", "\(lines)")
    }

    @Test("the body of a refused handshake is kept, and servers of one scenario may name each other")
    func refusedAndNamed() throws {
        let source = """
            local door = system { name = "door", events = {} }
            function door.server.upgrade(desk, request)
                return request.query.ticket == "1" or { status = 403, json = { why = "no ticket" } }
            end
            function door.server.text() end
            local desk = system { name = "desk", events = {} }
            function desk.commands.enter(me, ticket)
                local place = me:request({ path = "/where" }).json.url
                me:open { url = place, query = { ticket = ticket } }
                return (me:wait "open") ~= nil
            end
            scenario("enters", function(t)
                local there = t:server(door).url
                function desk.server.request() return { json = { url = there } } end
                local visitor = t:actor(desk)
                expect(visitor:enter "0", false)
                visitor:expect("error", { status = 403, body = match.contains "no ticket" })
                expect(visitor:enter "1", true)
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }

    @Test("an answer that comes in pieces is read as it comes, and one that breaks off says so")
    func streams() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.read(me, path)
                local answer, pieces = me:request { path = path, stream = true }, {}
                while true do
                    local piece, failure = answer:read()
                    if not piece then return answer.status, table.concat(pieces, "|"), failure end
                    pieces[#pieces + 1] = piece .. math.tointeger(now() // 1)
                end
            end
            function S.server.request(desk, request)
                if request.path == "/whole" then return { status = 201, body = "whole" } end
                expect(request:begin { status = 202, headers = { ["content-type"] = "text/plain" } }, true)
                for _, text in ipairs { "one", "two" } do
                    request:write(text)
                    wait "1s"
                end
            end
            scenario("reads", function(t)
                local client = t:actor(S)
                local status, text, failure = client:read "/"
                expect(status, 202)
                expect(text, "one0|two1")
                expect(failure, nil)
                status, text = client:read "/whole"
                expect(status, 201)
                expect(text, "whole2")
                t:network { latency = "1h" }
                local broken = t:actor(S)
                spawn(function() wait "2s" t:network { cut = true } end)
                status, text, failure = broken:read "/"
                expect(failure ~= nil, true)
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }

    @Test("a wait of a server ends when its time is over")
    func limitedWait() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.ask(me) return me:request({ path = "/" }).body end
            function S.server.request(desk) return { body = tostring(desk:wait("nothing", "5s")) } end
            scenario("waits", function(t)
                local client = t:actor(S)
                expect(client:ask(), "false")
                expect(now(), match.near(5, 0.1))
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }
}
