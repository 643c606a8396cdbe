import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The parts of a server to which clients connect go through their transition tables, and through nothing else")
struct ServerDoorTests {
    private static let connection = ConnectionID(1)

    @Test("the WebSockets of the chat")
    func sockets() throws {
        typealias Input = TransitionWalk<ChatSocketPart>.Input
        let gate = try ServerPartFixture.gate(["authentication": true])
        let open = try ServerPartFixture.gate()
        let token = ServerPartFixture.token(gate)
        func isNew(_ part: ChatSocketPart) -> Bool { part.user(of: Self.connection) == nil }
        func isKnown(_ part: ChatSocketPart) -> Bool { !isNew(part) }
        func ask(_ gate: ChannelGate, channel: String = "c", token: String? = nil) -> (inout ChatSocketPart) -> Void {
            let asked = ServerPartFixture.asked(channel: channel, token: token)
            return { _ = $0.handle(.upgradeAsked(Self.connection, asked), gate) }
        }
        func receive(_ frame: ClientFrame) -> (inout ChatSocketPart) -> Void {
            { _ = $0.handle(.received(Self.connection, frame), gate) }
        }
        let walk = TransitionWalk(
            ChatSocketPart(),
            state: { isNew($0) ? "none" : $0.isAuthenticated(Self.connection) ? "open" : "unknown" },
            inputs: [
                Input("upgradeAsked without a need of a token", if: isNew, act: ask(open)),
                Input("upgradeAsked with a token", if: isNew, act: ask(gate, token: token)),
                Input("upgradeAsked without the token", if: isNew, act: ask(gate)),
                Input("upgradeAsked with a bad token", if: isNew, act: ask(gate, token: "x")),
                Input("upgradeAsked for another channel", if: isNew, act: ask(gate, channel: "d")),
                Input("received a token", if: isKnown, act: receive(.authentication(token: token))),
                Input("received a bad token", if: isKnown, act: receive(.authentication(token: "x"))),
                Input("received a ping", if: isKnown, act: receive(.ping)),
                Input("received otherwise", if: isKnown, act: receive(.profile([:]))),
                Input("unreadable", if: isKnown) { _ = $0.handle(.unreadable(Self.connection), gate) },
                Input("closed") { _ = $0.handle(.closed(Self.connection), gate) },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "upgradeAsked without a need of a token", "open"),
                StateChange("none", "upgradeAsked with a token", "open"),
                StateChange("none", "upgradeAsked without the token", "unknown"),
                StateChange("unknown", "received a token", "open"),
                StateChange("unknown", "received a bad token", "none"),
                StateChange("unknown", "received otherwise", "none"), StateChange("unknown", "unreadable", "none"),
                StateChange("unknown", "closed", "none"),
                StateChange("open", "closed", "none"),
            ])
    }

    @Test("what a connection that is not its user's says closes it, what its user says is taken")
    func frames() throws {
        let gate = try ServerPartFixture.gate(["authentication": true], faults: ["authentication_code": 1006])
        var part = ChatSocketPart()
        _ = part.handle(.upgradeAsked(Self.connection, ServerPartFixture.asked()), gate)
        #expect(
            part.handle(.received(Self.connection, .profile([:])), gate) == [
                .leave(Self.connection), .perform(.abort(Self.connection)),
            ])
        let asked = ServerPartFixture.asked(token: ServerPartFixture.token(gate))
        #expect(
            part.handle(.upgradeAsked(Self.connection, asked), gate) == [
                .perform(.accept(Self.connection, subprotocol: nil)), .join(Self.connection),
            ])
        #expect(part.handle(.received(Self.connection, .profile([:])), gate) == [.take(.profile([:]))])
    }

    @Test("the recognition of speech")
    func recognition() throws {
        typealias Input = TransitionWalk<ServerRecognitionPart>.Input
        let gate = try ServerPartFixture.gate(["authentication": true])
        let open = try ServerPartFixture.gate()
        let token = ServerPartFixture.token(gate)
        func isNew(_ part: ServerRecognitionPart) -> Bool { !part.has(Self.connection) }
        func ask(_ gate: ChannelGate, locale: String = "en-us") -> (inout ServerRecognitionPart) -> Void {
            { _ = $0.handle(.upgradeAsked(Self.connection, ServerPartFixture.asked(), locale: locale), gate) }
        }
        func receive(_ message: WebSocketMessage) -> (inout ServerRecognitionPart) -> Void {
            { _ = $0.handle(.received(Self.connection, message), gate) }
        }
        let walk = TransitionWalk(
            try ServerRecognitionPart(["hello world"]),
            state: { isNew($0) ? "none" : $0.isAuthenticated(Self.connection) ? "listening" : "unknown" },
            inputs: [
                Input("upgradeAsked without a need of a token", if: isNew, act: ask(open)),
                Input("upgradeAsked", if: isNew, act: ask(gate)),
                Input("upgradeAsked in an unknown locale", if: isNew, act: ask(gate, locale: "xx")),
                Input("received a token", act: receive(.text("Bearer " + token))),
                Input("received another token", act: receive(.text("Bearer x"))),
                Input("received sound", act: receive(.binary([1, 2]))),
                Input("received Done", act: receive(.text("Done"))),
                Input("thinkingOver") { _ = $0.handle(.thinkingOver(Self.connection), gate) },
                Input("expected") { _ = $0.expect("more") },
                Input("closed") { _ = $0.handle(.closed(Self.connection), gate) },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "upgradeAsked without a need of a token", "listening"),
                StateChange("none", "upgradeAsked", "unknown"), StateChange("unknown", "received a token", "listening"),
                StateChange("unknown", "closed", "none"), StateChange("listening", "closed", "none"),
            ])
    }

    @Test("each piece of a recording has its partial result, whatever its size")
    func partialResults() throws {
        var part = try ServerRecognitionPart(["one two three", "four five"])
        let gate = try ServerPartFixture.gate()
        func words(_ effects: [OracleServer.Effect]) -> [String] {
            effects.compactMap { effect in
                guard case .transmit(_, .text(let text)) = effect else { return nil }
                return (try? JSONReader.read(text))?["nbest"]?[0]?["utterance"]?.string
            }
        }
        _ = part.handle(.upgradeAsked(Self.connection, ServerPartFixture.asked(), locale: "en-us"), gate)
        #expect(words(part.handle(.received(Self.connection, .binary([1, 2, 3, 4])), gate)) == ["one"])
        #expect(words(part.handle(.received(Self.connection, .binary([1])), gate)) == ["one two"])
        #expect(words(part.handle(.received(Self.connection, .binary([1])), gate)) == [])
        #expect(words(part.handle(.thinkingOver(Self.connection), gate)) == ["one two three"])
        #expect(words(part.handle(.received(Self.connection, .binary([1])), gate)) == ["four"])
    }

    @Test("no more recordings are expected than there is room for, and whoever says more of them hears so")
    func expectedLimit() throws {
        let speech = [JSONValue](repeating: "hello", count: ServerRecognitionPart.limit)
        #expect(throws: ConfigurationError.self) { try ServerRecognitionPart(.array(speech + ["more"])) }
        let rehearsal = try Rehearsal(server: ["speech": .array(speech.dropLast())])
        #expect(rehearsal.serve("hear", ["speech": "the last one"]) == .done(.null))
        guard case .refused(let refusal) = rehearsal.serve("hear", ["speech": "more"]) else {
            Issue.record("there is no room for it")
            return
        }
        #expect(refusal.hasPrefix("hear: at most 1000 recordings"))
    }

    @Test("speech is recognized for users of a channel that is enabled")
    func recognitionGate() throws {
        func isRefused(_ asked: ChannelRequest, _ gate: ChannelGate) -> Bool {
            var part = ServerRecognitionPart()
            let effects = part.handle(.upgradeAsked(Self.connection, asked, locale: "en-us"), gate)
            return effects.contains { if case .refuse = $0 { true } else { false } } && part.count == 0
        }
        let open = try ServerPartFixture.gate()
        var channel = open.channel
        channel.isEnabled = false
        let closed = ChannelGate(channel: channel, faults: open.faults, epochMilliseconds: open.epochMilliseconds)
        let nobody = HTTPRequest(
            method: .get, scheme: "http", authority: "oda.test",
            path: "/voice/stream/recognize/en-us/generic?channelId=c")
        #expect(!isRefused(ServerPartFixture.asked(), open))
        #expect(isRefused(ServerPartFixture.asked(), closed))
        #expect(isRefused(ChannelRequest(nobody), open))
    }

    @Test("the files")
    func files() throws {
        struct Walked {
            var part: FileStorePart
            var random = RandomSource(seed: 1)
            var last = HTTPResponse.Status.ok
        }
        typealias Input = TransitionWalk<Walked>.Input
        let gate = try ServerPartFixture.gate()
        let configuration = ServerConfiguration(
            origin: "http://oda.test", options: ["refused_types": ["text/html"]], epochMilliseconds: 0)
        func send(_ type: String, channel: String = "c") -> (inout Walked) -> Void {
            let body = [
                "--b", "Content-Disposition: form-data; name=\"attachment\"; filename=\"a.txt\"",
                "Content-Type: \(type)", "", "hello", "--b--", "",
            ].joined(separator: "\r\n")
            let request = ServerPartFixture.request(
                "/chat/v1/attachments", channel: channel, [.contentType: "multipart/form-data; boundary=b"],
                body: body)
            let asked = ChannelRequest(request.head)
            return { walked in
                let response = walked.part.handle(.sent(asked, request), gate, random: &walked.random)
                walked.last = response.head.status
            }
        }
        let start = Walked(part: FileStorePart(configuration, limit: 2))
        let walk = TransitionWalk(
            start, state: { "\($0.part.files.count) kept" },
            inputs: [
                Input("sent", act: send("text/plain")), Input("sent, a refused type", act: send("text/html")),
                Input("sent to another channel", act: send("text/plain", channel: "d")),
                Input("asked for none") { walked in
                    let asked = ServerPartFixture.asked("/attachment/v1/attachments/none")
                    walked.last = walked.part.handle(.asked(asked), gate, random: &walked.random).head.status
                },
            ])
        #expect(walk.changes() == [StateChange("0 kept", "sent", "1 kept"), StateChange("1 kept", "sent", "2 kept")])
        var walked = start
        for (type, status) in [("text/plain", 200), ("text/html", 415), ("text/plain", 200), ("text/plain", 507)] {
            send(type)(&walked)
            #expect(walked.last.code == status)
        }
    }
}
