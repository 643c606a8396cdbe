import JSON
import Machines
import Testing

@testable import OracleAssistant

/// What the vendor's document says twice, wrongly or in several spellings.
@Suite("Oddities of the vendor's document")
struct OddityTests {
    @Test("pagination of a table form is pagination, not actions")
    func tableFormPagination() {
        let payload = Payload(members: [
            "type": "tableForm", "headings": [["label": "a"]], "formColumns": 1,
            "paginationInfo": ["totalCount": 5, "rangeSize": 3, "rangeStart": 0, "nextRangeSize": -3, "hasNext": true],
        ])
        guard case .tableForm(let message) = payload else {
            Issue.record("it has another type")
            return
        }
        #expect(message.pagination?.hasNext == true)
        #expect(message.pagination?.nextRangeSize == -3)
    }

    @Test("pages are told by the numbers where the message does not say, and absurd numbers do not trap")
    func pages() {
        func info(_ members: JSONObject) -> PaginationInfo { PaginationInfo(members: members) }
        #expect(info(["totalCount": 8, "rangeSize": 5, "rangeStart": 0]).hasNext)
        #expect(!info(["totalCount": 8, "rangeSize": 5, "rangeStart": 5]).hasNext)
        #expect(info(["totalCount": 8, "rangeSize": 5, "rangeStart": 5]).hasPrevious)
        #expect(!info(["totalCount": 8, "rangeSize": .integer(.max), "rangeStart": .integer(.max)]).hasNext)
    }

