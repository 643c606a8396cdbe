import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("The browser window's profile, and what its generation adds")
struct WindowTests {
    private static func answered(server: JSONObject = [:]) throws -> Rehearsal {
        try Play.answered(client: ["profile": "html"], server: server)
    }

    @Test("When the operator ends the chat, the visitor confirms")
    func operatorEnds() throws {
        var play = try Self.answered()
        play.agent("Sam", "finish")
        play.settle()
        #expect(play.events(.chatEnded).count == 1)
        #expect(play.count("finishChat") == 0)
        play.visitor("finish")
        play.settle()
        #expect(play.events(.postChat).map { $0.fields["reason"] } == ["operator"])
    }

    @Test("Ending a chat that is not connected yet is told to the server; the iOS engine does not tell")
    func finishBeforeConnect() {
        for profile in Profile.all {
            var chat = ChatStateMachine(ChatConnection([:]), profile: profile, quirks: .vendor)
            _ = chat.handle(.started)
            let actions = chat.handle(.finishRequested)
            #expect(actions.contains(.call(.finishChat)) == (profile == .html))
            #expect(actions.contains(.finished(.visitor, time: nil)) == (profile == .ios))
        }
    }

    @Test("The server can end or start the chat by events that only the window knows")
    func serverEvents() throws {
        var play = try Self.answered()
        play.desk("send_event", ["method": "startChat"])
        play.settle()
        #expect(play.count("startChat") == 1)
        #expect(play.client.view.chat?.state == .ossStarted)
        play.desk("send_event", ["method": "finishChat"])
        play.settle()
        #expect(play.events(.chatEnded).count == 1)
        var ios = try Play.answered()
        ios.desk("send_event", ["method": "startChat"])
        ios.desk("send_event", ["method": "finishChat"])
        ios.settle()
        #expect(ios.count("startChat") == 0 && ios.events(.chatEnded).isEmpty)
    }

    @Test("The window leaves out fields of unknown types; to the iOS engine they are text")
    func unknownFields() throws {
        let fields: JSONValue = [["key": "a", "type": "label"], ["key": "b"]]
        for (profile, types) in [("ios", ["text", "text"]), ("html", ["label", "text"])] {
            let play = try Play.created(client: ["profile": .string(profile)], server: ["pre_chat": fields])
            let shown = play.events(.preChat).first?.fields["form"]?["fields"]?.array
            #expect(shown?.map { $0["type"]?.string ?? "" } == types)
        }
        let unknown = FormField(wire: ["Key": "x", "Type": "moon"])
        #expect(unknown?.isKnownType == false)
    }

    @Test("The window sends a whole message or none")
    func emptyMail() throws {
        var play = try Play.created(client: ["profile": "html"], server: ["open": false])
        play.visitor("submit_unavailable", ["values": ["email": "a@x.io"]])
        play.settle()
        #expect(play.count("submitUnavailableEmail") == 0)
        #expect(play.client.view.state == .finished)
        #expect(play.events(.ended).count == 1)
        var ios = try Play.created(server: ["open": false])
        ios.visitor("submit_unavailable", ["values": ["email": "a@x.io"]])
        #expect(ios.events(.formInvalid).first?.fields["keys"] == ["subject", "body"])
    }

    @Test("A window that is closed over its pre-chat form says so")
    func canceledPreChat() throws {
        var play = try Play.created(client: ["profile": "html"])
        play.visitor("end_session")
        play.settle()
        #expect(play.count("cancelPreChat") == 1)
        #expect(play.server.chats.newest(1).first?.state == .closed)
    }

