import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Text of a type")
struct TypedTextTests {
    @Test(
        "a text is read as what it is",
        arguments: [
            (.number, "12", 12), (.number, "-3.5", -3.5), (.number, "1,234.50", 1234.5), (.number, "1.234,50", 1234.5),
            (.number, "1 234", 1234), (.number, "1,234", 1234), (.number, "1,5", 1.5), (.number, "1.234", 1.234),
            (.number, "12,34,5", nil), (.number, "1.2.3", nil), (.number, "x", nil), (.number, "", nil),
            (.integer, "4711", 4711), (.integer, "4.7", nil), (.integer, 3, 3), (.integer, 3.5, nil),
            (.number, 2.5, 2.5), (.date, "2026-11-21", "2026-11-21"), (.date, "21.11.2026", "2026-11-21"),
            (.date, "2026-11-21T10:15:30.250Z", "2026-11-21T10:15:30.250Z"),
            (.date, "2026-11-21 10:15+01:00", "2026-11-21 10:15+01:00"), (.date, "13/02/2026", "2026-02-13"),
            (.date, "02/13/2026", "2026-02-13"), (.date, "02/03/2026", "02/03/2026"),
            (.date, "21. Nov 2026", "2026-11-21"), (.date, "Feb. 29, 2024", "2024-02-29"),
            (.date, "29.02.2026", nil), (.date, "2026-13-01", nil), (.date, "May", nil),
            (.money, "€ 12.50", ["amount": 12.5, "currency": "€"]),
            (.money, "1.299,00 EUR", ["amount": 1299.0, "currency": "EUR"]),
            (.money, "$3", ["amount": 3, "currency": "$"]), (.money, "3", nil), (.money, "3 euro", nil),
            (.word, "well-known", "well-known"), (.word, "two words", nil),
            (
                .uuid, "0B8F5D54-7A0C-4A3E-9C1E-8E1D2F3A4B5C", "0b8f5d54-7a0c-4a3e-9c1e-8e1d2f3a4b5c"
            ), (.uuid, "0b8f5d54-7a0c-4a3e-9c1e-8e1d2f3a4b5", nil), (.any, [1], [1]), (.word, 5, nil),
        ] as [(TypedText, JSONValue, JSONValue?)])
    func values(type: TypedText, value: JSONValue, expected: JSONValue?) {
        #expect(type.value(of: value) == expected)
    }

    @Test(
        "what stands in a hole with a name is captured",
        arguments: [
            ("Order <id:integer> ships", "Order 4711 ships", ["id": 4711]),
            ("Order <id:integer> ships", "Order 4711 ships!", nil),
            ("<a:any>, <b:any>!", "one, two!", ["a": "one", "b": "two"]),
            ("<price:money>.", "12.50 EUR.", ["price": ["amount": 12.5, "currency": "EUR"]]),
            ("on <date>.", "on 21.11.2026.", [:]), ("a \\<b> <c", "a <b> <c", [:]), ("<b>bold</b>", "<b>bold</b>", [:]),
            ("", "", [:]), ("", "x", nil), ("<n:number>1", "121", ["n": 12]),
        ] as [(String, String, JSONObject?)])
    func templates(template: String, text: String, expected: JSONObject?) {
        let template = TextTemplate(template)
        #expect(template.problem == nil)
        #expect(template.captures(in: text) == expected)
    }

    @Test("a hole that cannot be read is told", arguments: ["<id:intger>", "<a:any> <a:word>"])
    func problems(template: String) {
        #expect(TextTemplate(template).problem != nil)
    }

    @Test("many holes for any text are quick on a long text that does not match")
    func bomb() {
        let template = TextTemplate(String(repeating: "<any>a", count: 12) + "b")
        #expect(template.captures(in: String(repeating: "a", count: 3000)) == nil)
    }

    @Test("random text is read without a trap", arguments: 0..<300)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let alphabet = Array("0123456789-./,:TZ +€$EURNov<>é")
        let text = String((0..<40).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
        for type in TypedText.allCases {
            for place in 0...40 {
                let readings = type.readings(Array(text), at: place)
                #expect(readings.allSatisfy { $0.end > place && $0.end <= 40 })
            }
        }
        _ = TextTemplate(text).captures(in: text)
    }
}

