import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Events that cannot be read, or that nobody knows")
struct EventExaminationTests {
    /// An event that cannot be read, and what is said of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let method: String
        let params: JSONObject
        let message: String
        var isOfWindow = false

        init(_ method: String, _ params: JSONObject, _ message: String, isOfWindow: Bool = false) {
            (self.method, self.params, self.message, self.isOfWindow) = (method, params, message, isOfWindow)
        }

        var testDescription: String { "\(self.method) \(JSONValue.object(self.params))" }
    }

    private static func add(_ values: JSONObject, id: JSONValue = "77") -> JSONObject {
        ["MessageID": id, "Values": .object((["Text": "x", "PersonType": "operator"] as JSONObject).merging(values))]
    }

    static let faults = [
        Fault("redirect", [:], "no WebSocketURL"),
        Fault("updateBusy", ["Position": "many"], "its Position is \"many\", not a whole number"),
        Fault("updateBusy", ["Position": 1.5], "its Position is 1.5, not a whole number"),
        Fault("updateBusy", ["UnavailableFormEnabled": "perhaps"], "\"perhaps\", not true or false"),
        Fault("addMessage", ["Values": ["Text": "x"]], "no MessageID"),
        Fault("addMessage", Self.add([:], id: "abc"), "its MessageID is \"abc\", not a whole number"),
        Fault("addMessage", Self.add(["Text": [1]]), "its Text is [1], not a text"),
        Fault("addMessage", Self.add(["Created": "yesterday"]), "its Created is \"yesterday\", not a time"),
        Fault("addMessage", Self.add(["Name": ["a": 1]]), "its Name is {\"a\":1}, not a text"),
        Fault("addMessage", ["MessageID": "77", "Values": "x"], "its Values is \"x\", not an object"),
        Fault("autoMessage", [:], "no Text"),
        Fault("updateTyper", ["Values": ["IsTyping": true]], "no PersonID"),
        Fault("updateTyper", ["PersonID": "7", "Values": ["IsTyping": "perhaps"]], ", not true or false"),
        Fault("updateTyper", ["PersonID": "7", "Values": true], ", not an object"),
        Fault("updateChat", ["Values": ["Answered": "soon"]], "its Answered is \"soon\", not a time"),
        Fault("updateChat", ["Values": ["VideoSessionStatus": "on"]], ", not a whole number"),
        Fault("updateChat", ["ChatID": "999", "Values": Self.end], "its ChatID is \"999\", where this is "),
        Fault("beginActiveAssist", ["ActiveAssistID": []], ", not a text", isOfWindow: true),
        Fault("updateActiveAssist", ["Values": ["Ended": "now"]], ", not a time", isOfWindow: true),
        Fault("remoteControlMessage", ["command": [:]], ", not a text", isOfWindow: true),
    ]

    private static let end: JSONValue = ["Ended": "2024-01-01T00:00:00.000Z", "EndedReason": "operator"]

    @Test("An event that cannot be read, or is of another chat, is an error and nothing else", arguments: Self.faults)
    func unreadable(fault: Fault) throws {
        for profile in fault.isOfWindow ? ["html"] : ["ios", "html"] {
            for link in ["web_socket", "long_poll"] {
                var play = try Play.answered(client: ["profile": .string(profile), "link": .string(link)])
                let before = play.events.count
                let url = play.opened.count
                play.desk("send_event", ["method": .string(fault.method), "params": .object(fault.params)])
                play.settle()
                let events = play.events.dropFirst(before)
                #expect(events.map(\.kind) == [.error], "\(profile) over \(link)")
                let message = events.first?.fields["message"]?.string ?? ""
                #expect(message.contains(": \(fault.method), for "), "\(message)")
                #expect(message.contains(fault.message), "\(message)")
                #expect(events.first?.fields["code"] == -102)
                #expect(events.first?.raw?["method"] == .string(fault.method))
                #expect(play.client.view.chat?.state == .ossStarted && play.opened.count == url)
                play.agent("Sam", "say", ["text": "still here"])
                play.wait(.seconds(2))
                #expect(play.events(.message).last?.fields["text"] == "still here")
            }
        }
    }

    @Test("Parameters that are more or other than one object are an error")
    func parameters() throws {
        var play = try Play.answered()
        let message = #"{"MessageID":"77","Values":{"Text":"A","PersonType":"operator"}}"#
        let wrong = [
            ("[\(message),{}]", "2 parameters, where one is possible"),
            ("7", "its parameter is 7, not an object"),
            ("[[]]", "its parameter is [], not an object"), (#"["x"]"#, ", not an object"),
        ]
        let before = play.events.count
        for (params, _) in wrong {
            play.desk("send_text", ["text": .string(#"{"method":"addMessage","params":\#(params)}"#)])
        }
        play.settle()
        let events = play.events.dropFirst(before)
        #expect(events.map(\.kind) == wrong.map { _ in .error })
        for (event, (_, words)) in zip(events, wrong) {
            #expect(event.fields["message"]?.string?.contains(words) == true, "\(event.fields)")
        }
        for params in [message, "[\(message)]"] {
            play.desk("send_text", ["text": .string(#"{"method":"addMessage","params":\#(params)}"#)])
        }
        play.settle()
        #expect(play.events.dropFirst(before + wrong.count).map(\.kind) == [.message])
    }

    @Test("What the vendor's client converts can be read, and members that nobody knows are nobody's")
    func conversions() throws {
        let events: [(String, JSONObject)] = [
            ("updateBusy", ["Position": "3", "UnavailableFormEnabled": 1]), ("updateBusy", ["Position": .null]),
            ("addMessage", Self.add(["Text": 5, "Created": "", "Mood": [1]], id: 12)),
            ("addMessage", Self.add(["Created": "2024-01-01T00:00:00Z"])),
            ("updateTyper", ["PersonID": 7, "Values": ["IsTyping": "TRUE"]]),
            ("updateTyper", ["PersonID": "7", "Values": .null]), ("updateChat", ["Values": .null]),
            ("updateChat", ["ChatID": 5, "Values": ["Answered": "2024-01-01T00:00:00.000Z"]]),
            ("updateChat", ["ChatID": "5"]), ("connect", [:]), ("heartbeat", ["Of": 1]),
        ]
        let examination = EventExamination(chatID: "5", knowsExtras: false)
        for (method, params) in events {
            let call = OSSCall(method: method, params: params)
            #expect(examination.verdict(on: call) == .taken, "\(call)")
        }
        let foreign = OSSCall(method: "updateChat", params: ["ChatID": "6"])
        #expect(examination.verdict(on: foreign) != .taken)
        #expect(EventExamination(chatID: nil, knowsExtras: false).verdict(on: foreign) == .taken)
    }

    @Test("What nobody reacts to is told, and need not be expected", arguments: ["web_socket", "long_poll"])
    func ignored(link: String) throws {
        for profile in ["ios", "html"] {
            var play = try Play.answered(client: ["profile": .string(profile), "link": .string(link)])
            let story = play.story
            play.desk("send_event", ["method": "moon", "params": ["Phase": "full"]])
            play.desk("send_event", ["method": "beginActiveAssist", "params": ["ActiveAssistID": "1"]])
            for values: JSONValue in [
                ["Ended": "2024-01-01T00:00:00.000Z"], ["EndedReason": "operator"],
                ["Ended": "now", "EndedReason": "operator"],
            ] {
                play.desk("send_event", ["method": "updateChat", "params": ["Values": values]])
            }
            // A poll that brings nothing else is followed by the next one in a second.
            play.wait(.seconds(5))
            let ignored = play.events(.eventIgnored)
            let names =
                ["moon"] + (profile == "ios" ? ["beginActiveAssist"] : []) + Array(repeating: "updateChat", count: 3)
            #expect(ignored.map { $0.fields["event"]?.string } == names)
            #expect(ignored.first?.raw?["params"] == [["Phase": "full"]])
            #expect(play.story == story + (profile == "html" ? [.cobrowseRequested] : []))
            #expect(play.client.view.chat?.state == .ossStarted)
        }
    }

    @Test("An answer to no call is told, and need not be expected")
    func strayAnswer() throws {
        var play = try Play.answered()
        let story = play.story
        play.desk("send_text", ["text": #"{"result":{"Status":"success"},"error":null,"id":"12345"}"#])
        play.settle()
        #expect(play.events(.eventIgnored).map { $0.fields["event"] } == [nil])
        #expect(play.events(.eventIgnored).first?.raw?["id"] == "12345")
        #expect(play.story == story)
    }

    @Test("What a visitor says and types in the background is told as dropped, and need not be expected")
    func background() throws {
        var play = try Play.answered()
        let story = play.story
        play.visitor("suspend")
        play.visitor("say", ["text": "Hello?"])
        play.visitor("typing")
        #expect(play.events(.callIgnored).map { $0.fields["call"] } == ["say", "typing"])
        play.visitor("resume")
        play.visitor("say", ["text": "Hello again"])
        play.settle()
        #expect(play.events(.messageSent).map { $0.fields["text"] } == ["Hello again"])
        #expect(play.story == story)
    }
}
