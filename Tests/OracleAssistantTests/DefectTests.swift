import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("What is wrong with messages of a server is told")
struct DefectTests {
    /// What a client makes of one message.
    private static func events(of frame: JSONObject) throws -> Rehearsal {
        let rehearsal = try Rehearsal(client: ["user_id": "ada"])
        rehearsal.connect()
        rehearsal.forget()
        rehearsal.feedClient(.received(ConnectionID(1), .text(JSONValue.object(frame).description)))
        return rehearsal
    }

    private static func frame(_ payload: JSONObject) -> JSONObject {
        ["messagePayload": .object(payload), "userId": "ada", "msgId": "1", "source": "BOT", "endOfTurn": true]
    }

    @Test(
        "a message that lacks what the model demands is an error, and is shown as it is",
        arguments: [
            (["type": "card", "layout": "horizontal"], "at least one card"),
            (["type": "card", "layout": "horizontal", "cards": []], "at least one card"),
            (["type": "card", "cards": [["description": "x"]]], "a card needs a title"),
            (["type": "card", "cards": "x"], "its cards is \"x\", not a list of objects"),
            (["type": "card", "layout": "diagonal", "cards": [["title": "x"]]], "not \"diagonal\""),
            (
                ["type": "card", "cards": [["title": "x", "actions": [5]]]], "its actions is [5], not a list of objects"
            ),
            (["type": "attachment"], "an attachment with type and url"),
            (["type": "location", "location": ["latitude": "north", "longitude": 1]], "latitude and longitude"),
            (["type": "text"], "needs a text"), (["type": "text", "text": 5], "needs a text"),
            (["type": "text", "text": "a", "actions": "x"], "its actions is \"x\", not a list of objects"),
            (["type": "text", "text": "a", "headerText": 5], "its headerText is 5, not a text"),
            (["type": "text", "text": "a", "footerForm": []], "its footerForm is [], not an object"),
            (["type": "text", "text": "a", "actions": [["type": "postback", "label": "L"]]], "needs a postback"),
            (["type": "text", "text": "a", "actions": [["type": "call", "label": "L"]]], "needs a phoneNumber"),
            (["type": "text", "text": "a", "globalActions": [["type": "url", "label": "L"]]], "needs a url"),
            (["type": "text", "text": "a", "actions": [["type": "share"]]], "a label or an imageUrl"),
            (["type": "table", "rows": []], "the list headings"),
            (["type": "table", "headings": [["label": 5]], "rows": []], "a heading of a table needs a label"),
            (["type": "table", "headings": [], "rows": [[:]]], "needs the list fields"),
            (["type": "form"], "the list forms"),
            (["type": "tableForm", "headings": [], "rows": []], "the list forms"),
            (["type": "raw"], "needs a payload"),
        ] as [(JSONObject, String)])
    func shown(payload: JSONObject, phrase: String) throws {
        let rehearsal = try Self.events(of: Self.frame(payload))
        let error = try #require(rehearsal.last(.error))
        #expect(error.fields["code"] == "MessageMalformed")
        #expect(error.fields["message"]?.string?.contains(phrase) == true, "\(error.fields)")
        #expect(error.raw?["messagePayload"] == .object(payload))
        #expect(rehearsal.all(.error).count == 1)
        #expect(rehearsal.all(.message).count == 1)
    }

    @Test("a form that cannot be filled in is an error, and is shown as it is")
    func form() throws {
        let field: JSONValue = ["displayType": "textInput", "label": "A"]
        let rehearsal = try Self.events(of: Self.frame(["type": "editForm", "fields": [field]]))
        #expect(rehearsal.last(.error)?.fields["message"] == "a field to fill in needs an id")
        #expect(rehearsal.all(.form).count == 1)
        let empty = try Self.events(of: Self.frame(["type": "editForm"]))
        #expect(empty.last(.error)?.fields["code"] == "MessageMalformed")
    }

    @Test(
        "a message that says nothing that can be told is an error alone",
        arguments: [
            (["type": "status", "status": "DANCING"], "RESPONDING or LISTENING, not \"DANCING\""),
            (["type": "status"], "RESPONDING or LISTENING, not missing"),
            (["type": "textStream", "text": "a", "streamState": "middle"], "streamState start, running or end"),
            (["type": "textStream", "streamState": "start"], "a stream needs a text"),
            (["type": "textStream", "streamState": "running", "text": "a"], "has not begun"),
            (["type": "command"], "the member command"), (["type": "outboundEvent"], "eventType"),
            (["type": "error"], "an errorMessage"), (["type": "getDebugInfoCommand"], "infoTypes"),
        ] as [(JSONObject, String)])
    func untold(payload: JSONObject, phrase: String) throws {
        let rehearsal = try Self.events(of: Self.frame(payload))
        #expect(rehearsal.all(.error).map { $0.fields["code"] } == ["MessageMalformed"])
        #expect(rehearsal.last(.error)?.fields["message"]?.string?.contains(phrase) == true)
        let told = rehearsal.events.map(\.event.kind).filter { $0 != .error && $0 != .typing }
        #expect(told.isEmpty, "\(told)")
    }

    @Test("an event says nothing that the wire does not say")
    func fields() throws {
        let cards = try Self.events(of: Self.frame(["type": "card", "layout": "diagonal", "cards": [["title": "x"]]]))
        #expect(cards.last(.message)?.fields["layout"] == nil)
        let text = try Self.events(of: Self.frame(["type": "text", "text": 5]))
        let message = try #require(text.last(.message))
        #expect(message.fields["text"] == nil)
    }

