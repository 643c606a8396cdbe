import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Misspelt members of payloads for Oracle")
struct PayloadMemberTests {
    /// The members that hold tables whose own members are told by the name of the member.
    private static let opened = [
        "actions", "globalActions", "action", "selectAction", "fields", "field", "cards", "footerForm", "formRows",
        "columns", "options", "keywords",
    ]

    /// A table in a payload: what it may have, and how it stands in the payload.
    private struct Place {
        let path: [String]
        let members: [ParameterDeclaration]
        let wrapped: (JSONValue) -> JSONObject
    }

    /// Returns the tables below some members, each kind once on a path.
    private static func places(
        _ members: [ParameterDeclaration], _ path: [String], _ wrapped: @escaping (JSONValue) -> JSONObject
    ) -> [Place] {
        var places = [Place(path: path, members: members, wrapped: wrapped)]
        for member in members where !path.contains(member.name) {
            let inner: [ParameterDeclaration]? =
                switch member.type {
                case .record(let members), .list(.record(let members)): members
                case .json, .list(.json):
                    Self.opened.contains(member.name) ? PayloadSection.members(named: member.name) : nil
                default: nil
                }
            guard let inner else { continue }
            let isList = if case .list = member.type { true } else { false }
            places += Self.places(inner, path + [member.name]) { value in
                let held: JSONValue = isList ? .array([value]) : value
                return wrapped(.object(JSONObject([(member.name, held)])))
            }
        }
        return places
    }

    @Test("what stands in each member that holds further tables is declared", arguments: Self.opened)
    func declared(name: String) throws {
        let members = try #require(PayloadSection.members(named: name))
        let misspelt: JSONValue = .array([.object(JSONObject([("zzz", JSONValue.bool(true))]))])
        let table = JSONObject([(name, misspelt)])
        let holder = [ParameterDeclaration(name, .list(.json), "")]
        #expect(!members.isEmpty)
        #expect(PayloadVocabulary.check.problem(in: table, holder, of: "it")?.contains("\"zzz\"") == true)
    }

    private static let types = (PayloadVocabulary.payloads + PayloadVocabulary.sent).map(\.type)

