import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Conversations of client and account, whatever the order of deliveries")
struct SequenceTests {
    private static let seeds = 1...12 as ClosedRange<UInt64>

    @Test("A visitor waits, is answered and rates the agent", arguments: seeds)
    func design(seed: UInt64) throws {
        var play = try Play.started(server: ["queue": 2], seed: seed)
        #expect(play.events(.preChat).first?.fields["form"]?["submit"] == "submit_pre_chat")
        #expect(play.events(.queue).map { $0.fields["position"] } == [2])
        play.wait(.seconds(5))
        #expect(play.events(.queue).map { $0.fields["position"] } == [2, 1])
        Play.accept(&play)
        play.agent("Sam", "typing", ["active": true])
        play.settle()
        let typing = try #require(play.events(.typing).last)
        #expect(typing.fields["active"] == true)
        #expect(typing.fields["person"]?["type"] == "operator")
        play.agent("Sam", "say", ["text": "It left this morning."])
        play.settle()
        let message = try #require(play.events(.message).last)
        #expect(message.fields["from"] == "operator")
        #expect(message.fields["text"] == "It left this morning.")
        #expect(play.events(.typing).last?.fields["active"] == false)
        play.visitor("say", ["text": "Thanks!"])
        play.visitor("finish")
        play.settle()
        #expect(play.events(.postChat).map { $0.fields["reason"] } == ["visitor"])
        play.visitor("submit_post_chat", ["values": ["overall": 5]])
        play.settle()
        #expect(play.events(.ended).map { $0.fields["reason"] } == ["visitor"])
        #expect(play.story == [.preChat, .queue, .queue, .typing, .message, .postChat, .ended])
        #expect(play.agentEvents.map(\.event.kind) == [.message, .chatEnded])
        #expect(play.server.chats.newest(1).first?.answers.survey == ["overall": "5"])
        #expect(play.clientTimers.isEmpty)
    }

    @Test("A: with a pre-chat form, in the order of the vendor's calls", arguments: seeds)
    func happyPath(seed: UInt64) throws {
        var play = try Play.answered(seed: seed)
        #expect(play.last("createChat")?["Language"] == "en-US")
        #expect(play.last("submitPreChat")?["Data"]?.string?.contains("\"first_name\":\"Ada\"") == true)
        #expect(play.last("connect")?["LastMessageID"] == "0")
        #expect(play.events.map(\.kind).prefix(3) == [.sessionCreated, .preChat, .chatStarted])
        #expect(play.events(.connected).count == 1)
        #expect(play.events(.accepted).count == 1)
        #expect(play.events(.agentJoined).count == 1)
        play.visitor("typing", ["active": true])
        let id = play.visitor("say", ["text": "Hi"])
        play.settle()
        #expect(play.events(.typingSent).count == 1)
        #expect(play.events(.messageSent).map { CommandOutcome.done($0.fields["id"] ?? .null) } == [id])
        #expect(play.agentEvents.map(\.event.kind) == [.typing, .message])
        #expect(play.events(.message).last?.fields["from"] == "visitor")
        play.visitor("finish")
        play.settle()
        #expect(play.client.view.state == .postChatForm)
        play.visitor("submit_post_chat", ["values": ["overall": 4, "comments": "good"]])
        play.settle()
        #expect(play.last("pingChat")?["Closed"] == "true")
        #expect(play.client.view.state == .finished)
    }

    @Test("Heartbeats are acknowledged and pings go on every 30 seconds")
    func background() throws {
        var play = try Play.answered()
        #expect(play.count("pingChat") == 1)
        play.wait(.seconds(299))
        #expect(play.count("pingChat") == 10)
        let chat = try #require(play.server.chats.newest(1).first)
        // Each acknowledgement names the last heartbeat, so nothing is left to be repeated.
        #expect(try #require(play.server.stream.streams[chat.key]).log.entries(after: -1).isEmpty)
        #expect(play.client.view.chat?.state == .ossStarted)
    }

    @Test("B: the queue counts down to zero and moves no more once an operator has written", arguments: seeds)
    func queue(seed: UInt64) throws {
        var play = try Play.started(server: ["queue": 3, "queue_interval": 2], seed: seed)
        play.wait(.seconds(10))
        #expect(play.events(.queue).map { $0.fields["position"] } == [3, 2, 1, 0])
        #expect(play.events(.queue).allSatisfy { $0.fields["unavailable_form_available"] == true })
        Play.accept(&play)
        play.agent("Sam", "say", ["text": "Hello"])
        play.settle()
        play.desk("send_event", ["method": "updateBusy", "params": ["Position": 9]])
        play.settle()
        #expect(play.events(.queue).count == 4)
    }

