import JSON
import Machines
import Testing

@testable import LiveLike

@Suite("Answers of the service and the carrier are taken as they stand, or the script hears why not")
struct AnswerTests {
    private static let origin = "http://live.test"

    private static func options(_ options: JSONObject = [:]) throws -> ClientOptions {
        try ClientOptions(ClientConfiguration(origin: Self.origin, target: [:], options: options))
    }

    private static func bytes(_ value: JSONValue) -> [UInt8] { JSONWriter.write(value) }

    private static let application: JSONObject = [
        "pubnub_subscribe_key": "s", "pubnub_publish_key": "p", "profile_url": "http://live.test/profile",
        "chat_room_detail_url_template": "http://live.test/{chat_room_id}/",
    ]

    /// A session with a profile that has these members.
    private static func session(_ profile: JSONObject = ["nickname": "Ada"]) throws -> SessionPart {
        var session = SessionPart(try Self.options(), origin: try #require(WebAddress(Self.origin)))
        _ = session.handle(.connectAsked(room: "lobby"))
        _ = session.handle(.applicationArrived(Self.bytes(.object(Self.application))))
        let own: JSONObject = ["id": "me", "access_token": "t"]
        _ = session.handle(.profileArrived(Self.bytes(.object(own.merging(profile)))))
        #expect(session.state == .ready)
        return session
    }

    /// A room that is connected to an empty history.
    private static func room(_ options: JSONObject = [:], _ links: JSONObject = [:]) throws -> RoomPart {
        var room = RoomPart(id: "lobby", try Self.options(options))
        let session = try Self.session()
        let resource: JSONObject = [
            "id": "lobby", "channels": ["chat": ["pubnub": "c"]], "chatroom_messages_url": "http://live.test/messages",
        ]
        _ = room.handle(.resourceArrived(Self.bytes(.object(resource.merging(links)))), session)
        _ = room.handle(.confirmed(["c"]), session)
        _ = room.handle(
            .historyArrived(.initial, Self.bytes(["results": [], "channels": [:]]), behind: nil, at: .start), session)
        #expect(room.state == .connected)
        return room
    }

    private static func events(_ actions: [MemberAction]) -> [MemberEvent] {
        actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
    }

    private static let outgoing = OutgoingMessage(clientID: "c1", room: "lobby", kind: .text, text: "hi")

    @Test(
        "the answer to a message that is none of it, or that says it was not taken, is an error",
        arguments: [
            ("rest", [:], "decodingError", "no id"),
            ("rest", ["id": "m", "message": "hi"], "decodingError", "no sender_id"),
            (
                "rest", ["id": "m", "message": "hi", "sender_id": "me", "client_message_id": "other"],
                "invalidResponse",
                "client_message_id is \"other\""
            ),
            (
                "rest", ["id": "m", "message": "hi", "sender_id": "me", "chat_room_id": "elsewhere"], "invalidResponse",
                "chat_room_id"
            ),
            ("pubnub", [0, "Invalid JSON", "17040672100000000"], "invalidResponse", "Invalid JSON"),
            ("pubnub", [1, "Sent"], "decodingError", "no time token"), ("pubnub", [:], "invalidResponse", "{}"),
        ] as [(String, JSONValue, String, String)])
    func refused(carriage: String, answer: JSONValue, code: String, words: String) throws {
        var room = try Self.room(["carriage": .string(carriage)])
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        let events = Self.events(room.messageAccepted(Self.outgoing, Self.bytes(answer), session))
        #expect(events.map(\.kind) == [.error])
        #expect(events.first?.fields["code"]?.string == code)
        #expect(events.first?.fields["message"]?.string?.contains(words) == true, "\(events)")
        #expect(room.message("c1")?.isFailed == true)
    }

    @Test("a message is told as the service took it")
    func accepted() throws {
        var room = try Self.room()
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        let answer: JSONValue = ["id": "M", "message": "bye", "sender_id": "me", "client_message_id": "C1"]
        let events = Self.events(room.messageAccepted(Self.outgoing, Self.bytes(answer), session))
        #expect(events.map(\.kind) == [.messageSent])
        #expect(events.first?.fields["text"] == "bye")
        #expect(events.first?.fields["id"] == "m")
    }

    /// Takes a message in the member's own name without an id of its client, as the carrier brings it.
    private static func echo(_ id: String, in room: inout RoomPart, _ session: SessionPart) throws -> [MemberEvent] {
        let payload: JSONObject = ["id": .string(id), "message": "hi", "sender_id": "me"]
        let message = try ChatMessage(.messageCreated, payload, timeToken: TimeToken(ticks: 7))
        return Self.events(room.arrived(message, raw: .object(payload), behind: nil, at: .start, session))
    }

    @Test(
        "an echo without the id of the client is known by the answer's id, whichever of them comes first",
        arguments: [true, false], [true, false])
    func echoWithoutClientID(isAnsweredFirst: Bool, discards: Bool) throws {
        var room = try Self.room(["allowDiscardOwnPublishedMessageInSubscription": .bool(discards)])
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        let answer = Self.bytes(["id": "M", "message": "hi", "sender_id": "me"])
        var events: [MemberEvent] = []
        if isAnsweredFirst { events += Self.events(room.messageAccepted(Self.outgoing, answer, session)) }
        events += try Self.echo("M", in: &room, session)
        #expect(isAnsweredFirst || events.isEmpty)
        if !isAnsweredFirst { events += Self.events(room.messageAccepted(Self.outgoing, answer, session)) }
        #expect(events.map(\.kind) == (discards ? [.messageSent] : [.messageSent, .message]))
        #expect(events.dropFirst().allSatisfy { $0.fields["echo"] == true })
        #expect(room.messages.map(\.id) == ["m"])
        #expect(room.message("m")?.times.token?.ticks == 7)
        #expect(room.message("c1")?.id == "m")
        // A second one is the echo of nothing.
        #expect(try Self.echo("N", in: &room, session).map { $0.fields["echo"] } == [nil])
    }

    @Test("a message in the own name that no answer names is told as one from elsewhere", arguments: [true, false])
    func ownFromElsewhere(isAccepted: Bool) throws {
        var room = try Self.room()
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        #expect(try Self.echo("other", in: &room, session).isEmpty)
        let answer: JSONValue = isAccepted ? ["id": "M", "message": "hi", "sender_id": "me"] : [:]
        let events = Self.events(room.messageAccepted(Self.outgoing, Self.bytes(answer), session))
        #expect(events.map(\.kind) == [isAccepted ? .messageSent : .error, .message])
        #expect(events.last?.fields["id"] == "other" && events.last?.fields["echo"] == nil)
        #expect(Set(room.messages.map(\.id)) == ["other", isAccepted ? "m" : "c1"])
    }

    @Test("a message that was published under the client's own id is known by it")
    func echoOfPublished() throws {
        var room = try Self.room([
            "carriage": "pubnub", "allowDiscardOwnPublishedMessageInSubscription": false,
        ])
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        #expect(try Self.echo("C1", in: &room, session).map { $0.fields["echo"] } == [true])
    }

    @Test("of messages whose owner an answer must tell no more than 100 wait for it")
    func fewWait() throws {
        var room = try Self.room()
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        for number in 1...100 { #expect(try Self.echo("e\(number)", in: &room, session).isEmpty) }
        #expect(try Self.echo("e101", in: &room, session).map(\.kind) == [.message])
    }

    /// A reaction of somebody else to the message that was published at a token.
    private static func react(
        _ reaction: String, at token: Int64, isAdded: Bool = true, in room: inout RoomPart, _ session: SessionPart
    ) throws -> [MemberEvent] {
        let data: JSONValue = [
            "event": isAdded ? "added" : "removed",
            "data": [
                "type": "rc", "value": .string(reaction), "messageTimetoken": .string("\(token)"),
                "actionTimetoken": "9",
            ],
        ]
        return Self.events(room.reactionArrived(try MessageAction(data), by: "u", raw: data, session))
    }

    @Test(
        "what becomes of an own message before its answer comes is not lost", arguments: [true, false], [true, false])
    func earlyArrivals(hasClientID: Bool, isDeleted: Bool) throws {
        var room = try Self.room()
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        if hasClientID {
            let payload: JSONObject = ["id": "M", "message": "hi", "sender_id": "me", "client_message_id": "c1"]
            let echo = try ChatMessage(.messageCreated, payload, timeToken: TimeToken(ticks: 7))
            _ = room.arrived(echo, raw: .object(payload), behind: nil, at: .start, session)
        } else {
            #expect(try Self.echo("M", in: &room, session).isEmpty)
        }
        var events = try Self.react("like", at: 7, in: &room, session)
        events += try Self.react("love", at: 7, in: &room, session)
        events += try Self.react("like", at: 7, isAdded: false, in: &room, session)
        if isDeleted { events += Self.events(room.deletionArrived(of: "m", raw: nil)) }
        let answer: JSONValue = ["id": "M", "message": "hi", "sender_id": "me"]
        events += Self.events(room.messageAccepted(Self.outgoing, Self.bytes(answer), session))
        let message = try #require(room.message("m"))
        #expect(message.isDeleted == isDeleted && message.text == (isDeleted ? "" : "hi"))
        #expect(message.reactions.map(\.reactionID) == (isDeleted ? [] : ["love"]))
        #expect(events.count { $0.kind == .messageUpdated } == (isDeleted && !hasClientID ? 0 : 3))
        #expect(events.count { $0.kind == .messageDeleted } == (isDeleted ? 1 : 0))
        #expect(!events.contains { $0.kind == .frame })
        #expect(room.messages.count == 1)
    }

    @Test("a deletion that is there before the echo deletes the message of either", arguments: [true, false])
    func earlyDeletion(isEcho: Bool) throws {
        var room = try Self.room()
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        #expect(Self.events(room.deletionArrived(of: "m", raw: nil)).map(\.kind) == [.messageDeleted])
        let payload: JSONObject = ["id": "M", "message": "hi", "sender_id": "me", "client_message_id": "c1"]
        if isEcho {
            let echo = try ChatMessage(.messageCreated, payload, timeToken: TimeToken(ticks: 7))
            _ = room.arrived(echo, raw: .object(payload), behind: nil, at: .start, session)
        } else {
            _ = room.messageAccepted(Self.outgoing, Self.bytes(.object(payload)), session)
        }
        #expect(room.messages.map(\.isDeleted) == [true])
    }

    @Test("an echo that comes again brings back nothing of a deleted message, however many were deleted since")
    func echoAfterDeletion() throws {
        var room = try Self.room(["message_limit": 1])
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        _ = room.messageAccepted(Self.outgoing, Self.bytes(["id": "M", "message": "hi", "sender_id": "me"]), session)
        for id in ["m", "a", "b"] { _ = room.deletionArrived(of: id, raw: nil) }
        _ = try Self.echo("M", in: &room, session)
        #expect(room.messages.map(\.isDeleted) == [true] && room.messages.map(\.text) == [""])
    }

    @Test("of reactions to a message that waits for its answer no more than 1,000 wait; of another one none does")
    func fewReactionsWait() throws {
        var room = try Self.room()
        let session = try Self.session()
        _ = room.queued(Self.outgoing, session)
        _ = try Self.echo("M", in: &room, session)
        for number in 1...1_000 { #expect(try Self.react("r\(number)", at: 7, in: &room, session).isEmpty) }
        #expect(try Self.react("r1001", at: 7, in: &room, session).map(\.kind) == [.frame])
        #expect(try Self.react("like", at: 8, in: &room, session).map(\.kind) == [.frame])
    }

    @Test("a message that waits for the play head is shown with the reactions that came meanwhile")
    func reactionToSpoiler() throws {
        var room = try Self.room()
        let session = try Self.session()
        let payload: JSONObject = [
            "id": "m", "message": "goal", "sender_id": "u", "program_date_time": "2026-01-01T00:00:10Z",
        ]
        let message = try ChatMessage(.messageCreated, payload, timeToken: TimeToken(ticks: 7))
        let ticks = try #require(ServiceTime.ticks("2026-01-01T00:00:00Z"))
        let head = PlayHead(ticks: ticks, instant: .start)
        let arrived = room.arrived(message, raw: .object(payload), behind: head, at: .start, session)
        #expect(Self.events(arrived).isEmpty)
        #expect(try Self.react("like", at: 7, in: &room, session).isEmpty)
        let shown = Self.events(room.release(behind: head, at: .start + .seconds(20), session))
        #expect(shown.map { $0.fields["reactions"] } == [[["id": "like", "by": "u"]]])
    }

    @Test(
        "an answer without what it must have is an error of its call",
        arguments: [
            (.value([.needs("is_muted", .truth)]), [:], "no is_muted"),
            (.value([.needs("count", .integer)]), ["count": "many"], "count is"), (.value([]), nil, "no JSON"),
            (.page, ["results": "x"], "results is"), (.page, [:], "no results"),
        ] as [(PendingCall.Reading, JSONValue?, String)])
    func calls(reading: PendingCall.Reading, answer: JSONValue?, words: String) throws {
        var part = CallPart()
        let call = PendingCall("theCall", reading, room: "lobby")
        let events = Self.events(part.answered(call, answer.map(Self.bytes) ?? Array("<html>".utf8)))
        #expect(events.map(\.kind) == [.error])
        #expect(events.first?.fields["code"] == "decodingError")
        let message = try #require(events.first?.fields["message"]?.string)
        #expect(message.contains("theCall") && message.contains(words), "\(message)")
    }

    @Test("the calls ask for what their answers must have")
    func needs() throws {
        let session = try Self.session()
        let links: JSONObject = [
            "muted_status_url_template": "http://live.test/{profile_id}/",
            "chatroom_messages_count_url": "http://live.test/n",
        ]
        let room = try Self.room([:], links)
        var part = CallPart()
        let profile = try #require(session.profile)
        for call in [RoomCall.mutedStatus, .messageCount(since: nil, until: nil)] {
            guard case .ask(.call(let pending), _)? = part.begin(call, room, profile, session).first else {
                Issue.record("\(call) asks nothing")
                continue
            }
            #expect(Self.events(part.answered(pending, Self.bytes([:]))).map(\.kind) == [.error])
        }
        #expect(AcceptedMessage.custom(Self.bytes([:]), in: "lobby").fields["code"] == "decodingError")
        #expect(
            AcceptedMessage.custom(Self.bytes(["id": "m", "custom_data": "{}"]), in: "lobby").kind == .messageSent)
    }

    @Test("a room resource of another room, or without a channel, connects nothing")
    func roomResource() throws {
        for (resource, code) in [
            (["id": "elsewhere", "channels": ["chat": ["pubnub": "c"]]], "invalidResponse"),
            (["id": "lobby"], "decodingError"),
        ] as [(JSONValue, String)] {
            var room = RoomPart(id: "lobby", try Self.options())
            let actions = room.handle(.resourceArrived(Self.bytes(resource)), try Self.session())
            guard case .failRoom("lobby", let error)? = actions.first else {
                Issue.record("the room is connected")
                continue
            }
            #expect(error.code == code)
            #expect(room.state == .asking)
        }
    }

    @Test("what the bootstrap lacks is named", arguments: ["pubnub_subscribe_key", "chat_room_detail_url_template"])
    func application(name: String) throws {
        var session = SessionPart(try Self.options(), origin: try #require(WebAddress(Self.origin)))
        _ = session.handle(.connectAsked(room: "lobby"))
        let actions = session.handle(.applicationArrived(Self.bytes(.object(Self.application.merging([name: .null])))))
        guard case .failRooms(let error)? = actions.first else {
            Issue.record("the application is taken")
            return
        }
        #expect(error.message.contains("application resource") && error.message.contains(name))
    }

    @Test("a history that the carrier says is broken fails with pubnubStatusError")
    func brokenHistory() throws {
        var room = try Self.room(["carriage": "pubnub"])
        let session = try Self.session()
        let answer: JSONValue = ["status": 200, "error": true, "error_message": "broken", "channels": [:]]
        let events = Self.events(
            room.handle(.historyArrived(.next, Self.bytes(answer), behind: nil, at: .start), session))
        #expect(events.map(\.kind) == [.error])
        #expect(events.first?.fields["code"] == "pubnubStatusError")
        #expect(events.first?.fields["message"]?.string?.contains("broken") == true)
    }

    @Test("an answer of the subscribe loop that cannot be read is named")
    func loop() throws {
        var part = SubscribePart(try Self.options())
        _ = part.handle(.channelsChanged(["c"], subscribeKey: "s", parameters: []), now: .start)
        var response = Response(json: [:])
        response.body = Array("<html>".utf8)
        let events = Self.events(part.handle(.answered(response), now: .start))
        #expect(events.map(\.kind) == [.disconnected, .reconnecting])
        #expect(events.first?.fields["reason"]?.string?.contains("the answer of the subscribe loop") == true)
    }

    private static func entry(_ number: Int) -> JSONValue {
        ["id": .string("m\(number)"), "message": "hello", "sender_id": "u"]
    }

    @Test("entries of a page that cannot be taken are told, and the others are shown")
    func entries() throws {
        var room = try Self.room()
        let session = try Self.session()
        let entries: [JSONValue] = [
            ["id": "m1", "message": "hello", "sender_id": "u", "message_event": .null], 5,
            ["id": "m2", "message": 5, "sender_id": "u"],
            ["message_event": "message-sparkled", "id": "m3"], ["message_event": "message-deleted"],
            ["id": "m4", "message": "hello", "sender_id": "u", "chat_room_id": "elsewhere"],
        ]
        let page = Self.bytes(["results": .array(entries)])
        let events = Self.events(room.handle(.historyArrived(.next, page, behind: nil, at: .start), session))
        #expect(events.filter { $0.kind == .error }.count == 4)
        #expect(events.filter { $0.kind == .frame }.count == 1)
        #expect(events.last?.kind == .history)
        #expect(events.last?.fields["count"] == 1)
        #expect(room.messages.map(\.id) == ["m1"])
    }

    @Test("a page that is larger than was asked for is told whole, and as an error", arguments: ["rest", "pubnub"])
    func largePage(carriage: String) throws {
        var room = try Self.room(["carriage": .string(carriage)])
        let session = try Self.session()
        let entries = (1...200).map(Self.entry)
        let carried = entries.map { entry -> JSONValue in
            ["message": ["event": "message-created", "payload": entry], "timetoken": "1"]
        }
        let page = Self.bytes(["results": .array(entries), "channels": ["c": .array(carried)]])
        let events = Self.events(room.handle(.historyArrived(.next, page, behind: nil, at: .start), session))
        #expect(events.map(\.kind) == [.error, .history])
        #expect(events.first?.fields["message"]?.string?.contains("200 entries, where 25 at most") == true)
        #expect(events.last?.fields["count"] == 200)
        #expect(room.messages.count == 200)
    }

    @Test("the new name is the one that the service says")
    func renamed() throws {
        var session = try Self.session()
        #expect(Self.events(session.handle(.renamed(Self.bytes([:])))).map(\.kind) == [.error])
        #expect(session.profile?.nickname == "Ada")
        #expect(Self.events(session.handle(.renamed(Self.bytes(["nickname": "Bee"])))).map(\.kind) == [.completed])
        #expect(session.profile?.nickname == "Bee")
    }

    @Test("a member without a nickname sends nothing")
    func noNickname() throws {
        let requests = RoomRequests(try Self.room(), try Self.session([:]))
        #expect(throws: SDKError.noNickname) { try requests.post(Self.outgoing, try Self.options()) }
    }

    @Test(
        "what has no URL has the error of the vendor's SDK",
        arguments: [
            (nil, "invalidUserMutedStatusURLTemplate"), ("no template", "invalidUserMutedStatusURL"),
        ] as [(String?, String)])
    func noURL(template: String?, code: String) throws {
        let session = try Self.session()
        let profile = try #require(session.profile)
        var part = CallPart()
        let room = try Self.room([:], ["muted_status_url_template": template.map { .string($0) } ?? .null])
        #expect(Self.events(part.begin(.mutedStatus, room, profile, session)).first?.fields["code"]?.string == code)
        let created = Self.events(part.begin(.createRoom(nil), profile, session))
        #expect(created.first?.fields["code"] == "failedCreatingChatRoomUrl")
    }
}
