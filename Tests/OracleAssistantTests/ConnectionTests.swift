import HTTPTypes
import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Connections")
struct ConnectionTests {
    @Test("a client without a token connects to the vendor's path and greets with profile before hidden message")
    func firstMessages() throws {
        let rehearsal = try Rehearsal(
            server: ["states": ["start": ["say": ["text": "Welcome", "actions": ["Order"]]]]],
            client: [
                "user_id": "guest", "init_user_profile": ["profile": ["givenName": "First"]],
                "init_user_hidden_message": "hi", "device_token": "abc",
            ])
        rehearsal.connect()
        #expect(rehearsal.opened.first?.1.path?.hasPrefix("/chat/v1/chats/sockets/websdk?channelId=") == true)
        #expect(rehearsal.opened.first?.1.path?.hasSuffix("&userId=guest") == true)
        #expect(rehearsal.opened.first?.1.scheme == "ws")
        #expect(rehearsal.statuses == ["connecting", "open"])
        #expect(rehearsal.sentTypes == ["profile", "text", "token"])
        #expect(rehearsal.sent[0] == ["profile": ["givenName": "First"], "sdkMetadata": ["version": "25.02"]])
        #expect(rehearsal.texts == ["Welcome"])
        #expect(rehearsal.last(.message)?.fields["actions"]?[0]?["label"] == "Order")
        #expect(rehearsal.all(.initialized).count == 1)
    }

