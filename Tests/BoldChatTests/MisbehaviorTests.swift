import JSON
import Machines
import Testing

@testable import BoldChat

/// Every way in which the simulated desk can misbehave, against every call and both kinds of link of both clients.
@Suite("A misbehaving server leaves the client in a defined state, with the documented error")
struct MisbehaviorTests {
    // MARK: The event stream

    /// What a desk can do to a running chat.
    enum Way: String, CaseIterable, Sendable {
        case dropSocket, reconnect, redirect, reset, closed, missingHeartbeat, malformedJSON, partialUpdate, valuesNull

        func happen(_ play: inout Rehearsal) {
            switch self {
            case .dropSocket: play.desk("drop_socket")
            case .reconnect: play.desk("send_reconnect")
            case .redirect: play.desk("send_redirect")
            case .reset: play.desk("send_reset")
            case .closed: play.desk("send_closed")
            case .missingHeartbeat: play.desk("set_heartbeats", ["active": false])
            case .malformedJSON: play.desk("send_text", ["text": "{\"method\": \"addMess"])
            case .partialUpdate:
                play.desk("update_message", ["text": "Hello?"])
                play.desk("send_event", ["method": "updateBusy"])
                play.desk("send_event", ["method": "updateChat", "params": ["Values": ["Ended": "soon"]]])
                play.desk("send_event", ["method": "updateTyper", "params": ["PersonID": "7", "Values": [:]]])
            case .valuesNull:
                play.desk("delete_chat")
                play.desk("send_event", ["method": "updateTyper", "params": ["PersonID": "7", "Values": .null]])
                play.desk("send_event", ["method": "updateActiveAssist", "params": ["Values": .null]])
            }
        }

        /// Whether the chat is over because of it; all heartbeats are missing anyhow where there are only polls.
        func isTheEnd(over link: String) -> Bool {
            self == .closed || self == .missingHeartbeat && link == "web_socket"
        }
    }

    static let clients: [(profile: String, link: String)] = ["ios", "html"].flatMap { profile in
        ["web_socket", "long_poll"].map { (profile, $0) }
    }

    @Test(
        "Whatever happens to the stream, the chat goes on or is over, and can be left",
        arguments: Way.allCases, Self.clients)
    func stream(way: Way, client: (profile: String, link: String)) throws {
        var play = try Play.answered(
            client: ["profile": .string(client.profile), "link": .string(client.link)],
            server: ["client_timeout": 60])
        play.wait(.seconds(1))
        way.happen(&play)
        play.wait(.seconds(120))
        let codes = play.events(.error).map { $0.fields["code"] }
        // Text cannot be sent into a poll, so nothing is broken there.
        #expect(codes == (way == .malformedJSON && client.link == "web_socket" ? [-102] : []))
        if way.isTheEnd(over: client.link) {
            #expect(play.events(.postChat).map { $0.fields["reason"] } == ["timeout"])
            #expect(play.client.view.state == .postChatForm)
        } else {
            play.agent("Sam", "say", ["text": "Still there?"])
            play.visitor("say", ["text": "Yes"])
            play.wait(.seconds(10))
            #expect(play.events(.message).contains { $0.fields["text"] == "Still there?" })
            #expect(play.events(.messageSent).count == 1)
            play.visitor("finish")
            play.wait(.seconds(60))
            #expect(play.events(.postChat).map { $0.fields["reason"] } == ["visitor"])
        }
        play.visitor("submit_post_chat", ["values": [:]])
        play.wait(.seconds(60))
        #expect(play.client.view.state == .finished)
        #expect(play.clientTimers.isEmpty, "\(play.clientTimers)")
    }

    // MARK: Answers

    /// What a desk can do to the answers of a call, for ever.
    enum Fault: String, CaseIterable, Sendable {
        case statusError, malformedJSON, httpStatus, dropped, delayed

        func order(_ method: String, _ play: inout Rehearsal) {
            let arguments: JSONObject = ["method": .string(method), "times": 1000]
            switch self {
            case .statusError: play.desk("fail_next", arguments.merging(["message": "No, thanks"]))
            case .malformedJSON: play.desk("break_next", arguments.merging(["how": "malformed"]))
            case .httpStatus: play.desk("break_next", arguments.merging(["how": "status", "status": 503]))
            case .dropped: play.desk("break_next", arguments.merging(["how": "drop"]))
            case .delayed: play.desk("delay_next", arguments.merging(["delay": 3600]))
            }
        }

