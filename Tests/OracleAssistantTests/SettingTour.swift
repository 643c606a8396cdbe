import HTTPTypes
import JSON
import Machines
import Testing

@testable import OracleAssistant

/// Plays in which everything happens that settings and texts of a client are about, told as one text: what the client
/// tells, shows, answers, sends and asks for.
///
/// What none of the plays shows has no effect here, so each setting and each text must be of matter in one of them.
final class SettingTour {
    /// Options beside those of the plays, which they replace.
    private let server: JSONObject
    private let client: JSONObject

    private var lines: [String] = []

    private init(_ server: JSONObject, _ client: JSONObject) {
        self.server = server
        self.client = client
    }

    /// Plays them all, and returns what happened.
    static func told(server: JSONObject = [:], client: JSONObject = [:]) throws -> String {
        let tour = SettingTour(server, client)
        try tour.conversation()
        try tour.firstMessages()
        try tour.slowSkill()
        try tour.lostServer()
        try tour.speech()
        try tour.ages()
        return tour.lines.joined(separator: "\n")
    }

    private func play(
        server: JSONObject = [:], client: JSONObject = [:], _ body: (Rehearsal) throws -> Void
    ) throws {
        let rehearsal = try Rehearsal(server: server.merging(self.server), client: client.merging(self.client))
        rehearsal.functions[7] = { [unowned self] in
            self.lines.append("a function of the script got \($0)")
            return .success(.null)
        }
        try body(rehearsal)
        self.lines += rehearsal.events.map { "\($0.at) \($0.event.kind.rawValue) \(JSONValue.object($0.event.fields))" }
        self.lines += rehearsal.sent.map(\.description)
        self.lines += (rehearsal.opened.map(\.1) + rehearsal.requests.map(\.head)).map(Self.text)
        self.lines += rehearsal.requests.map { String(decoding: $0.body, as: UTF8.self) }
    }

    private static func text(_ head: HTTPRequest) -> String {
        let fields = head.headerFields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        return "\(head.method) \(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "") \(fields)"
    }

    /// Does something, and takes in what is answered.
    private func `do`(_ rehearsal: Rehearsal, _ name: String, _ arguments: JSONObject = [:]) {
        self.lines.append("\(name): \(rehearsal.do(name, arguments))")
    }

    /// Takes in all that can be seen.
    private func look(at rehearsal: Rehearsal) {
        for name in ["screen", "screen_html", "history", "share_menu", "language_menu"] { self.do(rehearsal, name) }
        self.lines.append("\(JSONValue.object(rehearsal.client.properties))")
    }

    // MARK: Plays

