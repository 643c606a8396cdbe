import BoldChat
import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Expected orders of events")
struct EventSearchTests {
    /// Events are messages whose text is a letter; returns the letters that satisfy an expression, or nil.
    private func search(_ expression: JSONValue, in letters: String, skips: Bool = true) throws -> String? {
        var reader = ExpressionReader(
            matchers: MatcherReader(test: { _ in nil }), names: EventNames(of: [BoldChatSystem.system]))
        var search = EventSearch(try reader.expression(expression), skipsAllowed: skips)
        let events = letters.map { ChatEvent(.message, ["text": .string(String($0))]) }
        for (place, event) in events.enumerated() {
            if let taken = search.take(event, at: place, isNoise: false) {
                return taken.map { String(Array(letters)[$0]) }.joined()
            }
        }
        return nil
    }

    private static func letter(_ letter: String) -> JSONValue {
        ["@expect": "event", "event": "message", "fields": ["text": .string(letter)]]
    }

    private static func combined(_ name: String, _ items: [JSONValue]) -> JSONValue {
        ["@expect": .string(name), "items": .array(items)]
    }

    private static let (a, b, c, d) = (letter("a"), letter("b"), letter("c"), letter("d"))

    @Test(
        "an expression is satisfied by the events that its order allows",
        arguments: [
            (a, "xa", "a"), (a, "xb", nil),
            (combined("seq", [a, b]), "axb", "ab"), (combined("seq", [a, b]), "ba", nil),
            (combined("all", [a, b]), "bxa", "ba"), (combined("all", [a, b]), "aa", nil),
            (combined("any", [a, b]), "xb", "b"),
            (combined("seq", [a, combined("maybe", [b]), c]), "abc", "abc"),
            (combined("seq", [a, combined("maybe", [b]), c]), "ac", "ac"),
            (combined("all", [combined("seq", [a, b]), combined("seq", [c, d])]), "cdab", "cdab"),
            (combined("all", [combined("seq", [a, b]), combined("seq", [c, d])]), "acbd", nil),
            (combined("interleave", [combined("seq", [a, b]), combined("seq", [c, d])]), "acbd", "acbd"),
            (combined("interleave", [combined("seq", [a, b]), combined("seq", [c, d])]), "bacd", nil),
            (combined("any", [combined("seq", [a, b]), combined("seq", [a, c])]), "ac", "ac"),
            (combined("seq", [combined("any", [a, b]), combined("all", [c, d])]), "bdc", "bdc"),
        ] as [(JSONValue, String, String?)])
    func orders(expression: JSONValue, letters: String, taken: String?) throws {
        #expect(try self.search(expression, in: letters) == taken)
    }

    @Test("where nothing may come in between, another event ends the search")
    func withoutSkips() throws {
        #expect(try self.search(Self.a, in: "xa", skips: false) == nil)
        #expect(try self.search(Self.combined("seq", [Self.a, Self.b]), in: "ab", skips: false) == "ab")
        #expect(try self.search(Self.combined("seq", [Self.a, Self.b]), in: "axb", skips: false) == nil)
    }

    @Test("an event that could serve two members serves one")
    func once() throws {
        let any = JSONValue(dictionaryLiteral: ("@expect", "event"), ("event", "message"))
        #expect(try self.search(Self.combined("all", [any, Self.a]), in: "a") == nil)
        #expect(try self.search(Self.combined("all", [any, Self.a]), in: "ab") == "ab")
        #expect(try self.search(Self.combined("all", [any, Self.a]), in: "ba") == "ba")
    }

    @Test("an order that needs looking ahead is found")
    func lookAhead() throws {
        // The first message could be taken by either member; only one choice lets both be satisfied.
        let any = JSONValue(dictionaryLiteral: ("@expect", "event"), ("event", "message"))
        #expect(try self.search(Self.combined("seq", [any, Self.a, Self.b]), in: "aab") == "aab")
        #expect(
            try self.search(Self.combined("interleave", [Self.combined("seq", [any, Self.c]), Self.a]), in: "abc")
                != nil)
    }

    @Test("an unknown event is refused with a suggestion")
    func misspelt() {
        var reader = ExpressionReader(
            matchers: MatcherReader(test: { _ in nil }), names: EventNames(of: [BoldChatSystem.system]))
        let mistake = #expect(throws: UsageError.self) { try reader.expression("typng") }
        #expect(mistake?.message == "there is no event \"typng\"; did you mean \"typing\"?")
    }

    @Test("look-alike members stay within bounds")
    func bounds() throws {
        let any = JSONValue(dictionaryLiteral: ("@expect", "event"), ("event", "message"))
        let expression = Self.combined("interleave", Array(repeating: any, count: 12))
        #expect(try self.search(expression, in: String(repeating: "x", count: 12)) == String(repeating: "x", count: 12))
    }
}
