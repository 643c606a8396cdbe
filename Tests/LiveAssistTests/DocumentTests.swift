import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("Documents, links and drawing")
struct DocumentTests {
    private static let content = Self.content(.png)

    /// 5,000 bytes that begin as a format does.
    private static func content(_ format: ContentFormat) -> String {
        let beginning = format.beginning
        return Base64.encode(beginning + RandomSource(seed: 3).derivedBytes(5_000 - beginning.count))
    }

    @Test("A document by content is asked for, received in chunks, shown and closed by the agent")
    func byContent() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: ["pushDelegate": true])
        world.act(
            agent, "push_document",
            ["data": .string(Self.content(.pdf)), "type": "application/pdf", "metadata": "Your contract"])
        #expect(world.events(consumer, .documentRequested).count == 1)
        #expect(world.events(consumer, .documentOpened).isEmpty)
        world.act(consumer, "accept_document")
        let opened = try #require(world.events(consumer, .documentOpened).first)
        #expect(opened.fields["size"] == 5_000)
        #expect(opened.fields["metadata"] == "Your contract")
        #expect(world.events(agent, .documentResult).map { $0.fields["outcome"] } == ["succeeded"])
        world.act(agent, "close_document")
        let closed = try #require(world.events(consumer, .documentClosed).first)
        #expect(closed.fields["by"] == "agent")
        // The iOS enumeration has the agent as 1, the wire as 2.
        #expect(closed.fields["initiator"] == 1)
        #expect(world.events(agent, .documentResult).last?.fields["by"] == "agent")
        #expect(
            world.callbacks(consumer).suffix(3) == [
                "displaySharedDocumentRequested(_:allow:deny:)", "onOpened(_:)", "onClosed(_:by:)",
            ])
    }

    @Test("What becomes of one agent's document is not told to another agent, not even if it came later")
    func twoAgents() throws {
        let world = try TestWorld()
        let (consumer, sam) = try world.cobrowsing(consumer: ["pushDelegate": true])
        let document: JSONObject = ["data": .string(Self.content), "type": "image/png"]
        #expect(try world.act(sam, "push_document", document).value == 0)
        world.act(consumer, "accept_document")
        let ann = try world.agent(["name": "Ann"])
        world.act(ann, "request_cobrowse")
        world.act(consumer, "allow_cobrowse")
        #expect(try world.act(ann, "push_document", document).value == 1)
        #expect(try world.act(sam, "push_document", document).value == 2)
        let asked = world.events(consumer, .documentRequested).map { $0.fields["document"] ?? .null }
        world.act(consumer, "reject_document", ["document": asked[1]])
        world.act(consumer, "close_document", ["document": asked[0]])
        #expect(world.events(ann, .documentResult).map { $0.fields["outcome"] } == ["rejected"])
        #expect(world.events(sam, .documentResult).map { $0.fields["outcome"] } == ["succeeded", "closed"])
        #expect(world.events(ann, .error).isEmpty)
    }

    @Test("A number names a document of the agent's own before one that the consumer shares, and document the latter")
    func numbersOfDocuments() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        let document: JSONObject = ["data": .string(Self.content), "type": "image/png"]
        world.act(consumer, "share_document", document)
        for _ in 0...1 { world.act(agent, "push_document", document) }
        world.forgetEvents()
        world.act(agent, "close_document", ["id": 1])
        #expect(world.events(consumer, .documentClosed).map { $0.fields["document"] } == [3])
        world.act(consumer, "close_document", ["id": 0])
        #expect(world.events(consumer, .documentClosed).map { $0.fields["document"] } == [3, 2])
        guard case .refused = world.act(agent, "close_document", ["document": 2]) else {
            Issue.record("the consumer shares no document 2")
            return
        }
        world.act(agent, "close_document", ["document": 1])
        #expect(world.events(consumer, .documentClosed).map { $0.fields["document"] } == [3, 2, 1])
        guard case .refused = world.act(agent, "close_document", ["id": 70_000]) else {
            Issue.record("there is no document 70000")
            return
        }
    }

    @Test("An agent knows that its document is closed from its window alone, as the vendor's web client tells it")
    func closedByItsWindow() throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing()
        world.act(agent, "push_document", ["data": .string(Self.content), "type": "image/png"])
        world.forgetEvents()
        let entry: JSONValue = ["id": 900, "metadata": "{\"type\":\"shared-window\",\"sharedItemId\":0}"]
        let closed = WindowMessage.windowClosed(.consumer).bytes
        for frame in [
            TopicFrame(.openTopic, topic: 1, participant: 1, json: entry),
            TopicFrame(.sendMessage, topic: 900, participant: 1, payload: closed),
            TopicFrame(.sendMessage, topic: 900, participant: 1, payload: closed),
        ] {
            world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": "agent"])
        }
        #expect(world.events(agent, .documentResult).map { $0.fields["outcome"] } == ["closed"])
        #expect(world.events(agent, .documentResult).map { $0.fields["by"] } == ["consumer"])
    }

    @Test("A document of a consumer who tells neither its number nor its type has none for the agent")
    func documentWithoutNumber() throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing()
        world.forgetEvents()
        let entry: JSONValue = ["id": 900, "metadata": "{\"type\":\"shared-window\",\"sharedItemId\":\"local\"}"]
        let frame = TopicFrame(.openTopic, topic: 1, participant: 1, json: entry)
        world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": "agent"])
        let opened = try #require(world.events(agent, .documentOpened).first)
        #expect(opened.fields["document"] == nil && opened.fields["type"] == "" && opened.fields["id"] == -1)
        #expect(LiveAssistSystem.system.events.deviations(of: opened).isEmpty)
    }

    @Test("Without a push delegate documents are accepted by themselves")
    func withoutDelegate() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        world.act(agent, "push_document", ["data": .string(Self.content), "type": "image/png"])
        #expect(world.events(consumer, .documentRequested).isEmpty)
        #expect(world.events(consumer, .documentOpened).count == 1)
        world.act(consumer, "close_document")
        #expect(world.events(consumer, .documentClosed).first?.fields["by"] == "consumer")
        #expect(world.events(consumer, .documentClosed).first?.fields["initiator"] == 2)
    }

    @Test("A rejected document is told to the agent")
    func rejected() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: ["pushDelegate": true])
        world.act(agent, "push_document", ["data": .string(Self.content), "type": "image/gif"])
        world.act(consumer, "reject_document")
        #expect(world.events(agent, .documentResult).map { $0.fields["outcome"] } == ["rejected"])
        #expect(world.events(consumer, .documentOpened).isEmpty)
    }

    @Test(
        "Documents by URL are fetched by the consumer, and failures have their codes",
        arguments: [
            ("/documents/200/image/png", "succeeded", 0, 0), ("/documents/404/image/png", "failed", 2, 404),
            ("/documents/200/text/html", "failed", 3, 200), ("ftp://x/y", "failed", 1, 0),
        ])
    func byURL(url: String, outcome: String, code: Int64, http: Int64) throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        world.act(agent, "push_document", ["url": .string(url), "metadata": "a b"])
        let result = try #require(world.events(agent, .documentResult).first)
        #expect(result.fields["outcome"] == .string(outcome))
        #expect((result.fields["code"]?.integer ?? 0) == code)
        #expect((result.fields["http"]?.integer ?? 0) == http)
        let event = world.events(consumer, outcome == "failed" ? .documentError : .documentOpened).first
        #expect(event?.fields["metadata"] == "a b")
    }

    @Test("An unknown MIME type is code 3 for the agent and 10006 for the application")
    func unknownType() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        world.act(agent, "push_document", ["data": .string(Self.content), "type": "video/mp4"])
        #expect(world.events(agent, .documentResult).first?.fields["error"] == "mime_type")
        #expect(world.events(consumer, .error).first?.fields["code"] == 10006)
    }

    @Test(
        "A document that is not of its type is code 4 for both sides, whether it is pushed, fetched or shared",
        arguments: [
            ("image/png", "x"), ("application/pdf", "x"), ("image/gif", "x"), ("image/jpeg", "x"),
            ("application/pdf", "GIF89a"), ("image/jpg", "%PDF-1.7"), ("image/png", "\u{89}PNG"),
        ])
    func wrongContent(type: String, content: String) throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        let data = JSONValue.string(Base64.encode(Array(content.utf8)))
        world.act(agent, "push_document", ["data": data, "type": .string(type)])
        let failure = try #require(world.events(consumer, .documentError).first)
        #expect(failure.fields["code"] == 4 && failure.fields["error"] == "parsing")
        #expect(failure.fields["reason"] == .string("the document cannot be read as \(type)"))
        #expect(world.events(agent, .documentResult).map { $0.fields["code"] } == [4])
        world.act(consumer, "share_document", ["data": data, "type": .string(type)])
        #expect(world.events(consumer, .documentError).last?.fields["callback"] == "onConsumerDocError(_:reason:)")
        #expect(world.events(consumer, .documentOpened).isEmpty && world.property(consumer, "documents") == 0)
    }

    @Test(
        "A PDF is known within its first 1,024 bytes, unless it begins as a picture",
        arguments: [
            ("%PDF-1.7", .pdf), ("\u{FEFF}\r\n%PDF-1.7", .pdf), (String(repeating: " ", count: 1_020) + "%PDF", .pdf),
            (String(repeating: " ", count: 1_021) + "%PDF", nil), ("%P%PD", nil), ("GIF89a %PDF", .gif), ("", nil),
        ] as [(String, ContentFormat?)])
    func formats(content: String, format: ContentFormat?) {
        #expect(ContentFormat(of: Array(content.utf8)) == format)
        #expect(ContentFormat.isReadable(Array(content.utf8), as: "application/pdf") == (format == .pdf))
    }

    @Test("Pictures are known by what they are, whichever type of picture they are said to be")
    func pictures() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        for format in [ContentFormat.png, .gif, .jpeg] {
            world.act(agent, "push_document", ["data": .string(Self.content(format)), "type": "image/jpg"])
        }
        #expect(world.events(consumer, .documentOpened).count == 3)
        for type in ["application/pdf", "image/png", "image/gif", "image/jpeg"] {
            world.act(agent, "push_document", ["url": .string("/documents/200/\(type)")])
        }
        #expect(world.events(consumer, .documentOpened).count == 7)
    }

    @Test(
        "While the magnifier is open no document is shown, and that is what is said", arguments: [true, false])
    func magnifier(isPushed: Bool) throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        world.act(agent, "start_zoom")
        let document: JSONObject = ["data": .string(Self.content), "type": "image/png"]
        if isPushed {
            world.act(agent, "push_document", document)
            #expect(world.events(consumer, .documentError).first?.fields["code"] == 6)
            #expect(world.events(agent, .documentResult).first?.fields["details"] == "the magnifier is open")
        } else {
            world.act(consumer, "share_document", document)
            let error = try #require(world.events(consumer, .error).first)
            #expect(error.fields["code"] == 40_101)
            #expect(error.fields["message"]?.string?.contains("while the magnifier is open") == true)
        }
    }

    @Test("The agent waits five minutes for an answer")
    func patience() throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing(consumer: ["pushDelegate": true])
        world.act(agent, "push_document", ["data": .string(Self.content), "type": "image/png"])
        world.run(for: .seconds(299))
        #expect(world.events(agent, .documentResult).isEmpty)
        world.run(for: .seconds(2))
        #expect(world.events(agent, .documentResult).first?.fields["error"] == "timeout")
    }

    @Test("Without the close listener neither side closes a document; the end of support does")
    func noCloseLink() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: ["addSharedDocCloseListener": false])
        world.act(agent, "push_document", ["data": .string(Self.content), "type": "image/png"])
        world.act(agent, "close_document")
        guard case .refused = world.act(consumer, "close_document") else {
            Issue.record("a document without a close link must not be closed by hand")
            return
        }
        #expect(world.events(consumer, .documentClosed).isEmpty)
        world.act(consumer, "end_support")
        #expect(world.events(consumer, .documentClosed).first?.fields["by"] == "support_ended")
        #expect(world.events(consumer, .documentClosed).first?.fields["initiator"] == 3)
    }

    @Test("The constraints are the margins of a document's window")
    func constraints() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "documentViewConstraints": ["left": 10, "right": 20, "top": 30, "bottom": 40],
            "screen": ["width": 400, "height": 800, "elements": []],
        ])
        world.act(agent, "push_document", ["data": .string(Self.content), "type": "image/png"])
        let opened = try #require(world.events(consumer, .documentOpened).first)
        for (name, value) in [("x", 10), ("y", 30), ("width", 370), ("height", 730)] as [(String, Int64)] {
            #expect(opened.fields[name] == .integer(value))
        }
    }

    @Test("The consumer shares a document only while co-browsing")
    func consumerShares() throws {
        let world = try TestWorld()
        let consumer = try world.consumer()
        world.act(consumer, "share_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
        #expect(world.events(consumer, .error).first?.fields["code"] == 40101)
        let agent = try world.agent()
        world.act(agent, "request_cobrowse")
        world.act(consumer, "allow_cobrowse")
        world.act(consumer, "share_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
        #expect(world.events(consumer, .documentOpened).first?.fields["id"] == -1)
        world.act(consumer, "close_document")
        #expect(world.events(consumer, .documentClosed).first?.fields["callback"] == "onConsumerDocClosed(_:by:)")
        world.act(consumer, "share_document", ["data": "AAAA", "type": "text/plain"])
        #expect(world.events(consumer, .documentError).first?.fields["callback"] == "onConsumerDocError(_:reason:)")
        #expect(world.events(consumer, .error).last?.fields["code"] == 10006)
        #expect(world.events(agent, .documentResult).isEmpty)
    }

    @Test("A pushed link needs no authorization and opens no document")
    func links() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: ["pushDelegate": true])
        world.act(agent, "push_link", ["url": "https://example.test/help"])
        #expect(world.events(consumer, .link).first?.fields["url"] == "https://example.test/help")
        #expect(world.events(consumer, .documentRequested).isEmpty)
    }

    @Test(
        "A pushed link that is none is told by onError alone",
        arguments: [
            ("not a url", false), ("help", false), ("www.example.test", false), ("https://", false),
            ("https:/help", false),
            ("://x", false), ("tel:", false), ("https://a.test/ b", false),
            ("https://a.test", true), ("HTTP://a.test/b?c#d", true), ("/help", true), ("tel:+4930", true),
            ("mailto:a@b.test", true), ("https://a.test/hallo/grün", true),
        ])
    func linkThatIsNone(url: String, isOne: Bool) throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        world.act(agent, "push_link", ["url": .string(url)])
        #expect(world.events(consumer, .link).count == (isOne ? 1 : 0))
        let errors = world.events(consumer, .documentError)
        #expect(errors.count == (isOne ? 0 : 1))
        guard let error = errors.first else { return }
        #expect(error.fields["callback"] == "onError(_:reason:)" && error.fields["url"] == .string(url))
        #expect(error.fields["code"] == 1 && error.fields["document"] == nil)
        #expect(LiveAssistSystem.system.events.deviations(of: error).isEmpty)
    }

    @Test("Annotations go when the content behind them changes, unless they are kept", arguments: [true, false])
    func annotations(isKept: Bool) throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "keepAnnotationsOnChange": .bool(isKept),
            "screen": ["elements": [["id": "top", "value": "a"], ["id": "low", "value": "b", "y": 500]]],
        ])
        world.act(agent, "draw", ["path": "M 5 5 L 30 30", "color": "#00ff00", "width": 3, "opacity": 0.5])
        let added = try #require(world.events(consumer, .annotationAdded).first)
        #expect(added.fields["kASDKSVGPathKey"] == "M 5 5 L 30 30")
        #expect(added.fields["kASDKSVGPathStrokeWidthKey"] == 3.0)
        world.act(consumer, "change", ["id": "low", "value": "elsewhere"])
        world.run(for: .seconds(1))
        #expect(world.events(consumer, .annotationsCleared).isEmpty)
        world.act(consumer, "change", ["id": "top", "value": "behind"])
        world.run(for: .seconds(1))
        #expect(world.events(consumer, .annotationsCleared).count == (isKept ? 0 : 1))
        #expect(world.events(agent, .annotationsCleared).count == (isKept ? 0 : 1))
        let drawn = try world.command(consumer, "annotations").value
        #expect(drawn.array?.count == (isKept ? 1 : 0))
    }

    @Test(
        "An agent is told the label of what the consumer clicks, if it has one",
        arguments: [
            (["clicked": ["index": 0, "label": "Go"]], "Go"), (["clicked": ["index": 0]], nil),
            (["clicked": ["index": 0, "label": .null]], nil), (["clicked": ["index": 0, "label": 7]], nil), ([:], nil),
        ] as [(JSONValue, String?)])
    func clickedLabel(clicked: JSONValue, label: String?) throws {
        let world = try TestWorld()
        let (_, agent) = try world.cobrowsing(consumer: [
            "screen": ["elements": [["id": "f", "type": "text", "label": "F"]]]
        ])
        world.forgetEvents()
        // One of the first topics is that of the form; the others have no such message.
        for topic in UInt16(1)...6 {
            let frame = TopicFrame(
                .sendMessage, topic: topic, participant: 1,
                payload: WindowMessage.inputClicked(x: 1, y: 2, clicked).bytes)
            world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": "agent"])
        }
        let told = world.events(agent, .remoteInput)
        #expect(told.map { $0.fields["label"] } == [label.map { .string($0) }])
        #expect(told.map { $0.fields["type"] } == ["click"])
    }

    @Test("Pointing, clicking, typing, scrolling and zooming reach the consumer")
    func input() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "screen": [
                "elements": [
                    ["id": "go", "type": "button", "label": "Go"], ["id": "f", "type": "text", "label": "F"],
                ]
            ]
        ])
        world.act(agent, "point", ["x": 3, "y": 4])
        #expect(world.events(consumer, .spotlight).first?.fields["y"] == 4)
        world.act(agent, "click", ["element": "go"])
        #expect(
            world.events(consumer, .remoteInput).contains {
                $0.fields["type"] == "click" && $0.fields["element"] == "go"
            })
        #expect(world.events(agent, .remoteInput).contains { $0.fields["label"] == "Go" })
        world.forgetEvents()
        world.act(agent, "mouse_down", ["element": "go"])
        world.act(agent, "mouse_up", ["element": "f"])
        #expect(!world.events(consumer, .remoteInput).contains { $0.fields["type"] == "click" })
        world.act(agent, "type_text", ["element": "f", "text": "typed"])
        #expect(world.events(consumer, .remoteInput).last?.fields["value"] == "typed")
        for direction in ["up", "down", "left", "right"] {
            world.act(agent, "scroll", ["direction": .string(direction)])
            #expect(world.events(consumer, .remoteInput).last?.fields["direction"] == .string(direction))
        }
        world.act(agent, "start_zoom")
        #expect(world.events(consumer, .zoom).first?.fields["active"] == true)
        world.act(agent, "push_document", ["data": "iVBORw0KGgo=", "type": "image/png"])
        #expect(world.events(agent, .documentResult).first?.fields["outcome"] == "failed")
        world.act(agent, "end_zoom")
        #expect(world.events(consumer, .zoom).last?.fields["active"] == false)
        world.act(consumer, "move_mouse", ["x": 9, "y": 9])
        #expect(world.events(agent, .remoteInput).last?.fields["x"] == 9)
    }

    @Test("A snapshot arrives whole")
    func snapshot() throws {
        let world = try TestWorld()
        let elements = JSONValue.array((0..<60).map { ["id": .string("e\($0)"), "label": .string("Element \($0)")] })
        let (consumer, agent) = try world.cobrowsing(consumer: ["screen": ["elements": elements]])
        world.act(consumer, "take_snapshot")
        let snapshot = try #require(world.events(agent, .snapshot).first)
        #expect(snapshot.fields["elements"]?.array?.count == 60)
        #expect((snapshot.fields["size"]?.integer ?? 0) > 2 * Int64(WindowMessage.chunkLimit))
    }
}

extension RandomSource {
    /// Bytes of a source that is not changed.
    func derivedBytes(_ count: Int) -> [UInt8] {
        var copy = self
        return copy.bytes(count)
    }
}
