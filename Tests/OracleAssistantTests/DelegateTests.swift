import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Delegates")
struct DelegateTests {
    @Test("before_display changes, drops or passes on what comes, in order")
    func beforeDisplay() throws {
        let rehearsal = try Rehearsal(client: ["before_display": 1])
        rehearsal.functions[1] = { arguments in
            var message = arguments[0].object ?? [:]
            var payload = message["messagePayload"]?.object ?? [:]
            switch payload["text"] {
            case "drop": return .success(.null)
            case "empty": return .success(.object([:]))
            case "break":
                payload["text"] = ""
                return .success(.object(payload))
            case "fail": return .failure(ScriptCallFailure("oops"))
            case "pass": return .success(arguments[0])
            default:
                payload["text"] = "changed"
                message["messagePayload"] = .object(payload)
                return .success(.object(message))
            }
        }
        rehearsal.connect()
        for text in ["a", "drop", "empty", "break", "fail", "pass"] {
            rehearsal.serve("say", ["message": .string(text)])
        }
        rehearsal.serve("say", ["message": ["type": "status", "status": "RESPONDING"]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["changed", "break", "fail", "pass"])
        #expect(rehearsal.client.properties["typing"] == true, "states of typing bypass the delegate")
    }

    @Test("before_send changes or drops the user's messages but not hidden ones")
    func beforeSend() throws {
        let rehearsal = try Rehearsal(client: ["before_send": 1, "init_user_hidden_message": "hidden"])
        rehearsal.functions[1] = { arguments in
            let text = arguments[0]["messagePayload"]?["text"]
            if text == "drop" { return .success(.null) }
            if text == "break" { return .success(["type": "raw"]) }
            return .success(["type": "text", "text": "changed"])
        }
        rehearsal.connect()
        for text in ["one", "drop", "break"] { rehearsal.do("say", ["text": .string(text)]) }
        rehearsal.do("send_event", ["type": "order", "data": ["a": 1]])
        rehearsal.run(.seconds(1))
        let texts = rehearsal.sent.compactMap { $0["messagePayload"]?["text"]?.string }
        #expect(texts == ["hidden", "changed", "break"])
        #expect(rehearsal.sentTypes.last == "inboundEvent")
    }

    @Test("before_send_postback sees the action and only it")
    func beforeSendPostback() throws {
        let rehearsal = try Rehearsal(client: ["before_send": 1, "before_send_postback": 2])
        rehearsal.functions[1] = { _ in .success(.null) }
        var seen: [JSONValue] = []
        rehearsal.functions[2] = { arguments in
            seen = arguments
            return .success(["type": "postback", "label": "Two", "postback": ["n": 2]])
        }
        rehearsal.connect()
        rehearsal.serve("say", ["message": ["text": "?", "actions": ["One"]]])
        rehearsal.run(.seconds(1))
        rehearsal.do("tap", ["label": "One"])
        rehearsal.run(.seconds(1))
        #expect(seen.first?["label"] == "One")
        #expect(
            rehearsal.sent.last?["messagePayload"] == ["type": "postback", "postback": ["n": 2], "text": "Two"])
        rehearsal.functions[2] = { _ in .success(.null) }
        rehearsal.forget()
        rehearsal.serve("say", ["message": ["text": "again?", "actions": ["One"]]])
        rehearsal.run(.seconds(1))
        rehearsal.do("tap", ["label": "One"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.sent.isEmpty)
    }

    @Test("a delegate can turn a link into one that opens in the webview")
    func webview() throws {
        let rehearsal = try Rehearsal(client: ["before_display": 1])
        rehearsal.functions[1] = { arguments in
            var payload = arguments[0]["messagePayload"]?.object ?? [:]
            payload["actions"] = [["type": "webview", "label": "Open", "url": "https://a.test"]]
            return .success(.object(payload))
        }
        rehearsal.connect()
        rehearsal.serve(
            "say",
            ["message": ["text": "a link", "actions": [["type": "url", "label": "Open", "url": "https://a.test"]]]])
        rehearsal.run(.seconds(1))
        rehearsal.do("tap", ["label": "Open"])
        #expect(rehearsal.last(.linkOpened)?.fields["handler"] == "webview")
    }

    @Test("what the client's rules forbid is refused and nothing is sent")
    func invalid() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.do("say", ["text": ""])
        rehearsal.do("send", ["message": ["type": "raw", "payload": [:]]])
        rehearsal.do("send_location", ["latitude": 0, "longitude": 10])
        #expect(
            rehearsal.all(.error).map { $0.fields["code"] } == ["MessageInvalid", "MessageInvalid", "MessageInvalid"])
        rehearsal.do("send_location", ["latitude": 91, "longitude": 10])
        #expect(rehearsal.last(.error)?.fields["code"] == "LocationInvalid")
        rehearsal.do("send", ["message": ["profile": "none"]])
        #expect(rehearsal.last(.error)?.fields["code"] == "ProfileInvalid")
        #expect(rehearsal.sent.isEmpty)
        rehearsal.do("send", ["message": ["type": "postback", "label": "Order", "postback": "x"]])
        #expect(rehearsal.sent.last?["messagePayload"] == ["type": "postback", "postback": "x", "text": "Order"])
    }

    @Test("a message that takes news of the user along is shown, checked and offered to the delegate as others are")
    func withProfile() throws {
        let rehearsal = try Rehearsal(server: ["echo": true], client: ["before_send": 1, "user_id": "ada"])
        rehearsal.functions[1] = { arguments in .success(arguments[0]) }
        rehearsal.connect()
        for text in ["", "hi"] {
            let payload: JSONValue = ["type": "text", "text": .string(text)]
            rehearsal.do("send", ["message": ["profile": ["givenName": "Ada"], "messagePayload": payload]])
        }
        rehearsal.run(.seconds(1))
        #expect(
            rehearsal.sent == [
                [
                    "messagePayload": ["type": "text", "text": "hi"], "userId": "ada",
                    "sdkMetadata": ["version": "25.02"], "profile": ["givenName": "Ada"],
                ]
            ])
        #expect(rehearsal.last(.error)?.fields["code"] == "MessageInvalid")
        #expect(rehearsal.last(.messageSent)?.fields["text"] == "hi")
        #expect(rehearsal.client.properties["messages"] == 2)
        #expect(try rehearsal.readServer("profile") == ["givenName": "Ada"])
    }

    @Test("a location button asks the device, whose answer is rounded to five decimals")
    func location() throws {
        let rehearsal = try Rehearsal(client: ["disable_past_actions": "none"])
        rehearsal.connect()
        rehearsal.serve("say", ["message": ["text": "Where?", "actions": [["type": "location", "label": "Here"]]]])
        rehearsal.run(.seconds(1))
        rehearsal.do("tap", ["label": "Here"])
        #expect(rehearsal.last(.error)?.fields["message"]?.string?.hasPrefix("Error in getting") == true)
        rehearsal.do("set_place", ["obstacle": "denied"])
        rehearsal.do("tap", ["label": "Here"])
        #expect(rehearsal.last(.error)?.fields["message"] == "Location Permission Denied.")
        rehearsal.do("set_place", ["latitude": 45.92852714, "longitude": 132.61019251])
        rehearsal.do("tap", ["label": "Here"])
        #expect(
            rehearsal.sent.last?["messagePayload"]?["location"] == ["latitude": 45.92853, "longitude": 132.61019])
    }
}