    @Test("each is found at every depth, with the one that was meant", arguments: Self.types)
    func found(type: PayloadType) throws {
        let members = try #require(PayloadVocabulary.members(of: ["type": .string(type.rawValue)]))
        let places = Self.places(members, []) { value in
            JSONObject([("type", .string(type.rawValue))]).merging(value.object ?? [:])
        }
        #expect(places.count > 5)
        for place in places {
            let names = place.members.map(\.name)
            for name in names {
                let misspelt = names.contains(name + "q") ? name + "qq" : name + "q"
                let meant = try #require(TextDistance.suggestion(for: misspelt, among: names))
                let payload = place.wrapped(.object(JSONObject([(misspelt, JSONValue.integer(1))])))
                let problem = PayloadVocabulary.problem(in: payload) ?? "nothing"
                #expect(
                    problem.contains("no member \"\(misspelt)\"; did you mean \"\(meant)\"?"),
                    "\(place.path) \(problem)")
            }
        }
    }

    @Test(
        "what the vendor lets be anything may be anything",
        arguments: [
            ["type": "raw", "payload": ["typ": 1]],
            ["type": "text", "text": "a", "channelExtensions": ["mine": ["x": 1]]],
            ["type": "outboundEvent", "eventType": "a", "eventVersion": "1", "eventData": ["x": 1]],
            [
                "type": "text", "text": "a",
                "actions": [["type": "postback", "label": "b", "postback": ["x": 1]], "c"],
            ],
            ["text": "a"],
        ] as [JSONObject])
    func open(payload: JSONObject) {
        #expect(PayloadVocabulary.problem(in: payload) == nil)
        #expect(SkillAnswer(.object(payload)).problem == nil)
    }

    @Test("a payload of a type that nobody knows is the client's affair, and nothing that a skill says")
    func unknownType() {
        #expect(PayloadVocabulary.problem(in: ["type": "txt", "txet": "a"]) == nil)
        #expect(
            SkillAnswer(["type": "txt", "text": "a"]).problem
                == "there is no payload of type \"txt\"; did you mean \"text\"?")
        #expect(SkillAnswer(["type": "hologram"]).problem?.contains("send_frame sends any") == true)
    }

    @Test(
        "words that there are not are found at every depth of what a skill says",
        arguments: [
            (["type": "card", "layout": "diagonal", "cards": [["title": "a"]]], "the payload.layout is one of"),
            (
                ["type": "card", "cards": [["title": "a", "actions": [["type": "postbak", "label": "b"]]]]],
                "the payload.cards[1].actions[1].type is one of"
            ),
            (["text": "a", "actions": [["type": "postbak", "label": "b"]]], "did you mean \"postback\"?"),
            (
                ["type": "attachment", "attachment": ["type": "nosuch", "url": "https://a.example"]],
                "the payload.attachment.type is one of"
            ),
            (["type": "location", "location": ["latitude": 1000, "longitude": 0]], "from -90 to 90, not 1000.0"),
            (["type": "location", "location": ["latitude": 0, "longitude": -181]], "from -180 to 180, not -181.0"),
            (["payload": ["type": "card", "layout": "diagonal"]], "the payload.layout is one of"),
        ] as [(JSONValue, String)])
    func words(answer: JSONValue, text: String) {
        let problem = SkillAnswer(answer).problem ?? "nothing"
        #expect(problem.contains(text), "\(problem)")
    }

    @Test("what says nothing is an answer of a skill, and nothing that a script says by itself")
    func nothingSaid() throws {
        for value in [5, true, [true]] as [JSONValue] {
            #expect(SkillAnswer(value).problem?.contains("a text, a payload, or a list of them") == true)
        }
        for value in [.null, false, [:], [], ["messages": []]] as [JSONValue] {
            #expect(SkillAnswer(value).problem == nil)
            #expect(throws: CommandError.self) { try SkillAnswer(said: value, by: "say") }
        }
        for more in [["state": "a"], ["end_session": true], ["agent": true], ["variables": ["a": 1]]] as [JSONObject] {
            let answer = more.merging(["messages": "a"])
            #expect(throws: CommandError.self) { try SkillAnswer(said: .object(answer), by: "say") }
        }
        #expect(try SkillAnswer(said: ["a", ["text": "b"]], by: "say").parts.count == 2)
        let most = [JSONValue](repeating: "a", count: SkillAnswer.limit), more = most + ["a"]
        for value: JSONValue in [.array(more), ["stream": .array(more)], ["a", ["stream": .array(most)]]] {
            #expect(SkillAnswer(value).problem?.contains("at most 1000") == true)
        }
        for value: JSONValue in [.array(most), ["stream": .array(most)]] {
            #expect(SkillAnswer(value).problem == nil)
            #expect(SkillAnswer(value).parts.count == SkillAnswer.limit)
        }
    }

    @Test(
        "answers of skills are checked with all that is around their payloads",
        arguments: [
            (["agent": ["subjcet": "a"]], "the answer.agent has no member \"subjcet\"; did you mean \"subject\"?"),
            (
                ["agent": ["actions": [["action": "a", "lable": "b"]]]],
                "the answer.agent.actions[1] has no member \"lable\""
            ),
            (["agent": ["rejected_message": ["text": "a", "foter": "b"]]], "the payload has no member \"foter\""),
            (["stat": "a"], "an answer has no member \"stat\"; did you mean \"state\"?"),
            (["messages": ["a", ["text": "b", "headrText": "c"]]], "did you mean \"headerText\"?"),
            (["payload": ["type": "text", "txet": "a"]], "the payload has no member \"txet\"; did you mean \"text\"?"),
            (["payload": ["type": "text", "text": "a"], "dealy": 1], "the answer has no member \"dealy\""),
            (["text": "a", "state": "b"], "the payload has no member \"state\""),
        ] as [(JSONValue, String)])
    func answers(answer: JSONValue, text: String) {
        let problem = SkillAnswer(answer).problem ?? "nothing"
        #expect(problem.contains(text), "\(problem)")
    }
}
