import HTTPTypes
import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("The simulated chat server")
struct ServerTests {
    @Test("an agent is asked for, lets wait, refuses, accepts and hands back")
    func agents() throws {
        let rehearsal = try Rehearsal(server: [
            "agents": ["Sam"], "exit_keywords": ["bye"],
            "states": [
                "start": ["say": ["agent": ["subject": "Billing"], "messages": "One moment."], "on": ["*": "again"]],
                "again": ["say": "The bot is back."],
            ],
        ])
        rehearsal.connect()
        if case .done = rehearsal.serve("accept", by: "Sam") { Issue.record("nobody waits") }
        rehearsal.do("say", ["text": "help"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.agentEvents.last?.1.fields["subject"] == "Billing")
        #expect(rehearsal.agentEvents.last?.1.fields["history"]?.array?.count == 2)
        rehearsal.serve("delay", ["text": "Five minutes."], by: "Sam")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.queue)?.fields["text"] == "Five minutes.")
        #expect(ConversationTests.isDone(rehearsal.serve("accept", by: "Sam")))
        if case .done = rehearsal.serve("reject", by: "Sam") { Issue.record("nobody waits any more") }
        rehearsal.serve("say", ["text": "Hello"], by: "Sam")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.message)?.fields["agent"] == "Sam")
        rehearsal.do("say", ["text": "bye"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.agentLeft)?.fields["name"] == "Sam")
        #expect(rehearsal.agentEvents.last?.1.kind == .chatEnded)
        rehearsal.do("say", ["text": "hm"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts.last == "The bot is back.")
    }

    @Test("a session that expires takes the agent's along, which the agent is told when the user is there again")
    func expiredWithAgent() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1, "agents": ["Sam"], "session_expiration": 60])
        rehearsal.functions[1] = { _ in .success(["messages": "Wait.", "agent": [:]]) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "help"])
        rehearsal.run(.seconds(1))
        rehearsal.serve("accept", by: "Sam")
        rehearsal.run(.seconds(50))
        rehearsal.do("say", ["text": "still here"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.agentEvents.last?.1.fields["text"] == "still here")
        rehearsal.run(.seconds(70))
        rehearsal.do("say", ["text": "again"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.agentEvents.map(\.1.kind).suffix(2) == [.chatEnded, .chatWaiting])
    }

    @Test("an agent hands back to the state that the skill named, and a function gets to know the outcome")
    func outcomes() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1, "agents": ["Sam"]])
        var heard: [JSONValue] = []
        rehearsal.functions[1] = { arguments in
            heard.append(arguments[0])
            if arguments[1]["state"] == "refunded" { return .success("Paid.") }
            return .success([
                "messages": "Wait.", "agent": ["on": ["refund": "refunded"], "conclusion_message": "Bye."],
            ])
        }
        rehearsal.connect()
        rehearsal.do("say", ["text": "help"])
        rehearsal.run(.seconds(1))
        rehearsal.serve("accept", by: "Sam")
        if case .done = rehearsal.serve("choose", ["action": "sing"], by: "Sam") { Issue.record("no such action") }
        #expect(ConversationTests.isDone(rehearsal.serve("choose", ["action": "refund"], by: "Sam")))
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["Wait.", "Bye.", "Paid."])
        #expect(heard.last == ["type": "agentOutcome", "outcome": "refund"])
    }

    @Test(
        "messages of an agent system do what the methods of agents do, and others are refused",
        arguments: [
            (["type": "agentRequestResponse", "status": "accepted", "text": ""], "accept"),
            (["type": "agentRequestResponse", "status": "delayed", "text": "a"], "delay"),
            (["type": "agentRequestResponse", "status": "rejected", "text": "a"], "reject"),
            (["type": "agent", "text": "a"], "say"), (["type": "agentLeft", "text": "a"], "leave"),
            (["type": "agentAction", "action": "a"], "choose"), (["type": "agentRequestResponse"], nil),
            (["type": "text"], nil), ([:], nil), ("text", nil), (.null, nil),
        ] as [(JSONValue, String?)])
    func agentMessages(_ payload: JSONValue, _ name: String?) throws {
        for message in [payload, ["userId": "ada", "messagePayload": payload]] {
            switch AgentMessage.command(for: message, user: nil) {
            case .success(let command): #expect(self.method(for: command) == name)
            case .failure(let refusal):
                #expect(name == nil)
                #expect(refusal.text.contains("agent"))
            }
        }
    }

    /// The method of an agent that does the same.
    private func method(for command: AgentCommand) -> String {
        switch command {
        case .accept: "accept"
        case .answerRequest(.wait, _, _): "delay"
        case .answerRequest(.reject, _, _): "reject"
        case .post: "post"
        case .conversation(.say(.text), _, _): "say"
        case .conversation(.say(.message), _, _): "send"
        case .conversation(.say(.typing), _, _): "typing"
        case .conversation(.leave, _, _): "leave"
        case .conversation(.choose, _, _): "choose"
        case .conversation(.finish, _, _): "finish"
        }
    }

    @Test("an agent who is not there is told as unavailable")
    func reject() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1, "agents": ["Sam"]])
        rehearsal.functions[1] = { _ in .success(["agent": true, "messages": []]) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "help"])
        rehearsal.run(.seconds(1))
        rehearsal.serve("reject", by: "Sam")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.unavailable)?.fields["text"] == "No agent is available.")
    }

    @Test("the skill's function sees message and session, keeps variables and gets one message at a time")
    func skill() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1], client: ["init_user_profile": ["profile": ["a": 1]]])
        var sessions: [JSONValue] = []
        rehearsal.functions[1] = { arguments in
            sessions.append(arguments[1])
            let count = arguments[1]["variables"]?["count"]?.integer ?? 0
            return .success([
                "messages": [.string("\(count)")], "variables": ["count": .integer(count + 1)], "state": "counting",
            ])
        }
        rehearsal.connect()
        for _ in 0..<3 { rehearsal.do("say", ["text": "next"]) }
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["0", "1", "2"])
        #expect(sessions.map { $0["turn"] } == [1, 2, 3])
        #expect(sessions.last?["state"] == "counting")
        #expect(sessions.last?["profile"] == ["a": 1])
    }

    @Test("a table of states follows words, labels, postbacks and forms, and says so when nothing fits")
    func states() throws {
        let rehearsal = try Rehearsal(server: [
            "states": [
                "start": ["say": ["text": "?", "actions": ["Order"]], "on": ["order": "form", "LOCATION": "start"]],
                "form": ["say": .object(FormTests.form), "on": ["startchat": "done"], "otherwise": "Fill it in."],
                "done": ["run": 1],
            ]
        ])
        rehearsal.functions[1] = { arguments in .success(arguments[0]["submittedFields"]?["name"] ?? .null) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        rehearsal.do("say", ["text": "weather"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["?", "I did not understand that."])
        rehearsal.do("send_location", ["latitude": 1, "longitude": 2])
        rehearsal.run(.seconds(1))
        rehearsal.do("tap", ["label": "Order"])
        rehearsal.run(.seconds(1))
        rehearsal.do("say", ["text": "no"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts.last == "Fill it in.")
        #expect(rehearsal.do("submit_form", ["values": ["name": "Ada"]]) != .done(.null), "the form is past")
        rehearsal.serve("say", ["message": .object(FormTests.form)])
        rehearsal.run(.seconds(1))
        rehearsal.do("submit_form", ["values": ["name": "Ada"]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts.last == "Ada")
        #expect(throws: ConfigurationError.self) { try Rehearsal(server: ["states": ["a": [:]]]) }
        #expect(throws: ConfigurationError.self) {
            try Rehearsal(server: ["states": ["start": ["on": ["x": "nowhere"]]]])
        }
    }

    @Test("a session that has expired begins anew, silently or not")
    func expiry() throws {
        let options: JSONObject = ["skill": 1, "session_expiration": 60]
        let rehearsal = try Rehearsal(server: options)
        rehearsal.functions[1] = { arguments in .success(.string("\(arguments[1]["session"] ?? .null)")) }
        rehearsal.connect()
        rehearsal.do("say", ["text": "a"])
        rehearsal.run(.seconds(59))
        rehearsal.do("say", ["text": "b"])
        rehearsal.run(.seconds(61))
        rehearsal.do("say", ["text": "c"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["1", "1", "2"])
        let told = try Rehearsal(server: options.merging(["faults": ["say_expired": true]]))
        told.functions[1] = { _ in .success("hi") }
        told.connect()
        told.run(.seconds(61))
        told.do("say", ["text": "a"])
        told.run(.seconds(1))
        #expect(told.last(.ended)?.fields["reason"] == "server")
    }

    @Test("a strict server answers what means nothing, and a skill that breaks its schema")
    func strict() throws {
        let rehearsal = try Rehearsal(server: ["skill": 1, "faults": ["strict": true]])
        rehearsal.functions[1] = { _ in
            .success(["type": "text", "text": "x", "actions": [["type": "url", "label": "a", "url": "no uri"]]])
        }
        rehearsal.connect()
        rehearsal.feedServer(.received(ConnectionID(1), .text("{nonsense")))
        rehearsal.feedServer(.received(ConnectionID(1), .text(#"{"strange":1}"#)))
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.all(.error).map { $0.fields["code"] } == ["SkillError", "SkillError", "SkillError"])
        #expect(rehearsal.last(.error)?.fields["message"]?.string?.contains("URI") == true)
    }

    @Test(
        "a strict server answers what a user may not say, and the skill does not hear it",
        arguments: [
            (["type": "text"], "a text that is not empty"), (["type": "text", "text": ""], "a text that is not empty"),
            (["type": "postback", "text": "Yes"], "needs a postback"),
            (["type": "attachment", "attachment": ["type": "image"]], "type and url"),
            (["type": "location", "location": ["latitude": 1]], "latitude and longitude"),
            (["type": "formSubmission"], "submittedFields"), (["type": "inboundEvent"], "eventType"),
            (["type": "updateApplicationContextCommand", "context": "c"], "a source"),
            (["type": "status", "status": "DANCING"], "RESPONDING or LISTENING"), (["type": "suggest"], "a query"),
            (["type": "sessionClosed"], "one of the server"),
            (["type": "textStream", "text": "a", "streamState": "start"], "one of the server"),
        ] as [(JSONValue, String)])
    func strictWithUsers(_ payload: JSONValue, _ reason: String) throws {
        for isStrict in [true, false] {
            let rehearsal = try Rehearsal(server: ["skill": 1, "faults": ["strict": .bool(isStrict)]])
            var heard = 0
            rehearsal.functions[1] = { _ in
                heard += 1
                return .success("heard")
            }
            rehearsal.connect()
            let frame: JSONValue = ["messagePayload": payload, "userId": "ada"]
            rehearsal.feedServer(.received(ConnectionID(1), .text(frame.description)))
            rehearsal.run(.seconds(1))
            let told = rehearsal.last(.error)?.fields["message"]?.string
            #expect(told?.contains(reason) ?? false == isStrict)
            #expect(!isStrict || heard == 0)
        }
        let fine = try Rehearsal(server: ["echo": true, "faults": ["strict": true]])
        fine.connect()
        fine.do("say", ["text": "hi"])
        fine.run(.seconds(1))
        #expect(fine.texts == ["hi"])
    }

    @Test(
        "the skill library's schema differs from the client's rules",
        arguments: [
            (["type": "text", "text": "  "], false), (["type": "text", "text": "a"], true),
            (["type": "table", "headings": [], "rows": []], true),
            (
                [
                    "type": "table", "headings": [], "rows": [],
                    "paginationInfo": ["totalCount": 1, "rangeSize": 1, "rangeStart": 0, "hasNext": true],
                ], false
            ),
            (["type": "form", "forms": []], false), (["type": "form", "forms": [], "formColumns": 1], true),
            (["type": "hologram"], false), (["type": "raw", "payload": 1], true),
            (["type": "location", "location": ["latitude": 0, "longitude": 0]], true),
            (["type": "attachment", "attachment": ["type": "folder", "url": "https://a.test"]], false),
            (["type": "location", "location": ["latitude": 1, "longitude": 1, "url": "a map"]], false),
            (["type": "location", "location": ["latitude": 1, "longitude": 1, "url": "https://a.test"]], true),
            (["type": "table", "headings": [], "rows": [["selectAction": [:]]]], false),
            (["type": "tableForm", "headings": [], "rows": [["fields": []]], "forms": [], "formColumns": 1], true),
            (Self.tapped(["type": "call", "phoneNumber": "1", "postback": "p"]), false),
            (Self.tapped(["type": "postback", "postback": "p", "url": "https://a.test"]), false),
            (Self.tapped(["type": "url", "url": "https://a.test", "phoneNumber": "1"]), false),
            (Self.tapped(["type": "share", "postback": "p"]), false),
            (Self.tapped(["type": "submitForm", "postback": "p"]), true),
            (Self.tapped(["type": "postback", "postback": "p", "imageUrl": "a picture"]), false),
            (Self.tapped(["type": "postback", "postback": "p", "imageUrl": "https://a.test"]), true),
            (["type": "text", "text": "a", "keywords": [["keywords": ["x"]]]], false),
            (["type": "text", "text": "a", "keywords": [["keywords": ["x"], "postback": "p"]]], true),
        ] as [(JSONObject, Bool)])
    func schema(_ payload: JSONObject, _ isFine: Bool) {
        #expect((SkillSchema.problem(in: payload, isFromAgent: false) == nil) == isFine)
    }

    private static func tapped(_ action: JSONObject) -> JSONObject {
        ["type": "text", "text": "a", "actions": [.object(JSONObject([("label", "b")]).merging(action))]]
    }

    @Test("too many messages in a second are answered with an error, if the server is told so")
    func rateLimit() throws {
        let rehearsal = try Rehearsal(server: ["echo": true, "faults": ["rate_limit": 2]])
        rehearsal.connect()
        for number in 0..<4 { rehearsal.do("say", ["text": .string("\(number)")]) }
        rehearsal.run(.seconds(2))
        #expect(rehearsal.texts == ["0", "1"])
        #expect(rehearsal.all(.error).count == 2)
    }

    @Test("closes with a code are ordinary drops", arguments: [1001, 1012, 4000])
    func closes(_ code: Int64) throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.serve("close", ["code": .integer(code), "reason": "restart"])
        rehearsal.run(.seconds(10))
        #expect(rehearsal.last(.reconnecting)?.fields["reason"]?.string?.contains("\(code) restart") == true)
        #expect(rehearsal.last(.reconnected) != nil)
        if case .done = rehearsal.serve("close", ["code": 1006]) { Issue.record("1006 cannot be sent") }
    }

    @Test("several clients of one user hear the skill alike, but not each other")
    func fanOut() throws {
        let rehearsal = try Rehearsal(server: ["echo": true], client: ["user_id": "ada"])
        rehearsal.connect()
        let head = HTTPRequest(
            method: .get, scheme: "ws", authority: "oda.test", path: rehearsal.opened[0].1.path ?? "")
        let second = ConnectionID(77)
        var step = ServerStep(now: rehearsal.now, random: RandomSource(seed: 3))
        rehearsal.server.handle(.upgradeRequested(second, Request(head)), in: &step)
        let text = #"{"messagePayload":{"type":"text","text":"hi"},"userId":"ada"}"#
        rehearsal.server.handle(.received(second, .text(text)), in: &step)
        let receivers = step.effects.compactMap { effect -> ConnectionID? in
            if case .transmit(let connection, _) = effect { connection } else { nil }
        }
        #expect(Set(receivers) == [ConnectionID(1), second])
        #expect(receivers.count == 2)
    }

    @Test("tokens are made as a backend makes them, and each message is numbered by a UUID and stamped")
    func tokensAndStamps() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "max_token_expiration": 60, "echo": true], client: ["token_provider": 1])
        var lifetime: Int64 = 61
        rehearsal.functions[1] = { [unowned rehearsal] _ in
            let claims: JSONValue = ["userId": "ada", "exp": .integer(Rehearsal.epoch / 1000 + lifetime)]
            guard case .done(let token) = rehearsal.serve("make_token", ["claims": claims]) else {
                return .success(.null)
            }
            return .success(token)
        }
        rehearsal.connect()
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.disconnected)?.fields["reason"] == "AuthExpiredToken", "it lives too long")
        lifetime = 60
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.milliseconds(100))
        let raw = try #require(rehearsal.last(.message)?.raw)
        #expect(raw["createdOn"]?.string?.hasPrefix("2023-11-14T22:13:2") == true)
        #expect(raw["msgId"]?.string?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    }

    @Test("what a socket says that has shown no token is not the user's")
    func strangers() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "s", "faults": ["strict": true]],
            client: ["token_fixture": ["secret": "s", "user_id": "ada"]])
        rehearsal.connect()
        let known = try #require(rehearsal.readServer("received").array)
        #expect(!known.isEmpty)
        rehearsal.forget()
        let channel = rehearsal.server.machine.channel.id
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "oda.test",
            path: "/chat/v1/chats/sockets/websdk?channelId=\(channel)&userId=ada")
        for (number, text) in ["{nonsense", #"{"state":{"type":"ping"}}"#, #"{"strange":1}"#].enumerated() {
            let stranger = ConnectionID(UInt64(1000 + number))
            rehearsal.feedServer(.upgradeRequested(stranger, Request(head)))
            rehearsal.feedServer(.received(stranger, .text(text)))
        }
        rehearsal.run(.seconds(1))
        #expect(try rehearsal.readServer("received").array == known)
        #expect(rehearsal.all(.error).isEmpty)
        #expect(rehearsal.texts.isEmpty)
    }

    @Test("what a script says is refused where too much waits for its time")
    func fullQueue() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        let late = JSONValue.array([JSONValue](repeating: ["text": "late", "delay": 1], count: SkillAnswer.limit))
        #expect(rehearsal.serve("say", ["message": late]) == .done(.null))
        guard case .refused(let refusal) = rehearsal.serve("say", ["message": "more"]) else {
            Issue.record("there is no room for it")
            return
        }
        #expect(refusal.contains("wait for their time"))
        rehearsal.run(.seconds(2))
        #expect(rehearsal.serve("say", ["message": "more"]) == .done(.null))
    }

    /// What makes the server say something, by whom; the agent Sam has the conversation where it is an agent's.
    private static let sayings: [(method: String, arguments: JSONObject, party: String?)] = [
        ("say", ["message": "a"], nil), ("queue", ["position": 1], nil),
        ("pre_chat", ["form": .object(FormTests.form)], nil), ("unavailable", ["message": "a"], nil),
        ("survey", ["message": "a"], nil), ("send_frame", ["frame": "a"], nil), ("end_session", [:], nil),
        ("say", ["text": "a"], "Sam"), ("send", ["message": "a"], "Sam"), ("typing", [:], "Sam"),
        ("leave", [:], "Sam"), ("finish", [:], "Sam"), ("accept", ["greeting": "a"], "Sam"),
        ("post", ["message": ["type": "agent", "text": "a"]], "Sam"),
    ]

    @Test("whatever says something is refused where there is no room for it, and nothing of it is done")
    func noRoom() throws {
        let late = JSONValue.array([JSONValue](repeating: ["text": "late", "delay": 1], count: SkillAnswer.limit))
        for (method, arguments, party) in Self.sayings {
            let rehearsal = try Rehearsal(server: ["agents": ["Sam"]])
            rehearsal.connect()
            let user = try #require(rehearsal.server.machine.users.conversations.keys.first)
            rehearsal.serve("accept", ["user": .string(user)], by: "Sam")
            let named = arguments.merging(["user": .string(user)])
            #expect(rehearsal.serve("say", ["message": late]) == .done(.null))
            guard case .refused(let refusal) = rehearsal.serve(method, named, by: party) else {
                Issue.record("there is no room for \(method) \(arguments)")
                continue
            }
            #expect(refusal.contains(": 1000 messages to \(user) wait"), "\(method)")
            #expect(rehearsal.server.machine.users.conversations[user]?.handover.agent == "Sam", "\(method)")
            #expect(rehearsal.server.machine.users.conversations[user]?.isOver == false, "\(method)")
            rehearsal.run(.seconds(2))
            let outcome = rehearsal.serve(method, named, by: party)
            guard case .done = outcome else {
                Issue.record("there is room for \(method) again: \(outcome)")
                continue
            }
        }
    }

    @Test("an agent's answer to who waits is refused where there is no room for it, and the user waits on")
    func noRoomForAnswers() throws {
        let late = [JSONValue](repeating: ["text": "late", "delay": 60], count: SkillAnswer.limit)
        let rehearsal = try Rehearsal(server: ["skill": 1, "agents": ["Sam"]])
        rehearsal.functions[1] = { _ in
            .success(["messages": .array(late), "agent": ["waiting_message": "Sam comes"]])
        }
        rehearsal.connect()
        rehearsal.do("say", ["text": "agent please"])
        rehearsal.run(.seconds(1))
        let user = try #require(rehearsal.server.machine.users.conversations.keys.first)
        for method in ["accept", "delay", "reject"] {
            guard case .refused(let refusal) = rehearsal.serve(method, by: "Sam") else {
                Issue.record("there is no room for \(method)")
                continue
            }
            #expect(refusal.hasPrefix("\(method): 1000 messages to \(user) wait"))
            #expect(rehearsal.server.machine.users.conversations[user]?.handover.isWaiting == true, "\(method)")
        }
    }

    @Test("what a script says is refused where too much waits for a user who does not poll")
    func fullPoll() throws {
        let rehearsal = try Rehearsal()
        let path = "/chat/v1/chats/message?channelId=\(rehearsal.server.machine.channel.id)&userId=ada"
        let head = HTTPRequest(method: .post, scheme: "http", authority: "oda.test", path: path)
        let ping = Array(#"{"state":{"type":"ping"}}"#.utf8)
        rehearsal.feedServer(.requested(ExchangeID(9), Request(head, body: ping)))
        for _ in 0..<SkillAnswer.limit { #expect(rehearsal.serve("say", ["message": "a"]) == .done(.null)) }
        for (method, arguments) in [("say", ["message": "a"]), ("send_frame", ["frame": "a"])] as [(String, JSONObject)]
        {
            guard case .refused(let refusal) = rehearsal.serve(method, arguments) else {
                Issue.record("there is no room for \(method)")
                continue
            }
            #expect(refusal.contains("the user's next poll"))
        }
        let poll = HTTPRequest(method: .get, scheme: "http", authority: "oda.test", path: path)
        rehearsal.feedServer(.requested(ExchangeID(10), Request(poll)))
        #expect(rehearsal.serve("say", ["message": "a"]) == .done(.null))
    }

    @Test("what clients sent can be read, and a late refusal closes with 1008")
    func reading() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        let frames = try rehearsal.readServer("received")
        #expect(frames[0]?["messagePayload"]?["text"] == "hi")
        let late = try Rehearsal(
            server: ["faults": ["late_refusal": true]], client: ["channel_id": "x", "reconnect_max_attempts": 0])
        late.connect()
        #expect(late.last(.disconnected)?.fields["message"]?.string?.contains("UnknownChannel") == true)
    }

    @Test("what is said after the end of a session is refused, until the user is there again")
    func afterTheEnd() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        #expect(rehearsal.serve("end_session") == .done(.null))
        for (name, arguments) in [
            ("end_session", [:]), ("say", ["message": "a"]), ("queue", ["position": 1]), ("survey", ["message": "a"]),
        ] as [(String, JSONObject)] {
            guard case .refused(let text) = rehearsal.serve(name, arguments) else {
                Issue.record("\(name) is heard by nobody")
                return
            }
            #expect(text.contains("has ended"))
        }
        rehearsal.run(.seconds(1))
        rehearsal.connect()
        #expect(rehearsal.serve("say", ["message": "Welcome back"]) == .done(.null))
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["Welcome back"])
    }

    @Test(
        "faults take what their answers can have",
        arguments: [
            ("upload_status", 99), ("poll_status", 600), ("refuse_socket", true), ("authentication_code", 1005),
            ("silent", 2), ("rate_limit", 65_536), ("no_pong", "yes"),
        ] as [(String, JSONValue)])
    func faultValues(name: String, value: JSONValue) {
        var faults = ServerFaults()
        #expect(faults.set(name, value)?.contains("the fault \(name) takes") == true)
        #expect(faults.set(name, false) == nil)
        let fits: JSONValue = ["silent", "no_pong"].contains(name) ? true : name == "authentication_code" ? 4003 : 503
        #expect(faults.set(name, fits) == nil)
    }

    @Test("a skill goes on only from states that it has")
    func missingStates() throws {
        let table: JSONObject = ["states": ["start": ["say": "Hi"]]]
        let skill = try Skill(table)
        #expect(skill.problem(withState: "strat") == "the skill has no state \"strat\"; did you mean \"start\"?")
        #expect(skill.problem(withState: "start") == nil)
        #expect(skill.problem(in: SkillAnswer(["state": "strat"])) != nil)
        #expect(skill.problem(in: SkillAnswer(["agent": ["on": ["rejected": "strat"]]])) != nil)
        #expect(try Skill(["skill": 1]).problem(withState: "anything") == nil)
        for say in [["messages": "a", "state": "strat"], ["agent": ["on": ["rejected": "strat"]]]] as [JSONValue] {
            #expect(throws: ConfigurationError.self) { try Skill(["states": ["start": ["say": say]]]) }
        }
        let rehearsal = try Rehearsal(server: table.merging(["agents": ["Sam"]]))
        rehearsal.connect()
        let user = try #require(rehearsal.server.machine.users.conversations.keys.first)
        rehearsal.serve("accept", ["user": .string(user)], by: "Sam")
        guard case .refused = rehearsal.serve("leave", ["text": "bye", "state": "strat"], by: "Sam") else {
            Issue.record("there is no such state")
            return
        }
        #expect(rehearsal.server.machine.users.conversations[user]?.handover.agent == "Sam")
    }
}
