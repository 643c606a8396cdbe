import HTTPTypes
import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Misbehavior of the account ends in a defined state")
struct FaultTests {
    private static func chat(_ play: Rehearsal) throws -> ChatRecord {
        try #require(play.server.chats.newest(1).first)
    }

    @Test("A dropped socket comes back and misses nothing", arguments: 1...6 as ClosedRange<UInt64>)
    func dropped(seed: UInt64) throws {
        var play = try Play.answered(seed: seed)
        for round in 1...4 {
            play.desk("drop_socket")
            play.agent("Sam", "say", ["text": .string("\(round)")])
            play.visitor("say", ["text": .string("v\(round)")])
            play.wait(.seconds(7))
        }
        let texts = play.events(.message).compactMap { $0.fields["text"]?.string }
        #expect(texts.filter { $0.count == 1 } == ["1", "2", "3", "4"])
        #expect(texts.filter { $0.hasPrefix("v") } == ["v1", "v2", "v3", "v4"])
        #expect(play.events(.messageSent).count == 4)
    }

    @Test("reconnect and redirect open the stream again without a word")
    func reopened() throws {
        var play = try Play.answered()
        play.wait(.seconds(1))
        let before = play.story
        play.desk("send_reconnect")
        play.wait(.seconds(1))
        play.desk("send_redirect")
        play.wait(.seconds(1))
        #expect(play.opened.count == 3)
        play.agent("Sam", "say", ["text": "still here"])
        play.settle()
        #expect(play.story == before + [.message])
    }

    @Test("closed ends the chat like a time-out")
    func closed() throws {
        var play = try Play.answered()
        play.desk("send_closed")
        play.settle()
        #expect(play.events(.postChat).map { $0.fields["reason"] } == ["timeout"])
    }

    @Test("Without heartbeats the chat times out")
    func noHeartbeats() throws {
        var play = try Play.answered(server: ["client_timeout": 30])
        play.desk("set_heartbeats", ["active": false])
        play.wait(.seconds(31))
        #expect(play.events(.postChat).map { $0.fields["reason"] } == ["timeout"])
        var alive = try Play.answered(server: ["client_timeout": 30])
        alive.wait(.seconds(120))
        #expect(alive.client.view.chat?.state == .ossStarted)
    }

    @Test("A failed startChat is −300, a failed finishChat −301, a failed unavailable form −302")
    func chatErrors() throws {
        var start = try Play.answered()
        start.desk("fail_next", ["method": "startChat", "message": "no"])
        start.desk("send_reset")
        start.settle()
        #expect(start.events(.error).map { $0.fields["code"] } == [-300])
        var finish = try Play.answered()
        finish.desk("fail_next", ["method": "finishChat", "message": "no"])
        finish.visitor("finish")
        finish.settle()
        #expect(finish.events(.error).map { $0.fields["code"] } == [-301])
        #expect(finish.events(.error).first?.fields["domain"] == "BCChat")
        var cancel = try Play.started(server: ["queue": 3])
        cancel.desk("fail_next", ["method": "getUnavailableForm", "message": "no"])
        cancel.visitor("cancel_chat")
        cancel.settle()
        #expect(cancel.events(.error).map { $0.fields["code"] } == [-302])
        // The vendor's session stays where it was; the scenario can still end it.
        #expect(cancel.client.view.state == .chatting)
    }

    @Test("With its quirk off, an error of the chat finishes the session")
    func chatErrorFinishes() throws {
        var play = try Play.answered(client: ["quirks": ["chat_error_keeps_session": false]])
        play.desk("fail_next", ["method": "finishChat", "message": "no"])
        play.visitor("finish")
        play.settle()
        #expect(play.story.suffix(2) == [.error, .ended])
        #expect(play.events(.ended).map { $0.fields["reason"] } == ["error"])
    }

    @Test("Where neither sockets nor polls work, the chat fails with −303")
    func noStream() throws {
        var play = try Rehearsal()
        play.intercept = { method, response in method == "poll" ? Response(text: "x", status: .badGateway) : response }
        play.desk("block_sockets")
        play.visitor("create_chat", ["options": ["skip_pre_chat": true]])
        play.settle()
        #expect(play.opened.count == 6)
        #expect(play.events(.error).map { $0.fields["code"] } == [-303])
    }

    @Test("A poll that is answered with an error status has failed, whatever its body")
    func failedPoll() throws {
        var play = try Rehearsal(client: ["link": "long_poll"])
        play.intercept = { method, response in
            method == "poll" ? Response(json: .array([]), status: .serviceUnavailable) : response
        }
        play.visitor("create_chat", ["options": ["skip_pre_chat": true]])
        play.settle()
        #expect(play.events(.error).map { $0.fields["code"] } == [-303])
    }

