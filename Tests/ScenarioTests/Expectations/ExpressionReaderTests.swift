import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Reading what a script expects")
struct ExpressionReaderTests {
    private static func read(_ value: JSONValue) throws(UsageError) -> EventExpression {
        var reader = ExpressionReader(
            matchers: MatcherReader(test: { _ in nil }), names: EventNames(of: [ParrotClient.system]))
        return try reader.expression(value)
    }

    private static func mistake(_ value: JSONValue) -> String? {
        do throws(UsageError) {
            _ = try Self.read(value)
            return nil
        } catch { return error.message }
    }

    @Test(
        "an event is a name, a name with fields, or what the functions return",
        arguments: [
            ("message", "message"), (["message"], "message"), (["message", .null], "message"),
            (["message", []], "message"), (["message", ["text": "a"]], "message { text = \"a\" }"),
            (["@expect": "event", "event": "message"], "message"), ("*", "any event"),
            (["@expect": "event", "event": "*", "fields": ["text": "a"]], "any event { text = \"a\" }"),
            (["@expect": "any", "items": ["message", "squawk"]], "any { message, squawk }"),
            (["@expect": "maybe", "items": ["message"]], "maybe(message)"),
            (
                ["@expect": "seq", "items": ["message", ["@expect": "all", "items": ["squawk", "error"]]]],
                "seq { message, all { squawk, error } }"
            ),
            (["@expect": "interleave", "items": ["message", "message"]], "interleave { message, message }"),
        ] as [(JSONValue, String)])
    func forms(value: JSONValue, description: String) throws {
        #expect(try Self.read(value).description == description)
    }

    @Test(
        "what is none is refused with what one is",
        arguments: [
            .null, true, 1, 1.5, [], [1], [["message"]], ["message", [:], "more"], [:], ["event": "message"],
            ["@expect": 1], ["@expect": "every", "items": ["message"]],
        ] as [JSONValue])
    func noForms(value: JSONValue) throws {
        let text = try #require(Self.mistake(value), "\(value)")
        #expect(text.hasPrefix("an event is expected: a name, event(name, fields), or all{…}, any{…}"), "\(text)")
    }

    @Test("an order without events is refused by its name", arguments: ["all", "any", "seq", "interleave", "maybe"])
    func emptyOrders(name: String) {
        #expect(Self.mistake(["@expect": .string(name), "items": []]) == "\(name){…} needs at least one event")
        #expect(Self.mistake(["@expect": .string(name)]) == "\(name){…} needs at least one event")
        #expect(Self.mistake(["@expect": .string(name), "items": [7]])?.hasPrefix("an event is expected") == true)
    }

    @Test("an event that no system has is refused, with the one that was meant if there is one that is near")
    func unknown() {
        #expect(Self.mistake("mesage") == "there is no event \"mesage\"; did you mean \"message\"?")
        #expect(Self.mistake("xyzxyz") == "there is no event \"xyzxyz\"")
        #expect(Self.mistake("") == "there is no event \"\"")
        #expect(Self.mistake(["@expect": "event"]) == "there is no event \"\"")
    }

    @Test("what is absent in a product can be named, so that the actor can say why it never comes")
    func absent() throws {
        #expect(try Self.read("typing").description == "typing")
    }

    @Test(
        "fields that are no table are refused with what they look like",
        arguments: ["a", 1, true, ["a"]] as [JSONValue])
    func noFields(fields: JSONValue) {
        let text = Self.mistake(["message", fields])
        #expect(text == "the fields of event \"message\" are a table such as { text = \"…\" }, not \(fields)")
    }

    @Test("each event of an expression is its own, though two ask for the same")
    func identities() throws {
        let ids = try Self.read(["@expect": "all", "items": ["message", "message", "squawk"]]).matchers.map(\.id)
        #expect(Set(ids).count == 3)
    }
}

@Suite("What is asked of one event")
struct EventMatcherTests {
    private static func field(_ name: String, _ matcher: Matcher) -> MemberMatcher {
        MemberMatcher(name: name, matcher: matcher)
    }

    @Test("a kind alone fits every event of it, and none fits every event")
    func kinds() {
        let message = EventMatcher(id: 1, kind: .message, fields: [])
        #expect(message.matches(.message("a")) && !message.matches(ChatEvent(.error)))
        let any = EventMatcher(id: 2, kind: nil, fields: [])
        #expect(any.matches(.message("a")) && any.matches(ChatEvent(.error)))
        #expect(message.mismatches(ChatEvent(.error)).map(\.path) == [["event"]])
    }

    @Test("every field that differs is told, below its name")
    func fields() {
        let matcher = EventMatcher(
            id: 1, kind: .message,
            fields: [Self.field("text", .equal("a")), Self.field("from", .equal("bird")), Self.field("id", .absent)])
        let event = ChatEvent(.message, ["text": "b", "id": 7])
        #expect(matcher.mismatches(event).map { $0.path.first } == ["text", "from", "id"])
        #expect(!matcher.matches(event))
        #expect(matcher.matches(ChatEvent(.message, ["text": "a", "from": "bird"])))
    }

    @Test("raw asks for the wire form, and not for a field of that name")
    func raw() {
        let matcher = EventMatcher(id: 1, kind: .message, fields: [Self.field("raw", .equal(["a": 1]))])
        #expect(matcher.matches(ChatEvent(.message, [:], raw: ["a": 1])))
        #expect(!matcher.matches(ChatEvent(.message, ["raw": ["a": 1]])))
        #expect(!matcher.matches(ChatEvent(.message)))
    }

    @Test("what is captured comes from the field, from the wire form and from the event as a whole")
    func captures() {
        let matcher = EventMatcher(
            id: 1, kind: .message,
            fields: [Self.field("text", .capture("t", .anything)), Self.field("raw", .capture("r", .anything))],
            whole: .capture("all", .anything))
        let captures = matcher.captures(of: ChatEvent(.message, ["text": "a"], raw: 7))
        #expect(captures == ["t": "a", "r": 7, "all": ["text": "a"]])
    }

    @Test("two are equal if they are the same event of an expression, whatever they ask for")
    func equality() {
        #expect(EventMatcher.message("a", id: 1) == EventMatcher.message("b", id: 1))
        #expect(EventMatcher.message("a", id: 1) != EventMatcher.message("a", id: 2))
    }
}

@Suite("The names of events")
struct EventNamesTests {
    @Test("are those of all systems, their parties and what they do not have")
    func all() {
        let names = EventNames(of: [ParrotClient.system])
        for name in ["message", "squawk", "error", "typing"] { #expect(names[name]?.rawValue == name) }
        #expect(names["accepted"] == nil && names["*"] == nil && names[""] == nil)
    }

    @Test("grow by a system that a script declares")
    func adding() {
        var names = EventNames(of: [ChatSystem]())
        #expect(names["squawk"] == nil && names.hint(for: "squawk").isEmpty)
        names.add(ParrotClient.system)
        #expect(names["squawk"] == .squawk)
        #expect(names.hint(for: "sqauwk") == "; did you mean \"squawk\"?")
    }
}
