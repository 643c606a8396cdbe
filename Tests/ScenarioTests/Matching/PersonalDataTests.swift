import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Personal data")
struct PersonalDataTests {
    @Test(
        "is found anywhere in a text",
        arguments: [
            (.email, "write to ada.l+x@mail.example.org."), (.email, "<a@b.de>"),
            (.phone, "call +49 (30) 1234-5678 now"),
            (.phone, "030 12345678"), (.phone, "0049 30 1234567890"), (.phone, "ring 00 1 (212) 555-012-3456!"),
            (.iban, "to DE89 3704 0044 0532 0130 00 please"),
            (.iban, "GB82WEST12345698765432"), (.iban, "gb82west12345698765432."), (.card, "4111 1111 1111 1111"),
            (.card, "my card is 5500-0000-0000-0004, thanks"), (.card, "378282246310005"),
        ] as [(PersonalData, String)])
    func found(kind: PersonalData, text: String) {
        #expect(kind.isFound(in: text))
    }

    @Test(
        "is found however it is set",
        arguments: [
            (.card, "4111\u{A0}1111\u{A0}1111\u{A0}1111"), (.card, "4111\u{202F}1111\u{202F}1111\u{202F}1111"),
            (.card, "4111\u{2011}1111\u{2011}1111\u{2011}1111"), (.card, "4111\u{2013}1111\u{2013}1111\u{2013}1111"),
            (.card, "4111.1111.1111.1111."), (.card, "3782.822463.10005"),
            (.card, "my card:\n4111 1111\n1111 1111\n12/30"),
            (.card, "4111 1111\r\n1111 1111"), (.card, "4111\u{200B}1111\u{200B}1111\u{200B}1111"),
            (.card, "\u{201E}4111 1111 1111 1111\u{201C}"),
            (.card, "\u{664}\u{661}\u{661}\u{661}\u{661}\u{661}\u{661}\u{661}11111111"), (.card, "2223000048400011"),
            (.iban, "DE89\u{A0}3704\u{A0}0044\u{A0}0532\u{A0}0130\u{A0}00"), (.iban, "DE89-3704-0044-0532-0130-00"),
            (.iban, "to DE89 3704 0044\n0532 0130 00 please"), (.iban, "\u{FF24}\u{FF25}89370400440532013000"),
            (.phone, "+49\u{A0}170\u{A0}1234567"), (.phone, "+49\u{2011}170\u{2011}1234567"),
            (.phone, "\u{260E}0170 1234567"), (.email, "a\u{FF20}b.example"), (.email, "\u{201E}a@b.de\u{201C}"),
            (.email, "a\u{200B}@b.de"), (.phone, "+1.555.123.4567"), (.phone, "(+1 555.123.4567)"),
            (.phone, "01.23.45.67.89."), (.phone, "0171.234.56.78"), (.phone, "0049.30.1234567"),
            (.phone, "030 / 1234567"), (.phone, "030 \u{2013} 123 45 67"), (.phone, "+49 (0)30 / 123 45 67"),
        ] as [(PersonalData, String)])
    func setOtherwise(kind: PersonalData, text: String) {
        #expect(kind.isFound(in: text))
    }

    @Test(
        "is found beside other numbers, and divided as they are",
        arguments: [
            (.card, "Card 4111 1111 1111 1111 12/27"), (.card, "4111 1111 1111 1111 123"),
            (.card, "4111-1111-1111-1111 (123)"), (.card, "4111111111111111 12/27"),
            (.card, "Order 7 4111 1111 1111 1111"), (.card, "1) 4111 1111 1111 1111"),
            (.card, "2027 4111 1111 1111 1111"), (.card, "3782 822463 10005 1234"),
            (.card, "4111 1111 1111 1112 5500 0055 5555 5559"), (.card, "1 378282246310005 9"),
            (.card, "4111\t1111\t1111\t1111"), (.card, "4111\n1111\n1111\n1111"),
            (.card, "4111 1111\n\n1111\r\n1111"), (.card, "4111 \n1111 1111 1111"),
            (.card, "**4111** **1111** **1111** **1111**"), (.card, "| 4111 | 1111 | 1111 | 1111 |"),
            (.iban, "DE89\t3704\t0044\t0532\t0130\t00"), (.iban, "7 DE89 3704 0044 0532 0130 00 42"),
            (.phone, "0171 2345678 2027"), (.phone, "+49 171 2345678 2027 8888"),
        ] as [(PersonalData, String)])
    func amongOthers(kind: PersonalData, text: String) {
        #expect(kind.isFound(in: text))
    }