    @Test("A refused form leaves the session in the form's state, and can be sent again")
    func refusedForms() throws {
        var play = try Play.created()
        play.desk("fail_next", ["method": "submitPreChat", "message": "Invalid ChatKey"])
        play.visitor("submit_pre_chat", Play.ada)
        play.settle()
        #expect(play.events(.error).map { $0.fields["code"] } == [-200])
        #expect(play.client.view.state == .preChatForm)
        play.visitor("submit_pre_chat", Play.ada)
        play.settle()
        Play.accept(&play)
        play.visitor("finish")
        play.settle()
        play.desk("fail_next", ["method": "submitPostChat", "message": "no"])
        play.visitor("submit_post_chat", ["values": [:]])
        play.settle()
        #expect(play.client.view.state == .postChatForm)
        play.visitor("submit_post_chat", ["values": [:]])
        play.settle()
        #expect(play.client.view.state == .finished)
    }

    @Test("The account checks forms itself")
    func serverValidation() throws {
        var play = try Play.created()
        // The client does not know that the desk demands more by now.
        play.desk("set_form", ["kind": "pre_chat", "fields": [["key": "reference", "required": true]]])
        play.visitor("submit_pre_chat", Play.ada)
        play.settle()
        #expect(play.events(.error).map { $0.fields["message"] } == ["Missing required field: reference"])
    }

    @Test("Frames and events that cannot be read are errors, and the chat goes on", arguments: ["ios", "html"])
    func unreadable(profile: String) throws {
        var play = try Play.answered(client: ["profile": .string(profile)])
        let before = play.story
        let texts = ["", "x", "[]", "{}", "{\"method\":", String(repeating: "[", count: 5000)]
        for text in texts { play.desk("send_text", ["text": .string(text)]) }
        let nonsense: [(String, JSONObject)] = [
            ("addMessage", [:]), ("addMessage", ["Values": ["Text": "x"]]), ("addMessage", ["MessageID": "77"]),
            ("addMessage", ["MessageID": "78", "Values": .null]),
            ("addMessage", ["MessageID": "79", "Values": ["Name": "Sam", "PersonType": "operator"]]),
            ("updateTyper", ["Values": ["IsTyping": true]]),
        ]
        for (method, params) in nonsense {
            play.desk("send_event", ["method": .string(method), "params": .object(params)])
        }
        play.settle()
        let errors = play.events(.error)
        #expect(errors.count == texts.count + nonsense.count)
        #expect(errors.allSatisfy { $0.fields["code"] == -102 && $0.fields["domain"] == "BCOSSWebSocket" })
        let messages = errors.map { $0.fields["message"]?.string ?? "" }
        #expect(messages.contains { $0.hasSuffix("nothing over the socket") })
        #expect(messages.contains { $0.hasSuffix("addMessage, for it has no Text") })
        #expect(messages.allSatisfy { $0.utf8.count < 250 })
        #expect(play.story == before + errors.map(\.kind))
        play.agent("Sam", "say", ["text": "still here"])
        play.settle()
        #expect(play.story.last == .message)
    }

    @Test("Elements of a poll that cannot be read are errors, and the others count")
    func unreadablePoll() throws {
        var play = try Rehearsal(client: ["link": "long_poll"])
        play.intercept = { method, response in
            guard method == "poll", var body = (try? JSONReader.read(response.body))?.array else { return response }
            body.insert(contentsOf: [7, ["x": 1]], at: 0)
            return Response(json: .array(body))
        }
        play.visitor("create_chat", ["options": ["skip_pre_chat": true]])
        play.settle()
        #expect(play.events(.error).count >= 2)
        #expect(play.events(.error).first?.fields["message"]?.string?.contains("\"7\" in a poll") == true)
        #expect(play.client.view.link?.state == .longPollConnected)
    }

    @Test("Events that no client knows are passed over")
    func unknownEvents() throws {
        var play = try Play.answered()
        let before = play.story
        play.desk("send_text", ["text": "{\"result\":{},\"id\":\"1\"}"])
        play.desk("send_event", ["method": "moon"])
        for method in ["beginActiveAssist", "updateActiveAssist", "remoteControlMessage"] {
            // Only the browser window knows these.
            play.desk("send_event", ["method": .string(method), "params": ["Values": ["Ended": "now"]]])
        }
        play.desk("send_event", ["method": "updateChat", "params": ["Values": ["VideoSessionStatus": 2]]])
        play.desk("send_event", ["method": "updateTyper", "params": ["PersonID": "?", "Values": .null]])
        play.desk("delete_chat")
        play.settle()
        #expect(play.story == before)
        play.agent("Sam", "say", ["text": "still here"])
        play.settle()
        #expect(play.story == before + [.message])
    }