    private func conversation() throws {
        try self.play(server: ["echo": true, "suggestions": ["pizza"]]) { rehearsal in
            self.look(at: rehearsal)
            rehearsal.do("connect")
            self.look(at: rehearsal)
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "say", ["text": "before"])
            self.look(at: rehearsal)
            rehearsal.run(.seconds(1))
            rehearsal.serve("say", ["message": Self.messages])
            rehearsal.run(.seconds(1))
            self.look(at: rehearsal)
            // Before anything is answered, which would make them past.
            for obstacle in [nil, "denied", "disabled"] as [String?] {
                if let obstacle { self.do(rehearsal, "set_place", ["obstacle": .string(obstacle)]) }
                self.do(rehearsal, "tap", ["label": "Here"])
            }
            self.do(rehearsal, "rate", ["stars": 2])
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "tap", ["label": "Take"])
            self.do(rehearsal, "send_location", ["latitude": 1, "longitude": 2, "title": "Home"])
            rehearsal.run(.seconds(1))
            for key in ["camera", "gallery"] {
                let file: JSONValue = ["name": "a.png", "text": "a", "from": .string(key), "permission": false]
                self.do(rehearsal, "upload", ["file": file])
            }
            self.do(rehearsal, "upload", ["file": ["name": "a.txt", "size": 0]])
            self.do(rehearsal, "upload", ["file": ["name": "a.txt", "size": 26_214_401]])
            self.do(rehearsal, "upload", ["file": ["name": "a.exe", "text": "a"]])
            self.do(rehearsal, "upload", ["file": ["name": "a.txt", "text": "a"]])
            rehearsal.run(.seconds(1))
            rehearsal.serve("fault", ["name": "upload_status", "value": 500])
            self.do(rehearsal, "upload", ["file": ["name": "b.txt", "text": "b"]])
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "download_url", ["url": "http://oda.test/a"])
            self.do(rehearsal, "open_link", ["url": "no link"])
            self.do(rehearsal, "open_link", ["url": "http://a/d", "fails": true])
            self.look(at: rehearsal)
            // Only agents are told what the user types.
            rehearsal.serve("say", ["message": ["text": "I am Bob", "from": "agent"]])
            rehearsal.run(.seconds(1))
            for text in ["p", "pi", "piz", "pizz"] {
                self.do(rehearsal, "enter_text", ["text": .string(text)])
                rehearsal.run(.seconds(4))
            }
            self.do(rehearsal, "suggest", ["query": "piz"])
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "cancel_response")
            self.do(rehearsal, "minimize_chat")
            rehearsal.serve("say", ["message": "unread"])
            rehearsal.run(.seconds(1))
            self.look(at: rehearsal)
            self.do(rehearsal, "open_chat")
            self.do(rehearsal, "clear_messages")
            self.do(rehearsal, "destroy")
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "initialize")
            rehearsal.run(.seconds(1))
            self.look(at: rehearsal)
            self.do(rehearsal, "close_chat", ["confirm": false])
            self.do(rehearsal, "close_chat")
            rehearsal.run(.seconds(1))
        }
    }

    private static let messages: JSONValue = [
        [
            "text": "Hi", "headerText": "Head", "footerText": "Foot",
            "actions": ["Yes", ["type": "location", "label": "Here"]],
        ],
        ["type": "attachment", "attachment": ["type": "file", "url": "http://a/b", "title": "b"]],
        ["type": "attachment", "attachment": ["type": "image", "url": "http://a/c", "title": "c"]],
        ["type": "attachment", "attachment": ["type": "audio", "url": "http://a/e", "title": "e"]],
        ["type": "attachment", "attachment": ["type": "video", "url": "http://a/v", "title": "v"]],
        ["type": "location", "location": ["title": "Home", "latitude": 1, "longitude": 2]],
        [
            "type": "card", "layout": "horizontal", "globalActions": ["Help"],
            "cards": [["title": "One", "description": "1", "actions": ["Take"]], ["title": "Two"]],
        ],
        ["text": "Stars?", "channelExtensions": ["displayType": "stars"], "actions": ["1", "2"]],
    ]

    /// What a session begins with, and what is there of one that has ended.
    private func firstMessages() throws {
        try self.play(server: ["echo": true]) { rehearsal in
            rehearsal.connect()
            rehearsal.do("say", ["text": "one"])
            rehearsal.run(.seconds(1))
            rehearsal.do("say", ["text": "two"])
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "destroy")
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "initialize")
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "open_chat")
            rehearsal.run(.seconds(1))
            self.look(at: rehearsal)
        }
    }

    /// A skill that says nothing for a minute.
    private func slowSkill() throws {
        try self.play(server: ["faults": ["silent": true]]) { rehearsal in
            rehearsal.connect()
            self.do(rehearsal, "say", ["text": "anybody?"])
            for _ in 0..<30 {
                rehearsal.run(.seconds(2))
                self.do(rehearsal, "screen")
            }
        }
    }

    /// A server that goes away, and comes back after some minutes.
    private func lostServer() throws {
        try self.play(server: ["echo": true]) { rehearsal in
            rehearsal.connect()
            rehearsal.openFailure = TransportFailure(.cannotConnect, "nobody listens")
            rehearsal.serve("drop")
            for _ in 0..<20 {
                rehearsal.run(.seconds(10))
                self.do(rehearsal, "screen")
            }
            rehearsal.openFailure = nil
            rehearsal.do("connect")
            rehearsal.run(.seconds(1))
            self.do(rehearsal, "screen")
        }
    }

    private func speech() throws {
        let tooMuch: JSONValue = ["error": "RecognitionTooMuchSpeechTimeout"]
        let other: JSONValue = ["error": "RecognitionNoResponse"]
        try self.play(
            server: ["echo": true, "speech": ["a pizza", "", tooMuch, other]],
            client: ["enable_speech_recognition": true]
        ) { rehearsal in
            rehearsal.connect()
            self.do(rehearsal, "start_recording", ["sound": ["permission": false]])
            for _ in 0..<4 {
                self.do(rehearsal, "start_recording", ["sound": [:]])
                self.do(rehearsal, "screen")
                rehearsal.run(.seconds(4))
                self.look(at: rehearsal)
            }
            self.do(rehearsal, "set_speech_locale", ["locale": "xx-xx"])
            self.do(rehearsal, "start_recording", ["sound": [:]])
            self.do(rehearsal, "speak", ["text": "What kind?"])
            rehearsal.run(.seconds(1))
        }
    }

    /// How old a message becomes.
    private func ages() throws {
        try self.play(server: ["echo": true]) { rehearsal in
            rehearsal.connect()
            rehearsal.do("say", ["text": "hi"])
            rehearsal.run(.seconds(1))
            rehearsal.do("disconnect")
            let day = Duration.seconds(86_400)
            for age in [.seconds(1), .seconds(20), .seconds(120), .seconds(7200), day * 2, day * 60, day * 400] {
                rehearsal.run(age)
                self.do(rehearsal, "screen")
            }
        }
    }
}
