import Machines
import Testing

@testable import Scenario

@Suite("Expressions over tags")
struct TagExpressionTests {
    @Test(
        "hold or do not, with `and` closer than `or`",
        arguments: [
            ("smoke", true), ("slow", false), ("not slow", true), ("!slow", true), ("!smoke", false),
            ("smoke and not slow", true), ("smoke and slow", false), ("slow or smoke", true),
            ("slow and x or smoke", true), ("slow and (x or smoke)", false), ("not (slow or x)", true),
            ("not not smoke", true), ("\"needs agent\"", true), ("'needs agent' and smoke", true),
            ("not slow and not smoke", false), ("smoke-test or queue:long", true), ("\"and\"", false),
        ])
    func holds(text: String, expected: Bool) throws {
        #expect(try TagExpression(text).holds(for: ["smoke", "needs agent", "queue:long"]) == expected)
    }

    @Test(
        "are refused with the place",
        arguments: [
            ("", "a tag is missing before its end"), ("and", "a tag is missing before and"),
            ("smoke slow", "`and` or `or` is missing before slow"), ("(smoke", "`)` is missing before its end"),
            ("smoke)", "`and` or `or` is missing before )"), ("not", "a tag is missing before its end"),
            ("a or", "a tag is missing before its end"), ("\"a", "has a quote that does not end"),
            (String(repeating: "(", count: 10_000), "it nests too deep at ("),
            (String(repeating: "not ", count: 10_000), "it nests too deep at not"),
        ])
    func mistakes(text: String, part: String) {
        do throws(TagExpression.SyntaxError) {
            _ = try TagExpression(text)
            Issue.record("\(text.prefix(40)) was taken")
        } catch {
            #expect(error.message.contains(part))
        }
    }

    @Test(
        "Random words never trap the reader, and what it takes means the same with parentheses around it",
        arguments: 1...4 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let words = ["and", "or", "not", "!", "(", ")", "a", "b", "\"c d\"", "'", " "]
        var taken = 0
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            .joined(separator: " ")
            guard let expression = try? TagExpression(text) else { continue }
            taken += 1
            let wrapped = try? TagExpression("( \(text) )")
            #expect(wrapped?.holds(for: ["a"]) == expression.holds(for: ["a"]), "\(text)")
        }
        #expect(taken > 0)
    }
}
