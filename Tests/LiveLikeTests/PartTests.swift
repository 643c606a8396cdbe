import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("The parts of a member go through their transition tables, and through nothing else")
struct PartTests {
    private static let origin = "http://live.test"

    private func options(_ options: JSONObject = [:]) throws -> ClientOptions {
        try ClientOptions(ClientConfiguration(origin: Self.origin, target: [:], options: options))
    }

    private func session() throws -> SessionPart {
        SessionPart(try self.options(), origin: try #require(WebAddress(Self.origin)))
    }

    private static let application: JSONValue = [
        "pubnub_subscribe_key": "s", "profile_url": "http://live.test/profile",
        "chat_room_detail_url_template": "http://live.test/{chat_room_id}/",
    ]

    private static func bytes(_ value: JSONValue) -> [UInt8] { JSONWriter.write(value) }

    @Test("the session")
    func sessionPart() throws {
        typealias Input = TransitionWalk<SessionPart>.Input
        func isStarting(_ part: SessionPart) -> Bool { part.state == .starting }
        let walk = TransitionWalk(
            try self.session(), state: \.state.rawValue,
            inputs: [
                Input("connectAsked") { _ = $0.handle(.connectAsked(room: "lobby")) },
                Input("applicationArrived", if: isStarting) {
                    _ = $0.handle(.applicationArrived(Self.bytes(Self.application)))
                },
                Input("an application that cannot be read", if: isStarting) {
                    _ = $0.handle(.applicationArrived([1]))
                },
                Input("profileArrived", if: isStarting) {
                    _ = $0.handle(.profileArrived(Self.bytes(["id": "p", "access_token": "t"])))
                },
                Input("a profile that cannot be read", if: isStarting) { _ = $0.handle(.profileArrived([1])) },
                Input("failed", if: isStarting) { _ = $0.handle(.failed(.emptyAnswer)) },
                Input("renameAsked", if: { $0.state == .ready }) { _ = $0.handle(.renameAsked("Ada")) },
                Input("renamed", if: { $0.state == .ready }) {
                    _ = $0.handle(.renamed(Self.bytes(["nickname": "Ada"])))
                },
                Input("renameRefused", if: { $0.state == .ready }) { _ = $0.handle(.renameRefused(.emptyAnswer)) },
                Input("heartbeatDue") { _ = $0.handle(.heartbeatDue(channels: [])) },
                Input("ended") { _ = $0.handle(.ended) },
            ])
        #expect(
            walk.changes() == [
                StateChange("new", "connectAsked", "starting"),
                StateChange("starting", "an application that cannot be read", "new"),
                StateChange("starting", "profileArrived", "ready"),
                StateChange("starting", "a profile that cannot be read", "new"),
                StateChange("starting", "failed", "new"), StateChange("starting", "ended", "new"),
                StateChange("ready", "ended", "new"),
            ])
    }