    @Test("The first message of an id wins; the browser window takes the update")
    func partialUpdates() throws {
        var play = try Play.answered()
        play.desk("update_message", ["text": "Hello Eve."])
        play.settle()
        #expect(play.events(.messageUpdated).isEmpty)
        #expect(play.client.view.chat?.conversation.messages.last?.text == "Hello Ada.")
        var window = try Play.answered(client: ["profile": "html"])
        window.desk("update_message", ["text": "Hello Eve."])
        window.settle()
        let update = try #require(window.events(.messageUpdated).first)
        #expect(update.fields["text"] == "Hello Eve.")
        #expect(update.fields["name"] == "Sam")
        // The same again is no update.
        window.desk("update_message", ["text": "Hello Ada."])
        window.desk("update_message", ["text": "Hello Ada."])
        window.settle()
        #expect(window.events(.messageUpdated).count == 2)
    }

    @Test("A person whose values are null has left")
    func removedPerson() throws {
        var play = try Play.answered()
        let id = try #require(play.server.desk.agents["Sam"]?.personID)
        play.desk("send_event", ["method": "updateTyper", "params": ["PersonID": .string(id), "Values": .null]])
        play.settle()
        #expect(play.events(.agentLeft).count == 1)
    }

    @Test("A socket call that fails counts as success, unless that quirk is off")
    func failedSocketCall() throws {
        for isOn in [true, false] {
            var play = try Play.answered(client: ["quirks": ["unexamined_answers": .bool(isOn)]])
            play.desk("fail_next", ["method": "sendMessage", "message": "no"])
            play.visitor("say", ["text": "x"])
            play.settle()
            #expect(play.events(.messageSent).count == (isOn ? 1 : 0))
            #expect(play.events(.error).count == (isOn ? 0 : 1))
        }
    }

    @Test(
        "Over long polling a refused message is answered too, and the chat can be finished", arguments: ["ios", "html"])
    func refusedPost(profile: String) throws {
        var play = try Play.answered(client: ["profile": .string(profile), "link": "long_poll"])
        play.desk("fail_next", ["method": "sendMessage", "message": "no", "times": 1000])
        play.visitor("say", ["text": "x"])
        play.visitor("finish")
        play.wait(.seconds(60))
        #expect(play.count("sendMessage") == 1)
        #expect(play.events(.messageSent).count == (profile == "ios" ? 1 : 0))
        #expect(play.events(.error).map { $0.fields["message"] } == (profile == "ios" ? [] : ["no"]))
        #expect(play.client.view.state == .postChatForm)
    }

    @Test("A wish to finish outlives a reset of the server")
    func resetWhileFinishing() throws {
        var play = try Play.answered()
        play.desk("break_next", ["method": "sendMessage", "how": "malformed"])
        play.visitor("say", ["text": "bye"])
        play.visitor("finish")
        play.settle()
        #expect(play.client.view.chat?.state == .sendingVisitorMessagesBeforeFinishing)
        play.desk("send_reset")
        play.wait(.seconds(5))
        #expect(play.events(.postChat).map { $0.fields["reason"] } == ["visitor"])
        #expect(try Self.chat(play).transcript.messages.count { $0.posting.text == "bye" } == 1)
    }

    @Test("A status over a socket is the error of the answer; who examines it sees it")
    func statusOverSocket() throws {
        for profile in ["ios", "html"] {
            var play = try Play.answered(client: ["profile": .string(profile)])
            play.desk("break_next", ["method": "sendMessage", "how": "status", "status": 503])
            play.visitor("say", ["text": "x"])
            play.settle()
            #expect(play.events(.messageSent).count == (profile == "ios" ? 1 : 0))
            #expect(play.events(.error).map { $0.fields["message"] } == (profile == "ios" ? [] : ["broken (503)"]))
        }
    }

    @Test("Every fault of a file transfer is an error that says what was wrong")
    func files() throws {
        let faults: [(name: String, arguments: JSONObject, code: JSONValue, text: String)] = [
            ("break_next", ["how": "status", "status": 413], -100, "HTTP 413"),
            ("break_next", ["how": "drop"], -101, "dropped"),
            ("break_next", ["how": "malformed"], -102, "is no JSON"),
            ("fail_next", ["message": "Virus found"], -100, "Virus found"),
            ("delay_next", ["delay": 31], -104, "30 seconds"),
        ]
        for fault in faults {
            var play = try Play.answered(client: ["profile": "html"])
            play.desk(fault.name, fault.arguments.merging(["method": "files"]))
            play.visitor("send_file", ["name": "a.txt", "content": "x"])
            play.wait(.seconds(40))
            #expect(play.events(.error).map { $0.fields["code"] } == [fault.code], "\(fault.text)")
            let message = play.events(.error).first?.fields["message"]?.string ?? ""
            #expect(message.contains(fault.text), "\(message)")
            #expect(play.events(.attachmentUploaded).isEmpty)
        }
    }