    @Test("C: a queued visitor cancels and leaves a message", arguments: seeds)
    func cancel(seed: UInt64) throws {
        var play = try Play.started(server: ["queue": 2], seed: seed)
        play.visitor("cancel_chat")
        #expect(play.client.view.chat?.state == .gettingUnavailableForm)
        play.settle()
        let event = try #require(play.events(.unavailable).last)
        #expect(event.fields["reason"] == "unknown")
        #expect(event.fields["form"]?["submit"] == "submit_unavailable")
        let mail: JSONObject = ["values": ["email": "ada@example.com", "subject": "Order", "body": "Where is it?"]]
        play.visitor("submit_unavailable", mail)
        play.settle()
        #expect(play.last("submitUnavailableEmail")?["From"] == "ada@example.com")
        #expect(play.events(.formSubmitted).map { $0.fields["form"] } == ["unavailable"])
        #expect(play.events(.ended).map { $0.fields["reason"] } == ["unavailable"])
        #expect(play.server.mails.map(\.subject) == ["Order"])
        #expect(play.story == [.preChat, .queue, .unavailable])
        #expect(play.last("pingChat")?["Closed"] == "true")
    }

    @Test("D: nobody answers in time", arguments: seeds)
    func answerTimeout(seed: UInt64) throws {
        var play = try Play.started(server: ["answer_timeout": 120], seed: seed)
        play.wait(.seconds(119))
        #expect(play.count("getUnavailableForm") == 0)
        play.wait(.seconds(1))
        #expect(play.events(.unavailable).count == 1)
        #expect(play.client.view.state == .unavailableForm)
    }

    @Test("An operator's message stops the answer timer; being accepted alone does not")
    func answerTimerStops() throws {
        var play = try Play.started(server: ["answer_timeout": 20])
        Play.accept(&play)
        play.wait(.seconds(10))
        play.agent("Sam", "say", ["text": "Hello"])
        play.wait(.seconds(60))
        #expect(play.events(.unavailable).isEmpty)
        var silent = try Play.started(server: ["answer_timeout": 20])
        Play.accept(&silent)
        silent.wait(.seconds(20))
        #expect(silent.events(.unavailable).count == 1)
    }

    @Test("E: closed at creation, with and without a form")
    func closedAtCreation() throws {
        let play = try Play.created(server: ["open": false])
        #expect(play.events(.unavailable).map { $0.fields["reason"] } == ["outside_hours"])
        #expect(play.events(.unavailable).first?.fields["message"] == "We are closed at this hour.")
        #expect(play.client.view.state == .unavailableForm)
        let bare = try Play.created(server: ["open": false, "unavailable": false])
        #expect(bare.events(.unavailable).first?.fields["form"] == nil)
        #expect(bare.client.view.state == .finished)
        #expect(bare.last("pingChat")?["Closed"] == "true")
        #expect(bare.story == [.unavailable])
    }

    @Test("F: unavailable after the pre-chat form, for a department without operators")
    func departmentOffline() throws {
        let departments: JSONValue = [["id": "7", "name": "Sales"], ["id": "8", "name": "Repairs", "online": false]]
        var play = try Play.created(server: ["departments": departments])
        let fields = try #require(play.events(.preChat).first?.fields["form"]?["fields"]?.array)
        #expect(fields.last?["options"]?[1]?["available"] == false)
        play.visitor("submit_pre_chat", ["values": ["first_name": "Ada", "department": "8"]])
        play.settle()
        #expect(play.events(.unavailable).map { $0.fields["reason"] } == ["no_operators"])
        #expect(play.client.properties["department_id"] == "8")
    }

    @Test("G: the pre-chat form is skipped and its presets count", arguments: seeds)
    func skipPreChat(seed: UInt64) throws {
        let options: JSONObject = [
            "skip_pre_chat": true,
            "external": [
                "first_name": "Ada", "initial_question": "Hi?", "CustomUrl": "https://a.example", "overall": 5,
            ],
        ]
        let play = try Play.created(client: options, seed: seed)
        #expect(play.last("createChat")?["CustomUrl"] == "https://a.example")
        #expect(play.last("createChat")?["Data"]?.string?.contains("CustomUrl") == false)
        #expect(play.events(.chatStarted).map { $0.fields["after_pre_chat"] } == [false])
        #expect(play.events(.message).map { $0.fields["text"] } == ["Hi?"])
        #expect(play.events(.message).first?.fields["name"] == "Ada")
    }