    @Test("The short names of buttons stand for the long ones")
    func aliases() throws {
        let external: JSONValue = ["vn": "Ada", "iq": "Hi?", "customField_size": "L", "curl": "https://a.example"]
        let play = try Play.created(client: ["profile": "html", "skip_pre_chat": true, "external": external])
        let values = try #require(play.server.chats.newest(1).first?.answers.values)
        #expect(
            values == [
                "first_name": "Ada", "initial_question": "Hi?", "custom_size": "L", "CustomUrl": "https://a.example",
            ])
    }

    @Test("The window pings after 30 seconds, after 5 when a ping failed, and never says that it closes")
    func pings() throws {
        var play = try Self.answered()
        #expect(play.count("pingChat") == 0)
        play.desk("break_next", ["method": "pingChat", "how": "drop", "times": 3])
        play.wait(.seconds(30))
        #expect(play.count("pingChat") == 1)
        play.wait(.seconds(10))
        #expect(play.count("pingChat") == 3)
        play.visitor("finish")
        play.settle()
        play.visitor("submit_post_chat", ["values": [:]])
        play.wait(.seconds(60))
        #expect(play.calls.allSatisfy { $0.parameters["Closed"] != "true" })
    }

    @Test("The window gives up pinging after 50 failures in a row")
    func pingLimit() throws {
        var play = try Self.answered()
        play.desk("break_next", ["method": "pingChat", "how": "drop", "times": 1000])
        play.wait(.seconds(600))
        #expect(play.count("pingChat") == 50)
    }

    @Test("The language can be changed only while the pre-chat form is shown")
    func language() throws {
        var play = try Play.created(client: ["profile": "html"])
        play.visitor("change_language", ["language": "de-DE"])
        play.settle()
        #expect(play.events(.languageChanged).map { $0.fields["language"] } == ["de-DE"])
        play.visitor("submit_pre_chat", Play.ada)
        play.settle()
        play.visitor("change_language", ["language": "fr-FR"])
        #expect(play.events(.error).map { $0.fields["code"] } == [-203])
        var ios = try Play.answered()
        ios.visitor("change_language", ["language": "fr-FR"])
        ios.settle()
        #expect(ios.events(.languageChanged).count == 1)
    }

    @Test("The transcript can be asked for once the chat has started")
    func history() throws {
        var play = try Play.created(client: ["profile": "html"])
        play.visitor("email_history", ["address": "ada@example.com"])
        #expect(play.events(.error).map { $0.fields["code"] } == [-203])
        play.visitor("submit_pre_chat", Play.ada)
        play.settle()
        play.visitor("email_history", ["address": "ada@example.com"])
        play.settle()
        #expect(play.events(.transcriptRequested).count == 1)
    }

    @Test("Being accepted stops the answer timer")
    func answerTimer() throws {
        var play = try Play.started(client: ["profile": "html"], server: ["answer_timeout": 20])
        Play.accept(&play)
        play.wait(.seconds(60))
        #expect(play.events(.unavailable).isEmpty)
    }

    @Test("Silence and return are events of the window")
    func silence() throws {
        var play = try Self.answered()
        play.desk("set_heartbeats", ["active": false])
        play.wait(.seconds(20))
        #expect(play.events(.disconnected).count == 1)
        play.desk("set_heartbeats", ["active": true])
        play.wait(.seconds(6))
        #expect(play.events(.reconnected).count == 1)
        play.desk("drop_socket")
        play.wait(.seconds(12))
        #expect(play.events(.disconnected).count == 2)
        #expect(play.events(.reconnected).count == 2)
    }

    @Test("Addresses and numbers are checked leniently")
    func rules() throws {
        var play = try Play.created(client: ["profile": "html"])
        play.visitor("submit_pre_chat", ["values": ["first_name": "A", "email": "a@example.museum"]])
        play.settle()
        #expect(play.events(.chatStarted).count == 1)
    }

    @Test(
        "A page that is loaded again comes back into its chat and misses nothing",
        arguments: 1...6 as ClosedRange<UInt64>)
    func reload(seed: UInt64) throws {
        var play = try Play.answered(client: ["profile": "html"], seed: seed)
        play.visitor("reload")
        play.agent("Sam", "say", ["text": "Still there?"])
        play.settle()
        #expect(play.last("resolveChatKey") != nil)
        #expect(play.last("startChat")?["LastChatMessageID"]?.string?.hasPrefix("5") == true)
        let texts = play.events(.message).filter { $0.fields["from"] == "operator" }.map { $0.fields["text"] }
        #expect(texts == ["Hello Ada.", "Still there?"])
        #expect(play.events(.accepted).count == 1)
        #expect(play.client.properties["window_state"] == "ChatActive")
        play.visitor("say", ["text": "Yes"])
        play.settle()
        #expect(play.events(.messageSent).count == 1)
        play.desk("end_chat")
        play.visitor("reload")
        play.settle()
        #expect(play.client.view.state != .chatting)
        guard case .refused = play.visitor("reload") else {
            Issue.record("there is no chat any more")
            return
        }
    }

    @Test("A chat that ended while the page was loading is over")
    func lateReload() throws {
        var play = try Self.answered()
        play.desk("delay_next", ["method": "resolveChatKey", "delay": 5])
        play.visitor("reload")
        play.settle()
        play.agent("Sam", "finish")
        play.settle()
        play.visitor("reload")
        play.settle()
        #expect(play.events(.ended).map { $0.fields["reason"] } == ["undefined"])
    }

    @Test("Departments and the video session's address can be asked for")
    func questions() throws {
        var play = try Play.answered(
            client: ["profile": "html"],
            server: ["departments": [["id": "7", "name": "Sales", "languages": ["de-DE"]]]])
        play.visitor("get_departments")
        play.settle()
        let sales: JSONValue = ["ID": "7", "Name": "Sales", "Languages": ["de-DE"], "Available": true]
        #expect(play.events(.completed).first?.fields["value"] == ["Departments": [sales]])
        play.visitor("get_video_url")
        play.settle()
        #expect(play.events(.error).map { $0.fields["message"] } == ["No video session was offered"])
        play.visitor("support_video")
        play.settle()
        #expect(play.server.chats.newest(1).first?.assist.showsVideo == true)
        play.desk("set_video", ["status": 2])
        play.visitor("get_video_url")
        play.settle()
        #expect(play.events(.completed).last?.fields["value"]?["URL"]?.string?.hasPrefix("https://") == true)
    }

    @Test("The window has its own names for the states of its session")
    func states() throws {
        var play = try Rehearsal(client: ["profile": "html"])
        var seen: [JSONValue?] = []
        Play.whole(&play) { seen.append($0.client.properties["window_state"]) }
        #expect(
            seen == [
                "Idle", "InitialLoading", "PreChat", "PreChatSending", "ChatActive", "ChatEnding", "PostChat",
                "PostChatSending", "Finished",
            ])
    }

    @Test("A pushed page is opened")
    func push() throws {
        var play = try Self.answered()
        play.agent("Sam", "say", ["text": "Look: <push>https://a.example/x</push>"])
        play.settle()
        #expect(play.events(.linkOpened).map { $0.fields["url"] } == ["https://a.example/x"])
        #expect(CobrowseEvents.pushedPages(in: "[push]u1 and <push>u2<").sorted() == ["u1", "u2"])
        #expect(CobrowseEvents.pushedPages(in: "no push").isEmpty)
    }

    @Test("A file travels in three steps", arguments: ["ios", "html"])
    func file(profile: String) throws {
        var play = try Play.answered(client: ["profile": .string(profile)])
        play.visitor("send_file", ["name": "a\"b.png", "content": "PNG", "type": "image/png"])
        play.settle()
        let event = try #require(play.events(.attachmentUploaded).first)
        #expect(event.fields["size"] == 3)
        #expect(play.agentEvents.last?.event.fields["file"] == "a\"b.png")
        play.desk("break_next", ["method": "files", "how": "status", "status": 413])
        play.visitor("send_file", ["name": "b", "content": ""])
        play.settle()
        #expect(play.events(.error).map { $0.fields["operation"] } == ["send_file"])
    }

    @Test("Where the account forbids files, none is announced")
    func forbiddenFile() throws {
        var play = try Play.answered(server: ["window_settings": ["EnableFileTransfer": false]])
        play.visitor("send_file", ["name": "a", "content": "x"])
        #expect(play.events(.error).count == 1)
        #expect(play.count("files") == 0)
    }

    @Test(
        "Files have the vendor's kinds",
        arguments: [
            ("a.PNG", "x/y", FileKind.picture), ("a.docx", "", .word), ("a.tar.gz", "", .archive),
            ("a", "audio/ogg", .audio),
            ("noending", "", .other), (".zip", "", .other), ("a.swift", "", .code), ("a.csv", "", .excel),
        ])
    func kinds(name: String, type: String, kind: FileKind) {
        #expect(FileKind(name: name, mediaType: type) == kind)
    }

    @Test("Co-browse is offered, accepted and ended")
    func activeAssist() throws {
        var play = try Self.answered()
        play.desk("invite_active_assist")
        play.settle()
        let id = try #require(play.events(.cobrowseRequested).first?.fields["id"])
        play.visitor("accept_active_assist")
        play.settle()
        #expect(play.last("acceptActiveAssist")?["ActiveAssistID"] == id)
        #expect(play.agentEvents.last?.event.kind == .cobrowseActive)
        play.visitor("cancel_active_assist")
        play.settle()
        #expect(play.events(.cobrowseEnded).count == 1)
        play.desk("invite_active_assist")
        play.settle()
        play.visitor("decline_active_assist")
        play.settle()
        #expect(play.agentEvents.last?.event.kind == .cobrowseRejected)
    }

    @Test("What the window settings do not allow, agents cannot ask for")
    func forbidden() throws {
        let ways: [(setting: String, command: String, arguments: JSONObject, end: JSONObject?)] = [
            ("EnableActiveAssist", "invite_active_assist", [:], nil),
            ("EnableRemoteControl", "send_remote_control", ["command": "started"], ["command": "ended"]),
            ("EnableVideo", "set_video", ["status": 2], ["status": 7]),
        ]
        for way in ways {
            var play = try Self.answered(server: ["window_settings": .object([way.setting: false])])
            let story = play.story
            guard case .refused(let refusal) = play.desk(way.command, way.arguments) else {
                Issue.record("\(way.command) is refused")
                continue
            }
            #expect(refusal.contains("\(way.setting) is false"))
            play.settle()
            #expect(play.story == story)
            // What ends it is never refused.
            if let end = way.end { #expect(play.desk(way.command, end) == .done(.null)) }
            for other in ways where other.setting != way.setting {
                #expect(play.desk(other.command, other.arguments) == .done(.null))
            }
        }
    }

    @Test("Remote control and video reach both sides")
    func remoteAndVideo() throws {
        var play = try Self.answered()
        play.desk("send_remote_control", ["command": "started"])
        play.settle()
        #expect(play.events(.remoteControl).first?.fields["systems"]?["windows"] == true)
        play.visitor("decline_remote_control", ["unsupported": true])
        play.settle()
        #expect(play.agentEvents.last?.event.fields["answer"] == "unsupported")
        play.desk("set_video", ["status": 2])
        play.settle()
        play.visitor("accept_video")
        play.settle()
        #expect(
            play.events(.videoChanged).map { $0.fields["state"] } == ["started_by_operator", "accepted_by_visitor"])
        #expect(play.agentEvents.last?.event.fields["status"] == 4)
        play.desk("send_event", ["method": "updateChat", "params": ["Values": ["VideoSessionStatus": 99]]])
        play.settle()
        #expect(play.events(.videoChanged).last?.fields["state"] == "unknown")
    }
}
