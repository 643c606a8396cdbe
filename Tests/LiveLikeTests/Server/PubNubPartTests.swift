import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("The parts that answer requests go through their transition tables, and through nothing else")
struct PubNubPartTests {
    @Test("the message carrier")
    func pubNub() throws {
        struct Walked {
            var part: PubNubPart
            var seconds: Int64 = 1
            var count: UInt64 = 0

            var now: Instant { ServerFixture.moment(self.seconds).now }

            mutating func subscribe(after ticks: Int64) {
                self.count += 1
                let path = "/v2/subscribe/sub-c-repartee/room/0?tt=\(ticks)"
                _ = self.part.handle(ServerFixture.call(path, exchange: self.count, at: self.seconds))
            }
        }
        typealias Input = TransitionWalk<Walked>.Input
        let start = Walked(part: PubNubPart(try ServerFixture.options(["hold": 100]), epochMilliseconds: 0))
        func isHolding(_ walked: Walked) -> Bool { walked.part.state == .holding }
        let walk = TransitionWalk(
            start, state: \.part.state.rawValue,
            inputs: [
                Input("called to subscribe") { $0.subscribe(after: 0) },
                Input("called to subscribe without news") { $0.subscribe(after: Int64.max / 2) },
                Input("called to publish") {
                    let path = "/publish/pub-c-repartee/sub-c-repartee/0/chatroom.room/0/%7B%7D"
                    _ = $0.part.handle(ServerFixture.call(path, at: $0.seconds))
                },
                Input("published") {
                    _ = $0.part.handle(.published(Publication(["event": "x"], on: "room"), now: $0.now))
                },
                Input("abandoned") { _ = $0.part.handle(.abandoned(ExchangeID($0.count), now: $0.now)) },
                Input("dropAsked") { _ = $0.part.handle(.dropAsked) },
                Input("removed") { _ = $0.part.handle(.removed(channel: "room", TimeToken(ticks: 1))) },
                Input("holdElapsed, others still wait", if: { isHolding($0) && $0.part.log.waitingCount > 0 }) {
                    _ = $0.part.handle(.holdElapsed(now: $0.now))
                },
                Input("holdElapsed, nobody waits any more", if: isHolding) {
                    $0.seconds += 200
                    _ = $0.part.handle(.holdElapsed(now: $0.now))
                },
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "called to subscribe without news", "holding"),
                StateChange("holding", "holdElapsed, nobody waits any more", "idle"),
            ])
    }

    @Test("those who wait hear what is published, and when their time is over an empty answer")
    func waiting() throws {
        var part = PubNubPart(try ServerFixture.options(["hold": 100]), epochMilliseconds: 0)
        func subscribe(_ exchange: UInt64, _ channel: String) -> [ServiceAction] {
            part.handle(
                ServerFixture.call(
                    "/v2/subscribe/sub-c-repartee/\(channel)/0?tt=\(Int64.max / 2)", exchange: exchange))
        }
        #expect(subscribe(1, "room") == [.perform(.setTimer(.hold, .seconds(100)))])
        #expect(subscribe(2, "hall") == [])
        let heard = part.handle(.published(Publication(["event": "x"], on: "room"), now: .start))
        guard case .respond(ExchangeID(1), let response) = heard.first else {
            Issue.record("nobody heard it")
            return
        }
        #expect(String(decoding: response.body, as: UTF8.self).contains(#""d":{"event":"x"}"#))
        let due = part.handle(.holdElapsed(now: ServerFixture.moment(100).now))
        guard case .respond(ExchangeID(2), let empty) = due.first, due.count == 1 else {
            Issue.record("the other was not answered")
            return
        }
        #expect(String(decoding: empty.body, as: UTF8.self).hasSuffix(#""m":[]}"#))
    }

    private static func body(_ actions: [ServiceAction]) -> JSONValue? {
        actions.lazy.compactMap { action in
            switch action {
            case .answer(let answer): try? JSONReader.read(answer.response.body)
            case .respond(_, let response): try? JSONReader.read(response.body)
            default: nil
            }
        }.first
    }

    @Test("a message is published by the path or by the body")
    func publishByBody() throws {
        var part = PubNubPart(try ServerFixture.options(), epochMilliseconds: 0)
        let message: JSONValue = ["event": "message-created", "payload": ["id": "m", "message": "hello"]]
        let path = "/publish/pub-c-repartee/sub-c-repartee/0/chatroom.room/0"
        let posted = part.handle(ServerFixture.call(path, .post, body: message))
        let envelope = try Envelope(message)
        #expect(posted == [.takeDirectly(DirectMessage(envelope: envelope, channel: "chatroom.room", profile: "p"))])
        #expect(
            part.handle(ServerFixture.call(path)).contains { if case .takeDirectly = $0 { true } else { false } }
                == false)
    }

    @Test(
        "messages are counted after one token, or on each channel after its own",
        arguments: [
            ("timetoken=0", [3, 3]), ("timetoken=25000000", [1, 1]), ("channelsTimetoken=25000000", [1, 1]),
            ("channelsTimetoken=0,25000000", [3, 1]), ("channelsTimetoken=0,0,0", nil), ("", nil),
            ("timetoken=now", nil), ("channelsTimetoken=", nil),
        ] as [(String, [Int64]?)])
    func counts(query: String, expected: [Int64]?) throws {
        var part = PubNubPart(try ServerFixture.options(), epochMilliseconds: 0)
        for second: Int64 in 1...3 {
            for channel in ["room", "hall"] {
                let publication = Publication(["event": "x"], on: channel)
                _ = part.handle(.published(publication, now: ServerFixture.moment(second).now))
            }
        }
        let path = "/v3/history/sub-key/sub-c-repartee/message-counts/room,hall?\(query)"
        let answer = Self.body(part.handle(ServerFixture.call(path)))
        let counts = ["room", "hall"].compactMap { answer?["channels"]?[$0]?.integer }
        #expect(counts == expected ?? [])
        if expected == nil { #expect(answer?.description.contains("Invalid Arguments") == true) }
    }

    @Test(
        "a page that the carrier's own limit cuts off says where it goes on",
        arguments: [(24, nil), (25, nil), (40, 15)])
    func cutPage(wanted: Int, rest: Int64?) throws {
        var part = PubNubPart(try ServerFixture.options(), epochMilliseconds: 0)
        for _ in 0..<30 { _ = part.handle(.published(Publication(["event": "x"], on: "room"), now: .start)) }
        let path = "/v3/history-with-actions/sub-key/sub-c-repartee/channel/room"
        let page = Self.body(part.handle(ServerFixture.call("\(path)?max=\(wanted)")))
        #expect(page?["more"]?["max"]?.integer == rest)
        guard rest != nil else { return }
        #expect(page?["more"]?["start"] == page?["channels"]?["room"]?[0]?["timetoken"])
        let url = try #require(page?["more"]?["url"]?.string)
        let last = Self.body(part.handle(ServerFixture.call(url)))
        #expect(last?["channels"]?["room"]?.array?.count == 5)
        #expect(last?["more"] == nil)
    }

    @Test("the rest of a page that was cut off ends where the whole was to end")
    func endOfCutPage() throws {
        var part = PubNubPart(try ServerFixture.options(), epochMilliseconds: 0)
        for second: Int64 in 1...60 {
            let publication = Publication(["event": "x"], on: "room")
            _ = part.handle(.published(publication, now: ServerFixture.moment(second).now))
        }
        let path = "/v3/history-with-actions/sub-key/sub-c-repartee/channel/room"
        let page = Self.body(part.handle(ServerFixture.call("\(path)?max=50&end=310000000")))
        #expect(page?["channels"]?["room"]?.array?.count == 25)
        let url = try #require(page?["more"]?["url"]?.string)
        let rest = Self.body(part.handle(ServerFixture.call(url)))
        #expect(rest?["channels"]?["room"]?.array?.first?["timetoken"] == "00000000310000000")
        #expect(rest?["channels"]?["room"]?.array?.count == 5)
    }

    @Test("the history says what was published beside a message to who asks for it, and only then")
    func meta() throws {
        var part = PubNubPart(try ServerFixture.options(), epochMilliseconds: 0)
        var publication = Publication(["event": "x"], on: "room")
        publication.senderID = "p"
        publication.filter = "filtered"
        _ = part.handle(.published(publication, now: .start))
        for kind in ["history", "history-with-actions"] {
            func item(_ query: String) -> JSONValue? {
                let path = "/v3/\(kind)/sub-key/sub-c-repartee/channel/room\(query)"
                return Self.body(part.handle(ServerFixture.call(path)))?["channels"]?["room"]?[0]
            }
            #expect(item("?include_meta=true")?["meta"] == ["sender_id": "p", "content_filter": "filtered"])
            #expect(item("")?["meta"] == nil && item("?include_meta=false")?["message"] != nil)
        }
    }

    @Test("what is published to be kept nowhere reaches who listens, and stands in no history")
    func unstored() throws {
        var part = PubNubPart(try ServerFixture.options(), epochMilliseconds: 0)
        let envelope: JSONValue = ["event": "message-created", "payload": ["id": "m", "message": "hi"]]
        let key = "/publish/pub-c-repartee/sub-c-repartee/0/chatroom.lobby/0"
        func publish(_ query: String) throws {
            let actions = part.handle(ServerFixture.call(key + query, .post, body: envelope))
            guard case .takeDirectly(let message)? = actions.first else { throw CommandError("not taken: \(actions)") }
            let publication = message.publication(in: "lobby", by: "p", isShadowMuted: false)
            _ = part.handle(.published(publication, now: ServerFixture.moment(1).now))
        }
        let channels = "sub-c-repartee/chatroom.lobby/0"
        try publish("?store=0")
        let path = "/v3/history/sub-key/sub-c-repartee/channel/chatroom.lobby"
        #expect(Self.body(part.handle(ServerFixture.call(path)))?["channels"] == [:])
        let heard = Self.body(part.handle(ServerFixture.call("/v2/subscribe/\(channels)?tt=1")))
        #expect(heard?["m"]?[0]?["d"]?["payload"]?["message"] == "hi")
        try publish("?store=1")
        try publish("")
        let kept = Self.body(part.handle(ServerFixture.call(path)))
        #expect(kept?["channels"]?["chatroom.lobby"]?.array?.count == 2)
    }

    @Test("the history of several channels has each that has messages")
    func historyOfChannels() throws {
        var part = PubNubPart(try ServerFixture.options(), epochMilliseconds: 0)
        for channel in ["room", "hall"] {
            for _ in 0..<30 { _ = part.handle(.published(Publication(["event": "x"], on: channel), now: .start)) }
        }
        func counts(_ channels: String) -> [String: Int] {
            let answer = part.handle(ServerFixture.call("/v3/history/sub-key/sub-c-repartee/channel/\(channels)"))
            let pages = Self.body(answer)?["channels"]?.object ?? [:]
            return Dictionary(uniqueKeysWithValues: pages.map { ($0.0, $0.1.array?.count ?? 0) })
        }
        #expect(counts("room") == ["room": 30])
        #expect(counts("room,hall,yard") == ["room": 25, "hall": 25])
    }

    @Test("a list of actions is of those between two of them, the newest ones if there are too many")
    func actionList() throws {
        var part = PubNubPart(try ServerFixture.options(), epochMilliseconds: 0)
        _ = part.handle(.published(Publication(["event": "x"], on: "room"), now: .start))
        let message = part.log.lastToken.text
        let path = "/v1/message-actions/sub-c-repartee/channel/room"
        var tokens: [String] = []
        for value in ["a", "b", "c", "d"] {
            let action: JSONValue = ["type": "rc", "value": .string(value)]
            let answer = part.handle(ServerFixture.call(path + "/message/\(message)", .post, body: action))
            tokens.append(Self.body(answer)?["data"]?["actionTimetoken"]?.string ?? "")
        }
        func values(_ query: String) -> [String] {
            let data = Self.body(part.handle(ServerFixture.call(path + query)))?["data"]?.array ?? []
            return data.compactMap { $0["value"]?.string }
        }
        #expect(values("") == ["a", "b", "c", "d"])
        #expect(values("?limit=2") == ["c", "d"])
        #expect(values("?limit=1&start=\(tokens[2])") == ["b"])
        #expect(values("?start=\(tokens[3])&end=\(tokens[1])") == ["b", "c"])
    }

    @Test("a channel that is named twice is heard once")
    func repeatedChannel() throws {
        var part = PubNubPart(try ServerFixture.options(["hold": 100]), epochMilliseconds: 0)
        func subscribe(after ticks: Int64) -> [ServiceAction] {
            part.handle(ServerFixture.call("/v2/subscribe/sub-c-repartee/room,room/0?tt=\(ticks)"))
        }
        _ = subscribe(after: Int64.max / 2)
        #expect(part.handle(.published(Publication(["event": "x"], on: "room"), now: .start)).count == 1)
        guard case .respond(_, let response) = subscribe(after: 1).first else {
            Issue.record("there is something new")
            return
        }
        #expect(try JSONReader.read(response.body)["m"]?.array?.count == 1)
    }

    @Test("a channel on which nothing was published is forgotten with the last one who waits")
    func channels() throws {
        var part = PubNubPart(try ServerFixture.options(["hold": 100]), epochMilliseconds: 0)
        _ = part.handle(.published(Publication(["event": "x"], on: "room"), now: .start))
        for (exchange, channels) in [(1, "room,hall"), (2, "hall,yard")] as [(UInt64, String)] {
            let path = "/v2/subscribe/sub-c-repartee/\(channels)/0?tt=\(Int64.max / 2)"
            _ = part.handle(ServerFixture.call(path, exchange: exchange))
        }
        #expect(part.log.channels.keys.sorted() == ["hall", "room", "yard"])
        _ = part.handle(.abandoned(ExchangeID(2), now: .start))
        #expect(part.log.channels.keys.sorted() == ["hall", "room"])
        _ = part.handle(.holdElapsed(now: ServerFixture.moment(100).now))
        #expect(part.log.channels.keys.sorted() == ["room"])
    }

    @Test("the answers")
    func responses() throws {
        struct Walked {
            var part: ResponsePart
            var random = RandomSource(seed: 1)
            var waiting: [UInt64] = []

            mutating func handle(_ input: ResponsePart.Input) {
                for effect in self.part.handle(input, random: &self.random) {
                    if case .setTimer(.answer(let number), _) = effect { self.waiting.append(number) }
                }
            }
        }
        typealias Input = TransitionWalk<Walked>.Input
        func give(_ latency: Duration, loss: Double = 0) -> (inout Walked) -> Void {
            { walked in
                walked.handle(.latencySet(latency, jitter: latency))
                walked.handle(.lossSet(loss))
                walked.handle(.given(ExchangeID(1), Response(text: "hello", status: .ok)))
            }
        }
        let walk = TransitionWalk(
            Walked(part: ResponsePart(try ServerFixture.options())),
            state: { $0.part.delayed.isEmpty ? "prompt" : "late" },
            inputs: [
                Input("given without latency", act: give(.zero)),
                Input("given with latency", if: { $0.waiting.isEmpty }, act: give(.seconds(1))),
                Input("given, lost by chance", act: give(.seconds(1), loss: 1)),
                Input("due", if: { !$0.waiting.isEmpty }) { $0.handle(.due($0.waiting.removeLast())) },
                Input("due of nothing") { $0.handle(.due(1_000)) },
            ])
        #expect(
            walk.changes() == [
                StateChange("prompt", "given with latency", "late"), StateChange("late", "due", "prompt"),
            ])
    }

    private static func fault(_ outcome: FaultPart.Outcome, count: Int64 = 1) -> FaultPart.Fault {
        FaultPart.Fault(path: "/profile", outcome: outcome, count: count)
    }

    @Test(
        "what a script says is answered as it stands",
        arguments: [
            (nil, []), ("<html>", Array("<html>".utf8)), (["id": 5], Array(#"{"id":5}"#.utf8)),
            (.null, Array("null".utf8)),
        ] as [(JSONValue?, [UInt8])])
    func answers(body: JSONValue?, bytes: [UInt8]) throws {
        var part = FaultPart()
        _ = part.handle(.prepared(Self.fault(.answer(body, status: .accepted))))
        guard
            case .respond(ExchangeID(7), let response)? = part.handle(
                .requested(ExchangeID(7), path: "/profile")
            ).first
        else {
            Issue.record("nothing is answered")
            return
        }
        #expect(response.body == bytes)
        #expect(response.head.status == .accepted)
    }

    @Test("the prepared failures")
    func failures() {
        typealias Input = TransitionWalk<FaultPart>.Input
        func fault(_ status: Int, count: Int64 = 1) -> FaultPart.Input {
            .prepared(Self.fault(status == 0 ? .drop : .refusal(status: status, detail: "no"), count: count))
        }
        let walk = TransitionWalk(
            FaultPart(), state: { $0.faults.isEmpty ? "none" : "prepared" },
            inputs: [
                Input("prepared", if: { $0.faults.isEmpty }) { _ = $0.handle(fault(500)) },
                Input("requested") { _ = $0.handle(.requested(ExchangeID(1), path: "/api/v1/profile/")) },
                Input("requested otherwise") { _ = $0.handle(.requested(ExchangeID(1), path: "/time/0")) },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "prepared", "prepared"), StateChange("prepared", "requested", "none"),
            ])
        var part = FaultPart()
        _ = part.handle(fault(503, count: 2))
        _ = part.handle(fault(0))
        let request = FaultPart.Input.requested(ExchangeID(7), path: "/profile")
        #expect(part.orders.idle == [1, 2])
        #expect(part.handle(request) == [.answer(.error(503, "no"))])
        #expect(part.orders.idle == [2], "the first has struck, though not for the last time")
        #expect(part.handle(request) == [.answer(.error(503, "no"))])
        #expect(part.handle(request) == [.perform(.drop(ExchangeID(7)))])
        #expect(part.orders.idle == [])
        #expect(part.handle(request) == [])
    }

    @Test(
        "a path that no request can have is told with what was meant",
        arguments: [
            ("/mesages", "\"mesages\""), ("", "a part of the path"), ("//", "a part of the path"),
            ("/chatrom-messages", "did you mean \"chatroom-messages\"?"),
            ("/v2/subscirbe", "did you mean \"subscribe\"?"), ("/sticker", nil), ("message-actions", nil),
            ("/chat-rooms/fans/memberships/", nil), ("/api/v1/profile", nil), ("lobby", nil),
            ("/v2/subscribe/sub-c-repartee/chatroom.lobby/0", nil), ("chatroom.fans", nil),
        ] as [(String, String?)])
    func mistakenPath(path: String, sentence: String?) {
        let mistake = FaultPart.mistake(in: path, of: "fail_next") { $0 == "lobby" }
        #expect((mistake == nil) == (sentence == nil))
        if let sentence { #expect(mistake?.contains(sentence) == true) }
    }
}
