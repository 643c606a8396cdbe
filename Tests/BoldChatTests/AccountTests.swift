import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import BoldChat

@Suite("The simulated account")
struct AccountTests {
    private struct Bench {
        var server: BoldChatServer
        private var number: UInt64 = 0

        init(_ options: JSONObject = [:]) throws {
            let configuration = ServerConfiguration(
                origin: "https://desk.test:443", options: options, epochMilliseconds: 1_704_067_200_000)
            self.server = try BoldChatServer(configuration)
        }

        mutating func ask(
            _ path: String, _ body: String = "", auth: String? = Base64.encode(Array(AccessKey.rehearsal.utf8)),
            scheme: String = "https", type: String = "application/x-www-form-urlencoded"
        ) -> Response? {
            var head = HTTPRequest(method: .post, scheme: scheme, authority: "desk.test", path: path)
            head.headerFields[.contentType] = type
            if let auth { head.headerFields[.authorization] = "Basic \(auth)" }
            var step = BoldChatServer.Step(now: .start, random: RandomSource(seed: 1))
            self.number += 1
            self.server.handle(.requested(ExchangeID(self.number), Request(head, body: Array(body.utf8))), in: &step)
            for case .respond(_, let response) in step.effects { return response }
            return nil
        }

        mutating func call(_ method: String, _ parameters: [(String, String)]) throws -> JSONObject {
            let path = "/aid/1000100010001/rest/json/v1/\(method)"
            let asked = self.ask(path, FormEncoding.encode(parameters))
            let response = try #require(asked)
            return try #require(try JSONReader.read(response.body).object)
        }
    }

    private static let path = "/aid/1000100010001/rest/json/v1/getChatAvailability"

    @Test("Clients learn the key of the account, and nothing of what happens at its desk")
    func target() throws {
        for options in [[:], ["access_key": "1000100010001:2:other"]] as [JSONObject] {
            var bench = try Bench(options)
            let target = bench.server.target
            #expect(target == ["access_key": try #require(bench.server.properties["access_key"])])
            if let key = options["access_key"] { #expect(target?["access_key"] == key) }
            _ = try bench.call("createChat", [("VisitorID", "1")])
            #expect(bench.server.target == target)
        }
    }

    @Test("Credentials come in a header or in the address; without them 401, over plain HTTP 403 if so ordered")
    func authentication() throws {
        var bench = try Bench()
        #expect(bench.ask(Self.path)?.head.status == .ok)
        #expect(bench.ask(Self.path, auth: nil)?.head.status == .unauthorized)
        #expect(
            bench.ask(Self.path, auth: Base64.encode(Array("1000100010001:2:3".utf8)))?.head.status == .unauthorized)
        let auth = FormEncoding.percentEncode(Base64.encode(Array(AccessKey.rehearsal.utf8)))
        #expect(bench.ask("\(Self.path)?auth=\(auth)", auth: nil)?.head.status == .ok)
        #expect(bench.ask("/aid/7/rest/json/v1/getChatAvailability")?.head.status == .notFound)
        #expect(bench.ask("/aid/1000100010001/rest/json/v1/moon")?.head.status == .notFound)
        #expect(bench.ask("/")?.head.status == .notFound)
        #expect(bench.ask(Self.path, scheme: "http")?.head.status == .ok)
        var strict = try Bench(["require_tls": true])
        #expect(strict.ask(Self.path, scheme: "http")?.head.status == .forbidden)
    }

