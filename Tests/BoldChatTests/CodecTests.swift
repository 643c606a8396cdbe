import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("Codec")
struct CodecTests {
    @Test(
        "Access keys have two, three, four or eight parts",
        arguments: [
            ("2307475884:abc", "2307475884", "2307475884:abc", nil, "https://api.boldchat.com"),
            ("1:2:3", "1", "1:2:3", nil, "https://api.boldchat.com"),
            ("1:2:3:eu", "1", "1:2:3", "eu", "https://api-eu.boldchat.com"),
            ("1:2:3:-eu", "1", "1:2:3", "-eu", "https://api-eu.boldchat.com"),
            ("1:2:3:api.x.boldchat.io", "1", "1:2:3", "api.x.boldchat.io", "https://api.x.boldchat.io"),
        ] as [(String, String, String, String?, String)])
    func accessKey(text: String, account: String, credential: String, set: String?, origin: String) throws {
        let key = try #require(AccessKey(text))
        #expect(key.accountID == account)
        #expect(key.credential == credential)
        #expect(key.serverSet == set)
        #expect(key.vendorOrigin == origin)
        #expect(Base64.decode(key.authorization) == Array(credential.utf8))
    }

    @Test("The private key of eight parts is sent as it is, without its server set")
    func privateKey() throws {
        let head =
            "AccountID:1;ChatWindowDefID:2;WebsiteDefID:3;OperatorID:4;DepartmentID:5;Timestamp:6;Key:a=b"
        let key = try #require(AccessKey(head + ";ServerSet:eu"))
        #expect(key.authorization == head)
        #expect(key.accountID == "1")
        #expect(key.serverSet == "eu")
    }

    @Test("What is no access key is none", arguments: ["", "1", "1:", "1::3", "1:2:3:4:5", "a b:c", "x;y;z;a;b;c;d;e"])
    func noKey(text: String) {
        #expect(AccessKey(text) == nil)
    }

    @Test("Members are read leniently: types are converted, empty texts are absent")
    func lenient() {
        let members: JSONObject = [
            "s": "x", "e": "", "n": 7, "z": .null, "t": "true", "y": "YES", "f": "no", "b": true, "d": 1.5, "o": [:],
            "i": "42", "time": "2024-01-01T00:00:00Z",
        ]
        #expect(members.text("s") == "x")
        #expect(members.text("e") == nil)
        #expect(members.text("n") == "7")
        #expect(members.text("z") == nil)
        #expect(members.text("o") == nil)
        #expect(members.text("d") == "1.5")
        #expect(members.integer("i") == 42)
        #expect(members.integer("b") == 1)
        #expect(members.integer("s") == nil)
        #expect(members.integer("d") == nil)
        #expect(members.truth("t") && members.truth("y") && members.truth("b") && members.truth("n"))
        #expect(!members.truth("f") && !members.truth("z") && !members.truth("missing"))
        #expect(members.time("time") == 1_704_067_200_000)
        #expect(members.time("s") == nil)
    }

    @Test("Answers succeed in any case of letters and fail without a status")
    func answers() {
        #expect(RESTAnswer(["Status": "SUCCESS"]).isSuccess)
        #expect(!RESTAnswer(["Status": "error"]).isSuccess)
        #expect(!RESTAnswer([:]).isSuccess)
        #expect(!RESTAnswer([1]).isSuccess)
        #expect(RESTAnswer(["UnavailableReason": ""]).unavailableReason == nil)
        #expect(RESTAnswer(["UnavailableReason": "queue_full"]).unavailableReason == .queueFull)
        #expect(RESTAnswer(["UnavailableReason": "moon"]).unavailableReason == .unknown)
        #expect(RESTAnswer(["UnavailableReason": "error"]).unavailableReason == .unknown)
        #expect(RESTAnswer(["PreChat": ["Fields": []]]).form("PreChat", kind: .preChat) == nil)
    }

