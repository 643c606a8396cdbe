import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Conversations")
struct ConversationTests {
    static let menu: JSONObject = [
        "states": [
            "start": [
                "say": [
                    "text": "What do you want?",
                    "actions": [
                        ["type": "postback", "label": "Pizza", "postback": ["action": "pizza"]],
                        ["type": "url", "label": "Menu", "url": "https://pizza.test/menu"],
                        ["type": "call", "label": "Call", "phoneNumber": "123"],
                    ],
                ], "on": ["pizza": "pizza", "bye": "bye"],
            ],
            "pizza": ["say": ["Which size?", ["text": "Small or large?", "delay": 2]], "on": ["*": "start"]],
            "bye": ["say": "Good bye."],
        ]
    ]

    private func started(_ options: JSONObject = [:], server: JSONObject = menu) throws -> Rehearsal {
        let rehearsal = try Rehearsal(server: server, client: options)
        rehearsal.connect()
        rehearsal.do("say", ["text": "hello"])
        rehearsal.run(.milliseconds(100))
        return rehearsal
    }

    @Test("a tapped button goes back as a postback, and the turn ends the typing indicator")
    func happyPath() throws {
        let rehearsal = try self.started()
        rehearsal.forget()
        rehearsal.do("tap", ["label": "Pizza"])
        #expect(
            rehearsal.sent == [
                [
                    "messagePayload": ["type": "postback", "text": "Pizza", "postback": ["action": "pizza"]],
                    "userId": rehearsal.client.properties["user_id"] ?? .null, "sdkMetadata": ["version": "25.02"],
                ]
            ])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["Which size?"])
        #expect(rehearsal.client.properties["typing"] == true, "more is to come")
        rehearsal.run(.seconds(2))
        #expect(rehearsal.texts == ["Which size?", "Small or large?"])
        #expect(rehearsal.client.properties["typing"] == false)
        #expect(rehearsal.all(.typing).map { $0.fields["active"] } == [true, false])
    }

    @Test(
        "past actions are usable as the flag says",
        arguments: [("all", false, false), ("postback", false, true), ("none", true, true)])
    func pastActions(_ mode: String, _ postback: Bool, _ link: Bool) throws {
        let rehearsal = try self.started(["disable_past_actions": .string(mode)])
        rehearsal.do("say", ["text": "something else"])
        #expect(Self.isDone(rehearsal.do("tap", ["label": "Menu", "options": ["number": 2]])) == link)
        #expect(Self.isDone(rehearsal.do("tap", ["label": "Pizza", "options": ["number": 2]])) == postback)
    }

    @Test("while the connection is down no postback can be tapped, and again once it is back")
    func disconnectedActions() throws {
        let rehearsal = try self.started(["disable_past_actions": "none"])
        rehearsal.serve("drop")
        rehearsal.run(.seconds(1))
        #expect(!Self.isDone(rehearsal.do("tap", ["label": "Pizza"])))
        #expect(Self.isDone(rehearsal.do("tap", ["label": "Menu"])))
        rehearsal.run(.seconds(10))
        #expect(Self.isDone(rehearsal.do("tap", ["label": "Pizza"])))
    }

    static func isDone(_ outcome: CommandOutcome) -> Bool {
        if case .done = outcome { true } else { false }
    }

    @Test("links open in a browser or in a webview with its title and close button")
    func links() throws {
        let rehearsal = try self.started()
        rehearsal.do("tap", ["label": "Menu"])
        #expect(
            rehearsal.last(.linkOpened)?.fields == ["url": "https://pizza.test/menu", "handler": "browser"])
        rehearsal.do("tap", ["label": "Call"])
        #expect(rehearsal.last(.actionPerformed)?.fields["phone_number"] == "123")
        let inside = try self.started(["ui": ["link_handler": "webview", "web_view_size": "full"]])
        inside.do("tap", ["label": "Menu"])
        #expect(
            inside.last(.linkOpened)?.fields == [
                "url": "https://pizza.test/menu", "handler": "webview", "size": "full",
                "title": "https://pizza.test/menu", "close": "Done", "title_label": "Webview title",
                "close_label": "Close webview",
            ])
        inside.do("open_link", ["url": "not a link"])
        #expect(inside.last(.error)?.fields["message"] == "Please check the url!")
        inside.do("open_link", ["url": "https://x.test", "fails": true])
        #expect(inside.last(.error)?.fields["message"]?.string?.contains("{here}") == true)
    }

    @Test("an agent comes, types and leaves; the user's typing is told every three seconds")
    func agentSession() throws {
        let rehearsal = try Rehearsal(
            server: ["skill": 1, "agents": ["Bob"]], client: ["enable_send_typing_status": true])
        rehearsal.functions[1] = { _ in .success(["messages": "connecting you", "agent": ["subject": "help"]]) }
        rehearsal.connect()
        rehearsal.do("enter_text", ["text": "no agent yet"])
        rehearsal.do("say", ["text": "agent please"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.agentEvents.map(\.1.kind) == [.chatWaiting])
        rehearsal.serve("accept", ["greeting": "Hi, Bob here"], by: "Bob")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.agentJoined)?.fields["agent"]?["name"] == "Bob")
        #expect(rehearsal.last(.message)?.fields["from"] == "agent")
        rehearsal.forget()
        rehearsal.serve("typing", ["active": true], by: "Bob")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.typing)?.fields == ["active": true, "person": ["type": "agent", "name": "Bob"]])
        #expect(rehearsal.last(.typing)?.raw?.object != nil)
        rehearsal.serve("typing", ["active": false], by: "Bob")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.typing)?.fields["active"] == false)
        rehearsal.forget()
        for second in 0..<8 {
            rehearsal.do("enter_text", ["text": .string(String(repeating: "x", count: second + 1))])
            rehearsal.run(.seconds(1))
        }
        rehearsal.do("say", ["text": "done"])
        rehearsal.run(.seconds(1))
        let times = rehearsal.events.filter { $0.event.kind == .typingSent }
        #expect(times.map { $0.event.fields["active"] } == [true, true, true, false])
        let first = try #require(times.first).at
        #expect(times.dropLast().map { ($0.at - first).components.seconds } == [0, 3, 6])
        #expect(times.allSatisfy { $0.event.fields["text"] == "..." })
        #expect(rehearsal.sentTypes == ["status", "status", "status", "text", "status"])
        #expect(rehearsal.agentEvents.map(\.1.kind).filter { $0 == .typing }.count == 4)
        #expect(rehearsal.agentEvents.last { $0.1.kind == .message }?.1.fields["text"] == "done")
        rehearsal.serve("leave", by: "Bob")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.agentLeft)?.fields["name"] == "Bob")
        #expect(rehearsal.client.properties["agent"] == .null)
    }

    @Test("nobody is told that the user has stopped typing who was not told of the typing", arguments: [true, false])
    func unwantedTyping(isEnabled: Bool) throws {
        let rehearsal = try Rehearsal(client: ["enable_send_typing_status": .bool(isEnabled)])
        rehearsal.connect()
        rehearsal.do("enter_text", ["text": "hello"])
        rehearsal.do("say", ["text": "hello"])
        rehearsal.do("enter_text", ["text": "h"])
        rehearsal.do("enter_text", ["text": ""])
        rehearsal.run(.seconds(10))
        #expect(rehearsal.sentTypes == ["text"])
        #expect(rehearsal.all(.typingSent).isEmpty)
        guard isEnabled else { return }
        // The agent leaves while the user types: the skill is not told.
        rehearsal.serve("say", ["message": ["type": "text", "text": "I am Ann", "from": "agent"]])
        rehearsal.run(.seconds(1))
        rehearsal.do("enter_text", ["text": "h"])
        rehearsal.serve("say", ["message": "Ann has left"])
        rehearsal.run(.milliseconds(10))
        rehearsal.do("say", ["text": "hello"])
        rehearsal.run(.seconds(10))
        #expect(rehearsal.sentTypes == ["text", "status", "text"])
    }

    @Test("typing that stops is told after the interval, and an agent may see the text")
    func typingIdle() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true],
            client: [
                "enable_send_typing_status": true, "enable_agent_sneak_preview": true, "typing_status_interval": 1,
            ])
        rehearsal.connect()
        rehearsal.serve("say", ["message": ["text": "hi", "from": "agent"]])
        rehearsal.run(.seconds(1))
        rehearsal.forget()
        rehearsal.do("enter_text", ["text": "secret"])
        rehearsal.run(.milliseconds(2999))
        #expect(rehearsal.all(.typingSent).count == 1, "one second is raised to three")
        #expect(try rehearsal.read("setting", ["name": "typingStatusInterval"]).double == 3)
        rehearsal.run(.milliseconds(2))
        #expect(rehearsal.all(.typingSent).map { $0.fields["active"] } == [true, false])
        #expect(rehearsal.all(.typingSent).first?.fields["text"] == "secret")
        rehearsal.do("send_typing_status", ["active": true, "text": "raw"])
        rehearsal.do("send_typing_status", ["active": true, "text": "raw"])
        #expect(rehearsal.all(.typingSent).count == 4, "the direct call is not throttled")
    }

    @Test("the client's own responses come at the times of the vendor's client, to the millisecond")
    func defaultResponses() throws {
        let rehearsal = try Rehearsal(
            server: ["faults": ["silent": true]], client: ["enable_default_client_response": true])
        rehearsal.connect()
        let start = rehearsal.now - .start
        rehearsal.do("say", ["text": "hello?"])
        rehearsal.run(.seconds(100))
        let said = rehearsal.events.filter { $0.event.kind == .autoMessage }
        #expect(said.map { $0.at - start } == [5, 10, 15, 20, 25, 30, 35].map { .seconds($0) })
        #expect(
            said.map { $0.event.fields["type"] } == ["greeting", "wait", "wait", "wait", "wait", "wait", "sorry"])
        #expect(said.first?.event.fields["text"] == "Hey, Nice to meet you! Allow me a moment to get back to you.")
        #expect(rehearsal.client.properties["typing"] == false)
    }

    @Test(
        "waits end one second before the apology",
        arguments: [(28.9, [5, 33.9, 35]), (29.0, [5, 35]), (29.5, [5, 35]), (14.0, [5, 19, 33, 35])]
            as [(Double, [Double])])
    func lastWait(_ interval: Double, _ times: [Double]) throws {
        let rehearsal = try Rehearsal(
            server: ["faults": ["silent": true]],
            client: ["enable_default_client_response": true, "default_wait_message_interval": .double(interval)])
        rehearsal.connect()
        let start = rehearsal.now - .start
        rehearsal.do("say", ["text": "hello?"])
        rehearsal.run(.seconds(100))
        let said = rehearsal.events.filter { $0.event.kind == .autoMessage }.map { $0.at - start }
        #expect(said == times.map { .milliseconds(Int64($0 * 1000)) })
    }

    @Test(
        "a client that is not connected any more says nothing in place of the skill, and awaits no answer",
        arguments: ["disconnect", "go_offline", "connect"])
    func defaultResponsesOfNobody(command: String) throws {
        let rehearsal = try Rehearsal(
            server: ["faults": ["silent": true]], client: ["enable_default_client_response": true, "user_id": "ada"])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hello?"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.client.properties["typing"] == true)
        rehearsal.do(command, command == "connect" ? ["options": ["user_id": "ben"]] : [:])
        rehearsal.run(.milliseconds(100))
        #expect(rehearsal.client.properties["typing"] == false)
        rehearsal.run(.seconds(100))
        #expect(rehearsal.all(.autoMessage).isEmpty)
    }

    @Test("an answer stops the client's own responses, and a skill that has answered is not greeted for")
    func defaultResponsesStop() throws {
        let rehearsal = try Rehearsal(
            server: ["skill": 1], client: ["enable_default_client_response": true])
        rehearsal.functions[1] = { _ in .success(["text": "slow", "delay": 7]) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "one"])
        rehearsal.run(.seconds(60))
        #expect(rehearsal.all(.autoMessage).map { $0.fields["type"] } == ["greeting"])
        rehearsal.functions[1] = { _ in .success(["text": "slower", "delay": 12]) }
        rehearsal.do("say", ["text": "two"])
        rehearsal.run(.seconds(60))
        #expect(rehearsal.all(.autoMessage).map { $0.fields["type"] } == ["greeting", "wait"])
        rehearsal.serve("say", ["message": ["text": "I am Bob", "from": "agent"]])
        rehearsal.run(.seconds(1))
        rehearsal.functions[1] = { _ in .success(.null) }
        rehearsal.do("say", ["text": "three"])
        rehearsal.run(.seconds(60))
        #expect(rehearsal.all(.autoMessage).count == 2, "agents are not helped out")
    }

    @Test("the typing indicator goes away after thirty seconds without an answer")
    func indicatorTimeout() throws {
        let rehearsal = try Rehearsal(server: ["faults": ["silent": true]])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hello?"])
        rehearsal.run(.milliseconds(29_999))
        #expect(rehearsal.client.properties["typing"] == true)
        rehearsal.run(.milliseconds(2))
        #expect(rehearsal.client.properties["typing"] == false)
        let hidden = try Rehearsal(server: ["echo": true], client: ["show_typing_status": false])
        hidden.connect()
        hidden.do("say", ["text": "hello?"])
        hidden.run(.seconds(60))
        #expect(hidden.all(.typing).isEmpty)
    }

    @Test("the end of a conversation goes through the listener, disconnects, forgets and starts anew")
    func end() throws {
        let rehearsal = try Rehearsal(
            server: Self.menu, client: ["init_user_hidden_message": "hi", "before_end_conversation": 1])
        var answers: [JSONValue] = [false, true]
        rehearsal.functions[1] = { _ in .success(answers.removeFirst()) }
        rehearsal.connect()
        rehearsal.do("end_chat")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.all(.ended).isEmpty, "the listener said no")
        rehearsal.forget()
        rehearsal.do("end_chat")
        rehearsal.run(.seconds(1))
        let kinds = rehearsal.events.map(\.event.kind).filter { [.beforeEnd, .linkChanged, .ended].contains($0) }
        #expect(kinds == [.beforeEnd, .linkChanged, .linkChanged, .ended])
        #expect(rehearsal.last(.ended)?.fields["reason"] == "user")
        #expect(rehearsal.sentTypes == ["closeSession"])
        #expect(rehearsal.client.properties["messages"] == 0)
        #expect(rehearsal.last(.disconnected) == nil)
        rehearsal.forget()
        rehearsal.connect()
        #expect(rehearsal.sentTypes == ["text"], "the hidden message opens the next session too")
    }

    @Test(
        "the listener may change the message that ends a conversation, and nothing else takes its place",
        arguments: [
            (
                ["messagePayload": ["type": "closeSession", "reason": "bored"]],
                ["type": "closeSession", "reason": "bored"]
            ),
            (["type": "closeSession", "reason": "bored"], ["type": "closeSession", "reason": "bored"]),
            (["messagePayload": ["type": "text", "text": "Bye"]], ["type": "closeSession"]),
            ([:], ["type": "closeSession"]), (true, ["type": "closeSession"]),
        ] as [(JSONValue, JSONValue)])
    func changedEnd(_ returned: JSONValue, _ sent: JSONValue) throws {
        let rehearsal = try Rehearsal(client: ["before_end_conversation": 1])
        rehearsal.functions[1] = { _ in .success(returned) }
        rehearsal.connect()
        rehearsal.do("end_chat")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.sent.map { $0["messagePayload"] } == [sent])
        #expect(rehearsal.last(.ended)?.fields["reason"] == "user")
    }

    @Test("a session that the server ends is over likewise, and one it does not confirm goes on")
    func serverEnds() throws {
        let rehearsal = try self.started()
        rehearsal.serve("end_session")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.ended)?.fields["reason"] == "server")
        let unconfirmed = try self.started(server: Self.menu.merging(["faults": ["no_session_closed": true]]))
        unconfirmed.do("end_chat")
        unconfirmed.run(.seconds(60))
        #expect(unconfirmed.all(.ended).isEmpty)
        #expect(unconfirmed.client.properties["status"] == "open")
    }

    @Test("a stream comes in pieces, refuses input meanwhile and is one message in the end")
    func stream() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1])
        rehearsal.functions[1] = { _ in .success(["stream": ["Once ", "upon ", "a time"], "interval": 1]) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "a story"])
        rehearsal.run(.milliseconds(500))
        rehearsal.do("say", ["text": "stop"])
        #expect(rehearsal.last(.error)?.fields["code"] == "StreamInProgress")
        rehearsal.run(.seconds(5))
        #expect(rehearsal.all(.messageUpdated).map { $0.fields["state"] } == ["start", "running", "end"])
        #expect(
            rehearsal.all(.messageUpdated).map { $0.fields["text"] } == ["Once ", "Once upon ", "Once upon a time"])
        #expect(rehearsal.texts == ["Once upon a time"])
        #expect(rehearsal.client.properties["typing"] == false)
    }

    @Test("each stream is a message, also when it is of one piece and says the same again")
    func streamsOfOnePiece() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        for _ in 0..<2 { rehearsal.serve("say", ["message": ["stream": ["x"]]]) }
        rehearsal.serve("say", ["message": [["stream": ["y"]], ["stream": ["z", "!"]]]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["x", "x", "y", "z!"])
        #expect(Set(rehearsal.all(.messageUpdated).map { $0.fields["id"] }).count == 4)
    }

    @Test("a stream of an agent is one message")
    func streamOfAgent() throws {
        let rehearsal = try Rehearsal(server: ["agents": ["Ann"], "skill": 1])
        rehearsal.functions[1] = { _ in .success(["agent": true]) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "help"])
        rehearsal.run(.milliseconds(100))
        rehearsal.serve("accept", by: "Ann")
        rehearsal.run(.milliseconds(100))
        rehearsal.forget()
        rehearsal.serve("send", ["message": ["stream": ["one ", "two"], "interval": "10ms"]], by: "Ann")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["one two"])
        #expect(rehearsal.all(.messageUpdated).map { $0.fields["state"] } == ["start", "end"])
    }

    @Test("a stream that falls silent is taken as it is after five seconds")
    func frozenStream() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1])
        rehearsal.functions[1] = { _ in .success(["stream": ["Once ", "upon"], "interval": 60]) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "a story"])
        rehearsal.run(.seconds(10))
        #expect(rehearsal.texts == ["Once "])
        rehearsal.do("say", ["text": "more"])
        #expect(rehearsal.last(.error) == nil)
    }

    @Test("messages that come twice are shown once, and an unfinished turn keeps the indicator")
    func duplicates() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true, "faults": ["duplicates": true, "no_end_of_turn": true]])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi"])
        #expect(rehearsal.client.properties["typing"] == true)
    }

    @Test("a request that was cancelled gets no answer")
    func cancel() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1], client: ["enable_cancel_response": true])
        rehearsal.functions[1] = { _ in .success(["text": "late", "delay": 5]) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        #expect(rehearsal.sent.last?["requestId"]?.string?.hasPrefix("wsreq/17") == true)
        rehearsal.run(.seconds(1))
        rehearsal.do("cancel_response")
        rehearsal.run(.seconds(10))
        #expect(rehearsal.texts.isEmpty)
    }

    @Test("an answer that is there, or canceled already, cannot be canceled, and what comes later is shown")
    func lateCancel() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1], client: ["enable_cancel_response": true])
        rehearsal.functions[1] = { arguments in
            .success(arguments[0]["text"] == "slow" ? ["text": "late", "delay": 5] : "hi")
        }
        rehearsal.connect()
        rehearsal.do("say", ["text": "fast"])
        #expect(ConversationTests.isDone(rehearsal.do("cancel_response")))
        if case .done = rehearsal.do("cancel_response") { Issue.record("it was canceled already") }
        rehearsal.do("say", ["text": "fast"])
        rehearsal.run(.seconds(1))
        if case .done = rehearsal.do("cancel_response") { Issue.record("the answer is there") }
        rehearsal.serve("say", ["message": "by the way"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi", "by the way"])
        rehearsal.do("say", ["text": "slow"])
        rehearsal.do("say", ["text": "fast"])
        rehearsal.serve(
            "send_frame",
            [
                "frame": [
                    "messagePayload": ["type": "text", "text": "other"], "source": "BOT", "endOfTurn": true,
                    "requestId": "another",
                ]
            ])
        rehearsal.run(.seconds(1))
        #expect(
            ConversationTests.isDone(rehearsal.do("cancel_response")), "the end of another turn is not that of this one"
        )
    }

    @Test("each answer carries the number of its own question, however long the skill thinks")
    func requestNumbers() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1], client: ["enable_cancel_response": true])
        rehearsal.functions[1] = { arguments in
            let text = arguments[0]["text"]?.string ?? ""
            return .success(["text": .string("re " + text), "delay": 2])
        }
        rehearsal.connect()
        rehearsal.do("say", ["text": "one"])
        rehearsal.do("cancel_response")
        rehearsal.do("say", ["text": "two"])
        rehearsal.run(.seconds(10))
        #expect(rehearsal.texts == ["re two"])
        #expect(rehearsal.last(.message)?.raw?["requestId"] == rehearsal.sent.last?["requestId"])
        #expect(rehearsal.last(.message)?.raw?["createdOn"]?.string?.hasSuffix(":24.101Z") == true)
    }

    @Test("commands, events, errors and types nobody knows are told apart from messages")
    func otherPayloads() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        for payload: JSONValue in [
            ["type": "command", "command": "volumeUp"],
            ["type": "executeApplicationActionCommand", "action": "updateFields", "pageName": "P"],
            ["type": "outboundEvent", "eventType": "order", "eventVersion": "1", "eventData": ["n": 1]],
            ["type": "error", "errorMessage": "broken"],
            ["type": "raw", "payload": ["a": 1]],
        ] {
            rehearsal.serve("say", ["message": payload])
        }
        rehearsal.serve(
            "send_frame", ["frame": ["messagePayload": ["type": "hologram"], "msgId": "1", "source": "BOT"]])
        rehearsal.serve("send_frame", ["frame": ["strange": true]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.all(.command).map { $0.fields["command"] } == ["volumeUp", "executeApplicationAction"])
        #expect(rehearsal.last(.skillEvent)?.fields["data"] == ["n": 1])
        #expect(rehearsal.last(.error)?.fields["message"] == "broken")
        #expect(rehearsal.last(.message)?.fields["payload"] == ["a": 1])
        #expect(rehearsal.all(.frame).count == 2)
    }
}