    @Test(
        "what stands wrongly around a payload is an error",
        arguments: [
            ("userId", "eve", "MessageMisdirected", "for the user \"eve\", not \"ada\"", true),
            ("userId", 5, "MessageMisdirected", "for the user 5", true),
            ("source", "ROBOT", "MessageMalformed", "BOT or AGENT, not \"ROBOT\"", false),
            ("msgId", 7, "MessageMalformed", "its msgId is 7, not a text", true),
            ("endOfTurn", "soon", "MessageMalformed", "its endOfTurn is \"soon\", not true or false", true),
        ] as [(String, JSONValue, String, String, Bool)])
    func envelope(name: String, value: JSONValue, code: String, phrase: String, isShown: Bool) throws {
        var frame = Self.frame(["type": "text", "text": "Your balance is 5"])
        frame[name] = value
        let rehearsal = try Self.events(of: frame)
        #expect(rehearsal.all(.error).map { $0.fields["code"] } == [.string(code)])
        #expect(rehearsal.last(.error)?.fields["message"]?.string?.contains(phrase) == true)
        #expect(rehearsal.all(.message).count == (isShown ? 1 : 0))
    }

    @Test(
        "what a server may leave out or add is no error",
        arguments: [
            ["type": "text", "text": ""], ["type": "text", "text": "a", "actions": .null, "future": ["a": 1]],
            ["type": "text", "text": "a", "cards": 5],
            ["type": "text", "text": "a", "actions": [["type": "hologram", "label": "L", "future": true]]],
            ["type": "card", "cards": [["title": "x"]]], ["type": "table", "headings": [], "rows": []],
            ["type": "location", "location": ["latitude": 0, "longitude": 0]],
            ["type": "editForm", "fields": [["displayType": "hologram"]]],
            ["type": "status", "status": "LISTENING"], ["type": "hologram", "text": 5],
            ["type": "executeApplicationActionCommand"],
        ] as [JSONObject])
    func inOrder(payload: JSONObject) throws {
        #expect(try Self.events(of: Self.frame(payload)).all(.error).isEmpty)
        let bare = try Self.events(of: ["messagePayload": .object(payload)])
        #expect(bare.all(.error).isEmpty)
    }

    @Test(
        "nothing is wrong with the vendor's own messages",
        .enabled(if: SharedMaterial.folder != nil, Comment(rawValue: SharedMaterial.skipReason)),
        arguments: SharedMaterial.messageFiles)
    func vendors(_ name: String) throws {
        let payload = Payload(members: try #require(try SharedMaterial.message(name).object))
        #expect(MessageValidation.problem(inReceived: payload) == nil)
    }

    @Test("another message under a number that was there is told, and the same one twice is not")
    func numbers() throws {
        let one = Self.frame(["type": "text", "text": "one"]), two = Self.frame(["type": "text", "text": "two"])
        let rehearsal = try Self.events(of: one)
        for frame in [one, two] {
            rehearsal.feedClient(.received(ConnectionID(1), .text(JSONValue.object(frame).description)))
        }
        #expect(rehearsal.texts == ["one"])
        #expect(rehearsal.all(.frame).map { $0.fields["ignored"] } == ["its msgId is of another message"])
        #expect(rehearsal.last(.frame)?.raw == .object(two))
    }

    @Test("a message that comes again with its members in another order is the same", arguments: ["1", nil])
    func order(number: String?) throws {
        func frame(_ payload: JSONObject) -> JSONObject {
            Self.frame(payload).merging(["msgId": number.map { .string($0) } ?? .null])
        }
        let location: JSONValue = ["latitude": 1, "longitude": 2], turned: JSONValue = ["longitude": 2, "latitude": 1]
        let rehearsal = try Self.events(of: frame(["type": "location", "location": location, "headerText": "Here"]))
        let again = frame(["headerText": "Here", "location": turned, "type": "location"])
        rehearsal.feedClient(.received(ConnectionID(1), .text(JSONValue.object(again).description)))
        #expect(rehearsal.all(.message).count == 1 && rehearsal.all(.frame).isEmpty)
        let other = frame(["type": "location", "location": ["latitude": 2, "longitude": 1], "headerText": "Here"])
        rehearsal.feedClient(.received(ConnectionID(1), .text(JSONValue.object(other).description)))
        #expect(rehearsal.all(.message).count == (number == nil ? 2 : 1))
        #expect(rehearsal.all(.frame).count == (number == nil ? 0 : 1))
    }

    @Test("a form with patterns that cannot be read is told, once and with the fields, and need not be expected")
    func patterns() throws {
        func field(_ id: String, _ pattern: JSONValue, _ kind: String = "textInput") -> JSONValue {
            ["displayType": .string(kind), "id": .string(id), "validationRegularExpression": pattern]
        }
        let fields: JSONValue = [
            field("code", "["), field("zip", "[0-9]{5}"), field("secret", "(?=.*[0-9]).*"), field("plain", ""),
            field("note", .string(String(repeating: "a", count: 501))), field("age", "[", "numberInput"),
        ]
        let rehearsal = try Self.events(of: Self.frame(["type": "editForm", "formColumns": 1, "fields": fields]))
        #expect(rehearsal.all(.form).count == 1 && rehearsal.all(.error).isEmpty)
        let frames = rehearsal.all(.frame)
        #expect(frames.count == 1)
        let problem = try #require(frames.first?.fields["problem"]?.string)
        for phrase in ["code: ", "secret: look-around", "note: it is longer than 500 bytes"] {
            #expect(problem.contains(phrase), "\(problem)")
        }
        #expect(["zip", "plain", "age"].allSatisfy { !problem.contains("\($0): ") }, "\(problem)")
        #expect(frames.allSatisfy { frame in OracleAssistantSystem.system.noise.contains { $0.matches(frame) } })
    }
}