    /// The cards are those that card networks and payment services give for tests. All of the lists have a card's
    /// first digits and a right check digit somewhere (ISO/IEC 7812-1, annex B).
    @Test(
        "numbers in a row are cards or a list",
        arguments: [
            // Cards beside other numbers.
            ("5555 5555 5555 4444", true), ("4111 1111 1111 1111 4012 8888 8888 1881", true),
            ("4111 1111 1111 1111\n5555 5555 5555 4444\n5105 1051 0510 5100", true),
            ("4111 1111 1111 1112 5555 5555 5555 4444", true), ("5555 5555 5555 4444 12/27", true),
            ("5555 5555 5555 4444 123", true), ("5555 5555 5555 4444 1227", true),
            ("5555-5555-5555-4444 1227 123", true), ("2027 4111 1111 1111 1111 1227", true),
            ("8010 1020 4111 1111 1111 1111", true), ("| 4000 | 4111 | 1111 | 1111 | 1111 | 0000 |", true),
            ("1 2 3 4 5 4111 1111 1111 1111", true), ("4101 4102 4103 4104 4105 4111111111111111", true),
            ("4101 4102 4103 4104 4105, 4111 1111 1111 1111", true), ("41 11 11 11 11 11 11 11", true),
            // Four numbers are no list: they are all that a card has.
            ("4102 4103 4104 4105", true),
            // Lists in order, up or down, and in any order with one first digit.
            ("4020\n4030\n4040\n4050\n4060", false), ("4010 4110 4210 4310 4410", false),
            ("Rooms 4101 4102 4103 4104 4105", false), ("4118 4117 4116 4115 4114", false),
            ("1010 4020 5020 6020 8090", false), ("9020 6030 5020 4020 1010", false),
            ("4117 4115 4112 4104 4107 4104", false), ("5210-5211-5212-5213-5214-5215", false),
            ("| 4101 | 4102 | 4103 | 4104 | 4105 |", false), ("4101.4102.4103.4104.4105", false),
            ("4101\t4102\t4103\t4104\t4105", false), ("Mon 2301 2302 2303 2314 2315 to 2301 2302", false),
            // Numbers of other lengths.
            ("401 402 403 404 414", false), ("41 42 43 44 45 46 47 48", false), ("31 32 33 34 35 36 37", false),
            // What is no list may be a card, also where most of the numbers are others.
            ("8010 1010 9020 4111 1111 1111 1111 3000 1227", true),
            ("Order 2024 3345 8811 9902 5010 4111 1111 1111 1111", true),
            ("1001 1002 1003 1004 1005 4111 1111 1111 1111", true),
        ])
    func cardsAndLists(text: String, isFound: Bool) {
        #expect(PersonalData.card.isFound(in: text) == isFound)
    }

    @Test("a long text of numbers is searched in one pass", .timeLimit(.minutes(1)))
    func longText() {
        for text in [
            "4111 1111 1111 1112 ", "4", "4 ", "0 ", "4111|", "4111\n\n\n\n\n\n\n\n", "DE89 3704\t",
            "4222 4222 4222 4228 ", "+1.", "0171.", "030 / ", "4111 1111 1111 1112 1000 2000 1000 2000 1000 ",
        ] {
            let long = String(repeating: text, count: 10_000)
            #expect(PersonalData.allCases.allSatisfy { $0 == .phone || !$0.isFound(in: long) })
        }
    }

