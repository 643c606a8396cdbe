import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("What an agent has goes through its transition tables, and through nothing else")
struct AgentPartTests {
    @Test("an agent, whose lost connection is opened again or not", arguments: [true, false])
    func agent(opensAgain: Bool) throws {
        typealias Walked = WalkedClient<AgentClient>
        typealias Input = TransitionWalk<Walked>.Input
        func state(_ walked: Walked) -> String { walked.properties["state"]?.string ?? "" }
        func isLinked(_ walked: Walked) -> Bool { walked.properties["connection"] == "open" }
        func answer(_ name: String, _ input: @escaping (ExchangeID) -> ClientInput) -> Input {
            Input(name, if: { state($0) == "resolving" }) { walked in
                if let exchange = walked.exchange { walked.handle(input(exchange)) }
            }
        }
        func link(
            _ name: String, if isPossible: @escaping (Walked) -> Bool, _ input: @escaping (ConnectionID) -> ClientInput
        ) -> Input {
            Input(name, if: isPossible) { walked in
                if let connection = walked.connection { walked.handle(input(connection)) }
            }
        }
        let gone = TransportFailure(.connectionLost, "gone")
        let options: JSONObject = ["role": "agent", "retryIntervals": opensAgain ? [1, 1, 1] : []]
        let configuration = ClientConfiguration(origin: "http://assist.test", target: [:], options: options)
        let sessionClosed = WebSocketMessage.binary(TopicFrame(.closeTopic, topic: 0).bytes)
        let walk = TransitionWalk(
            Walked(try AgentClient(configuration)), state: state,
            inputs: [
                Input("log_in", if: { ["idle", "ended"].contains(state($0)) }) { walked in
                    walked.perform("log_in", ["username": "ann"])
                    guard let exchange = walked.exchange else {
                        Issue.record("nobody was asked for a token")
                        return
                    }
                    walked.handle(.responded(exchange, Response(json: ["token": "duty"])))
                },
                Input("join") { $0.perform("join", ["correlation_id": "room"]) },
                answer("correlation id and token") { .responded($0, Response(json: ["sessionid": "token"])) },
                answer("refused") { .responded($0, Response(text: "no", status: .forbidden)) },
                answer("failure") { .exchangeFailed($0, gone) },
                link("WebSocket open", if: { state($0) == "connecting" }) { .opened($0, subprotocol: nil) },
                link("no WebSocket", if: { state($0) == "connecting" }) { .openFailed($0, gone) },
                link("lost", if: isLinked) { .closed($0, WebSocketClosure(code: 1006, reason: "")) },
                link("session closed", if: isLinked) { .received($0, sessionClosed) },
                Input("leave_session") { $0.perform("leave_session") },
            ])
        var table: Set<StateChange> = [
            StateChange("idle", "join", "resolving"), StateChange("ended", "join", "resolving"),
            StateChange("resolving", "correlation id and token", "connecting"),
            StateChange("resolving", "refused", "idle"), StateChange("resolving", "failure", "idle"),
            StateChange("connecting", "WebSocket open", "joined"), StateChange("connecting", "no WebSocket", "idle"),
            StateChange("joined", "session closed", "ended"), StateChange("joined", "leave_session", "ended"),
        ]
        if !opensAgain { table.insert(StateChange("joined", "lost", "ended")) }
        #expect(walk.changes() == table)
    }

    @Test("whether an agent watches, and whether that shows anything")
    func watching() {
        typealias Input = TransitionWalk<WatchingPart>.Input
        let screen = Topic(id: 1, parent: 0, owner: 1, metadata: ["type": "shared-window"], isPrivate: true)
        let directory = TopicDirectory()
        func input(_ name: String, _ input: WatchingPart.Input) -> Input {
            Input(name) { _ = $0.handle(input, directory) }
        }
        let walk = TransitionWalk(
            WatchingPart(), state: { $0.state.rawValue + ($0.isActive ? ", shown" : "") },
            inputs: [
                input("asked", .asked), input("allowed", .permitted(.allowed, in: screen)),
                input("denied", .permitted(.denied, in: screen)), input("rejected", .rejected),
                input("on", .heard(.onAssist, on: screen)), input("off", .heard(.offAssist, on: screen)),
                input("closed", .closed(screen)), input("stopped", .stopped),
            ])
        var table: Set<StateChange> = []
        for shown in ["", ", shown"] {
            table.formUnion([
                StateChange("away" + shown, "asked", "asking" + shown),
                StateChange("away" + shown, "allowed", "watching" + shown),
                StateChange("asking" + shown, "allowed", "watching" + shown),
                StateChange("asking" + shown, "rejected", "away" + shown),
                StateChange("asking" + shown, "denied", "away"), StateChange("watching" + shown, "denied", "away"),
                StateChange("watching" + shown, "closed", "away"), StateChange("watching" + shown, "stopped", "away"),
            ])
        }
        for state in ["away", "asking", "watching"] {
            table.formUnion([
                StateChange(state, "on", state + ", shown"), StateChange(state + ", shown", "off", state),
            ])
        }
        for name in ["closed", "stopped"] {
            table.insert(StateChange("away, shown", name, "away"))
            table.insert(StateChange("asking, shown", name, "asking"))
        }
        table.insert(StateChange("away, shown", "denied", "away"))
        #expect(walk.changes() == table)
        // To ask again would be to give the permission back.
        var part = WatchingPart()
        #expect(!part.handle(.asked, directory).isEmpty)
        #expect(!part.handle(.permitted(.allowed, in: screen), directory).isEmpty)
        #expect(part.handle(.asked, directory).isEmpty)
    }