    @Test("Bodies are forms or JSON")
    func bodies() throws {
        var bench = try Bench(["blocked_visitors": ["a b"]])
        for (body, type) in [
            ("VisitorID=a%20b", "application/x-www-form-urlencoded"), (#"{"VisitorID":"a b"}"#, "application/json"),
        ] {
            let asked = bench.ask(Self.path, body, type: type)
            let response = try #require(asked)
            let answer = try JSONReader.read(response.body)
            #expect(answer == ["Status": "success", "Available": false, "UnavailableReason": "visitor_blocked"])
        }
    }

    @Test("A form that has two fields of one name is refused by that name, and so is one that an account defines")
    func doubleFields() throws {
        var bench = try Bench()
        let answer = try bench.call("getChatAvailability", [("VisitorID", "1"), ("VisitorID", "2")])
        #expect(answer == ["Status": "error", "Message": "VisitorID is given twice; send each field once"])
        #expect(try bench.call("getChatAvailability", [("VisitorID", "1")])["Status"] == "success")
        let twice: JSONValue = [["key": "email"], ["key": "name"], ["key": "email"]]
        let problem = #expect(throws: ConfigurationError.self) { _ = try Bench(["pre_chat": twice]) }
        #expect(problem?.message.hasPrefix("'pre_chat' has two fields 'email'") == true)
        _ = try Bench(["pre_chat": ["pages": [[["key": "email"]], [["key": "email"]]]]])
    }

    @Test("A chat has URLs of this account, for sockets and for polls")
    func urls() throws {
        var bench = try Bench()
        let answer = try bench.call("createChat", [("SkipPreChat", "true"), ("IncludeBrandingValues", "true")])
        let socket = try #require(answer.text("WebSocketURL"))
        #expect(socket.hasPrefix("wss://desk.test:443/aid/1000100010001/oss/ws?ck="))
        #expect(answer.text("LongPollURL")?.hasSuffix("&LastMessageID=") == true)
        #expect(answer["ClientTimeout"] == 300)
        #expect(answer["AnswerTimeout"] == nil)
        #expect(answer.text("VisitorID")?.count == 19)
        #expect(answer["Brandings"]?["api#chat#send"] == "Send")
        #expect(answer["ChatWindowSettings"] == nil)
    }

    @Test("Chat keys, visitors and departments that are not known have the vendor's messages")
    func messages() throws {
        var bench = try Bench()
        #expect(try bench.call("finishChat", [("ChatKey", "7")]).text("Message") == "Invalid ChatKey")
        #expect(try bench.call("createChat", [("VisitorID", "a b")]).text("Message") == "Invalid VisitorID")
        let data = [("Data", #"{"department":"7"}"#)]
        #expect(try bench.call("createChat", data).text("Message") == "Invalid DepartmentID")
        #expect(
            try bench.call("getChatAvailability", [("DepartmentID", "7")]).text("Message") == "Invalid DepartmentID")
    }

    @Test(
        "Each obstacle has its reason",
        arguments: [
            (["open": false], "outside_hours"), (["operators_available": false], "no_operators"),
            (["queue": 3, "queue_limit": 3], "queue_full"), (["blocked_visitors": ["4711"]], "visitor_blocked"),
            (["secret": "s"], "unsecure"),
        ] as [(JSONObject, String)])
    func obstacles(options: JSONObject, reason: String) throws {
        var bench = try Bench(options)
        let answer = try bench.call("createChat", [("VisitorID", "4711")])
        #expect(answer.text("UnavailableReason") == reason)
        #expect(answer.text("Message") != nil)
    }

    @Test("Hours are kept, over midnight and by the day of the week")
    func hours() throws {
        // 2024-01-01 00:00 UTC was a Monday.
        let monday: Int64 = 1_704_067_200_000
        let hour: Int64 = 3_600_000
        let day = try OpeningHours(["from": "09:00", "to": "17:30", "days": [1, 2, 3, 4, 5]])
        #expect(!day.isOpen(atEpochMilliseconds: monday + 8 * hour))
        #expect(day.isOpen(atEpochMilliseconds: monday + 9 * hour))
        #expect(!day.isOpen(atEpochMilliseconds: monday + 17 * hour + hour / 2))
        #expect(!day.isOpen(atEpochMilliseconds: monday + (5 * 24 + 10) * hour))
        let night = try OpeningHours(["from": "22:00", "to": "06:00"])
        #expect(night.isOpen(atEpochMilliseconds: monday + 23 * hour))
        #expect(night.isOpen(atEpochMilliseconds: monday + 5 * hour))
        #expect(!night.isOpen(atEpochMilliseconds: monday + 12 * hour))
        let fridays = try OpeningHours(["from": "22:00", "to": "06:00", "days": [5]])
        let friday = monday + 4 * 24 * hour
        #expect(!fridays.isOpen(atEpochMilliseconds: friday + hour))
        #expect(fridays.isOpen(atEpochMilliseconds: friday + 23 * hour))
        #expect(fridays.isOpen(atEpochMilliseconds: friday + (24 + 1) * hour))
        #expect(!fridays.isOpen(atEpochMilliseconds: friday + (24 + 23) * hour))
        let sundays = try OpeningHours(["from": "22:00", "to": "06:00", "days": [7]])
        #expect(sundays.isOpen(atEpochMilliseconds: monday + hour))
        #expect(throws: ConfigurationError.self) { try OpeningHours(["from": "nine", "to": "17:00"]) }
        #expect(throws: ConfigurationError.self) { try OpeningHours(["from": "09:00", "to": "25:00"]) }
    }

    @Test("Secured values win over clear ones, of which only the named count")
    func secured() throws {
        var play = try Rehearsal(server: ["secret": "s3"])
        let token = try play.desk(
            "sign", ["values": ["first_name": "Ada", "email": "a@x.io"], "unsecured": ["reference"]]
        ).value
        play.visitor(
            "create_chat",
            [
                "options": [
                    "skip_pre_chat": true, "secured": token,
                    "external": ["first_name": "Eve", "reference": "r", "information": "i"],
                ]
            ])
        play.settle()
        #expect(play.events(.chatStarted).count == 1)
        #expect(
            play.server.chats.newest(1).first?.answers.values == [
                "first_name": "Ada", "email": "a@x.io", "reference": "r",
            ])
        var forged = try Rehearsal(server: ["secret": "s3"])
        let text = try #require(token.string).replacing("Ada", with: "Eve")
        forged.visitor("create_chat", ["options": ["secured": .string(text)]])
        forged.settle()
        #expect(forged.events(.unavailable).map { $0.fields["reason"] } == ["unsecure"])
    }

    @Test("The transcript goes to whoever asked for it, when the chat ends")
    func transcript() throws {
        var play = try Play.answered()
        play.visitor("email_history", ["address": "ada@example.com"])
        play.settle()
        #expect(play.events(.transcriptRequested).count == 1)
        #expect(play.server.mails.isEmpty)
        play.visitor("finish")
        play.settle()
        let mails = try play.desk("mails").value
        #expect(mails[0]?["to"] == "ada@example.com")
        #expect(mails[0]?["body"] == "Ada: Where is my order?\nSam: Hello Ada.")
    }

    @Test("A transcript asked for after the chat goes out at once")
    func lateTranscript() throws {
        var play = try Play.answered()
        play.visitor("finish")
        play.settle()
        play.visitor("email_history", ["address": "ada@example.com"])
        play.settle()
        #expect(play.server.mails.map(\.to) == ["ada@example.com"])
    }

    @Test("A chat that nobody answered has no post-chat form")
    func shortChat() throws {
        var play = try Play.started()
        play.visitor("finish")
        play.settle()
        #expect(play.story == [.preChat, .ended])
    }

    @Test("Two visitors wait one behind the other, and move up")
    func twoInQueue() throws {
        var play = try Play.started(server: ["queue": 0])
        var bench = play.server
        var step = BoldChatServer.Step(now: .start, random: RandomSource(seed: 9))
        let answer = bench.answer(.createChat, ["SkipPreChat": true], in: &step)
        let second = try #require(answer.text("ChatKey"))
        #expect(bench.chats[second]?.service.position == 1)
        play.server = bench
        Play.accept(&play)
        #expect(play.server.chats[second]?.service.position == 0)
        #expect(play.server.properties["waiting"]?.array?.count == 1)
    }

    @Test("A socket gets its events and heartbeats only after it has said what it knows")
    func greeting() throws {
        var bench = try Bench()
        let answer = try bench.call("createChat", [("SkipPreChat", "true")])
        let address = try #require(answer.text("WebSocketURL").flatMap { WebAddress(webSocket: $0) })
        func texts(_ input: BoldChatServer.Input) -> [String] {
            var step = BoldChatServer.Step(now: .start, random: RandomSource(seed: 1))
            bench.server.handle(input, in: &step)
            return step.effects.compactMap { effect in
                guard case .transmit(_, .text(let text)) = effect else { return nil }
                return OSSFrame(.text(text)).flatMap {
                    if case .call(let call) = $0 { call.method } else { "answer" }
                }
            }
        }
        let id = ConnectionID(4)
        let head = HTTPRequest(method: .get, scheme: "wss", authority: "desk.test", path: address.path)
        #expect(texts(.upgradeRequested(id, Request(head))) == ["connect"])
        #expect(texts(.timerFired(.heartbeat)).isEmpty)
        let call = OSSCall(method: "connect", params: ["LastMessageID": "0"], id: "1")
        #expect(texts(.received(id, .text(call.wire.description))) == ["answer", "updateChat"])
        #expect(texts(.timerFired(.heartbeat)) == ["heartbeat"])
        #expect(texts(.received(id, .binary([0xFF]))).isEmpty)
    }

    @Test("A second socket or poll of a chat takes the place of the first")
    func replaced() throws {
        var bench = try Bench()
        let answer = try bench.call("createChat", [("SkipPreChat", "true")])
        let socket = try #require(answer.text("WebSocketURL").flatMap { WebAddress(webSocket: $0) })
        let poll = try #require(answer.text("LongPollURL").flatMap { WebAddress($0 + "9") })
        func effects(_ input: BoldChatServer.Input) -> [BoldChatServer.Effect] {
            var step = BoldChatServer.Step(now: .start, random: RandomSource(seed: 1))
            bench.server.handle(input, in: &step)
            return step.effects
        }
        func answers(_ input: BoldChatServer.Input) -> [ExchangeID] {
            effects(input).compactMap { if case .respond(let exchange, _) = $0 { exchange } else { nil } }
        }
        let upgrade = Request(HTTPRequest(method: .get, scheme: "wss", authority: "desk.test", path: socket.path))
        _ = effects(.upgradeRequested(ConnectionID(1), upgrade))
        #expect(
            effects(.upgradeRequested(ConnectionID(2), upgrade)).contains(
                .close(ConnectionID(1), code: 1000, reason: "replaced")))
        let request = Request(HTTPRequest(method: .get, scheme: "https", authority: "desk.test", path: poll.path))
        // The first poll is answered at once: that is how a client learns that it is connected.
        #expect(answers(.requested(ExchangeID(91), request)) == [ExchangeID(91)])
        let last = bench.server.stream.eventNumbers.last
        let later = try #require(answer.text("LongPollURL").flatMap { WebAddress($0 + String(last)) })
        let held = Request(HTTPRequest(method: .post, scheme: "https", authority: "desk.test", path: later.path))
        #expect(answers(.requested(ExchangeID(92), held)).isEmpty)
        #expect(answers(.requested(ExchangeID(93), held)) == [ExchangeID(92)])
        #expect(answers(.timerFired(.poll(ExchangeID(93)))) == [ExchangeID(93)])
        #expect(answers(.requested(ExchangeID(94), held)).isEmpty)
        _ = effects(.requestAbandoned(ExchangeID(94)))
        #expect(answers(.timerFired(.poll(ExchangeID(94)))).isEmpty)
    }