        /// The error of a call that reports what became of it itself.
        func code(of method: String, profile: String) -> JSONValue {
            switch (self, profile, method) {
            // The window looks every 15 seconds: it drops this call then, and has given up a creation.
            case (.delayed, "html", "getChatAvailability"): return -101
            case (.malformedJSON, "html", "createChat"), (.httpStatus, "html", "createChat"),
                (.dropped, "html", "createChat"):
                return -104
            default: break
            }
            return switch self {
            case .statusError: -100
            // Any body starts the count of the iOS engine anew, so only its time limit ends it.
            case .malformedJSON, .httpStatus: profile == "ios" ? -104 : -102
            case .dropped: -101
            case .delayed: -104
            }
        }

        /// What a failure tells people besides its code.
        var words: String {
            switch self {
            case .statusError: "No, thanks"
            case .malformedJSON: "could not be read: HTTP 200 with \"{\"Status\": \"succ\""
            case .httpStatus: "could not be read: HTTP 503 with \"broken\""
            case .dropped: "could not be reached: dropped by the server"
            case .delayed: "answer"
            }
        }
    }

    /// A call, how a client comes to make it, and where a failure leaves the session.
    struct Call: Sendable, CustomTestStringConvertible {
        let method: String
        let operation: String
        let state: SessionStateMachine.State
        /// The code of a failure of the chat, whatever was wrong.
        var chatCode: JSONValue?
        var server: JSONObject = [:]
        let begin: @Sendable (_ client: JSONObject, _ server: JSONObject) throws -> Rehearsal
        let act: @Sendable (inout Rehearsal) -> Void

        var testDescription: String { self.method }
    }

    private static func finished(_ client: JSONObject, _ server: JSONObject) throws -> Rehearsal {
        var play = try Play.answered(client: client, server: server)
        play.visitor("finish")
        play.settle()
        return play
    }

    static let calls: [Call] = [
        Call(
            method: "getChatAvailability", operation: "check_availability", state: .idle,
            begin: { try Rehearsal(client: $0, server: $1) }, act: { $0.visitor("check_availability") }),
        Call(
            method: "createChat", operation: "create_chat", state: .idle,
            begin: { try Rehearsal(client: $0, server: $1) }, act: { $0.visitor("create_chat") }),
        Call(
            method: "submitPreChat", operation: "submit_pre_chat", state: .preChatForm,
            begin: { try Play.created(client: $0, server: $1) }, act: { $0.visitor("submit_pre_chat", Play.ada) }),
        Call(
            method: "changeLanguage", operation: "change_language", state: .preChatForm,
            begin: { try Play.created(client: $0, server: $1) },
            act: { $0.visitor("change_language", ["language": "de-DE"]) }),
        Call(
            method: "emailChatHistory", operation: "email_history", state: .chatting,
            begin: { try Play.answered(client: $0, server: $1) },
            act: { $0.visitor("email_history", ["address": "ada@example.com"]) }),
        Call(
            method: "submitPostChat", operation: "submit_post_chat", state: .postChatForm,
            begin: { try Self.finished($0, $1) }, act: { $0.visitor("submit_post_chat", ["values": [:]]) }),
        Call(
            method: "submitUnavailableEmail", operation: "submit_unavailable", state: .unavailableForm,
            server: ["open": false],
            begin: { try Play.created(client: $0, server: $1) },
            act: {
                $0.visitor("submit_unavailable", ["values": ["email": "a@x.io", "subject": "?", "body": "?"]])
            }),
        Call(
            method: "startChat", operation: "start_chat", state: .chatting, chatCode: -300,
            begin: { try Play.answered(client: $0, server: $1) }, act: { $0.desk("send_reset") }),
        Call(
            method: "finishChat", operation: "finish", state: .chatting, chatCode: -301,
            begin: { try Play.answered(client: $0, server: $1) }, act: { $0.visitor("finish") }),
        Call(
            method: "getUnavailableForm", operation: "cancel_chat", state: .chatting, chatCode: -302,
            begin: { try Play.started(client: $0, server: $1) }, act: { $0.visitor("cancel_chat") }),
    ]

