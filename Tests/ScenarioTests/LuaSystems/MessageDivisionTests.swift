import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Messages that a separator ends")
struct MessageDivisionTests {
    private static let link = ConnectionID(3)
    private static let inOrder = WebSocketClosure(code: 1000, reason: "")

    @Test("texts in any pieces are the same messages", arguments: ["\u{1E}", "\r\n", "--", "ü"], 0..<8)
    func pieces(separator: String, seed: UInt64) {
        var random = RandomSource(seed: seed)
        let messages = (0..<6).map { "{\"number\":\($0),\"text\":\"é-\"}" }
        let bytes = messages.map { $0 + separator }.joined()
        var division = MessageDivision(at: separator)
        var found: [String] = []
        var rest = bytes.unicodeScalars[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...12, using: &random)
            let calls = division.calls(for: String(rest.prefix(count)), on: Self.link)
            #expect(calls.allSatisfy { $0.handler == "text" })
            found += calls.map(\.text)
            rest = rest.dropFirst(count)
        }
        #expect(found == messages)
        #expect(division.begun == [])
        #expect(division.rest(on: Self.link, endingWith: Self.inOrder) == nil)
    }

    @Test("nothing and white space between separators is no message")
    func empty() {
        var division = MessageDivision(at: "\n")
        #expect(division.calls(for: "\n\n \r\n{}\n\n\t", on: Self.link).map(\.text) == ["{}"])
        #expect(division.begun == [])
        #expect(division.rest(on: Self.link, endingWith: Self.inOrder) == nil)
    }

    @Test("a whole message at the end of a text needs no separator, which may still follow")
    func betweenOnly() {
        var division = MessageDivision(at: "\r\n")
        for (text, messages) in [
            (#"{"a":1}"# + "\r\n" + #"{"b":2}"#, [#"{"a":1}"#, #"{"b":2}"#]), (#" ["]",{}] "#, [#"["]",{}]"#]),
            (#"{"c":"\"}"#, []), ("\"\n", []), ("}\r", ["{\"c\":\"\\\"}\"\n}"]), ("\n{}\r", ["{}"]), ("\n\r\n", []),
        ] as [(String, [String])] {
            #expect(division.calls(for: text, on: Self.link).map(\.text) == messages, "\(text)")
        }
        #expect(division.begun == [])
        // Each of these texts ends in a bracket; all of them are one message.
        for place in 0..<2000 {
            #expect(division.calls(for: place == 0 ? "[{}" : ",{}", on: Self.link).isEmpty)
        }
        #expect(
            division.calls(for: "]", on: Self.link).map(\.text) == ["[{}" + String(repeating: ",{}", count: 1999) + "]"]
        )
    }

    @Test(
        "what is no whole object or array waits for its separator",
        arguments: [
            #"{"a":1} x"#, "{}{}", "[1}", #"{"a":}"#, "1", #""a""#, "x{}", "]", "{}]",
            String(repeating: "[", count: 2000)
                + String(repeating: "]", count: 2000),
        ])
    func notWhole(text: String) {
        var division = MessageDivision(at: "\n")
        #expect(division.calls(for: text, on: Self.link).isEmpty)
        #expect(division.calls(for: " ", on: Self.link).isEmpty)
        #expect(division.calls(for: "\n[]", on: Self.link).map(\.text) == [text + " ", "[]"])
        #expect(division.begun == [])
    }

    @Test("a separator that comes behind a message that was whole without it ends no second one")
    func lateSeparator() {
        var division = MessageDivision(at: "\n")
        #expect(division.calls(for: "{}", on: Self.link).map(\.text) == ["{}"])
        #expect(division.calls(for: "\nhalf", on: Self.link).isEmpty)
        #expect(
            division.begun == [["text": "4 bytes that no separator ends, on link 3", "predecessors": 1]])
    }

    @Test("each link has a rest of its own, told with how much it is and what came before it")
    func rests() {
        var division = MessageDivision(at: "\n")
        #expect(division.calls(for: "{}\n[]\nhalf", on: Self.link).map(\.text) == ["{}", "[]"])
        #expect(division.calls(for: "ha", on: ConnectionID(1)).isEmpty)
        #expect(
            division.begun == [
                ["text": "2 bytes that no separator ends, on link 1", "predecessors": 0],
                ["text": "4 bytes that no separator ends, on link 3", "predecessors": 2],
            ])
        #expect(division.rest(on: Self.link, endingWith: Self.inOrder) == "half")
        #expect(division.rest(on: Self.link, endingWith: Self.inOrder) == nil)
        // Of a connection that was lost the rest was lost with it.
        let lost = WebSocketClosure(code: 1006, reason: "gone")
        #expect(division.rest(on: ConnectionID(1), endingWith: lost) == nil)
        #expect(division.begun == [])
    }

    @Test("a message that never ends is told once it is longer than any that is taken in")
    func endless() {
        var division = MessageDivision(at: "\n")
        let piece = String(repeating: "a", count: MessageDivision.limit / 2)
        #expect(division.calls(for: piece, on: Self.link).isEmpty)
        #expect(division.calls(for: piece, on: Self.link).isEmpty)
        let calls = division.calls(for: "b", on: Self.link)
        #expect(calls.map(\.handler) == ["half"])
        #expect(calls.first?.text.utf8.count == MessageDivision.limit + 1)
        #expect(division.begun == [])
    }

    /// Plays a client of a hub whose messages end with a separator, and which sends what it is told to.
    ///
    /// - Parameters:
    ///   - events: Events of the client beside `said`.
    ///   - answer: What the server does with what it is told.
    private static func play(
        _ body: String, declarations: String = "", events: String = "",
        answer: String = "S.server.json[\"1\"] = function(_, client, message) client:send(message.text) end"
    ) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system {
                name = "hub", events = { said = { text = "string" }, \(events) },
                json = {
                    separator = "\\x1e", from_server = { said = {}, ping = {} },
                    from_client = { ["1"] = { text = "string" }, ["7"] = {} }, by = "type",
                },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.send(me, text) me.link:send(text) end
            function S.commands.close(me) me.link:close() end
            function S.commands.hear(me, text) me.link:send(json.encode { type = 1, text = text } .. "\\x1e") end
            function S.json.ping() end
            \(answer)
            S.server.json["7"] = function(_, client) client:close(1000) end
            \(declarations)
            local one, ping, two = '{"type":"said","text":"1"}', '{"type":"ping"}', '{"type":"said","text":"2"}'
            local three = one .. "\\x1e" .. ping .. "\\x1e" .. two .. "\\x1e"
            scenario("hears", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                \(body)
            end)
            """)
    }

    @Test("three in a text, and one over two texts, come one after the other")
    func several() throws {
        let run = try Self.play(
            """
            client:hear(three)
            client:expect_next("said", { text = "1" })
            client:expect_next("said", { text = "2" })
            client:hear(three:sub(1, 7))
            client:hear(three:sub(8))
            client:expect_next("said", { text = "1" })
            client:expect_next("said", { text = "2" })
            client:send '{"type":1,'
            client:send('"text":' .. json.encode(one) .. '}\\x1e{"type":1,"text":"\\\\u001e"}\\x1e')
            client:hear "\\x1e"
            client:expect_next("said", { text = "1" })
            """)
        #expect(run.messages.count == 0, "\(run.messages)")
    }

    @Test("a separator that stands only between the messages of a text ends the last one, too")
    func unended() throws {
        let run = try Self.play(
            """
            client:hear(three:sub(1, -2))
            client:expect_next("said", { text = "1" })
            client:expect_next("said", { text = "2" })
            client:send('{"type":1,"text":' .. json.encode(one) .. '}')
            client:expect_next("said", { text = "1" })
            client:close()
            """)
        #expect(run.messages == [])
    }

    @Test("what is sent as JSON ends with the separator on either side")
    func sent() throws {
        let declarations = """
            function S.commands.say(me, text) me.link:send_json { type = 1, text = text } end
            S.server.json["1"] = function(_, client, message)
                client:send_json { type = "said", text = message.text }
                client:send_json { type = "ping" }
            end
            """
        let run = try Self.play(
            """
            client:say "one"
            client:say "two"
            client:expect_next("said", { text = "one" })
            client:expect_next("said", { text = "two" })
            """, declarations: declarations, answer: "")
        #expect(run.messages == [])
    }

    @Test("what is wrong with one of several says which, and the others count")
    func faults() throws {
        let run = try Self.play(
            """
            client:hear(one .. "\\x1e[]\\x1e" .. two .. "\\x1e")
            client:expect_next("said", { text = "1" })
            client:expect("error", { code = "protocol", body = "[]" })
            client:expect_next("said", { text = "2" })
            """)
        #expect(run.messages == [])
    }

    @Test("half a message fails the scenario that ends with it, of whichever side it is")
    func left() throws {
        #expect(
            try Self.play("client:hear '{\"ty'").messages
                == ["client got a message that never became whole: 4 bytes that no separator ends, on link 1"])
        #expect(
            try Self.play("client:send '{\"ty' wait '1s'").messages
                == [
                    "the simulated server of hub got a message that never became whole: 4 bytes that no separator ends, "
                        + "on link 1"
                ])
    }

    @Test("half a message is an error of the client whose link ends in order with it, unless the client has closed it")
    func ended() throws {
        let half = "client:hear '{\"ty'"
        let error = """
            client:expect("error", {
                code = "protocol", message = "a message was never whole: 4 bytes that no separator ends", body = '{"ty',
            })
            """
        let closed = #"client:send '{"type":7}\x1e'"#
        #expect(try Self.play("\(half) \(closed) \(error)").messages == [])
        let unexpected = try Self.play("\(half) \(closed) wait '1s'")
        #expect(unexpected.end.outcome == .failed && unexpected.messages.count == 1, "\(unexpected.messages)")
        #expect(try Self.play("\(half) wait '1s' client:close() wait '1s' expect(1, 1)").messages == [])
    }

    @Test("half a message of a client whose link ends with it breaks the protocol")
    func endedByClient() throws {
        let run = try Self.play("client:send '{\"ty' client:close() wait '1s'")
        #expect(
            run.messages == [
                "the simulated server of hub: client 1 broke the protocol: a message was never whole: 4 bytes that no "
                    + "separator ends"
            ])
    }

    @Test("who allows or expects the end of a client that leaves half a message has said that it may")
    func excused() throws {
        let leaves = "client:send '{\"ty' client:close()"
        let ended = "the simulated server of hub: client 1 broke the protocol: a message was never whole: "
        let failed = try Self.play("\(leaves) wait '1s'")
        let remedy = failed.end.problems.first?.evidence?.sections.first { $0.heading == "remedy" }?.lines ?? []
        #expect(failed.messages.count == 1 && failed.messages[0].hasPrefix(ended), "\(failed.messages)")
        #expect(remedy.contains { $0.contains("t:allow \"disconnected\"") }, "\(remedy)")
        let ends = "disconnected = { reason = 'string' }"
        let allowed = try Self.play("t:allow 'disconnected' \(leaves) wait '1s' expect(1, 1)", events: ends)
        #expect(allowed.messages == [])
        let tells = "function S.on.closed(me, closure) me:emit('disconnected', { reason = closure.reason }) end"
        let expected = try Self.play(
            "\(leaves) client:expect 'disconnected' wait '1s'", declarations: tells,
            events: ends)
        #expect(expected.messages == [])
        // A whole message that is none of the declared ones is no half of one, though its client has left.
        let whole = try Self.play(
            "t:allow 'disconnected' t:allow 'error' client:send '[]\\x1e' client:close() wait '1s' expect(1, 1)",
            events: ends)
        #expect(
            whole.messages == [
                "the simulated server of hub: client 1 broke the protocol: the message is no object of JSON but []"
            ])
        // Who hears why it is closed has to be expected to hear it.
        let heard = try Self.play(
            "t:allow 'disconnected' t:allow 'error' client:send '[]\\x1e' wait '1s'", events: ends)
        #expect(
            heard.messages == [
                "the simulated server of hub: client 1 broke the protocol: the message is no object of JSON but []"
            ])
    }

    @Test("of many messages that break the protocol a few are told, and how many more there are")
    func many() throws {
        let tells = "function S.on.closed(me, closure) me:emit('disconnected', { reason = closure.reason }) end"
        func run(_ count: Int, _ each: String, _ after: String = "") throws -> [String] {
            try Self.play(
                """
                local clients = {}
                for n = 1, \(count) do
                    clients[n] = t:actor(S)
                    clients[n]:connect()
                    clients[n]:send('{"type":"x' .. n .. '."}\\x1e')
                    \(each)
                end
                wait "1s"
                \(after)
                """, declarations: tells, events: "disconnected = { reason = 'string' }"
            ).messages.filter { !$0.contains("observed") }
        }
        let expect = "clients[n]:expect('disconnected', { reason = match.contains('\"x' .. n .. '.\"') })"
        let few = try run(7, "t:allow 'disconnected'")
        #expect(few.count == 6 && few.last == "2 more messages of clients broke the protocol", "\(few)")
        let many = try run(103, "t:allow 'disconnected'")
        #expect(many.count == 6 && many.last == "98 more messages of clients broke the protocol", "\(many)")
        #expect(try run(103, expect) == [])
        let all = "for n = 1, 100 do \(expect) end"
        #expect(try run(100, "", all) == [])
        #expect(try run(101, "t:allow 'disconnected'", all) == ["1 more message of clients broke the protocol"])
    }

    @Test(
        "how many messages break the protocol besides those that are told counts the same ones, too",
        arguments: [7, 102])
    func repeated(count: Int) throws {
        // To each of the servers it is client 1 that sends it.
        let messages = try Self.play(
            """
            for n = 1, \(count) do
                local other = t:actor(S, { server = t:server(S) })
                other:connect()
                other:send '{"type":"x"}\\x1e'
            end
            wait "1s"
            """, declarations: "function S.on.closed() end"
        ).messages
        #expect(messages.first?.hasPrefix("the simulated server of hub: client 1 broke the protocol: ") == true)
        let more = count == 102 ? ["101 more messages of clients broke the protocol"] : []
        #expect(Array(messages.dropFirst()) == more, "\(messages)")
    }

    @Test("messages of a text are handled side by side, so that one may wait for another")
    func waiting() throws {
        let declarations = """
            function S.json.said(me, message)
                if message.text == "1" then me:wait "second" end
                me:emit("said", { text = message.text })
                me:wake "second"
            end
            """
        let run = try Self.play(
            """
            client:hear(three)
            client:expect_next("said", { text = "2" })
            client:expect_next("said", { text = "1" })
            """, declarations: declarations)
        // A handler hands on what its message declares.
        #expect(run.messages == [])
    }
}
