import HTTPTypes
import JSON
import Machines
import Testing

@testable import LiveLike

@Suite("Hostile input")
struct HostileInputTests {
    /// Makes a random JSON value from words that the protocol uses.
    private func value(_ random: inout RandomSource, depth: Int) -> JSONValue {
        let words = [
            "event", "payload", "id", "message-created", "message-deleted", "chatroom.lobby", "t", "m", "d", "c", "p",
            "r",
            "results", "channels", "chat", "pubnub", "http://live.test:80/x", "created_at", "2022-04-15T05:20:00Z",
            "16500000010000000", "sender_id", "reactions", "e", "data", "type", "rc", "value", "messageTimetoken",
            "pubnub_subscribe_key", "profile_url", "chat_room_detail_url_template", "http://live.test/{chat_room_id}/",
            "access_token", "subscribe_channel", "image_url", "next", "previous", "content_filter", "filtered",
        ]
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer([0, -1, 3, .max, .min][Int.random(in: 0..<5, using: &random)])
        case 3: return .double(1e300)
        case 4, 5: return .string(words.randomElement(using: &random)!)
        case 6:
            return .array(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in self.value(&random, depth: depth - 1) })
        default:
            let members = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                (words.randomElement(using: &random)!, self.value(&random, depth: depth - 1))
            }
            return .object(JSONObject(members))
        }
    }

    @Test("Whatever a server answers, the client ends in a defined state", arguments: 1...40)
    func clientSurvives(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let configuration = ClientConfiguration(
            origin: "http://live.test:80", target: [:],
            options: ["carriage": seed % 2 == 0 ? "rest" : "pubnub", "nickname": "Ada"])
        var client = try LiveLikeSystem.system.client.make(configuration)
        var open: [ExchangeID] = []
        let methods = LiveLikeSystem.system.client.methods.map(\.name)
        func run(_ act: (inout ClientStep) -> Void) {
            var step = ClientStep(now: Instant(nanoseconds: Int64(seed)), random: random.derived(for: "step"))
            act(&step)
            for effect in step.effects {
                if case .send(let exchange, _) = effect { open.append(exchange) }
                if case .cancel(let exchange, _) = effect { open.removeAll { $0 == exchange } }
            }
            open = open.suffix(50)
        }
        // Half of the clients get through the bootstrap first, so that the later states are reached.
        let world = try TestWorld()
        if seed % 4 < 2 {
            let ada = try world.connected(["carriage": seed % 2 == 0 ? "rest" : "pubnub"])
            world.serve("say", ["text": "hello"], by: "Mo")
            world.run(for: .seconds(1))
            client = world.members[ada]
            open = (1...12).map { ExchangeID($0) }
        } else {
            run { _ = client.perform(Command("connect", ["room": "lobby"]), in: &$0) }
        }
        for _ in 0..<300 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let name = methods.randomElement(using: &random)!
                let arguments = JSONObject(
                    ["room", "id", "text", "data", "since", "profile", "time"].map { name in
                        (name, Bool.random(using: &random) ? "lobby" : self.value(&random, depth: 1))
                    })
                run { _ = client.perform(Command(name, arguments), in: &$0) }
            case 1:
                let timers: [TimerName] = ["send", "subscribe-retry", "subscribe-limit", "play-head", "heartbeat", "?"]
                let timer = timers.randomElement(using: &random)!
                run { client.handle(.timerFired(timer), in: &$0) }
            default:
                guard let exchange = open.randomElement(using: &random) else { continue }
                open.removeAll { $0 == exchange }
                let status = [200, 200, 200, 201, 204, 401, 403, 404, 500].randomElement(using: &random)!
                var response = Response(json: self.value(&random, depth: 5), status: .init(code: status))
                if Int.random(in: 0..<6, using: &random) == 0 { response.body = random.bytes(40) }
                run { client.handle(.responded(exchange, response), in: &$0) }
            }
        }
        run { client.tearDown(in: &$0) }
        #expect(client.properties["state"] == "new")
    }

    @Test("Whatever a client asks, the service answers or keeps waiting and never traps", arguments: 1...40)
    func serverSurvives(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let world = try TestWorld()
        _ = try world.connected()
        let parts = [
            "api", "v1", "v2", "v3", "subscribe", "publish", "history", "history-with-actions", "message-counts",
            "sub-key", "channel", "chat-rooms", "lobby", "chatroom.lobby", "memberships", "0", "pub-c-repartee",
            "sub-c-repartee", "message-actions", "message", "action", "16500000010000000", "profile", "profiles",
            "time",
            "presence", "leave", "chatroom-messages", "pinned-messages", "%7B%7D", "%", "upload", "-1",
        ]
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]
        let token = world.identity(0)["access_token"]?.string ?? ""
        for number in 0..<400 {
            let path = (0..<Int.random(in: 0..<9, using: &random)).map { _ in parts.randomElement(using: &random)! }
            let query = [
                "", "?tt=0&auth=\(token)", "?tt=99999999999999999999&auth=\(token)",
                "?page=9223372036854775807&page_size=-5",
                "?chat_room_id=lobby&since=x&until=2022-04-15T05:20:00Z", "?max=0&start=0&end=1&auth=\(token)",
                "?%zz=%", "?filter-expr=((&auth=\(token)",
            ].randomElement(using: &random)!
            var head = HTTPRequest(
                method: methods.randomElement(using: &random)!, scheme: "http", authority: "live.test",
                path: "/" + path.joined(separator: "/") + query)
            if Bool.random(using: &random) { head.headerFields[.authorization] = "Bearer \(token)" }
            let body = JSONWriter.write(self.value(&random, depth: 3))
            let effects = world.serverInput(
                .requested(ExchangeID(UInt64(1_000_000 + number)), Request(head, body: body)))
            let answers = effects.count { if case .respond = $0 { true } else { false } }
            #expect(answers <= 3)
        }
    }
}