    @Test("a user without a name gets one of the vendor's form")
    func randomUser() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        let user = try #require(rehearsal.client.identity["user_id"]?.string)
        let parts = user.split(separator: "-")
        #expect(parts.count == 3 && parts[0] == "user" && parts[1] == "1700000000000" && parts[2].count == 5)
    }

    @Test("an authenticated client sends its token first and takes user and channel from the claims")
    func authentication() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "s", "echo": true],
            client: ["token_fixture": ["secret": "s", "user_id": "ada"]])
        rehearsal.connect()
        #expect(rehearsal.sentTypes == ["auth"])
        #expect(rehearsal.client.identity["user_id"] == "ada")
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi"])
    }

    @Test("the token may go in the header of the handshake, and no frame then")
    func header() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "s", "echo": true],
            client: ["auth_transport": "header", "token_fixture": ["secret": "s", "user_id": "ada"]])
        rehearsal.connect()
        #expect(rehearsal.sent.isEmpty)
        #expect(rehearsal.opened[0].1.headerFields[.authorization]?.hasPrefix("Bearer ") == true)
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi"])
    }

    @Test(
        "a token that the client can see to be wrong opens no socket",
        arguments: [
            (["exp": 1], "AuthExpLessThanIat"), (["iat": 10, "exp": 20], "AuthExpiredToken"),
            (["userId": ""], "AuthInvaliduserId"), (["channelId": 7], "AuthInvalidchannelId"),
        ] as [(JSONObject, String)])
    func localRefusal(_ claims: JSONObject, _ code: String) throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "s"],
            client: ["token_fixture": ["secret": "s", "user_id": "ada", "claims": .object(claims)]])
        rehearsal.connect()
        #expect(rehearsal.opened.isEmpty)
        #expect(rehearsal.last(.error)?.fields["code"] == .string(code))
        #expect(rehearsal.statuses == ["connecting", "closed"])
    }

    @Test("a server that closes on seeing the token ends the tries")
    func remoteRefusal() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "right"],
            client: ["token_fixture": ["secret": "wrong", "user_id": "ada"]])
        rehearsal.connect()
        rehearsal.run(.seconds(60))
        #expect(rehearsal.opened.count == 1)
        #expect(rehearsal.last(.disconnected)?.fields["reason"] == "AuthExpiredToken")
    }

    @Test("a first message hides the refusal of the token, so the client tries again and fails for the network")
    func remoteRefusalWithFirstMessage() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "right"],
            client: [
                "token_fixture": ["secret": "wrong", "user_id": "ada"], "init_user_hidden_message": "hi",
                "reconnect_max_attempts": 5,
            ])
        rehearsal.connect()
        rehearsal.run(.seconds(60))
        #expect(rehearsal.opened.map { $0.at.components.seconds } == [0, 5, 10, 15, 20, 25])
        #expect(rehearsal.all(.reconnecting).count == 5)
        #expect(rehearsal.all(.disconnected).map { $0.fields["reason"] } == ["NetworkFailure"])
        #expect(rehearsal.all(.error).map { $0.fields["code"] } == ["NetworkFailure"])
        let opening = ["connecting", "open"]
        #expect(rehearsal.statuses == Array(repeatElement(opening, count: 6).joined()) + ["closed"])
    }

    @Test("once the server has said anything, drops do not count together")
    func provenToken() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "echo": true], client: ["token_fixture": ["user_id": "ada"]])
        rehearsal.connect()
        for _ in 0..<9 {
            rehearsal.do("say", ["text": "hi"])
            rehearsal.run(.seconds(1))
            rehearsal.serve("drop")
            rehearsal.run(.seconds(6))
        }
        #expect(rehearsal.all(.reconnected).count == 9)
        #expect(rehearsal.all(.disconnected).isEmpty)
    }

    @Test("a token that is refused only on the way back ends the tries, whatever was sent before the drop")
    func refusedLater() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "echo": true, "secret": "s"],
            client: ["token_fixture": ["user_id": "ada", "lifetime": 40], "init_user_hidden_message": "hi"])
        rehearsal.connect()
        rehearsal.run(.seconds(30))
        rehearsal.server = KeyedServerAdapter(
            try OracleServer(
                ServerConfiguration(
                    origin: Rehearsal.origin, options: ["authentication": true, "secret": "other"],
                    epochMilliseconds: Rehearsal.epoch)))
        rehearsal.feedClient(.closed(ConnectionID(1), WebSocketClosure(code: 1006, reason: "gone")))
        rehearsal.run(.seconds(30))
        #expect(rehearsal.last(.disconnected)?.fields["reason"] == "AuthExpiredToken")
        #expect(rehearsal.opened.count == 2)
    }

    @Test("the provider of tokens is asked again only when the token has less than 20 seconds to live")
    func provider() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "s", "channel_id": "C"], client: ["token_provider": 1])
        var asked = 0
        rehearsal.functions[1] = { [unowned rehearsal] _ in
            asked += 1
            let now = Rehearsal.epoch / 1000 + rehearsal.now.nanoseconds / 1_000_000_000
            let claims: JSONObject = [
                "iat": .integer(now), "exp": .integer(now + 60), "channelId": "C", "userId": "ada",
            ]
            return .success(.string(ChannelToken(claims: claims, secret: "s").text))
        }
        rehearsal.connect()
        #expect(asked == 1)
        rehearsal.run(.seconds(20))
        rehearsal.serve("drop")
        rehearsal.run(.seconds(10))
        #expect(asked == 1, "the token lives for 35 more seconds")
        rehearsal.run(.seconds(15))
        rehearsal.serve("drop")
        rehearsal.run(.seconds(10))
        #expect(asked == 2)
        #expect(rehearsal.all(.reconnected).count == 2)
    }

    @Test("six sockets five seconds apart, then the client gives up and shows the banner")
    func exhaustion() throws {
        let rehearsal = try Rehearsal()
        rehearsal.openFailure = TransportFailure(.cannotConnect, "nobody listens")
        rehearsal.do("connect")
        rehearsal.run(.seconds(120))
        #expect(rehearsal.opened.count == 6)
        #expect(rehearsal.opened.map { $0.at.components.seconds } == [0, 5, 10, 15, 20, 25])
        #expect(rehearsal.last(.disconnected)?.fields["banner"]?.string?.hasPrefix("Sorry, the assistant") == true)
        #expect(rehearsal.last(.disconnected)?.fields["retry"] == "Try Again")
        #expect(rehearsal.last(.error)?.fields["code"] == "NetworkFailure")
        rehearsal.openFailure = nil
        rehearsal.connect()
        #expect(rehearsal.last(.connected) != nil)
    }

    @Test("after a drop the client reconnects in five seconds without first messages, and what came meanwhile is lost")
    func drop() throws {
        let rehearsal = try Rehearsal(server: ["echo": true], client: ["init_user_hidden_message": "hi"])
        rehearsal.connect()
        rehearsal.forget()
        rehearsal.serve("drop")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.statuses == ["connecting"])
        rehearsal.do("say", ["text": "lost"])
        #expect(rehearsal.last(.error)?.fields["code"] == "ConnectionNone")
        rehearsal.serve("say", ["message": "nobody hears this"])
        rehearsal.run(.seconds(10))
        #expect(rehearsal.opened.count == 1)
        #expect(rehearsal.last(.reconnected) != nil)
        #expect(rehearsal.sent.isEmpty)
        #expect(rehearsal.texts.isEmpty)
    }

    @Test("a missing pong closes and opens the connection after 40 seconds")
    func missingPong() throws {
        let rehearsal = try Rehearsal(server: ["faults": ["no_pong": true]])
        rehearsal.connect()
        rehearsal.forget()
        rehearsal.run(.milliseconds(39_800))
        #expect(rehearsal.statuses.isEmpty)
        rehearsal.run(.milliseconds(300))
        #expect(rehearsal.statuses == ["closing", "closed", "connecting", "open"])
        #expect(
            rehearsal.all(.reconnecting).map { $0.fields["reason"] } == [
                "The server answered no ping within 10 seconds."
            ])
    }

    @Test("pings every 30 seconds keep the connection, which is renewed after 50 minutes")
    func keepAlive() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.forget()
        rehearsal.run(.seconds(2999))
        #expect(rehearsal.statuses.isEmpty)
        #expect(rehearsal.sentTypes == Array(repeating: "ping", count: 99))
        rehearsal.run(.seconds(2))
        #expect(rehearsal.statuses == ["closing", "closed", "connecting", "open"])
        #expect(rehearsal.last(.error) == nil)
    }

    @Test("an unknown or disabled channel is refused at the handshake")
    func unknownChannel() throws {
        let rehearsal = try Rehearsal(client: ["channel_id": "other", "reconnect_max_attempts": 0])
        rehearsal.connect()
        #expect(rehearsal.last(.disconnected)?.fields["reason"] == "NetworkFailure")
        let disabled = try Rehearsal(server: ["enabled": false], client: ["reconnect_max_attempts": 0])
        disabled.connect()
        #expect(disabled.last(.disconnected) != nil)
    }

    @Test("connecting with another channel closes the connection and opens it anew")
    func otherConfiguration() throws {
        let rehearsal = try Rehearsal(client: ["user_id": "ada"])
        rehearsal.connect()
        rehearsal.forget()
        rehearsal.do("connect", ["options": ["user_id": "bob"]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.statuses == ["closing", "closed", "connecting", "open"])
        #expect(rehearsal.opened[0].1.path?.hasSuffix("userId=bob") == true)
        rehearsal.forget()
        rehearsal.do("connect", ["options": ["user_id": "bob"]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.statuses.isEmpty)
        #expect(rehearsal.last(.connected)?.fields["already"] == true)
    }

    @Test("disconnect, destroy and initialize do what the vendor says")
    func life() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.forget()
        rehearsal.do("disconnect")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.statuses == ["closing", "closed"])
        #expect(rehearsal.last(.disconnected)?.fields["reason"] == "ConnectionExplicitClose")
        #expect(rehearsal.last(.error) == nil)
        rehearsal.do("destroy")
        #expect(rehearsal.last(.destroyed) != nil)
        guard case .refused(let reason) = rehearsal.do("say", ["text": "hi"]) else {
            Issue.record("a destroyed client speaks")
            return
        }
        #expect(reason.contains("initialize"))
        rehearsal.do("initialize")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.client.properties["status"] == "open")
    }

    @Test("a binary frame is told, and whatever is in it is no message")
    func binary() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        let text = #"{"messagePayload":{"type":"text","text":"a"},"source":"BOT"}"#
        rehearsal.feedClient(.received(ConnectionID(1), .binary(Array(text.utf8))))
        #expect(rehearsal.texts.isEmpty)
        #expect(rehearsal.last(.frame)?.fields["ignored"]?.string?.contains("binary frame") == true)
    }

    @Test("what the server still says while the client closes the connection is not shown")
    func saidWhileClosing() throws {
        func said(_ text: String) -> ClientInput {
            let frame: JSONValue = [
                "messagePayload": ["type": "text", "text": .string(text)], "source": "BOT", "userId": "u",
                "msgId": .string(text),
            ]
            return .received(ConnectionID(1), .text(frame.description))
        }
        let rehearsal = try Rehearsal(client: ["user_id": "u"])
        rehearsal.connect()
        rehearsal.feedClient(said("before"))
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["before"])
        rehearsal.do("disconnect")
        #expect(rehearsal.client.properties["status"] == "closing")
        rehearsal.feedClient(said("after"))
        rehearsal.feedClient(.received(ConnectionID(1), .text("{")))
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["before"])
        #expect(rehearsal.all(.error).isEmpty)
        #expect(rehearsal.client.properties["status"] == "closed")
    }

    @Test("a device without network cannot connect until it is online")
    func offline() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.do("go_offline")
        rehearsal.run(.seconds(1))
        rehearsal.do("connect")
        #expect(rehearsal.last(.error)?.fields["code"] == "NetworkOffline")
        rehearsal.do("go_online")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.client.properties["status"] == "open")
    }

    @Test("tearing down leaves no timer behind", arguments: [0, 1, 3, 40])
    func tearDown(_ seconds: Int64) throws {
        let rehearsal = try Rehearsal(server: ["echo": true])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(seconds))
        rehearsal.tearDown()
        rehearsal.run(.milliseconds(10))
        #expect(!rehearsal.hasClientTimers)
    }
}