    @Test("H: the operator ends the chat", arguments: seeds)
    func operatorEnds(seed: UInt64) throws {
        var play = try Play.answered(seed: seed)
        play.agent("Sam", "finish")
        play.settle()
        #expect(play.count("finishChat") == 1)
        let event = try #require(play.events(.postChat).first)
        #expect(event.fields["reason"] == "operator")
        #expect(event.fields["time"]?.string?.hasSuffix("Z") == true)
        #expect(play.client.view.link?.state == .idle)
        play.visitor("submit_post_chat", ["values": [:]])
        play.settle()
        #expect(play.events(.ended).map { $0.fields["reason"] } == ["operator"])
    }

    @Test("M: a visitor is taken back, and told so once")
    func recapture() throws {
        var play = try Play.created(server: ["open": false])
        play.desk("offer_recapture", ["visitor": .object(play.client.identity)])
        play.wait(.seconds(61))
        #expect(play.events(.recapture).count == 1)
        #expect(play.client.properties["recapture_available"] == true)
    }

    @Test("N: a blocked visitor")
    func blocked() throws {
        var play = try Rehearsal(client: ["visitor_id": "4711"], server: ["blocked_visitors": ["4711"]])
        play.visitor("check_availability")
        play.settle()
        play.visitor("create_chat")
        play.settle()
        #expect(play.events(.unavailable).map { $0.fields["reason"] } == ["visitor_blocked", "visitor_blocked"])
        var other = try Rehearsal(client: ["visitor_id": "4712"], server: ["blocked_visitors": ["4711"]])
        other.visitor("check_availability")
        other.settle()
        #expect(other.story == [.available])
    }