    @Test("reading aloud is switched on under the sample's name too")
    func audioResponse() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true], client: ["enable_bot_audio_response": true, "init_bot_audio_muted": false])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.all(.speechSpoken).count == 1)
    }

    @Test("threads and metadata of the script go with each message, and the server's thread is taken over")
    func threads() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true], client: ["thread_id": "t1", "sdk_metadata": ["build": 7], "user_id": "ada"])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.sent.last?["threadId"] == "t1")
        #expect(rehearsal.sent.last?["sdkMetadata"] == ["version": "25.02", "build": 7])
        #expect(rehearsal.last(.message)?.fields["thread"] == "t1")
        rehearsal.serve("say", ["message": ["text": "elsewhere", "envelope": ["threadId": "t2"]]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.client.properties["thread"] == "t2")
        rehearsal.serve("say", ["message": ["text": "beside it", "envelope": ["threadId": "UIWidget:7"]]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.message)?.fields["thread"] == "UIWidget:7")
        #expect(rehearsal.client.properties["thread"] == "t2", "a widget's thread is not that of the chat")
    }

    @Test(
        "sample frames are decoded by their kind and written again as they were",
        arguments: [
            #"{"state":{"type":"auth","tokenType":"jwt","token":"a.b.c"}}"#, #"{"state":{"type":"ping"}}"#,
            #"{"profile":{"languageTag":null,"locale":null}}"#,
            #"{"messagePayload":{"type":"closeSession"},"userId":"guest","sdkMetadata":{"version":"25.02"}}"#,
            #"{"messagePayload":{"type":"suggest","query":"ord","threshold":30},"userId":"guest"}"#, #"[1]"#,
            #"{"state":{"type":"token","deviceToken":"d","deviceType":"ios","store.undelivered.messages":false,"notify.undelivered.skill.messages":false}}"#,
        ])
    func clientFrames(_ text: String) throws {
        let value = try JSONReader.read(text)
        #expect(ClientFrame(value).json.description == text)
        if case .other = ClientFrame(value), text != "[1]" { Issue.record("the frame is not known") }
    }

    @Test("coordinates stay where they were written, whatever the table says about them")
    func coordinates() {
        let payload = Payload(members: ["type": "location", "location": ["latitude": 37.5, "longitude": -122.2]])
        guard case .location(let message) = payload else {
            Issue.record("it has another type")
            return
        }
        #expect(message.location?.latitude == 37.5)
        #expect(message.location?.longitude == -122.2)
    }

    @Test("initialized has no fields; the new language belongs to the change of language")
    func initialize() throws {
        let rehearsal = try Rehearsal(client: ["multi_lang_chat": ["primary_language": "en"]])
        rehearsal.connect()
        rehearsal.do("set_language", ["language": "fr"])
        #expect(rehearsal.last(.initialized)?.fields == [:])
        #expect(rehearsal.last(.languageChanged)?.fields["language"] == "fr")
    }

    @Test("a postback that replaces a message is sent without being shown")
    func hiddenPostback() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.do(
            "send", ["message": ["type": "postback", "label": "x", "postback": ["system.replaceMessage": true]]])
        #expect(rehearsal.last(.messageSent)?.fields["hidden"] == true)
        #expect(rehearsal.client.properties["messages"] == 0)
    }

    @Test("a pattern of a field is checked, whatever it repeats, in a time that the text sets")
    func patterns() {
        #expect(!FieldPattern("(a+)+$").fits(String(repeating: "a", count: 5_000) + "!"))
        #expect(FieldPattern("(a|aa)*").fits(String(repeating: "a", count: 5_000)))
        #expect(!FieldPattern("[A-Z]{2}").fits("abc"))
    }

    @Test("a pattern that cannot be read fits everything", arguments: ["[", "(?=a)b", "(a)\\1", "a{1000}"])
    func unreadablePatterns(_ pattern: String) {
        #expect(FieldPattern(pattern).fits("anything"))
    }

    @Test("more of a result is asked for by the button that the platform adds")
    func showMore() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.serve(
            "say",
            [
                "message": [
                    "type": "table", "headings": [["label": "Name"]],
                    "rows": [["fields": [["displayType": "text", "label": "Name", "value": "Ada"]]]],
                    "paginationInfo": ["totalCount": 2, "rangeSize": 1, "rangeStart": 0],
                    "globalActions": [
                        ["type": "postback", "label": "Show More", "postback": ["action": "system.showMore"]]
                    ],
                ]
            ])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.message)?.fields["headings"] == ["Name"])
        #expect(rehearsal.last(.message)?.fields["rows"] == [["Ada"]])
        #expect(rehearsal.last(.message)?.fields["pagination"]?["has_next"] == true)
        rehearsal.do("tap", ["label": "Show More"])
        #expect(rehearsal.sent.last?["messagePayload"]?["postback"] == ["action": "system.showMore"])
    }

    @Test("the screen's HTML has the colors and words of the configuration and lets nothing of a peer through")
    func html() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true],
            client: ["ui": ["bot_text_color": "#112233", "is_rtl": true], "strings": ["odais_ok": "Go"]])
        rehearsal.connect()
        rehearsal.serve("say", ["message": ["text": "<script>alert('x')</script>", "actions": ["<b>"]]])
        rehearsal.run(.seconds(1))
        let html = try #require(rehearsal.read("screen_html").string)
        #expect(!html.contains("<script>") && !html.contains("<b>"))
        #expect(html.contains("&lt;script&gt;"))
        #expect(html.contains("rgb(17 34 51 / 1.0)") && html.contains("dir=\"rtl\"") && html.contains(">Go</button>"))
    }

    @Test("the secret of a target is used for tokens only where a test asks for them")
    func targetSecret() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "echo": true], client: ["token_fixture": ["user_id": "ada"]])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi"])
        let without = try Rehearsal(server: ["authentication": true])
        without.connect()
        #expect(without.last(.error)?.fields["code"] == "AuthNoToken")
        #expect(without.opened.isEmpty)
    }

    @Test("the client falls silent when the user begins to speak")
    func silence() throws {
        let rehearsal = try Rehearsal(client: [
            "enable_speech_synthesis": true, "enable_speech_recognition": true,
            "tts_service": ["speak": 1, "stop_speech": 2, "is_speaking": 3],
        ])
        var stopped = 0
        rehearsal.functions[1] = { _ in .success(.null) }
        rehearsal.functions[2] = { _ in
            stopped += 1
            return .success(.null)
        }
        rehearsal.functions[3] = { _ in .success(true) }
        rehearsal.connect()
        rehearsal.do("speak", ["text": "a long story"])
        rehearsal.do("start_recording", ["sound": [:]])
        rehearsal.run(.milliseconds(10))
        #expect(stopped == 1)
    }
}