    @Test("the subscribe loop")
    func subscribePart() throws {
        typealias Input = TransitionWalk<SubscribePart>.Input
        func isAsking(_ part: SubscribePart) -> Bool { part.state == .asking }
        func answer(_ token: Int64, status: HTTPResponse.Status = .ok) -> SubscribePart.Input {
            .answered(Response(json: ["t": ["t": .string("\(token)"), "r": 1], "m": []], status: status))
        }
        let late = Instant.start + SubscribePart.limit
        var token: Int64 = 1
        var moments = 0
        let walk = TransitionWalk(
            SubscribePart(try self.options()), state: \.state.rawValue,
            inputs: [
                Input("channelsChanged") {
                    _ = $0.handle(.channelsChanged(["c"], subscribeKey: "s", parameters: []), now: .start)
                },
                Input("answered with something new", if: isAsking) {
                    token += 1
                    _ = $0.handle(answer(token), now: .start)
                },
                Input("answered at once with nothing new", if: isAsking) { _ = $0.handle(answer(0), now: .start) },
                Input("answered later with nothing new", if: isAsking) {
                    // Each time later than it was asked for, whenever that was.
                    moments += 1
                    _ = $0.handle(answer(0), now: late + .seconds(moments))
                },
                Input("answered with 403", if: isAsking) { _ = $0.handle(answer(1, status: .forbidden), now: .start) },
                Input("another answer", if: isAsking) {
                    _ = $0.handle(answer(1, status: .internalServerError), now: .start)
                },
                Input("failed", if: isAsking) { _ = $0.handle(.failed(.emptyAnswer), now: .start) },
                Input("retryDue", if: { $0.state == .waiting }) { _ = $0.handle(.retryDue, now: .start) },
                Input("limitDue in time") { _ = $0.handle(.limitDue, now: .start) },
                Input("limitDue after the limit") { _ = $0.handle(.limitDue, now: late + SubscribePart.limit) },
                Input("paused") { _ = $0.handle(.paused, now: .start) },
                Input("resumed") { _ = $0.handle(.resumed, now: .start) },
                Input("ended") { _ = $0.handle(.ended, now: .start) },
            ])
        #expect(
            walk.changes() == [
                StateChange("asking", "paused", "paused"), StateChange("waiting", "paused", "paused"),
                StateChange("paused", "resumed", "asking"), StateChange("paused", "ended", "stopped"),
                StateChange("stopped", "channelsChanged", "asking"),
                StateChange("waiting", "channelsChanged", "asking"),
                StateChange("denied", "channelsChanged", "asking"), StateChange("waiting", "retryDue", "asking"),
                StateChange("asking", "answered at once with nothing new", "waiting"),
                StateChange("asking", "answered with 403", "denied"),
                StateChange("asking", "another answer", "waiting"),
                StateChange("asking", "failed", "waiting"),
                StateChange("asking", "limitDue after the limit", "waiting"),
                StateChange("asking", "ended", "stopped"), StateChange("waiting", "ended", "stopped"),
                StateChange("denied", "ended", "stopped"),
            ])
    }

    @Test("the time limit of the subscribe loop runs as long as it asks, also after it was denied")
    func subscribeLimit() throws {
        let changed = SubscribePart.Input.channelsChanged(["c"], subscribeKey: "s", parameters: [])
        let limit = MemberAction.setTimer(.subscribeLimit, SubscribePart.limit)
        var part = SubscribePart(try self.options())
        #expect(part.handle(changed, now: .start).contains(limit))
        #expect(!part.handle(changed, now: .start).contains(limit))
        let denial = part.handle(.answered(Response(json: [:], status: .forbidden)), now: .start)
        #expect(denial.contains(.cancelTimer(.subscribeLimit)))
        #expect(part.handle(changed, now: .start).contains(limit))
    }

    @Test("the outbox")
    func outboxPart() {
        typealias Input = TransitionWalk<OutboxPart>.Input
        let message = OutgoingMessage(clientID: "m", room: "lobby", kind: .text, text: "hello")
        let walk = TransitionWalk(
            OutboxPart(), state: \.state.rawValue,
            inputs: [
                Input("queued") { _ = $0.handle(.queued(message)) },
                Input("answered", if: { $0.state == .sending }) { _ = $0.handle(.answered) },
                Input("pauseOver", if: { $0.state == .resting }) { _ = $0.handle(.pauseOver) },
                Input("roomLeft") { _ = $0.handle(.roomLeft("lobby")) }, Input("ended") { _ = $0.handle(.ended) },
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "queued", "sending"), StateChange("sending", "answered", "resting"),
                StateChange("resting", "pauseOver", "sending"), StateChange("resting", "pauseOver", "idle"),
            ])
    }

    @Test("a room")
    func roomPart() throws {
        typealias Input = TransitionWalk<RoomPart>.Input
        var session = try self.session()
        _ = session.handle(.applicationArrived(Self.bytes(Self.application)))
        _ = session.handle(.profileArrived(Self.bytes(["id": "p", "access_token": "t"])))
        let ready = session
        let room: JSONValue = [
            "channels": ["chat": ["pubnub": "c"], "control": ["pubnub": "k"]],
            "chatroom_messages_url": "http://live.test/messages",
        ]
        func isLoading(_ part: RoomPart) -> Bool { part.state == .loading }
        func isConnected(_ part: RoomPart) -> Bool { part.state == .connected }
        func isAsking(_ part: RoomPart) -> Bool { part.state == .asking }
        let page = Self.bytes(["results": [["id": "m", "message": "hello", "sender_id": "o"]]])
        let inputs = [
            Input("resourceArrived", if: isAsking) { _ = $0.handle(.resourceArrived(Self.bytes(room)), ready) },
            Input("a resource that cannot be read", if: isAsking) { _ = $0.handle(.resourceArrived([1]), ready) },
            Input("pauseOver") { _ = $0.handle(.pauseOver, ready) },
            Input("confirmed with its channel") { _ = $0.handle(.confirmed(["c"]), ready) },
            Input("confirmed with another channel") { _ = $0.handle(.confirmed(["d"]), ready) },
            Input("historyArrived with the first page", if: isLoading) {
                _ = $0.handle(.historyArrived(.initial, page, behind: nil, at: .start), ready)
            },
            Input("historyFailed", if: isLoading) { _ = $0.handle(.historyFailed(.initial, .emptyAnswer), ready) },
            Input("historyAsked", if: isConnected) { _ = $0.handle(.historyAsked(.next), ready) },
            Input("historyArrived with another page", if: isConnected) {
                _ = $0.handle(.historyArrived(.next, page, behind: nil, at: .start), ready)
            },
            Input("a deletion") { _ = $0.deletionArrived(of: "m", raw: nil) },
        ]
        let walk = TransitionWalk(
            RoomPart(id: "lobby", try self.options()), state: \.state.rawValue, inputs: inputs)
        #expect(
            walk.changes() == [
                StateChange("asking", "resourceArrived", "subscribing"),
                StateChange("subscribing", "confirmed with its channel", "loading"),
                StateChange("loading", "historyArrived with the first page", "connected"),
            ])
        let android = RoomPart(id: "lobby", try self.options(["platform": "android"]))
        #expect(
            TransitionWalk(android, state: \.state.rawValue, inputs: inputs).changes() == [
                StateChange("asking", "resourceArrived", "listening"),
                StateChange("listening", "pauseOver", "subscribing"),
                StateChange("subscribing", "confirmed with its channel", "loading"),
                StateChange("loading", "historyArrived with the first page", "loaded"),
                StateChange("loading", "historyArrived with the first page", "connected"),
                StateChange("loaded", "pauseOver", "connected"),
            ])
    }

    @Test("the rooms of a member", arguments: ["ios", "android"])
    func roomsPart(platform: String) throws {
        typealias Input = TransitionWalk<RoomsPart>.Input
        func place(_ rooms: RoomsPart) -> String { rooms.place(of: "lobby").rawValue }
        let walk = TransitionWalk(
            RoomsPart(try self.options(["platform": .string(platform)])), state: place,
            inputs: [
                Input("begin") { _ = try? $0.begin("lobby") },
                Input("show", if: { place($0) == "held" }) { $0.show("lobby") },
                Input("show another", if: { place($0) == "shown" }) { $0.show("other") },
                Input("close", if: { ["held", "shown"].contains(place($0)) }) { $0.close("lobby") },
                Input("drop") { $0.drop("lobby") },
            ])
        let end = platform == "android" ? "closed" : "unknown"
        var table: Set = [
            StateChange("unknown", "begin", "held"), StateChange("held", "show", "shown"),
            StateChange("shown", "show another", "held"), StateChange("held", "close", end),
            StateChange("shown", "close", end), StateChange("held", "drop", "unknown"),
            StateChange("shown", "drop", "unknown"),
        ]
        if platform == "android" {
            // A room that is held again keeps its former end.
            table.formUnion([
                StateChange("closed", "begin", "held"), StateChange("held", "drop", "closed"),
                StateChange("shown", "drop", "closed"),
            ])
        }
        #expect(walk.changes() == table)
    }

    @Test("which room a command means")
    func meantRoom() throws {
        var rooms = RoomsPart(try self.options(["platform": "android"]))
        #expect(throws: RoomsPart.Refusal.refused(RoomsPart.unconnected("say"))) { try rooms.meant(nil, by: "say") }
        _ = try rooms.begin("lobby")
        #expect(try rooms.meant(nil, by: "say").id == "lobby")
        _ = try rooms.begin("bar")
        #expect(throws: RoomsPart.Refusal.self) { try rooms.meant(nil, by: "say") }
        rooms.show("bar")
        #expect(try rooms.meant(nil, by: "say").id == "bar")
        #expect(try rooms.meant("lobby", by: "say").id == "lobby")
        rooms.close("bar")
        #expect(throws: RoomsPart.Refusal.told(.sessionClosed, room: "bar")) { try rooms.meant("bar", by: "say") }
        #expect(try rooms.meant(nil, by: "say").id == "lobby")
        rooms.close("lobby")
        #expect(throws: RoomsPart.Refusal.told(.sessionClosed, room: "lobby")) { try rooms.meant(nil, by: "say") }
        #expect(throws: RoomsPart.Refusal.told(.emptyRoomID, room: "")) { try rooms.begin("") }
    }

    @Test("how a room is connected")
    func connectingPart() {
        typealias Input = TransitionWalk<ConnectingPart>.Input
        func isAsking(_ part: ConnectingPart) -> Bool { part.state == .asking }
        let inputs = [
            Input("found", if: isAsking) { _ = $0.handle(.found(hasControlChannel: true)) },
            Input("found without a control channel", if: isAsking) {
                _ = $0.handle(.found(hasControlChannel: false))
            },
            Input("confirmed") { _ = $0.handle(.confirmed) },
            Input("pauseOver") { _ = $0.handle(.pauseOver) },
            Input("loaded", if: { $0.state == .loading }) { _ = $0.handle(.loaded) },
        ]
        let common: Set = [
            StateChange("asking", "found without a control channel", "subscribing"),
            StateChange("subscribing", "confirmed", "loading"), StateChange("loading", "loaded", "connected"),
        ]
        #expect(
            TransitionWalk(ConnectingPart(.iOS), state: \.state.rawValue, inputs: inputs).changes()
                == common.union([StateChange("asking", "found", "subscribing")]))
        #expect(
            TransitionWalk(ConnectingPart(.android), state: \.state.rawValue, inputs: inputs).changes()
                == common.union([
                    StateChange("asking", "found", "listening"), StateChange("listening", "pauseOver", "subscribing"),
                    StateChange("loading", "loaded", "loaded"), StateChange("loaded", "pauseOver", "connected"),
                ]))
        var room = ConnectingPart(.android)
        #expect(room.handle(.found(hasControlChannel: true)) == [.listen, .pause(.milliseconds(500))])
        #expect(room.handle(.pauseOver) == [.listen, .pause(.seconds(2))])
        #expect(room.handle(.confirmed) == [.load])
        #expect(room.handle(.loaded) == [])
        #expect(room.handle(.pauseOver) == [.handOut])
    }

    @Test("the pages of history")
    func historyPart() throws {
        typealias Input = TransitionWalk<HistoryPart>.Input
        let session = try self.session()
        let room = try RoomResource(
            ["channels": ["chat": ["pubnub": "c"]], "chatroom_messages_url": "http://live.test/messages"], of: "lobby")
        let something = Self.bytes(["results": [["id": "m", "message": "hello", "sender_id": "o"]]])
        let nothing = Self.bytes(["results": []])
        func arrived(_ part: inout HistoryPart, _ page: HistoryPage, _ body: [UInt8]) {
            _ = try? part.arrived(page, body, channel: "c")
        }
        func isLoading(_ part: HistoryPart) -> Bool { part.state == .loading }
        func isResting(_ part: HistoryPart) -> Bool { part.state == .resting }
        let walk = TransitionWalk(
            HistoryPart(of: "lobby", try self.options()), state: \.state.rawValue,
            inputs: [
                Input("asked for the next page") { _ = $0.handle(.asked(.next, of: room), session) },
                Input("asked for the next page without a URL", if: isResting) {
                    _ = $0.handle(.asked(.next, of: RoomResource()), session)
                },
                Input("asked for replies") { _ = $0.handle(.asked(.replies(to: "m"), of: room), session) },
                Input("arrived with the first page", if: isResting) { arrived(&$0, .initial, something) },
                Input("arrived with nothing, the first page", if: isResting) { arrived(&$0, .initial, nothing) },
                Input("arrived with the next page", if: isLoading) { arrived(&$0, .next, something) },
                Input("arrived with nothing", if: isLoading) { arrived(&$0, .next, nothing) },
                Input("arrived with replies") { arrived(&$0, .replies(to: "m"), nothing) },
                Input("arrived with no page") { arrived(&$0, .next, [1]) },
                Input("failed", if: isLoading) { _ = $0.handle(.failed(.next, .emptyAnswer), session) },
                Input("failed, the first page", if: isResting) {
                    _ = $0.handle(.failed(.initial, .emptyAnswer), session)
                },
                Input("failed, replies") { _ = $0.handle(.failed(.replies(to: "m"), .emptyAnswer), session) },
            ])
        #expect(
            walk.changes() == [
                StateChange("resting", "asked for the next page", "loading"),
                StateChange("resting", "arrived with nothing, the first page", "atStart"),
                StateChange("loading", "arrived with the next page", "resting"),
                StateChange("loading", "arrived with nothing", "atStart"), StateChange("loading", "failed", "resting"),
            ])
    }

    @Test("the reactions to a message")
    func reactions() {
        typealias Input = TransitionWalk<ReactionQueue>.Input
        let wish = ReactionQueue.Wish(reaction: "like", callback: "sendMessageReaction")
        func state(_ queue: ReactionQueue) -> String {
            var trial = queue
            let isFree = trial.handle(.wished(wish, isPublished: true), of: "m") != nil
            var other = queue
            let hasNext = other.handle(.ended, of: "m") != nil
            return isFree ? "free" : hasNext ? "waiting" : "busy"
        }
        let walk = TransitionWalk(
            ReactionQueue(), state: state,
            inputs: [
                Input("wished", if: { state($0) != "waiting" }) {
                    _ = $0.handle(.wished(wish, isPublished: true), of: "m")
                },
                Input("wished before it is published", if: { state($0) == "free" }) {
                    _ = $0.handle(.wished(wish, isPublished: false), of: "m")
                },
                Input("ended", if: { state($0) != "free" }) { _ = $0.handle(.ended, of: "m") },
                Input("published", if: { state($0) == "waiting" }) { _ = $0.handle(.published, of: "m") },
            ])
        #expect(
            walk.changes().isSuperset(of: [
                StateChange("free", "wished", "busy"), StateChange("busy", "wished", "waiting"),
                StateChange("free", "wished before it is published", "waiting"), StateChange("busy", "ended", "free"),
                StateChange("waiting", "ended", "busy"),
            ]))
        var renamed = ReactionQueue()
        #expect(renamed.handle(.wished(wish, isPublished: false), of: "own") == nil)
        renamed.rename("own", to: "m")
        #expect(renamed.handle(.published, of: "own") == nil)
        #expect(renamed.handle(.published, of: "m") == wish)
    }
}