    @Test("the screen that an agent sees")
    func screen() {
        typealias Input = TransitionWalk<AgentScreen>.Input
        func topic(_ type: String) -> Topic {
            Topic(id: 1, parent: 0, owner: 1, metadata: ["type": .string(type)], isPrivate: true)
        }
        func input(_ name: String, _ messages: [WindowMessage], on type: String) -> Input {
            Input(name) { screen in for message in messages { _ = screen.received(message, on: topic(type)) } }
        }
        let element: JSONValue = ["id": "a", "x": 0, "y": 0, "width": 10, "height": 10]
        func picture(_ content: JSONValue) -> WindowMessage {
            .rectangleUpdated(
                x: 0, y: 0, width: 10, height: 10, format: .png, image: ScreenPicture.encode(content))
        }
        let image = ScreenPicture.encode(["elements": []])
        let walk = TransitionWalk(
            AgentScreen(),
            state: { "\($0.shown.isEmpty ? "nothing" : "a picture")\($0.form == nil ? "" : " and a form")" },
            inputs: [
                input("a picture", [picture(["full": true, "elements": [element]])], on: "shared-window"),
                input("an empty picture", [picture(["full": true, "elements": []])], on: "shared-window"),
                input("a form", [.inputElements(["screenId": 1, "descriptors": []])], on: "input"),
                input("a snapshot", [.snapshotStart, .snapshotChunk(image), .snapshotEnd], on: "snapshot"),
                Input("its topic closed") { _ = $0.formClosed() }, Input("blank") { $0.blank() },
            ])
        var table: Set<StateChange> = [
            StateChange("a picture", "blank", "nothing"), StateChange("nothing and a form", "blank", "nothing"),
            StateChange("a picture and a form", "blank", "nothing"),
        ]
        for form in ["", " and a form"] {
            table.insert(StateChange("nothing" + form, "a picture", "a picture" + form))
            table.insert(StateChange("a picture" + form, "an empty picture", "nothing" + form))
        }
        for shown in ["nothing", "a picture"] {
            table.insert(StateChange(shown, "a form", shown + " and a form"))
            table.insert(StateChange(shown + " and a form", "its topic closed", shown))
        }
        #expect(walk.changes() == table)
    }