@Suite("Parts of messages")
struct MessageModelTests {
    @Test("buttons, cards, forms and tables are found under the names of several systems")
    func parts() {
        let model = MessageModel([
            "actions": [["label": "Yes"]], "json": ["quick_replies": ["No", ["title": "Maybe"]]],
            "cards": [["title": "Funghi", "actions": [["label": "Order"]]]],
            "form": ["fields": [["key": "email"]]], "forms": [["title": "x", "fields": []]],
            "headings": ["A"], "rows": [["1"], ["2"]], "raw": ["buttons": ["hidden"]],
        ])
        #expect(Set(model.buttons.compactMap { $0["label"]?.string }) == ["Yes", "No", "Maybe", "Order"])
        #expect(model.cards.count == 1)
        #expect(model.forms.count == 2)
        #expect(model.tables.first?.records == [["A": "1"], ["A": "2"]])
    }

    @Test("deep messages are looked through to a bound")
    func depth() {
        var message: JSONValue = ["buttons": ["deep"]]
        for _ in 0..<50 { message = ["inner": message] }
        #expect(MessageModel(message).buttons.isEmpty)
    }

    @Test("a field called options is no button, and a message without parts has none")
    func nothing() {
        let model = MessageModel(["options": ["a"], "text": "b"])
        #expect(model.buttons.isEmpty && model.cards.isEmpty && model.forms.isEmpty && model.tables.isEmpty)
    }
}

@Suite("Nearly the same text")
struct WordTests {
    @Test(
        "words are compared without case and punctuation",
        arguments: [
            ("a b c d", "A, b. c d!", 0), ("a b c d", "a x c d", 0.25), ("a b", "a b c d", 1), ("", "", 0),
            ("", "a", 1),
        ])
    func errorRate(wanted: String, found: String, rate: Double) {
        #expect(TextDistance.wordErrorRate(wanted: wanted, found: found) == rate)
    }

    @Test(
        "sets of words are alike whatever their order",
        arguments: [("a b c", "c b a a", 1), ("a b", "c d", 0), ("a b", "b c", 0.5), ("", "", 1)])
    func tokenSet(left: String, right: String, ratio: Double) {
        #expect(TextDistance.tokenSetRatio(left, right) == ratio)
    }
}

@Suite("Dates to compute with")
struct CalendarTimeTests {
    @Test(
        "amounts are added by the calendar",
        arguments: [
            ("2024-01-31", ["months": 1], "2024-02-29T00:00:00.000Z"),
            ("2024-02-29", ["years": 1], "2025-02-28T00:00:00.000Z"),
            ("2024-03-01", ["days": -1], "2024-02-29T00:00:00.000Z"),
            ("2023-12-31T23:59:59Z", ["seconds": 1], "2024-01-01T00:00:00.000Z"),
            ("2024-01-15", ["months": -13], "2022-12-15T00:00:00.000Z"),
        ] as [(String, JSONObject, String)])
    func adding(text: String, amounts: JSONObject, expected: String) throws {
        #expect(try #require(CalendarTime(text)).adding(amounts).text == expected)
    }

    @Test("days of the week follow the calendar also before 1970")
    func weekdays() throws {
        #expect(try #require(CalendarTime("1970-01-01")).formatted("%A") == "Thursday")
        #expect(try #require(CalendarTime("1969-12-31")).formatted("%a") == "Wed")
        #expect(try #require(CalendarTime("2026-11-21")).formatted("%a %-d %b %Y %%") == "Sat 21 Nov 2026 %")
    }

    @Test("what cannot be computed is refused")
    func refused() throws {
        let time = try #require(CalendarTime("2024-01-01"))
        #expect(throws: UsageError.self) { try time.adding(["day": 1]) }
        #expect(throws: UsageError.self) { try time.adding(["days": 1.5]) }
        #expect(throws: UsageError.self) { try time.adding(["years": 9000]) }
        #expect(throws: UsageError.self) { try time.formatted("%Q") }
        #expect(CalendarTime("2024-02-30x") == nil)
    }
}