    @Test(
        "A call that is never answered well fails with its code, in words, and leaves the session where it was",
        arguments: Self.calls, Fault.allCases)
    func answers(call: Call, fault: Fault) throws {
        for profile in ["ios", "html"] {
            var play = try call.begin(["profile": .string(profile)], call.server)
            let before = play.events.count
            fault.order(call.method, &play)
            call.act(&play)
            play.wait(.seconds(120))
            let errors = play.events.dropFirst(before).filter { $0.kind == .error }
            #expect(
                errors.map { $0.fields["code"] } == [call.chatCode ?? fault.code(of: call.method, profile: profile)],
                "\(profile)")
            #expect(errors.first?.fields["operation"] == .string(call.operation))
            if call.chatCode == nil {
                let message = errors.first?.fields["message"]?.string ?? ""
                #expect(message.contains(fault.words), "\(profile): \(message)")
            }
            // An error of the chat ends the session of the window; a refused transcript moves that of the phone.
            let isOver = call.chatCode != nil && profile == "html"
            let isMoved = call.method == "emailChatHistory" && fault == .statusError && profile == "ios"
            #expect(
                play.client.view.state == (isOver ? .finished : isMoved ? .postChatForm : call.state), "\(profile)")
            play.visitor("end_session")
            play.wait(.seconds(120))
            #expect(play.client.view.state == .finished)
            #expect(play.clientTimers.isEmpty, "\(profile): \(play.clientTimers)")
        }
    }

    @Test("Pings that fail are no event", arguments: Fault.allCases)
    func pings(fault: Fault) throws {
        for profile in ["ios", "html"] {
            var play = try Play.answered(client: ["profile": .string(profile)])
            fault.order("pingChat", &play)
            let before = play.story
            play.wait(.seconds(300))
            #expect(play.story == before)
            #expect(play.client.view.state == .chatting)
        }
    }

    @Test("Where nothing of the stream can be had, the chat fails with −303", arguments: Fault.allCases, Self.clients)
    func noStream(fault: Fault, client: (profile: String, link: String)) throws {
        var play = try Rehearsal(
            client: ["profile": .string(client.profile), "link": .string(client.link), "skip_pre_chat": true],
            server: ["client_timeout": 60])
        fault.order("socket", &play)
        fault.order("poll", &play)
        play.visitor("create_chat")
        play.wait(.seconds(300))
        let codes = play.events(.error).map { $0.fields["code"] }
        let isGarbled = fault == .malformedJSON && client.link == "web_socket"
        #expect(codes == (isGarbled ? [-102, -303] : [-303]))
        #expect(play.client.view.state == (client.profile == "ios" ? .chatting : .finished))
        play.visitor("end_session")
        play.wait(.seconds(120))
        #expect(play.clientTimers.isEmpty, "\(play.clientTimers)")
    }

    @Test(
        "A greeting that is never answered well ends the chat as lost, or costs a connection", arguments: Fault.allCases
    )
    func greetings(fault: Fault) throws {
        for profile in ["ios", "html"] {
            var play = try Rehearsal(
                client: ["profile": .string(profile), "skip_pre_chat": true], server: ["client_timeout": 60])
            fault.order("connect", &play)
            play.visitor("create_chat")
            play.wait(.seconds(600))
            // A server that drops the socket each time is tried for ever; it may come to its senses.
            let state = play.client.view.state
            #expect(state == (fault == .dropped ? .chatting : .finished), "\(profile)")
            if fault != .dropped { #expect(play.events(.ended).map { $0.fields["reason"] } == ["timeout"]) }
            play.visitor("finish")
            play.wait(.seconds(60))
            #expect(play.client.view.state == .finished)
        }
    }

    @Test("A message that is never taken well is reported, sent again, or stays unsent; the chat can be left")
    func messages() throws {
        for fault in Fault.allCases {
            for client in Self.clients {
                var play = try Play.answered(
                    client: ["profile": .string(client.profile), "link": .string(client.link)],
                    server: ["client_timeout": 60])
                fault.order("sendMessage", &play)
                play.visitor("say", ["text": "x"])
                play.wait(.seconds(60))
                let sent = play.events(.messageSent).count
                let errors = play.events(.error).map { $0.fields["code"] }
                let isAnswered = fault == .statusError || fault == .httpStatus && client.link == "web_socket"
                #expect(sent == (isAnswered && client.profile == "ios" ? 1 : 0), "\(fault) \(client)")
                let isGarbled = fault == .malformedJSON && client.link == "web_socket"
                #expect(errors == (isGarbled ? [-102] : isAnswered && client.profile == "html" ? [-100] : []))
                play.visitor("end_session")
                play.wait(.seconds(120))
                #expect(play.client.view.state == .finished)
                #expect(play.clientTimers.isEmpty, "\(fault) \(client): \(play.clientTimers)")
            }
        }
    }
}