    @Test("A fault for a method that does not exist is refused")
    func unknownFault() throws {
        var play = try Rehearsal()
        for arguments in [["method": "fly", "message": "x"], ["method": "createChat", "how": "status", "status": 99]]
            as [JSONObject]
        {
            let name = arguments["how"] == nil ? "fail_next" : "break_next"
            guard case .refused = play.desk(name, arguments) else {
                Issue.record("\(arguments) makes no sense")
                return
            }
        }
    }

    @Test("What there is nothing to do with is refused, and changes nothing")
    func nothingThere() throws {
        var play = try Play.created()
        let names = ["dismiss_queue", "end_active_assist", "update_message", "set_department"]
        for name in names {
            let arguments: JSONObject = name == "update_message" ? ["text": "Hello"] : ["id": ""]
            guard case .refused = play.desk(name, arguments) else {
                Issue.record("\(name) has nothing to work on")
                return
            }
        }
        var step = BoldChatServer.Step(now: .start, random: RandomSource(seed: 9))
        let departments = play.server.answer(.getDepartments, [:], in: &step)
        #expect(departments["Departments"]?.array?.isEmpty == true)
    }

    @Test("A chat goes to no agent who is not there")
    func unknownAgent() throws {
        var play = try Play.answered()
        guard case .refused(let text) = play.agent("Sam", "transfer", ["agent": "Samm"]) else {
            Issue.record("there is no such agent")
            return
        }
        #expect(text.contains("no other agent"))
        #expect(play.server.desk.roster == ["Sam"])
        #expect(play.server.chats.newest(1).first?.service.agent == "Sam")
    }