    @Test("a document that an agent has pushed")
    func documents() throws {
        typealias Input = TransitionWalk<PushedDocuments>.Input
        func state(_ documents: PushedDocuments) -> String {
            guard let id = documents.ids.first else { return "none" }
            var copy = documents
            return copy.timedOut(id).isEmpty ? "open" : "waiting"
        }
        func received(_ name: String, _ message: @escaping (Int16) -> WindowMessage) -> Input {
            Input(name, if: { !$0.ids.isEmpty }) { documents in
                if let id = documents.ids.first { _ = documents.received(message(id), hasScreen: true, isAlone: true) }
            }
        }
        let document = DocumentArguments(url: nil, data: "iVBORw0KGgo=", type: "image/png", metadata: nil)
        let walk = TransitionWalk(
            PushedDocuments(), state: state,
            inputs: [
                Input("push", if: { $0.ids.isEmpty }) { _ = try? $0.push(document) },
                received("accepted") { .documentAccepted(id: $0) },
                received("succeeded") { .documentSucceeded(id: $0) },
                received("rejected") { .documentRejected(id: $0) },
                received("failed") { .documentFailed(id: $0, error: 1, http: 404, details: "") },
                received("closed") { .documentClosed(id: $0, .consumer) },
                Input("the time limit", if: { !$0.ids.isEmpty }) { documents in
                    if let id = documents.ids.first { _ = documents.timedOut(id) }
                },
                Input("forgetAll") { _ = $0.forgetAll() },
            ])
        #expect(
            walk.changes()
                == Set(
                    ["rejected", "failed", "the time limit", "closed", "forgetAll"].map {
                        StateChange("waiting", $0, "none")
                    } + [
                        StateChange("none", "push", "waiting"), StateChange("waiting", "succeeded", "open"),
                        StateChange("open", "closed", "none"), StateChange("open", "forgetAll", "none"),
                    ]))
    }

    @Test("what becomes of a document that nobody pushed is told, unless another agent may have pushed it")
    func strangeDocuments() throws {
        var documents = PushedDocuments()
        let messages: [WindowMessage] = [
            .documentAccepted(id: 0), .documentRejected(id: 0), .documentSucceeded(id: 0),
            .documentClosed(id: 0, .agent),
            .documentFailed(id: 0, error: 1, http: 0, details: ""), .documentSucceeded(id: -1),
        ]
        for message in messages {
            let actions = documents.received(message, hasScreen: true, isAlone: true)
            guard case .complain(let complaint)? = actions.first, actions.count == 1 else {
                Issue.record("\(message): \(actions)")
                continue
            }
            #expect(complaint.text.contains("which was not pushed"))
            #expect(documents.received(message, hasScreen: true, isAlone: false).isEmpty)
        }
        _ = try documents.push(DocumentArguments(url: nil, data: "iVBORw0KGgo=", type: "image/png", metadata: nil))
        #expect(documents.received(messages[1], hasScreen: true, isAlone: true).count == 2)
        #expect(documents.received(messages[1], hasScreen: true, isAlone: true).isEmpty, "it is over already")
    }

    private static let element: JSONValue = ["type": "text", "label": "Name", "index": 0]

    private static func picture(_ format: WindowMessage.ImageFormat, _ image: [UInt8]) -> WindowMessage {
        .rectangleUpdated(x: 0, y: 0, width: 1, height: 1, format: format, image: image)
    }

    private static func form(_ number: Int64, _ fields: [JSONValue]) -> WindowMessage {
        .inputElements(["screenId": .integer(number), "descriptors": .array(fields)])
    }

    @Test(
        "a picture that is none, and a form that no consumer offers, are told and change nothing",
        arguments: [
            ("shared-window", [Self.picture(.png, Array("abc".utf8))], "a picture that is no png"),
            ("shared-window", [Self.picture(.png, [0xFF, 0xD8])], "a picture that is no png"),
            ("shared-window", [Self.picture(.jpeg, [])], "a picture that is no jpeg"),
            ("snapshot", [.snapshotStart, .snapshotChunk([1]), .snapshotEnd], "a snapshot that is no picture"),
            ("input", [Self.form(5, [Self.element]), Self.form(4, [])], "the form 4 after the form 5"),
            ("input", [Self.form(1, [5])], "a field that has no number or no type"),
            ("input", [Self.form(1, [["type": "text", "label": "Name"]])], "a field that has no number or no type"),
            ("input", [Self.form(1, [["type": "password", "index": 0]])], "a field of the type password"),
        ] as [(String, [WindowMessage], String)])
    func wrong(type: String, messages: [WindowMessage], text: String) {
        var screen = AgentScreen()
        let topic = Topic(id: 1, parent: 0, owner: 1, metadata: ["type": .string(type)], isPrivate: true)
        let news = messages.map { screen.received($0, on: topic) }
        #expect(news.last??.kind == .error)
        #expect(news.last??.fields["message"]?.string?.contains(text) == true)
        #expect(screen.frames == 0 && screen.form?["screenId"] == (messages.count == 2 ? 5 : nil))
    }

    @Test("a picture after the end of support is told, until a consumer has come again")
    func afterTheEnd() throws {
        let world = try TestWorld()
        let (consumer, agent) = try world.cobrowsing()
        let ended = TopicFrame(.sendMessage, topic: 0, participant: 1, json: ["type": "consumerEndedSupport"])
        let image = ScreenPicture.encode(["elements": []])
        let picture = TopicFrame(
            .sendMessage, topic: 1, participant: 1, payload: Self.picture(.png, image).bytes)
        world.forgetEvents()
        for frame in [ended, picture] {
            world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": "agent"])
        }
        #expect(world.events(agent, .screen).isEmpty)
        #expect(
            world.events(agent, .error).map { $0.fields["message"] } == [
                "the consumer sent a picture after the end of support"
            ])
        world.act(consumer, "end_support")
        let another = try world.consumer()
        world.act(agent, "join", ["correlation_id": "room"])
        world.act(agent, "request_cobrowse")
        world.act(another, "allow_cobrowse")
        #expect(world.events(agent, .screen).count == 1 && world.events(agent, .error).count == 1)
    }
}