    @Test("O: wrong calls are answered by the client itself")
    func wrongCalls() throws {
        var play = try Play.created()
        let before = play.calls.count
        play.visitor("submit_pre_chat", ["values": ["email": "nobody"]])
        #expect(play.events(.formInvalid).first?.fields["keys"] == ["first_name", "email"])
        #expect(play.events(.formInvalid).first?.fields["code"] == -204)
        #expect(
            play.events(.formInvalid).first?.fields["reasons"] == ["first_name": "missing", "email": "invalid_email"])
        play.visitor("submit_post_chat", ["values": [:]])
        play.visitor("email_history", ["address": "x"])
        #expect(play.events(.error).map { $0.fields["code"] } == [-203, -205])
        #expect(play.events(.error).map { $0.fields["operation"] } == ["submit_post_chat", "email_history"])
        #expect(play.calls.count == before)
        #expect(play.client.view.state == .preChatForm)
    }

    @Test("O: presets of a wrong form fail without a call", arguments: [("email", "x", -205), ("phone", "a b", -206)])
    func wrongPresets(key: String, value: String, code: Int64) throws {
        let play = try Play.created(client: ["external": .object([key: .string(value)])])
        #expect(play.events(.error).map { $0.fields["code"] } == [.integer(code)])
        #expect(play.calls.isEmpty)
        #expect(play.client.view.state == .idle)
    }

    @Test("Presets without a value are none: they are neither checked nor sent", arguments: ["ios", "html"])
    func emptyPresets(profile: String) throws {
        let external: JSONValue = ["email": "x", "phone": "x", "first_name": "Ada", "CustomUrl": "https://a.test"]
        var play = try Rehearsal(client: ["profile": .string(profile), "external": external])
        let empty: JSONValue = ["email": "", "phone": "", "first_name": "", "overall": "", "CustomUrl": ""]
        play.visitor("create_chat", ["options": ["external": empty]])
        play.settle()
        #expect(play.events(.error).isEmpty)
        let sent = try #require(play.last("createChat"))
        #expect(sent["Data"] == nil && sent["CustomUrl"] == nil)
        #expect(play.events(.preChat).count == 1)
    }

    @Test("The client fills in its presets itself, both names of the first name included")
    func clientPresets() throws {
        var play = try Rehearsal(client: ["external": ["name": "Ada", "email": "ada@example.com"]])
        play.intercept = { method, response in
            guard method == "createChat" else { return response }
            let form: JSONValue = [
                "Fields": [
                    ["Key": "first_name", "Type": "text"], ["Key": "email", "Type": "email", "Value": "x@y.io"],
                ]
            ]
            return Response(json: ["Status": "success", "ChatKey": "1", "PreChat": form])
        }
        play.visitor("create_chat")
        play.settle()
        let fields = play.events(.preChat).first?.fields["form"]?["fields"]
        #expect(fields?[0]?["value"] == "Ada")
        #expect(fields?[1]?["value"] == "ada@example.com")
    }

    @Test("The visitor's own typing is not reported back")
    func ownTyping() throws {
        var play = try Play.answered()
        let before = play.events(.typing).count
        let values: JSONValue = ["PersonType": "visitor", "Name": "Ada", "IsTyping": true]
        play.desk("send_event", ["method": "updateTyper", "params": ["PersonID": "77", "Values": values]])
        play.settle()
        #expect(play.events(.typing).count == before)
    }

    @Test("A partial update of a person leaves the typing as it was")
    func partialTyping() throws {
        var play = try Play.answered()
        play.agent("Sam", "typing", ["active": true])
        play.settle()
        let id = try #require(play.server.desk.agents["Sam"]?.personID)
        let values: JSONValue = ["ImageURL": "https://a.example/sam.png"]
        play.desk("send_event", ["method": "updateTyper", "params": ["PersonID": .string(id), "Values": values]])
        play.settle()
        let last = try #require(play.events(.typing).last)
        #expect(last.fields["active"] == true)
        #expect(last.fields["person"]?["image_url"] == "https://a.example/sam.png")
        #expect(last.fields["person"]?["name"] == "Sam")
    }

    @Test("P: a key that the account does not know")
    func invalidKey() throws {
        let play = try Play.created(client: ["access_key": "1000100010001:2:wrong"])
        #expect(play.events(.error).map { $0.fields["code"] } == [-103])
        #expect(play.events(.error).first?.fields["domain"] == "BCAccount")
        #expect(play.client.view.state == .idle)
        var published = try Rehearsal()
        published.desk("fail_next", ["method": "createChat", "message": "No chat api settings found"])
        published.visitor("create_chat")
        published.settle()
        #expect(published.events(.error).map { $0.fields["code"] } == [-103])
    }

    @Test("An agent can accept a visitor who has not come yet")
    func earlyAccept() throws {
        var play = try Rehearsal()
        play.agent("Sam", "accept", ["visitor": .object(play.client.identity)])
        play.visitor("create_chat", ["options": ["skip_pre_chat": true]])
        play.settle()
        #expect(play.events(.accepted).count == 1)
        let refused = play.agent("Kim", "say", ["text": "?"])
        guard case .refused = refused else {
            Issue.record("an agent without a chat cannot speak")
            return
        }
    }

    @Test("A transfer shows one agent leaving and the other joining")
    func transfer() throws {
        var play = try Play.answered()
        play.agent("Kim", "sign_in")
        play.agent("Sam", "transfer", ["agent": "Kim"])
        play.agent("Kim", "say", ["text": "Kim here."])
        play.settle()
        #expect(play.events(.agentLeft).map { $0.fields["person"]?["name"] } == ["Sam"])
        #expect(play.events(.agentJoined).map { $0.fields["person"]?["name"] } == ["Sam", "Kim"])
        #expect(play.events(.message).last?.fields["name"] == "Kim")
    }

    @Test("A script that has ended is told nothing any more, not even what was held back")
    func silentEnd() throws {
        var play = try Rehearsal()
        play.visitor("create_chat")
        play.visitor("check_availability")
        play.visitor("suspend")
        play.settle()
        play.tearDown()
        play.wait(.seconds(40))
        #expect(play.events.isEmpty)
        #expect(play.server.chats.newest(1).first?.state == .closed)
    }

    @Test("An ended scenario has ended its chat on the server", arguments: [0, 1, 2, 3, 4])
    func tearDown(stage: Int) throws {
        var play = try Rehearsal(client: ["skip_pre_chat": .bool(stage == 1)])
        if stage > 0 { play.visitor("create_chat") }
        if stage > 1 { play.settle() }
        if stage > 2 {
            play.visitor("submit_pre_chat", Play.ada)
            play.settle()
        }
        if stage > 3 {
            play.visitor("end_session")
            play.settle()
            play.visitor("check_availability")
        }
        play.tearDown()
        if stage == 4 { #expect(play.clientTimers.isEmpty) }
        play.wait(.seconds(40))
        #expect(play.clientTimers.isEmpty)
        #expect(play.server.desk.waiting.isEmpty)
        #expect(play.server.chats.newestLive?.key == nil)
    }
}
