import JSON
import Machines
import Testing

@testable import Scenario

@Suite("What a script asks of the parts of a message")
struct MessagePartTests {
    private static let message: JSONValue = [
        "text": "Menu",
        "cards": [
            ["title": "Funghi", "price": 9, "actions": [["label": "Order"], ["label": "More"]]],
            ["title": "Calzone", "price": 11, "actions": ["Order"]],
        ],
        "footer_form": [
            "title": "You", "kind": "contact",
            "fields": [["key": "email", "label": "E-mail", "required": true], ["name": "phone"]],
        ],
        "table": [
            "columns": [["label": "Dish"], ["title": "Price"]],
            "rows": [["Funghi", 9], ["Price": 11, "Dish": "Calzone"]],
        ],
    ]

    private static func lines(_ part: String, _ value: JSONValue, _ message: JSONValue = Self.message) throws
        -> [String]
    {
        try MatcherProbe.lines(["@match": .string(part), "value": value], message)
    }

    @Test(
        "what is there is found",
        arguments: [
            ("button", "Order"), ("button", ["label": "More"]), ("button", ["@match": "glob", "value": "M*"]),
            ("buttons", ["Order", "More", "Order"]),
            ("buttons", [["@match": "any"], ["label": "More"], ["@match": "button", "value": "Order"]]),
            ("card", ["title": "Calzone"]), ("card", ["title": "Calzone", "buttons": ["Order"]]),
            ("card", ["price": ["@match": "between", "value": 10, "high": 12]]), ("card", [:]), ("card", .null),
            ("form", ["title": "You"]), ("form", ["fields": ["email", "phone"]]), ("form", ["fields": ["E-mail"]]),
            ("form", ["kind": "contact", "fields": ["email": ["required": true], "phone": ["@match": "any"]]]),
            ("form", .null), ("table", ["headings": ["Dish", "Price"]]), ("table", ["count": 2]),
            // Of a part such a table asks that it is there.
            ("button", [:]), ("form", ["fields": ["email": [:]]]), ("table", ["rows": [[:]]]),
            ("table", ["rows": [["Dish": "Calzone", "Price": 11], ["Dish": "Funghi"]]]), ("table", .null),
        ] as [(String, JSONValue)] as [(String, JSONValue)])
    func found(part: String, value: JSONValue) throws {
        #expect(try Self.lines(part, value) == [])
    }

    @Test("a part is found in the value of its own field, and a ban of it there is broken")
    func ownField() throws {
        let card: JSONValue = ["title": "Calzone", "buttons": [["title": "Order"]]]
        let message: JSONValue = [
            "text": "Menu", "card": card, "actions": [["label": "Pay"]], "form": ["fields": [["key": "email"]]],
            "replies": [["cards": [card]]],
        ]
        let calzone: JSONValue = ["@match": "card", "value": ["title": "Calzone", "buttons": ["Order"]]]
        #expect(try MatcherProbe.lines(calzone, message) == [])
        for fields: JSONValue in [
            ["card": calzone], ["actions": ["@match": "button", "value": "Pay"]], ["replies": calzone],
            ["form": ["@match": "form", "value": ["fields": ["email"]]]],
            ["replies": ["@match": "has", "value": calzone]],
        ] {
            #expect(try MatcherProbe.lines(fields, message) == [])
            let banned = JSONObject(
                (fields.object ?? [:]).map { ($0, ["@match": "is_not", "value": $1] as JSONValue) })
            #expect(try MatcherProbe.lines(.object(banned), message).count == 1, "\(fields)")
        }
        let other: JSONValue = ["card": ["@match": "card", "value": ["title": "Funghi"]]]
        #expect(try MatcherProbe.lines(other, message) == ["card.title: expected \"Funghi\", found \"Calzone\""])
        let label: JSONValue = ["actions": ["@match": "button", "value": ["@match": "capture", "value": "label"]]]
        #expect(try MatcherProbe.captures(label, message) == ["label": "Pay"])
    }

    @Test("a card in an attachment is its content, wherever the attachment stands")
    func attachedCard() throws {
        let attachment: JSONValue = [
            "contentType": "application/vnd.microsoft.card.hero",
            "content": ["title": "Buy now", "buttons": [["title": "Pay"]]],
        ]
        let picture: JSONValue = ["contentType": "image/png", "content": ["title": "Buy now"]]
        let message: JSONValue = ["attachments": [picture, attachment]]
        let card: JSONValue = ["@match": "card", "value": ["title": "Buy now", "buttons": ["Pay"]]]
        let hero: JSONValue = ["@match": "card", "value": ["contentType": ["@match": "contains", "value": "hero"]]]
        let element: JSONValue = ["attachments": ["@match": "has", "value": card]]
        for (asked, found) in [(card, message), (element, message), (card, attachment), (hero, message)] {
            #expect(try MatcherProbe.lines(asked, found) == [])
            #expect(try MatcherProbe.lines(["@match": "is_not", "value": asked], found).count == 1, "\(asked)")
        }
        #expect(try Self.lines("card", [:], ["attachments": [picture]]).count == 1)
        #expect(MessageModel(message).buttons.count == 1)
    }

