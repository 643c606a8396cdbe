import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import BoldChat

@Suite("The parts of a simulated account go through their transition tables, and through nothing else")
struct ServerPartTests {
    @Test("a chat")
    func chat() throws {
        typealias Input = TransitionWalk<ServerPartFixture>.Input
        func input(
            _ name: String, if isPossible: @escaping (ChatRecord) -> Bool = { _ in true }, _ input: ChatRecord.Input
        ) -> Input {
            Input(name, if: { isPossible($0.chat) }) { $0.tell(input) }
        }
        func call(_ method: RESTMethod, _ parameters: JSONObject = [:]) -> Input {
            Input(method.rawValue) { $0.call(method, parameters) }
        }
        let walk = TransitionWalk(
            try ServerPartFixture(), state: \.chat.state.rawValue,
            inputs: [
                input("queued", if: { $0.state == .preChat }, .queued),
                input("accepted", if: { $0.state == .waiting }, .accepted),
                input("ended", if: \.isLive, .ended(.operator)),
                input("leftQueue", if: { !$0.isLive }, .leftQueue), input("closed", if: { !$0.isLive }, .closed),
                call(.submitPreChat, ["Data": ["first_name": "Ada"]]),
                Input("submitPreChat, nobody can chat") { world in
                    _ = world.account.handle(.open(false))
                    world.call(.submitPreChat, ["Data": ["first_name": "Ada"]])
                    _ = world.account.handle(.open(true))
                },
                call(.cancelPreChat), call(.finishChat), call(.getUnavailableForm),
                call(.submitPostChat, ["Data": [:]]), call(.submitUnavailableEmail),
                call(.pingChat, ["Closed": "true"]),
            ])
        let over = ["pre_chat", "ended", "unavailable", "closed"]
        let endings = over.flatMap { state in
            [StateChange(state, "leftQueue", "unavailable"), StateChange(state, "closed", "closed")]
        }
        #expect(
            walk.changes()
                == Set(endings.filter { $0.from != $0.to }).union([
                    StateChange("pre_chat", "queued", "waiting"), StateChange("waiting", "accepted", "answered"),
                    StateChange("waiting", "ended", "ended"), StateChange("answered", "ended", "ended"),
                    StateChange("pre_chat", "cancelPreChat", "closed"),
                    StateChange("pre_chat", "submitPreChat, nobody can chat", "unavailable"),
                ]))
    }

    @Test("a chat takes messages of a visitor without end, and each of them once")
    func repetitions() {
        var transcript = ChatTranscript()
        for id in 0...ChatTranscript.limit {
            #expect(["\(id)", "\(id)"].map { transcript.isNew($0) } == [true, false])
        }
    }

    @Test("the answers to creations that may have been lost")
    func creations() throws {
        typealias Input = TransitionWalk<RepeatedCreations>.Input
        let random = RandomSource(seed: 1)
        let (ours, theirs) = (IdempotencyKey(call: 1, of: random), IdempotencyKey(call: 2, of: random))
        let walk = TransitionWalk(
            RepeatedCreations(), state: { $0.reply(to: ours) == ["ChatKey": "a"] ? "kept" : "forgotten" },
            inputs: [
                Input("keep") { $0.keep(["ChatKey": "a"], to: ours, chatKey: "a") },
                Input("keep without a key") { $0.keep(["ChatKey": "b"], to: nil, chatKey: "b") },
                Input("keep another's") { $0.keep(["ChatKey": "c"], to: theirs, chatKey: "c") },
                Input("forget") { $0.forget(chatKey: "a") }, Input("forget another's") { $0.forget(chatKey: "c") },
            ])
        #expect(
            walk.changes() == [StateChange("forgotten", "keep", "kept"), StateChange("kept", "forget", "forgotten")])
    }

    @Test("the desk and its queue")
    func desk() throws {
        typealias Input = TransitionWalk<ServerPartFixture>.Input
        func input(
            _ name: String, if isPossible: @escaping (ServerPartFixture) -> Bool = { _ in true },
            _ input: @escaping (String) -> DeskPart.Input
        ) -> Input {
            Input(name, if: isPossible) { $0.feedDesk(input($0.key)) }
        }
        func has(_ agent: String) -> (ServerPartFixture) -> Bool {
            { $0.chat.isLive && $0.chat.service.agent == agent }
        }
        let inputs = [
            input("chatWaiting", if: { $0.chat.state == .preChat }, { .chatWaiting($0) }),
            input("acceptAsked", { _ in .acceptAsked(nil, by: "Sam") }),
            input("transferred", if: has("Sam"), { .transferred($0, from: "Sam", to: "Kim") }),
            input("transferred back", if: has("Kim"), { .transferred($0, from: "Kim", to: "Sam") }),
            input("ended", { .ended($0, .operator) }), input("queueDismissed", { _ in .queueDismissed(.operator) }),
            input("visitorArrived", { .visitorArrived($0) }),
            input("queueMoved", if: \.desk.isQueueMoving, { _ in .queueMoved }),
            input("typed", { .typed(true, in: $0, by: "Sam") }), input("said", { .said("hello", in: $0, by: "Sam") }),
            input("queueSet 0", { _ in .queueSet(ahead: 0) }), input("queueSet 2", { _ in .queueSet(ahead: 2) }),
        ]
        let start = try ServerPartFixture(agents: ["Sam", "Kim"])
        let places = TransitionWalk(
            start,
            state: { world in
                if world.desk.waiting.contains(world.key) { return "in the queue" }
                guard world.chat.isLive, let agent = world.chat.service.agent else { return "elsewhere" }
                return "with \(agent)"
            }, inputs: inputs)
        let ends = ["in the queue", "with Sam", "with Kim"].map { StateChange($0, "ended", "elsewhere") }
        #expect(
            places.changes()
                == Set(ends).union([
                    StateChange("elsewhere", "chatWaiting", "in the queue"),
                    StateChange("elsewhere", "chatWaiting", "with Sam"),
                    StateChange("in the queue", "acceptAsked", "with Sam"),
                    StateChange("in the queue", "queueDismissed", "elsewhere"),
                    StateChange("with Sam", "transferred", "with Kim"),
                    StateChange("with Kim", "transferred back", "with Sam"),
                ]))
        let queue = TransitionWalk(
            start, state: { $0.desk.isQueueMoving ? "moving" : "resting" }, inputs: inputs)
        #expect(
            queue.changes() == [
                StateChange("resting", "visitorArrived", "moving"), StateChange("resting", "queueSet 2", "moving"),
                StateChange("moving", "queueMoved", "resting"),
            ])
    }

    @Test("an agent who has as many chats as he can have is refused another one")
    func capacity() throws {
        var world = try ServerPartFixture(agents: ["Sam"])
        world.feedDesk(.capacitySet(1, of: "Sam"))
        world.feedDesk(.chatWaiting(world.key))
        let first = world.feedDesk(.acceptAsked(nil, by: "Sam"))
        #expect(!first.contains { $0.isRefusal })
        let second = world.feedDesk(.acceptAsked(nil, by: "Sam"))
        #expect(second.contains { $0.isRefusal })
    }

    @Test("a visitor whom an agent waits for takes a place; who has none is refused, and waits on if it is taken away")
    func reservations() throws {
        var world = try ServerPartFixture(agents: ["Sam", "Kim"])
        world.feedDesk(.capacitySet(1, of: "Sam"))
        #expect(world.feedDesk(.acceptAsked(nil, by: "Sam")).isEmpty)
        #expect(world.feedDesk(.acceptAsked(nil, by: "Sam")).contains { $0.isRefusal })
        #expect(world.desk.agents["Sam"]?.reservations.count == 1)
        world.feedDesk(.capacitySet(0, of: "Sam"))
        world.feedDesk(.chatWaiting(world.key))
        #expect(world.desk.waiting == [world.key])
        world.feedDesk(.capacitySet(1, of: "Sam"))
        #expect(world.desk.waiting.isEmpty)
        #expect(world.chat.service.agent == "Sam")
        world.feedDesk(.capacitySet(0, of: "Kim"))
        let transfer = world.feedDesk(.transferred(world.key, from: "Sam", to: "Kim"))
        #expect(transfer.contains { $0.isRefusal })
        #expect(world.chat.service.agent == "Sam")
    }

    @Test("whoever gives a chat away has the visitor who waited for room")
    func roomByTransfer() throws {
        var world = try ServerPartFixture(agents: ["Sam", "Kim"])
        let other = world.addChat()
        world.feedDesk(.chatWaiting(world.key))
        world.feedDesk(.acceptAsked(nil, by: "Sam"))
        world.feedDesk(.acceptAsked(nil, by: "Sam"))
        world.feedDesk(.capacitySet(1, of: "Sam"))
        world.feedDesk(.chatWaiting(other))
        #expect(world.desk.waiting == [other])
        world.feedDesk(.transferred(world.key, from: "Sam", to: "Kim"))
        #expect(world.desk.waiting.isEmpty)
        #expect(world.desk.agents["Sam"]?.chats == [other])
        #expect(world.desk.agents["Sam"]?.reservations.isEmpty == true)
        #expect(world.chat.service.agent == "Kim")
    }

    @Test("whoever is sent away from the queue with all others does not move up before")
    func dismissal() throws {
        var world = try ServerPartFixture(["queue": 0], agents: ["Sam"])
        let keys = [world.key] + [world.addChat(), world.addChat()]
        for key in keys { world.feedDesk(.chatWaiting(key)) }
        #expect(world.chats[keys[2]]?.service.position == 2)
        let methods = world.feedDesk(.queueDismissed(.operator)).compactMap { action in
            if case .send(let method, _, _) = action { method } else { nil }
        }
        #expect(methods == ["updateChat", "updateChat", "updateChat"])
        #expect(world.desk.waiting.isEmpty)
        #expect(keys.allSatisfy { world.chats[$0]?.isLive == false && world.chats[$0]?.service.position == nil })
    }

    @Test("the event stream of a chat")
    func stream() throws {
        typealias Input = TransitionWalk<ServerPartFixture>.Input
        func state(_ world: ServerPartFixture) -> String {
            guard let stream = world.stream.streams[world.key] else { return "none" }
            if stream.poll != nil { return "polling" }
            if stream.socket != nil { return stream.isGreeted ? "listening" : "opened" }
            return stream.isGreeted ? "between polls" : "away"
        }
        func hasSocket(_ world: ServerPartFixture) -> Bool { ["opened", "listening"].contains(state(world)) }
        func input(
            _ name: String, if isPossible: @escaping (ServerPartFixture) -> Bool = { _ in true },
            _ input: @escaping (ServerPartFixture) -> EventStreamPart.Input
        ) -> Input {
            Input(name, if: isPossible) { $0.feedStream(input($0)) }
        }
        let walk = TransitionWalk(
            try ServerPartFixture(), state: state,
            inputs: [
                Input("socketOpened", if: { state($0) != "polling" }) { world in
                    world.number += 1
                    world.feedStream(.socketAsked(world.key))
                    world.feedStream(.socketOpened(ConnectionID(world.number), of: world.key))
                },
                input("greeted", if: hasSocket) { .greeted(ConnectionID($0.number), OSSCall(method: "connect")) },
                input("socketClosed", if: hasSocket) { .socketClosed(ConnectionID($0.number)) },
                Input("polled", if: { !hasSocket($0) }) { world in
                    world.number += 1
                    let last = world.stream.eventNumbers.last
                    world.feedStream(.polled(ExchangeID(world.number), of: world.key, after: last))
                },
                input("pollDue") { .pollDue(ExchangeID($0.number)) },
                input("pollAbandoned") { .pollAbandoned(ExchangeID($0.number)) },
                input("event") { .event("updateBusy", [:], of: $0.key) },
                input("signal") { .signal("reconnect", [:], of: $0.key) }, input("dropped") { .dropped($0.key) },
                input("heartbeatDue") { _ in .heartbeatDue }, input("restarted") { .restarted([], of: $0.key) },
                input("left") { .left($0.key) }, input("text") { .text("no frame", of: $0.key) },
            ])
        let opened = ["away", "listening", "between polls"].map { StateChange($0, "socketOpened", "opened") }
        let lost = ["opened", "listening"].flatMap { state in
            ["socketClosed", "dropped"].map { StateChange(state, $0, "away") }
        }
        let told = ["pollDue", "pollAbandoned", "event", "signal", "dropped"].map {
            StateChange("polling", $0, "between polls")
        }
        #expect(
            walk.changes()
                == Set(opened + lost + told).union([
                    StateChange("opened", "greeted", "listening"), StateChange("away", "polled", "between polls"),
                    StateChange("between polls", "polled", "polling"),
                ]))
    }

    @Test("faults")
    func faults() {
        typealias Input = TransitionWalk<FaultPart>.Input
        let poll = FaultPart.Delayed.poll(ExchangeID(1), query: [:])
        func isAtRest(_ part: FaultPart) -> Bool {
            var copy = part
            return part.delayed.isEmpty && !part.blocksSockets && copy.take(for: "createChat") == nil
        }
        func answering(_ fault: Fault?) -> FaultPart.Input {
            .answering(OSSCall(method: "sendMessage"), [:], fault, ConnectionID(1))
        }
        let walk = TransitionWalk(
            FaultPart(),
            state: { part in
                var copy = part
                let states = [
                    copy.take(for: "createChat") == nil ? nil : "ordered", part.delayed.isEmpty ? nil : "kept back",
                    part.blocksSockets ? "blocked" : nil,
                ]
                return states.compactMap(\.self).joined(separator: ", ")
            },
            inputs: [
                Input("ordered", if: { $0.blocksSockets == false && $0.delayed.isEmpty }) { part in
                    var copy = part
                    guard copy.take(for: "createChat") == nil else { return }
                    _ = part.handle(.ordered(.drop, method: "createChat", times: 1))
                },
                Input("ordered what there is not") { _ = $0.handle(.ordered(.drop, method: "dance", times: 1)) },
                Input("taken") { _ = $0.take(for: "createChat") },
                Input("delayed", if: isAtRest) { _ = $0.handle(.delayed(poll, .seconds(1))) },
                Input("responding") { _ = $0.handle(.responding(ExchangeID(2), Response(json: [:]), nil)) },
                Input("responding late", if: isAtRest) {
                    _ = $0.handle(.responding(ExchangeID(2), Response(json: [:]), .delay(.seconds(1))))
                },
                Input("answering") { _ = $0.handle(answering(.malformed)) },
                Input("answering late", if: isAtRest) { _ = $0.handle(answering(.delay(.seconds(1)))) },
                Input("due") { part in for number in part.delayed.numbers { _ = part.handle(.due(number)) } },
                Input("pollAbandoned") { _ = $0.handle(.pollAbandoned(ExchangeID(1))) },
                Input("another pollAbandoned") { _ = $0.handle(.pollAbandoned(ExchangeID(2))) },
                Input(
                    "socketsBlocked",
                    if: { part in
                        var copy = part
                        return part.delayed.isEmpty && copy.take(for: "createChat") == nil
                    }
                ) { _ = $0.handle(.socketsBlocked(true)) },
                Input("socketsBlocked no more") { _ = $0.handle(.socketsBlocked(false)) },
            ])
        #expect(
            walk.changes() == [
                StateChange("", "ordered", "ordered"), StateChange("ordered", "taken", ""),
                StateChange("", "delayed", "kept back"), StateChange("kept back", "due", ""),
                StateChange("", "responding late", "kept back"), StateChange("", "answering late", "kept back"),
                StateChange("kept back", "pollAbandoned", ""), StateChange("", "socketsBlocked", "blocked"),
                StateChange("blocked", "socketsBlocked no more", ""),
            ])
    }

    @Test("browsing together, remote control and video")
    func assist() throws {
        typealias Input = TransitionWalk<ServerPartFixture>.Input
        func input(_ name: String, _ input: @escaping (AssistPart) -> AssistPart.Input) -> Input {
            Input(name) { $0.assist(input($0.chat.assist)) }
        }
        func browsing(_ method: RESTMethod) -> (AssistPart) -> AssistPart.Input {
            { .called(method, ["ActiveAssistID": .string($0.activeAssistID ?? "")]) }
        }
        func control(_ method: RESTMethod) -> (AssistPart) -> AssistPart.Input {
            { .called(method, ["RCHistoryID": .string($0.remoteControlID ?? "")]) }
        }
        let inputs = [
            input("invited") { _ in .invited }, input("inviteEnded") { _ in .inviteEnded },
            input("browsing accepted", browsing(.acceptActiveAssist)),
            input("browsing declined", browsing(.declineActiveAssist)),
            input("browsing canceled", browsing(.cancelActiveAssist)),
            input("started") { _ in .controlSent(.started) }, input("ended") { _ in .controlSent(.ended) },
            input("control accepted", control(.acceptRemoteControlSession)),
            input("control declined", control(.declineRemoteControlSession)),
            input("video 0") { _ in .videoSet(0) }, input("video 2") { _ in .videoSet(2) },
            input("video accepted") { _ in .called(.acceptVideoSession, [:]) },
            input("video declined") { _ in .called(.declineVideoSession, [:]) },
        ]
        let start = try ServerPartFixture()
        func changes(_ state: @escaping (AssistPart) -> String) -> Set<StateChange> {
            TransitionWalk(start, state: { state($0.chat.assist) }, inputs: inputs).changes()
        }
        #expect(
            changes { $0.activeAssistID == nil ? "none" : "offered" } == [
                StateChange("none", "invited", "offered"), StateChange("offered", "inviteEnded", "none"),
                StateChange("offered", "browsing declined", "none"),
                StateChange("offered", "browsing canceled", "none"),
            ])
        #expect(
            changes { $0.remoteControlID == nil ? "none" : "offered" } == [
                StateChange("none", "started", "offered"), StateChange("offered", "ended", "none"),
                StateChange("offered", "control declined", "none"),
            ])
        let set = [("0", "2"), ("4", "2"), ("6", "2"), ("2", "0"), ("4", "0"), ("6", "0")]
        #expect(
            changes { "\($0.videoStatus)" }
                == Set(set.map { StateChange($0.0, "video \($0.1)", $0.1) }).union([
                    StateChange("2", "video accepted", "4"), StateChange("2", "video declined", "6"),
                ]))
    }

    @Test("a file of a visitor")
    func uploads() throws {
        typealias Input = TransitionWalk<ServerPartFixture>.Input
        func request(_ method: HTTPRequest.Method, _ members: JSONObject = [:]) -> Request {
            let head = HTTPRequest(method: method, scheme: "http", authority: "desk.test", path: "/")
            return Request(head, body: JSONWriter.write(.object(members)))
        }
        func announce(_ name: String, settings: JSONObject = ["EnableFileTransfer": true]) -> Input {
            Input(name, if: { $0.uploads.files.isEmpty }) { world in
                let members: JSONObject = [
                    "chatId": .string(world.chat.id), "clientId": .string(world.chat.clientID), "fileName": "a.txt",
                ]
                world.upload("", request(.post, members), settings: settings)
            }
        }
        let walk = TransitionWalk(
            try ServerPartFixture(), state: { $0.uploads.files.isEmpty ? "none" : "expected" },
            inputs: [
                Input("the chat begins", if: { !$0.chat.isLive }) { $0.tell(.queued) },
                announce("announced"), announce("announced though forbidden", settings: [:]),
                Input("sent") { $0.upload("/" + ($0.uploads.files.keys.first ?? "x"), request(.post)) },
                Input("published") { $0.upload("/" + ($0.uploads.files.keys.first ?? "x"), request(.put)) },
                Input("published another") { $0.upload("/y", request(.put)) },
                Input("chatForgotten") { $0.forget($0.key) }, Input("another chatForgotten") { $0.forget("z") },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "announced", "expected"), StateChange("expected", "published", "none"),
                StateChange("expected", "chatForgotten", "none"),
            ])
    }

    @Test("the hours of an account")
    func hours() throws {
        typealias Input = TransitionWalk<Account>.Input
        let visit = Account.Visit(visitorID: "v", departmentID: "7", secured: nil)
        // The fourth of January 1970, a Sunday, at ten.
        let moment = ServerMoment(milliseconds: (3 * 24 + 10) * 3_600_000)
        func input(_ name: String, _ setting: AccountSetting) -> Input {
            Input(name) { _ = $0.handle(setting) }
        }
        let walk = TransitionWalk(
            try Account(["departments": [["id": "7"]]]),
            state: { $0.obstacle(for: visit, queueLength: 0, at: moment)?.rawValue ?? "possible" },
            inputs: [
                input("open", .open(true)), input("closed", .open(false)),
                input("hours until nine", .hours(["from": "08:00", "to": "09:00"])),
                input("hours until eleven", .hours(["from": "08:00", "to": "11:00"])),
                input("no hours", .hours(["from": "late"])),
            ])
        #expect(
            walk.changes() == [
                StateChange("possible", "closed", "outside_hours"),
                StateChange("possible", "hours until nine", "outside_hours"),
                StateChange("outside_hours", "open", "possible"),
                StateChange("outside_hours", "hours until eleven", "possible"),
            ])
    }

    @Test("who can chat is a matter of operators, of the department, of the visitor and of the length of the queue")
    func obstacles() throws {
        let visit = Account.Visit(visitorID: "v", departmentID: "7", secured: nil)
        func obstacle(_ settings: [AccountSetting], queueLength: Int = 0) throws -> UnavailableReason? {
            var account = try Account(["departments": [["id": "7"]], "queue_limit": 2])
            for setting in settings { _ = account.handle(setting) }
            return account.obstacle(for: visit, queueLength: queueLength, at: ServerMoment(milliseconds: 0))
        }
        #expect(try obstacle([]) == nil)
        #expect(try obstacle([.operators(false)]) == .noOperators)
        #expect(try obstacle([.department(id: "7", isOnline: false)]) == .noOperators)
        #expect(try obstacle([.blocked(id: "v", true)]) == .visitorBlocked)
        #expect(try obstacle([.blocked(id: "v", true), .blocked(id: "v", false)]) == nil)
        #expect(try obstacle([], queueLength: 2) == .queueFull)
    }
}

extension ServerAction {
    fileprivate var isRefusal: Bool {
        if case .answer(.refused) = self { true } else { false }
    }
}