    @Test(
        "what only looks like it is not",
        arguments: [
            (.email, "meet @ noon"), (.email, "a@b"), (.email, "@ada.example"), (.email, "x@.de"), (.email, "@"),
            (.phone, "order 1815"), (.phone, "on 2026-11-21"), (.phone, "+1 2"), (.phone, "1234567890"),
            (.phone, "00000000000000"), (.phone, "0049 30 12345678901234"),
            (.iban, "DE88 3704 0044 0532 0130 00"), (.iban, "DE89"), (.iban, "XDE89370400440532013000"), (.iban, ""),
            (.iban, "DE8937-0400-4405-3201-3000"), (.iban, "DE89\n370400440532013000"),
            (.card, "4111 1111 1111 1112"), (.card, "4111111111111"), (.card, "1234 5678"), (.card, "0000000000000000"),
            (.card, "411.111.111.111.111.1"), (.card, "4111.1111.1111.11111"),
            (.card, "4111.1111 1111.1111"), (.card, "2020 2021 2022 2025"),
            (.card, "Order 7 4111 1111 1111 1112 12/27"), (.card, "4111\n1111\n1111\n1112"),
            (.card, "4111, 1111, 1111, 1111"), (.card, "4111 1111 | 1111 1111"), (.card, "12 4111 1111 1111 1111x"),
            (.card, "411 1111 1111 1111 1 7"), (.card, "4111 1111 1111 11 11 7"),
            (.card, "4111          1111 1111 1111"), (.card, "1764288000 1764288060 1764288120"),
            (.card, "2026-11-23 2026-11-24 2026-11-25"), (.card, "23 2026-11-24 2026-11-25 2026-11-26"),
            (.card, "f47ac10b-58cc-4372-a567-0e02b2c3d479"), (.phone, "01/12/2026 05/12/2026"),
            (.phone, "017 2345 67890123456"), (.phone, "+1.5551234567"), (.phone, "+3.14159265"),
            (.phone, "01.12.2026 12.30"), (.phone, "01.12.2026.12.30"), (.phone, "010.020.030.040"),
            (.phone, "0171..234.56.78"), (.phone, "0171.234.56.78x"), (.phone, "7.01.23.45.67.89"),
            (.phone, "0900 - 1200 / 1300 - 1700"), (.phone, "01/12 - 05/12/2026"),
        ] as [(PersonalData, String)])
    func absent(kind: PersonalData, text: String) {
        #expect(!kind.isFound(in: text))
    }

    @Test(
        "a number is a card number where its digits are one",
        arguments: [
            ("4111111111111111", true), ("{\"card\":4111111111111111}", true), ("[1,{\"n\":378282246310005}]", true),
            ("4111111111111111.0", true), ("4.111111111111111e15", true), ("4222222222222", true),
            // One of 19 digits, beyond 64 bits.
            ("9704999999999999992", true),
            ("4111111111111112", false), ("-4111111111111111", false), ("4111111111111111.5", false),
            ("411111111111", false), ("[4111,1111,1111,1111]", false), ("17951832123456789", false),
            ("491701234567", false), ("1e30", false), ("0", false), ("true", false), ("null", false),
        ] as [(String, Bool)])
    func numbers(json: String, isFound: Bool) throws {
        let value = try JSONReader.read(json.utf8)
        let ban: JSONValue = ["@match": "is_not", "value": ["@match": "personal_data"]]
        #expect(try MatcherProbe.lines(ban, value).count == (isFound ? 1 : 0))
        // Of the other kinds no number is one: a phone number has a sign or zeros before it.
        let others: JSONValue = ["@match": "personal_data", "value": ["email", "phone", "iban"]]
        #expect(try !MatcherProbe.matcher(others).fits(value))
    }

    @Test("matchers find all kinds or those that are named")
    func matchers() throws {
        let all: JSONValue = ["@match": "personal_data"]
        #expect(try MatcherProbe.lines(all, "mail a@b.de") == [])
        #expect(
            try MatcherProbe.lines(all, "nothing")
                == ["expected text with an e-mail address, a phone number, an IBAN or a card number, found \"nothing\""]
        )
        // What has parts gives away what any of them does, so that it is no way round a matcher that must not match.
        #expect(try MatcherProbe.lines(all, ["parts": [["text": "mail a@b.de"]]]) == [])
        #expect(try MatcherProbe.lines(all, ["a@b.de": true]) == [])
        #expect(try MatcherProbe.lines(["@match": "is_not", "value": all], ["nothing", "a@b.de"]).count == 1)
        let card: JSONValue = ["@match": "personal_data", "value": ["card"]]
        #expect(try MatcherProbe.lines(card, "mail a@b.de").count == 1)
        // Who names a kind twice asks for it once.
        let twice: JSONValue = ["@match": "personal_data", "value": ["card", "email", "card", "email"]]
        #expect(
            try MatcherProbe.lines(twice, "nothing")
                == ["expected text with a card number or an e-mail address, found \"nothing\""])
        #expect(MatcherProbe.mistake(["@match": "personal_data", "value": ["emial"]])?.contains("\"email\"?") == true)
        #expect(MatcherProbe.mistake(["@match": "personal_data", "value": []])?.contains("not empty") == true)
    }
}
