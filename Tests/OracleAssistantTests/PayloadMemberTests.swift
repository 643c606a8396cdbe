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
        "what the vendor lets be anything may be anything, and so may payloads of types that nobody knows",
        arguments: [
            ["type": "raw", "payload": ["typ": 1]],
            ["type": "text", "text": "a", "channelExtensions": ["mine": ["x": 1]]],
            ["type": "outboundEvent", "eventType": "a", "eventVersion": "1", "eventData": ["x": 1]],
            [
                "type": "text", "text": "a",
                "actions": [["type": "postback", "label": "b", "postback": ["x": 1]], "c"],
            ],
            ["type": "hologram", "txet": "a"], ["text": "a"],
        ] as [JSONObject])
    func open(payload: JSONObject) {
        #expect(PayloadVocabulary.problem(in: payload) == nil)
        #expect(SkillAnswer(.object(payload)).problem == nil)
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