    @Test("An agent takes no more chats than the capacity allows")
    func capacity() throws {
        var play = try Play.started()
        play.agent("Sam", "sign_in", ["options": ["capacity": 0]])
        guard case .refused(let text) = play.agent("Sam", "accept", ["visitor": .object(play.client.identity)]) else {
            Issue.record("the agent is full")
            return
        }
        #expect(text.contains("capacity"))
    }

    @Test("Hostile requests are answered", arguments: 1...3 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) throws {
        var bench = try Bench()
        var random = RandomSource(seed: seed)
        let created = try bench.call("createChat", [("SkipPreChat", "true")])
        let key = try #require(created.text("ChatKey"))
        for _ in 0..<600 {
            let method = try #require(RESTMethod.allCases.randomElement(using: &random))
            var parameters = [("ChatKey", Bool.random(using: &random) ? key : "x")]
            for name in [
                "Data", "Language", "VisitorID", "LastChatMessageID", "EmailAddress", "Message", "Closed", "Secured",
            ] {
                guard Bool.random(using: &random) else { continue }
                parameters.append((name, String(decoding: random.bytes(12), as: UTF8.self)))
            }
            let answer = try bench.call(method.rawValue, parameters)
            #expect(answer.text("Status") != nil)
        }
    }

    @Test("Options that make no sense are explained")
    func configuration() {
        for options in [
            ["access_key": "x"], ["departments": [["name": "x"]]], ["hours": ["from": "x"]],
            ["pre_chat": [["type": "text"]]], ["pre_chat": "none"], ["post_chat": true],
            ["pre_chat": ["pages": [[["key": "email"]]], "page": 3]],
            ["pre_chat": ["pages": [[["key": "email"]], "x"]]],
            ["departments": [["id": ""]]],
        ] as [JSONObject] {
            #expect(throws: ConfigurationError.self) { try Bench(options) }
        }
        for options in [["access_key": "x"], ["profile": "x"], ["quirks": ["x": true]]] as [JSONObject] {
            #expect(throws: ConfigurationError.self) { try Rehearsal(client: options) }
        }
    }
}
