import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The parts of a client that carry messages go through their transition tables, and through nothing else")
struct MessagePartTests {
    private static func outbox(
        _ name: String, if isPossible: @escaping (OutboxPart) -> Bool = { _ in true },
        at moment: ClientMoment = PartFixture.moment(), _ input: OutboxPart.Input
    ) -> TransitionWalk<OutboxPart>.Input {
        TransitionWalk.Input(name, if: isPossible) { part in
            var random = RandomSource(seed: 1)
            _ = part.handle(input, moment, random: &random)
        }
    }

    @Test("the outbox")
    func outboxPart() throws {
        let said = Outgoing.text("hello")
        let walk = TransitionWalk(
            OutboxPart(try PartFixture.settings(["before_send": 1])), state: \.state.rawValue,
            inputs: [
                Self.outbox("queued for a delegate", .queued(said)),
                Self.outbox("queued for nobody", .queued(.context("c", more: nil))),
                Self.outbox("queued while not connected", at: PartFixture.moment(.closed), .queued(said)),
                Self.outbox("queued while a text comes in", at: PartFixture.moment(isStreaming: true), .queued(said)),
                Self.outbox(
                    "delegateReturned", if: { $0.state == .delegated },
                    .delegateReturned(said, .success(.object(said.payload)))),
                Self.outbox("turnEnded", .turnEnded(request: nil)),
                Self.outbox("cancelAsked", .cancelAsked), Self.outbox("stopped", .stopped),
            ])
        #expect(
            walk.changes() == [
                StateChange("free", "queued for a delegate", "delegated"),
                StateChange("delegated", "delegateReturned", "free"), StateChange("delegated", "stopped", "free"),
            ])
    }

    @Test("what waits in the outbox goes after the delegate has returned, up to the next one for a delegate")
    func outboxOrder() throws {
        var part = OutboxPart(try PartFixture.settings(["before_send": 1]))
        var random = RandomSource(seed: 1)
        let said = Outgoing.text("hello"), context = Outgoing.context("c", more: nil)
        let moment = PartFixture.moment()
        for message in [said, context, said, context] { _ = part.handle(.queued(message), moment, random: &random) }
        let actions = part.handle(.delegateReturned(said, .success(.null)), moment, random: &random)
        #expect(actions.count == 3)
        #expect(actions.contains { if case .sent(context, _) = $0 { true } else { false } })
        #expect(actions.last.map { if case .call(.send(said), _, _) = $0 { true } else { false } } == true)
        #expect(part.state == .delegated)
    }

    @Test("what finds no room behind messages that wait for a delegate is an error, whichever way it goes")
    func noRoom() throws {
        func codes(_ actions: [ClientAction]) -> [String?] {
            actions.compactMap { action in
                guard case .perform(.emit(let event)) = action, event.kind == .error else { return nil }
                return event.fields["code"]?.string
            }
        }
        var outbox = OutboxPart(try PartFixture.settings(["before_send": 1]))
        var random = RandomSource(seed: 1)
        func send() -> [ClientAction] {
            outbox.handle(.queued(Outgoing.text("hi")), PartFixture.moment(), random: &random)
        }
        // The delegate looks at the first one, and the others wait.
        for _ in 0...OutboxPart.limit { #expect(codes(send()).isEmpty) }
        #expect(codes(send()) == ["TooManyMessages"])
        var inbox = InboxPart(try PartFixture.settings(["before_display": 1]))
        for number in 0...InboxPart.limit {
            #expect(codes(inbox.handle(.received(PartFixture.text("hi", id: "\(number)")))).isEmpty)
        }
        let late = inbox.handle(.received(PartFixture.text("late", id: "late")))
        #expect(codes(late) == ["TooManyMessages"])
        #expect(late.first == .received(PartFixture.text("late", id: "late")))
        let options: JSONObject = ["enable_speech_synthesis": true, "init_speech_synthesis_muted": false]
        var speech = SynthesisPart(try PartFixture.settings(options))
        for _ in 0..<SynthesisPart.queueLimit {
            #expect(codes(speech.handle(.speakAsked("hi"), PartFixture.moment())).isEmpty)
        }
        #expect(codes(speech.handle(.speakAsked("hi"), PartFixture.moment())) == ["TooManyMessages"])
    }

    @Test("the inbox")
    func inboxPart() throws {
        typealias Input = TransitionWalk<InboxPart>.Input
        var number = 0
        let shown = PartFixture.text("hello", id: "same")
        var start = InboxPart(try PartFixture.settings(["before_display": 1]))
        _ = start.handle(.received(shown))
        _ = start.handle(.delegateReturned(shown, .success(.null)))
        let walk = TransitionWalk(
            start, state: \.state.rawValue,
            inputs: [
                Input("received") {
                    number += 1
                    _ = $0.handle(.received(PartFixture.text("hello", id: "\(number)")))
                },
                Input("received twice") { _ = $0.handle(.received(shown)) },
                Input("delegateReturned", if: { $0.state == .delegated }) {
                    _ = $0.handle(.delegateReturned(shown, .success(.null)))
                },
                Input("nextAsked") { _ = $0.handle(.nextAsked) },
                Input("responseCanceled") { _ = $0.handle(.responseCanceled(request: "r")) },
                Input("stopped") { _ = $0.handle(.stopped) },
            ])
        #expect(
            walk.changes() == [
                StateChange("free", "received", "delegated"), StateChange("free", "nextAsked", "delegated"),
                StateChange("delegated", "delegateReturned", "free"), StateChange("delegated", "stopped", "free"),
            ])
    }

    @Test("what comes twice, or answers a canceled request, goes no further than the inbox")
    func dropped() throws {
        var part = InboxPart(try PartFixture.settings())
        let first = PartFixture.text("hello", id: "1")
        #expect(part.handle(.received(first)) == [.received(first), .show(first), .showNext])
        #expect(part.handle(.received(first)).isEmpty)
        _ = part.handle(.responseCanceled(request: "r"))
        var late = PartFixture.text("late", id: "2")
        late.members["requestId"] = "r"
        #expect(part.handle(.received(late)).isEmpty)
    }

    @Test("a text that comes in pieces")
    func textStreamPart() throws {
        typealias Input = TransitionWalk<TextStreamPart>.Input
        func piece(_ state: String, of id: String = "s") -> (inout TextStreamPart) -> Void {
            { part in _ = part.handle(Self.piece("x", state, of: id)) }
        }
        let walk = TransitionWalk(
            TextStreamPart(), state: { $0.isReceiving ? "receiving" : "idle" },
            inputs: [
                Input("the start", act: piece("start")), Input("a piece", act: piece("running")),
                Input("the end", act: piece("end")), Input("another piece", act: piece("running", of: "t")),
                Input("the end of another", act: piece("end", of: "t")),
                Input("silenceElapsed") { _ = $0.handle(.silenceElapsed) },
                Input("stopped") { _ = $0.handle(.stopped) },
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "the start", "receiving"), StateChange("receiving", "the end", "idle"),
                StateChange("receiving", "the end of another", "idle"),
                StateChange("receiving", "silenceElapsed", "idle"), StateChange("receiving", "stopped", "idle"),
            ])
    }

    private static func piece(_ text: String, _ state: String, of id: String) -> TextStreamPart.Input {
        let members: JSONObject = [
            "type": "textStream", "streamState": .string(state), "streamId": .string(id), "text": .string(text),
        ]
        return .received(TextStreamPayload(members: members), PartFixture.envelope(members))
    }

    /// The words of what is shown.
    private static func shown(_ actions: [ClientAction]) -> [JSONValue?] {
        actions.compactMap { action in
            guard case .display(let envelope, _) = action else { return nil }
            return envelope.object("messagePayload")?["text"] ?? .null
        }
    }

    @Test("a text that another one follows before its end is shown as it is, once")
    func streamFollowed() {
        var part = TextStreamPart()
        #expect(Self.shown(part.handle(Self.piece("Once ", "start", of: "s"))).isEmpty)
        #expect(Self.shown(part.handle(Self.piece("Twice ", "start", of: "t"))) == ["Once "])
        #expect(Self.shown(part.handle(Self.piece("upon", "running", of: "s"))).isEmpty)
        #expect(Self.shown(part.handle(Self.piece("now", "end", of: "t"))) == ["Twice now"])
    }

    @Test("a text whose start comes once more, in other words, is shown as it is, and another one begins")
    func streamBegunAgain() {
        var part = TextStreamPart()
        _ = part.handle(Self.piece("a", "start", of: "s"))
        #expect(Self.shown(part.handle(Self.piece("a", "start", of: "s"))).isEmpty)
        #expect(Self.shown(part.handle(Self.piece("A", "start", of: "s"))) == ["aa"])
        #expect(Self.shown(part.handle(Self.piece("b", "end", of: "s"))) == ["Ab"])
    }

    @Test("a late piece is a frame that need not be expected, and a piece of a text that never began is an error")
    func streamLate() throws {
        func event(_ actions: [ClientAction]) throws -> ChatEvent {
            guard actions.count == 1, case .perform(.emit(let event)) = actions[0] else {
                throw ScriptCallFailure("\(actions)")
            }
            return event
        }
        var part = TextStreamPart()
        #expect(try event(part.handle(Self.piece("x", "running", of: "s"))).fields["code"] == "MessageMalformed")
        _ = part.handle(Self.piece("Once", "end", of: "s"))
        let late = try event(part.handle(Self.piece("x", "running", of: "s")))
        #expect(late.kind == .frame)
        #expect(ClientEventVocabulary.noise.contains { $0.matches(late) })
        _ = part.handle(Self.piece("Twice ", "start", of: "t"))
        #expect(try event(part.handle(Self.piece("x", "end", of: "s"))).kind == .frame)
        #expect(part.isReceiving)
    }

    @Test("who speaks")
    func agentPart() {
        typealias Input = TransitionWalk<SpeakerPart>.Input
        let agent = PartFixture.envelope(
            ["type": "text", "text": "hi", "channelExtensions": ["agentName": "Ann"]], from: "AGENT")
        let walk = TransitionWalk(
            SpeakerPart(), state: { $0.isAgent ? "agent" : "skill" },
            inputs: [
                Input("received from an agent") { _ = $0.handle(.received(agent)) },
                Input("received from the skill") { _ = $0.handle(.received(PartFixture.text("hi"))) },
                Input("received from nobody") { _ = $0.handle(.received(PartFixture.text("hi", from: "?"))) },
                Input("dropped from an agent") { _ = $0.handle(.dropped(agent)) },
                Input("detailsSet") { _ = $0.handle(.detailsSet(["name": "Bob"])) },
                Input("conversationEnded") { _ = $0.handle(.conversationEnded) },
            ])
        #expect(
            walk.changes() == [
                StateChange("skill", "received from an agent", "agent"),
                StateChange("skill", "dropped from an agent", "agent"),
                StateChange("agent", "received from the skill", "skill"),
                StateChange("agent", "conversationEnded", "skill"),
            ])
    }

    @Test("the typing indicator")
    func typingIndicatorPart() throws {
        typealias Input = TransitionWalk<TypingIndicatorPart>.Input
        func input(_ name: String, _ input: TypingIndicatorPart.Input) -> Input {
            Input(name) { _ = $0.handle(input, agentName: nil) }
        }
        let walk = TransitionWalk(
            TypingIndicatorPart(try PartFixture.settings(["show_typing_status": true])),
            state: { $0.isShown ? "shown" : "hidden" },
            inputs: [
                input("shown", .shown(.bot, timesOut: true)), input("hidden", .hidden(.bot)),
                input("timedOut", .timedOut), input("stopped", .stopped),
            ])
        #expect(
            walk.changes() == [
                StateChange("hidden", "shown", "shown"), StateChange("shown", "hidden", "hidden"),
                StateChange("shown", "timedOut", "hidden"),
            ])
    }

    @Test("the indicator of a skill that is not to be shown stays hidden, that of an agent does not")
    func hiddenIndicator() throws {
        var part = TypingIndicatorPart(try PartFixture.settings(["show_typing_status": false]))
        #expect(part.handle(.shown(.bot, timesOut: true), agentName: nil).isEmpty)
        #expect(!part.isShown)
        _ = part.handle(.shown(.agent, timesOut: false), agentName: "Ann")
        #expect(part.isShown)
    }

    @Test("what the user types")
    func typingStatusPart() throws {
        typealias Input = TransitionWalk<TypingStatusPart>.Input
        func input(_ name: String, _ input: TypingStatusPart.Input) -> Input {
            Input(name) { _ = $0.handle(input, at: .start) }
        }
        let walk = TransitionWalk(
            TypingStatusPart(try PartFixture.settings()), state: { $0.isTyping ? "typing" : "silent" },
            inputs: [
                input("inputChanged to some text", .inputChanged("a", isWanted: true)),
                input("inputChanged to some text, for nobody", .inputChanged("a", isWanted: false)),
                input("inputChanged to nothing", .inputChanged("", isWanted: true)),
                input("inputChanged to nothing, for nobody", .inputChanged("", isWanted: false)),
                input("textSent", .textSent(isWanted: true)), input("placed", .placed("a")),
                input("silenceElapsed", .silenceElapsed(isWanted: true)), input("stopped", .stopped),
            ])
        #expect(
            walk.changes() == [
                StateChange("silent", "inputChanged to some text", "typing"),
                StateChange("typing", "inputChanged to some text, for nobody", "silent"),
                StateChange("typing", "inputChanged to nothing", "silent"),
                StateChange("typing", "inputChanged to nothing, for nobody", "silent"),
                StateChange("typing", "textSent", "silent"), StateChange("typing", "silenceElapsed", "silent"),
                StateChange("typing", "stopped", "silent"),
            ])
    }

    @Test("what the client says itself")
    func defaultResponsesPart() throws {
        typealias Input = TransitionWalk<DefaultResponsesPart>.Input
        func input(_ name: String, _ input: DefaultResponsesPart.Input) -> Input {
            Input(name) { _ = $0.handle(input, at: .start) }
        }
        let walk = TransitionWalk(
            DefaultResponsesPart(try PartFixture.settings(["enable_default_client_response": true])),
            state: { $0.isWaiting ? "waiting" : "idle" },
            inputs: [
                input("messageSent", .messageSent), input("received", .received(PartFixture.text("hi"))),
                input("the greeting", .timerFired(.greeting)), input("patience", .timerFired(.wait)),
                input("the apology", .timerFired(.sorry)), input("messagesCleared", .messagesCleared),
                input("connectionClosed", .connectionClosed), input("stopped", .stopped),
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "messageSent", "waiting"), StateChange("waiting", "received", "idle"),
                StateChange("waiting", "the apology", "idle"), StateChange("waiting", "stopped", "idle"),
                StateChange("waiting", "connectionClosed", "idle"),
            ])
    }
}