    @Test(
        "what is not there is told beside what comes nearest",
        arguments: [
            ("button", "Pay", ["expected a button \"Pay\", found [\"Order\",\"More\",\"Order\"]"]),
            (
                "button", ["label": "Order", "url": "/x"],
                ["expected a button { label = \"Order\", url = \"/x\" }, found [\"Order\",\"More\",\"Order\"]"]
            ),
            (
                "buttons", ["Order"],
                ["expected the buttons { \"Order\" }, found [\"Order\",\"More\",\"Order\"]"]
            ), ("buttons", [], ["expected the buttons {  }, found [\"Order\",\"More\",\"Order\"]"]),
            ("card", ["title": "Calzone", "price": 12], ["card.price: expected 12, found 11"]),
            (
                "card", ["title": "Calzone", "buttons": ["More"]],
                ["card: expected the buttons { \"More\" }, found [\"Order\"]"]
            ), ("form", ["title": "Me"], ["form.title: expected \"Me\", found \"You\""]),
            ("form", ["fields": ["street"]], ["form.fields.street: expected anything, found nothing"]),
            (
                "form", ["fields": ["email": ["required": false]]],
                ["form.fields.email.required: expected false, found true"]
            ), ("table", ["headings": ["Dish"]], ["headings: expected { \"Dish\" }, found [\"Dish\",\"Price\"]"]),
            ("table", ["count": 3], ["count: expected 3, found 2"]),
            (
                "table", ["rows": [["Dish": "Funghi", "Price": 10]]],
                [
                    "rows: expected a row { Dish = \"Funghi\", Price = 10 }, found "
                        + "[{\"Dish\":\"Funghi\",\"Price\":9},{\"Dish\":\"Calzone\",\"Price\":11}]"
                ]
            ),
        ] as [(String, JSONValue, [String])] as [(String, JSONValue, [String])])
    func missing(part: String, value: JSONValue, lines: [String]) throws {
        #expect(try Self.lines(part, value) == lines)
    }

    @Test(
        "in a message without parts each is missing as a whole, and says what it asks for",
        arguments: [
            ("button", "Yes", "a button \"Yes\""), ("buttons", ["Yes", "No"], "the buttons { \"Yes\", \"No\" }"),
            ("card", ["title": "A", "buttons": ["B"]], "a card { title = \"A\", the buttons { \"B\" } }"),
            ("form", ["kind": "x", "fields": ["email"]], "a form { kind = \"x\", field email = anything }"),
            (
                "table", ["headings": ["A"], "count": 2, "rows": [["A": 1]]],
                "a table { headings = { \"A\" }, 2 rows, a row { A = 1 } }"
            ),
        ] as [(String, JSONValue, String)] as [(String, JSONValue, String)])
    func none(part: String, value: JSONValue, description: String) throws {
        for message in [["text": "Hi"], [], "text", .null] as [JSONValue] {
            #expect(try Self.lines(part, value, message) == ["expected \(description), found nothing"])
        }
    }

    @Test("no buttons are asked for by an empty list, in Lua's spelling, too")
    func noButtons() throws {
        #expect(try Self.lines("buttons", [], ["text": "Hi"]) == [])
        #expect(try Self.lines("buttons", [:], ["text": "Hi"]) == [])
        #expect(try Self.lines("card", ["buttons": []], ["cards": [["title": "A"]]]) == [])
        #expect(try Self.lines("card", ["buttons": []]).count == 1)
    }

    @Test("of several tables the one with the fewest differences is told of")
    func nearestTable() throws {
        let message: JSONValue = [
            "tables": [
                ["headings": ["A"], "rows": []], ["headings": ["A", "B"], "rows": [[1, 2]]],
            ]
        ]
        #expect(
            try Self.lines("table", ["headings": ["A", "C"], "count": 1], message)
                == ["headings.2: expected \"C\", found \"B\""])
    }

    @Test("labels of buttons stand under the names that systems give them, the first of these counts")
    func labels() {
        let model = MessageModel([
            "buttons": [
                ["title": "a"], ["text": "b"], ["name": "c"], ["label": "d", "title": "x"],
                ["text": "f", "title": "e"],
                7, "g",
            ]
        ])
        #expect(model.buttons.map { $0["label"] ?? .null } == ["a", "b", "c", "d", "e", "g"])
    }

    @Test("parts are found down to the bound and not below it")
    func depth() {
        for levels in 0...MessageModel.depthLimit + 1 {
            var message: JSONValue = ["buttons": ["deep"]]
            for _ in 0..<levels { message = ["inner": message] }
            #expect(MessageModel(message).buttons.isEmpty == (levels >= MessageModel.depthLimit), "\(levels)")
        }
    }

    @Test("rows that are too short or too long for their headings are records of what both have")
    func raggedRows() {
        let table = MessageModel.Table(headings: ["A", "B"], rows: [[1], [1, 2, 3], []])
        #expect(table.records == [["A": 1], ["A": 1, "B": 2], [:]])
    }

    @Test("any message is looked through without a trap", arguments: 0..<100)
    func anything(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let names = ["buttons", "cards", "form", "fields", "rows", "headings", "columns", "raw", "label", "x"]
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where depth > 0, 1 where depth > 0:
                .object(
                    JSONObject(
                        (0..<4).map { _ in (names.randomElement(using: &random) ?? "", value(depth - 1)) }))
            case 2 where depth > 0: .array((0..<3).map { _ in value(depth - 1) })
            case 3: "Yes"
            default: 7
            }
        }
        let message = value(5)
        for part in ["button", "buttons", "card", "form", "table"] {
            let asked: JSONValue = part == "button" ? "Yes" : part == "buttons" ? ["Yes"] : [:]
            let matcher = try MatcherProbe.matcher(["@match": .string(part), "value": asked])
            var captures = JSONObject()
            matcher.capture(message, into: &captures)
            #expect(captures.isEmpty)
            #expect(matcher.mismatches(message).count <= 1)
        }
    }
}