    @Test("The desk takes no answers to invitations that it never sent, and none for another one")
    func invitations() throws {
        var play = try Play.answered(client: ["profile": "html"])
        let answers = [
            "accept_active_assist", "decline_active_assist", "cancel_active_assist", "accept_remote_control",
            "decline_remote_control", "accept_video", "decline_video",
        ]
        for answer in answers {
            play.visitor(answer)
            play.settle()
        }
        #expect(play.events(.error).count == answers.count)
        play.desk("invite_active_assist")
        play.desk("send_remote_control", ["command": "started"])
        play.settle()
        play.visitor("accept_active_assist", ["id": "4711"])
        play.visitor("accept_remote_control", ["id": "4711"])
        play.settle()
        #expect(
            play.events(.error).suffix(2).map { $0.fields["message"] } == [
                "Invalid ActiveAssistID", "Invalid RCHistoryID",
            ])
        let kinds = play.agentEvents.map(\.event.kind)
        #expect(!kinds.contains(.cobrowseActive) && !kinds.contains(.remoteControl))
        var ios = try Play.answered()
        for answer in answers {
            guard case .refused = ios.visitor(answer) else {
                Issue.record("the iOS engine knows nothing of \(answer)")
                continue
            }
        }
    }

    @Test("A repeated message is kept once")
    func duplicates() throws {
        var play = try Play.answered()
        play.desk("break_next", ["method": "sendMessage", "how": "drop"])
        play.visitor("say", ["text": "once"])
        play.wait(.seconds(10))
        #expect(play.count("sendMessage") == 2)
        #expect(try Self.chat(play).transcript.messages.count { $0.posting.text == "once" } == 1)
        #expect(play.events(.messageSent).count == 1)
    }

    @Test("A visitor who stays away for the client time-out has left")
    func gone() throws {
        var play = try Play.answered(server: ["client_timeout": 300])
        play.refusesSockets = true
        play.visitor("suspend")
        play.dropSockets()
        play.wait(.seconds(299))
        #expect(try Self.chat(play).isLive)
        play.wait(.seconds(2))
        #expect(try Self.chat(play).ended?.reason == .disconnect)
        #expect(play.agentEvents.last?.event.fields["reason"] == "disconnect")
    }

    @Test("A failed change of language empties the branding, unless that quirk is off")
    func languageFailure() throws {
        for isOn in [true, false] {
            var play = try Play.created(client: ["quirks": ["language_failure_clears_branding": .bool(isOn)]])
            play.desk("fail_next", ["method": "changeLanguage", "message": "no"])
            play.visitor("change_language", ["language": "de-DE"])
            play.settle()
            #expect(play.events(.error).count == 1)
            #expect(play.client.view.record.branding.isEmpty == isOn)
        }
    }

    @Test("A failed transcript request moves the session, unless that quirk is off")
    func historyFailure() throws {
        for isOn in [true, false] {
            var play = try Play.answered(client: ["quirks": ["history_failure_moves_state": .bool(isOn)]])
            play.desk("fail_next", ["method": "emailChatHistory", "message": "no"])
            play.visitor("email_history", ["address": "ada@example.com"])
            play.settle()
            #expect(play.client.view.state == (isOn ? .postChatForm : .chatting))
        }
    }

    @Test("The session's end reason stays undefined, unless that quirk is off")
    func endReason() throws {
        for isOn in [true, false] {
            var play = try Play.answered(client: ["quirks": ["end_reason_unassigned": .bool(isOn)]])
            play.visitor("finish")
            play.settle()
            #expect(play.client.properties["end_reason"] == (isOn ? "undefined" : "visitor"))
        }
    }

    @Test("Real clients name ids that the account never gave; they get what is not surely received")
    func foreignIDs() {
        var log = ChatEventLog()
        for id in 1...5 { log.append(ChatEventLog.Entry(id: Int64(id), frame: .integer(Int64(id)))) }
        #expect(log.entries(after: 3).map(\.id) == [4, 5])
        #expect(log.entries(after: 0).count == 5)
        log.acknowledge(2)
        log.acknowledge(4_000_000_000_000_000_000)
        #expect(log.entries(after: 4_000_000_000_000_000_000).map(\.id) == [3, 4, 5])
        #expect(log.entries(after: -7).map(\.id) == [3, 4, 5])
        log.issued(9)
        #expect(log.entries(after: 9).isEmpty)
    }
}
