import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The parts of a client's life cycle go through their transition tables, and through nothing else")
struct LifeCyclePartTests {
    @Test("the life cycle")
    func lifeCycle() {
        typealias Input = TransitionWalk<LifeCyclePart>.Input
        func isLiving(_ part: LifeCyclePart) -> Bool { part.state != .destroyed }
        let walk = TransitionWalk(
            LifeCyclePart(), state: \.state.rawValue,
            inputs: [
                Input("initializeAsked") { _ = $0.handle(.initializeAsked) },
                Input("connectAsked", if: isLiving) { _ = $0.handle(.connectAsked) },
                Input("destroyAsked", if: isLiving) { _ = $0.handle(.destroyAsked) },
            ])
        #expect(
            walk.changes() == [
                StateChange("created", "initializeAsked", "ready"), StateChange("created", "connectAsked", "ready"),
                StateChange("destroyed", "initializeAsked", "ready"),
                StateChange("created", "destroyAsked", "destroyed"), StateChange("ready", "destroyAsked", "destroyed"),
            ])
    }

    @Test("the session")
    func session() throws {
        typealias Input = TransitionWalk<SessionPart>.Input
        func due(_ isExpanded: Bool, _ isOpen: Bool) -> (inout SessionPart) -> Void {
            { _ = $0.handle(.firstMessagesDue(isExpanded: isExpanded, isOpen: isOpen)) }
        }
        let walk = TransitionWalk(
            SessionPart(try PartFixture.settings()), state: \.state.rawValue,
            inputs: [
                Input("initialized") { _ = $0.handle(.initialized) },
                Input("userChanged") { _ = $0.handle(.userChanged) },
                Input("connectAsked") { _ = $0.handle(.connectAsked) },
                Input("chatOpened") { _ = $0.handle(.chatOpened) },
                Input("firstMessagesDue", act: due(true, true)),
                Input("firstMessagesDue while minimized", act: due(false, true)),
                Input("firstMessagesDue while not connected", act: due(true, false)),
                Input("spoken") { _ = $0.handle(.spoken) }, Input("ended") { _ = $0.handle(.ended) },
            ])
        #expect(
            walk.changes() == [
                StateChange("begun", "initialized", "new"), StateChange("over", "initialized", "new"),
                StateChange("begun", "userChanged", "new"), StateChange("over", "userChanged", "new"),
                StateChange("over", "connectAsked", "new"), StateChange("new", "firstMessagesDue", "begun"),
                StateChange("over", "firstMessagesDue", "begun"), StateChange("new", "ended", "over"),
                StateChange("begun", "ended", "over"),
            ])
    }

    @Test("a chat that is opened after the end of its session connects before its first messages")
    func opening() throws {
        var part = SessionPart(try PartFixture.settings())
        #expect(part.handle(.chatOpened) == [.sendFirstMessages])
        _ = part.handle(.ended)
        #expect(part.handle(.chatOpened) == [.connect, .sendFirstMessages])
    }

    @Test("the end of a conversation")
    func endConversation() throws {
        typealias Input = TransitionWalk<EndConversationPart>.Input
        func returned(_ value: JSONValue) -> (inout EndConversationPart) -> Void {
            { _ = $0.handle(.delegateReturned(["type": "closeSession"], .success(value))) }
        }
        let walk = TransitionWalk(
            EndConversationPart(try PartFixture.settings(["before_end_conversation": 1])),
            state: { part in
                switch part.state {
                case .goingOn: "going on"
                case .asked: "asked"
                case .closing(let isByUser): isByUser ? "closing for the user" : "closing"
                }
            },
            inputs: [
                Input("endAsked") { _ = $0.handle(.endAsked(PartFixture.moment())) },
                Input("endAsked while not connected") { _ = $0.handle(.endAsked(PartFixture.moment(.closed))) },
                Input("delegateReturned true", if: \.isAskedFor, act: returned(true)),
                Input("delegateReturned nil", if: \.isAskedFor, act: returned(.null)),
                Input("sessionClosed") { _ = $0.handle(.sessionClosed) },
                Input("connectionClosed") { _ = $0.handle(.connectionClosed(code: nil, message: "")) },
                Input("destroyed") { _ = $0.handle(.destroyed) },
            ])
        #expect(
            walk.changes() == [
                StateChange("going on", "endAsked", "asked"),
                StateChange("closing", "endAsked", "closing for the user"),
                StateChange("asked", "delegateReturned nil", "going on"),
                StateChange("closing for the user", "delegateReturned nil", "closing"),
                StateChange("going on", "sessionClosed", "closing"),
                StateChange("asked", "sessionClosed", "closing for the user"),
                StateChange("closing", "connectionClosed", "going on"),
                StateChange("closing for the user", "connectionClosed", "going on"),
                StateChange("closing", "destroyed", "going on"),
                StateChange("closing for the user", "destroyed", "asked"),
            ])
    }

    @Test("the way to the chat server")
    func connection() throws {
        typealias Input = TransitionWalk<ConnectionPart>.Input
        func input(
            _ name: String, _ input: @escaping (UInt64) -> ConnectionPart.Input, sockets: ClosedRange<UInt64> = 0...0
        ) -> Input {
            Input(name) { part in
                var random = RandomSource(seed: 1)
                for number in sockets { _ = part.handle(input(number), at: .start, random: &random) }
            }
        }
        let inputs = [
            input("connectAsked", { _ in .connectAsked }),
            input("channelGiven", { _ in .channelGiven(["channel_id": "d"]) }),
            input("disconnectAsked", { _ in .disconnectAsked }), input("sessionClosed", { _ in .sessionClosed }),
            input("wentOffline", { _ in .wentOffline }), input("wentOnline", { _ in .wentOnline(isReady: true) }),
            // The sockets of a walk that begins anew are counted from 1; whichever is open hears it.
            input("destroyed", { _ in .destroyed }), input("opened", { .opened($0) }, sockets: 1...20),
            input("closed", { .closed($0, WebSocketClosure(code: 1000, reason: "")) }, sockets: 1...20),
        ]
        func changes(from start: ConnectionPart) -> Set<StateChange> {
            TransitionWalk(
                start, state: { "\($0.isOnline ? "online" : "offline")\($0.reconnects ? ", reconnects" : "")" },
                inputs: inputs
            ).changes(steps: 2_000)
        }
        let fresh = ConnectionPart(PartFixture.configuration(), try PartFixture.settings())
        // One that opens the next connection while it is to reconnect is rarely walked into.
        var reopening = fresh
        var random = RandomSource(seed: 1)
        let way: [ConnectionPart.Input] = [
            .connectAsked, .opened(1), .disconnectAsked, .connectAsked, .channelGiven(["channel_id": "d"]),
            .closed(1, WebSocketClosure(code: 1000, reason: "")),
        ]
        for step in way { _ = reopening.handle(step, at: .start, random: &random) }
        #expect(
            changes(from: fresh).union(changes(from: reopening)) == [
                StateChange("online", "connectAsked", "online, reconnects"),
                StateChange("online, reconnects", "sessionClosed", "online"),
                StateChange("online, reconnects", "wentOffline", "offline"),
                StateChange("online, reconnects", "disconnectAsked", "online"),
                StateChange("online, reconnects", "destroyed", "online"),
                StateChange("online, reconnects", "closed", "online"),
                StateChange("online", "wentOffline", "offline"),
                StateChange("online, reconnects", "wentOffline", "offline, reconnects"),
                StateChange("offline", "wentOnline", "online"),
                StateChange("offline, reconnects", "wentOnline", "online, reconnects"),
                StateChange("offline, reconnects", "disconnectAsked", "offline"),
                StateChange("offline, reconnects", "destroyed", "offline"),
                StateChange("offline, reconnects", "closed", "offline"),
            ])
    }
}