    @Test(
        "Messages of failures have the vendor's codes",
        arguments: [
            ("No chat api settings found", -103, -103), ("Not authorized", -103, -103),
            ("Invalid ChatWindowID", -103, -100), ("Invalid WebsiteID", -103, -100),
            ("Invalid DepartmentID", -202, -100), ("Some Visitor problem", -201, -100), ("Invalid ChatKey", -200, -100),
            ("whatever", -100, -100), (nil, -100, -100),
        ] as [(String?, Int64, Int64)])
    func codes(message: String?, session: Int64, availability: Int64) {
        #expect(ErrorCode(message: message).rawValue == session)
        #expect(ErrorCode(availabilityMessage: message).rawValue == availability)
    }

    @Test("Each error says in words what happened")
    func summaries() {
        #expect(Set(ErrorCode.allCases.map(\.summary)).count == ErrorCode.allCases.count)
    }

    @Test("Time limits of an answer are seconds; none and nonsense mean no limit")
    func limits() {
        let connection = ChatConnection(["ClientTimeout": 300, "AnswerTimeout": "0"])
        #expect(connection.clientTimeout == .seconds(300))
        #expect(connection.answerTimeout == nil)
        #expect(ChatConnection(["ClientTimeout": -5]).clientTimeout == nil)
        #expect(ChatConnection(["ClientTimeout": 9_000_000_000_000_000_000]).clientTimeout == .seconds(31_536_000))
    }

    @Test("Frames are calls or answers; parameters are an array of one object")
    func frames() throws {
        func frame(_ text: String) -> OSSFrame? { OSSFrame(.text(text)) }
        guard case .call(let call)? = frame(#"{"method":"updateBusy","params":[{"Position":3}],"id":12}"#) else {
            Issue.record("a call is expected")
            return
        }
        #expect(call.params == ["Position": 3])
        #expect(call.number == 12)
        #expect(
            OSSFrame(call.wire) == .call(OSSCall(method: "updateBusy", params: ["Position": 3], id: 12, raw: call.wire))
        )
        guard case .answer(let answer)? = frame(#"{"result":{"Status":"error"},"error":null,"id":"77"}"#) else {
            Issue.record("an answer is expected")
            return
        }
        #expect(answer.number == 77)
        #expect(!answer.isSuccess)
        guard case .call(let text)? = frame(#"{"method":"remoteControlMessage","params":["{\"command\":\"ended\"}"]}"#)
        else {
            Issue.record("a call is expected")
            return
        }
        #expect(text.params == ["command": "ended"])
        for broken in ["", "[]", "{}", "7", #"{"method":5x"#, #"{"id":1}"#] {
            #expect(frame(broken) == nil, "\(broken)")
        }
    }

    @Test("A heartbeat is acknowledged under its id, under \"0\" if it has none")
    func heartbeat() {
        #expect(OSSAnswer.heartbeat(5).raw == ["result": ["Response": "ack"], "error": .null, "id": 5])
        #expect(OSSAnswer.heartbeat(nil).raw["id"] == "0")
        #expect(OSSAnswer.heartbeat(.null).raw["id"] == "0")
    }

    @Test("Whatever bytes arrive, nothing traps")
    func fuzz() {
        var random = RandomSource(seed: 11)
        let sample = Array(#"{"method":"addMessage","params":[{"MessageID":"9","Values":{"Text":"x"}}],"id":3}"#.utf8)
        for round in 0..<4000 {
            var bytes = round % 2 == 0 ? random.bytes(Int.random(in: 0...60, using: &random)) : sample
            if round % 2 == 1 {
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            }
            guard let frame = OSSFrame(.binary(bytes)), case .call(let call) = frame else { continue }
            var conversation = Conversation()
            _ = conversation.receive(call, profile: .html)
        }
        // A prefix of a frame is never a frame.
        for end in 0..<sample.count { #expect(OSSFrame(.binary(Array(sample[..<end]))) == nil) }
    }
}
