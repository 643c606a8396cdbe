import HTTPTypes
import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Long polling")
struct PollingTests {
    private func polling(_ server: JSONObject = ["echo": true]) throws -> Rehearsal {
        let rehearsal = try Rehearsal(
            server: server.merging(["faults": ["refuse_socket": 503]]), client: ["enable_long_polling": true])
        rehearsal.do("connect")
        rehearsal.run(.seconds(15))
        return rehearsal
    }

    @Test("after six refused sockets two seconds apart the client polls")
    func fallback() throws {
        let rehearsal = try self.polling()
        #expect(rehearsal.opened.map { $0.at.components.seconds } == [0, 2, 4, 6, 8, 10])
        #expect(rehearsal.last(.connected)?.fields["polling"] == true)
        #expect(rehearsal.requests.first?.head.method == .post)
        #expect(rehearsal.requests.first?.body == Array(#"{"state":{"type":"ping"}}"#.utf8))
    }

    @Test("messages go by requests and come doubly encoded")
    func messages() throws {
        let rehearsal = try self.polling()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi"])
        rehearsal.serve("say", ["message": ["one", "two"]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi", "one", "two"])
    }

    @Test("no poll follows the one that brings the end of the session, so the server does not take the user for back")
    func lastPoll() throws {
        let rehearsal = try self.polling()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        rehearsal.forget()
        rehearsal.do("end_chat")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.ended)?.fields["reason"] == "user")
        #expect(rehearsal.requests.map(\.head.method) == [.post])
        if case .done = rehearsal.serve("say", ["message": "still there?"]) { Issue.record("the session is over") }
    }

    @Test("a poll that fetches the end of a session brings nobody back, and a client that begins to poll does")
    func pollAfterEnd() throws {
        let rehearsal = try self.polling()
        let channel = try #require(rehearsal.server.properties["channel_id"]?.string)
        let user = try #require(rehearsal.client.properties["user_id"]?.string)
        func ask(_ method: HTTPRequest.Method, _ body: String = "") {
            let path = "/chat/v1/chats/message?channelId=\(channel)&userId=\(user)"
            let head = HTTPRequest(method: method, scheme: "http", authority: "oda.test", path: path)
            var step = ServerStep(now: rehearsal.now, random: RandomSource(seed: 1))
            rehearsal.server.handle(.requested(ExchangeID(99), Request(head, body: Array(body.utf8))), in: &step)
        }
        rehearsal.serve("end_session")
        ask(.get)
        if case .done = rehearsal.serve("say", ["message": "still there?"]) { Issue.record("the session is over") }
        ask(.post, #"{"state":{"type":"ping"}}"#)
        #expect(ConversationTests.isDone(rehearsal.serve("say", ["message": "welcome back"])))
    }

    @Test("a poll is held for 25 seconds and answered with 204, and the next one follows")
    func hold() throws {
        let rehearsal = try self.polling()
        rehearsal.forget()
        rehearsal.run(.seconds(100))
        #expect(rehearsal.requests.filter { $0.head.method == .get }.count == 4)
        #expect(rehearsal.statuses.isEmpty)
    }

    @Test("after 300 seconds a WebSocket is tried again, and taken if it opens")
    func upgrade() throws {
        let rehearsal = try self.polling()
        rehearsal.serve("fault", ["name": "refuse_socket", "value": false])
        rehearsal.forget()
        rehearsal.run(.seconds(320))
        #expect(rehearsal.statuses == ["closing", "closed", "connecting", "open"])
        #expect(rehearsal.last(.reconnected)?.fields["polling"] == false)
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi"])
    }

    @Test("a server that refuses polls is not asked without pause, and lost connections end it")
    func failures() throws {
        let rehearsal = try self.polling()
        rehearsal.serve("fault", ["name": "poll_status", "value": 500])
        rehearsal.forget()
        rehearsal.run(.seconds(60))
        #expect(rehearsal.requests.count <= 60)
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.error)?.fields["code"] == "NetworkFailure")
        rehearsal.serve("fault", ["name": "drop_requests"])
        rehearsal.run(.seconds(60))
        #expect(rehearsal.last(.disconnected)?.fields["reason"] == "NetworkFailure")
    }

    @Test("a poll that brings nothing that can be read is told, for what it would have brought is lost")
    func lost() throws {
        let rehearsal = try self.polling()
        rehearsal.serve("fault", ["name": "poll_status", "value": 503])
        rehearsal.run(.seconds(30))
        #expect(rehearsal.last(.pollLost)?.fields["reason"] == "The server answered with 503.")
        rehearsal.serve("fault", ["name": "poll_status", "value": false])
        rehearsal.serve("fault", ["name": "drop_requests"])
        rehearsal.forget()
        rehearsal.run(.seconds(30))
        #expect(!rehearsal.all(.pollLost).isEmpty)
    }

    @Test(
        "what a poll brings that is no list of texts is told, and the server is asked on",
        arguments: [
            ([["messagePayload": ["type": "text", "text": "a"]]], "not as a text"),
            (["messagePayload": ["type": "text", "text": "a"]], "no list"), ("<html>", "no list"),
        ] as [(JSONValue, String)])
    func unreadable(answer: JSONValue, phrase: String) throws {
        let rehearsal = try self.polling()
        rehearsal.forget()
        for number in 0..<20 where rehearsal.all(.frame).isEmpty {
            rehearsal.feedClient(.responded(ExchangeID(UInt64(number)), Response(json: answer)))
        }
        #expect(rehearsal.last(.frame)?.fields["ignored"]?.string?.contains(phrase) == true)
        #expect(rehearsal.texts.isEmpty)
        rehearsal.forget()
        rehearsal.run(.seconds(2))
        #expect(rehearsal.requests.count <= 1)
        rehearsal.serve("say", ["message": "still there"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["still there"])
    }

    @Test(
        "a poll that is answered with nothing is asked again and not told, whatever its status", arguments: [200, 204])
    func empty(status: Int) throws {
        let rehearsal = try self.polling()
        rehearsal.forget()
        for number in 0..<20 where rehearsal.requests.isEmpty {
            rehearsal.feedClient(
                .responded(ExchangeID(UInt64(number)), Response(HTTPResponse(status: .init(code: status)))))
        }
        #expect(rehearsal.requests.map(\.head.method) == [.get])
        #expect(rehearsal.all(.frame).isEmpty && rehearsal.all(.pollLost).isEmpty)
        // The server answers the poll that it has heard of last.
        rehearsal.run(.seconds(2))
        rehearsal.serve("say", ["message": "still there"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["still there"])
    }

    @Test("an authenticated client sends its token with each request")
    func token() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "s", "echo": true, "faults": ["refuse_socket": 503]],
            client: ["enable_long_polling": true, "token_fixture": ["secret": "s", "user_id": "ada"]])
        rehearsal.do("connect")
        rehearsal.run(.seconds(15))
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi"])
        #expect(rehearsal.requests.allSatisfy { $0.head.headerFields[.authorization] != nil })
    }
}
