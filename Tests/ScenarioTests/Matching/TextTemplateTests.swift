import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Text with typed holes")
struct TextTemplateTests {
    /// A piece of a template, for a matcher that tries everything.
    private enum Piece {
        case literal(String)
        case hole(TypedText)
    }

    /// Whether pieces match a text, found by trying each way to read each hole.
    private static func matches(_ pieces: ArraySlice<Piece>, _ text: [Character], at place: Int) -> Bool {
        guard let first = pieces.first else { return place == text.count }
        switch first {
        case .literal(let literal):
            return text[place...].starts(with: literal)
                && Self.matches(pieces.dropFirst(), text, at: place + literal.count)
        case .hole(.any):
            return (place...text.count).contains { Self.matches(pieces.dropFirst(), text, at: $0) }
        case .hole(let type):
            return type.readings(text, at: place).contains { Self.matches(pieces.dropFirst(), text, at: $0.end) }
        }
    }

    @Test("a template matches what trying everything matches", arguments: 0..<60)
    func reference(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for _ in 0..<30 {
            let pieces: [Piece] = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                switch Int.random(in: 0..<5, using: &random) {
                case 0: .hole(.any)
                case 1: .hole(.number)
                case 2: .hole(.word)
                default: .literal(random.text(of: "a1 ", count: 1...2))
                }
            }
            let source = pieces.map { piece in
                switch piece {
                case .literal(let text): text
                case .hole(let type): "<\(type.rawValue)>"
                }
            }.joined()
            let text = random.text(of: "a1 ", count: 0...8)
            let expected = Self.matches(pieces[...], Array(text), at: 0)
            #expect((TextTemplate(source).captures(in: text) != nil) == expected, "\(source) on \(text)")
        }
    }

    @Test("any text is matched by the template that is made of it, and no other text is", arguments: 0..<60)
    func escaped(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let words = ["<", ">", "\\", "number", "<number>", "<a:word>", ":", "é", " ", "x"]
        func text() -> String { (0..<8).map { _ in words.randomElement(using: &random) ?? "" }.joined() }
        let (one, other) = (text(), text())
        let template = TextTemplate(TextTemplate.escaped(one))
        #expect(!template.hasHoles && template.problem == nil)
        #expect(template.captures(in: one) == [:])
        #expect((template.captures(in: other) != nil) == (one == other))
    }

    @Test("each type is a hole, with a name and without", arguments: TypedText.allCases)
    func types(type: TypedText) throws {
        let samples: [TypedText: (String, JSONValue)] = [
            .uuid: ("0b8f5d54-7a0c-4a3e-9c1e-8e1d2f3a4b5c", "0b8f5d54-7a0c-4a3e-9c1e-8e1d2f3a4b5c"),
            .number: ("-1,234.5", -1234.5), .integer: ("42", 42), .date: ("24.12.2026", "2026-12-24"),
            .money: ("$12.50", ["amount": 12.5, "currency": "$"]), .word: ("O'Hara", "O'Hara"),
            .any: ("a\nb <c>", "a\nb <c>"),
        ]
        let (text, value) = try #require(samples[type])
        #expect(TextTemplate("[<\(type.rawValue)>]").captures(in: "[\(text)]") == [:])
        #expect(TextTemplate("[<x:\(type.rawValue)>]").captures(in: "[\(text)]") == ["x": value])
        #expect(TextTemplate("<\(type.rawValue)>").onlyHole == type)
        #expect(TextTemplate("<\(type.rawValue)>.").onlyHole == nil)
        #expect(type == .any || TextTemplate("[<\(type.rawValue)>]").captures(in: "[]") == nil)
    }

    @Test(
        "a hole that is none says so where it was meant as one, and is text where it was not",
        arguments: [
            ("<id:intger>", "there is no type \"intger\" for a hole; did you mean \"integer\"?"),
            (
                "<id:zzzzzzzz>",
                "there is no type \"zzzzzzzz\" for a hole; there are uuid, number, integer, date, money, word, any"
            ), ("<a:word> <b:word> <a:any>", "two holes have the name \"a\""), ("<intger>", nil), ("<a b:word>", nil),
            ("<:word>", nil), ("<a:b:word>", nil), ("<word", nil), ("< word>", nil),
            ("<\(String(repeating: "a", count: 80)):x>", nil),
            ("<>", nil), ("<:>", nil),
        ] as [(String, String?)] as [(String, String?)])
    func problems(source: String, problem: String?) {
        let template = TextTemplate(source)
        #expect(template.problem == problem)
        #expect(problem != nil || template.captures(in: source) == [:])
    }

    @Test(
        "what is almost a hole is said to be none",
        arguments: [
            ("<intger>", "<intger> is no hole; did you mean <integer>? As text it is written \\<intger>"),
            ("a <br> and a <strong>", nil), ("\\<intger>", nil), ("<integer>", nil),
        ] as [(String, String?)])
    func nearHoles(source: String, problem: String?) throws {
        #expect(TextTemplate(source).nearHole == problem)
        let call = "match.template [[\(source)]]"
        let mistake = try ScriptRun.mistake(in: "expect(\"x\", \(call))")
        #expect(mistake == problem.map { "match.template \(JSONValue.string(source)): \($0)" })
    }

    @Test("holes take the longest reading that lets the rest match, and any text the shortest")
    func greed() {
        #expect(TextTemplate("<a:number> <b:number>").captures(in: "12 345 678") == ["a": 12345, "b": 678])
        #expect(TextTemplate("<a:any>-<b:any>").captures(in: "1-2-3") == ["a": "1", "b": "2-3"])
        #expect(TextTemplate("<a:word><b:any>").captures(in: "one two") == ["a": "one", "b": " two"])
        #expect(TextTemplate("<a:integer>.<b:integer>").captures(in: "3.5") == ["a": 3, "b": 5])
    }

    @Test("a text that is longer than any template looks at does not match")
    func tooLong() {
        let text = String(repeating: "a", count: 100_001)
        #expect(TextTemplate("<any>").captures(in: text) == nil)
        #expect(TextTemplate("<any>").captures(in: String(text.dropFirst())) == [:])
    }
}
