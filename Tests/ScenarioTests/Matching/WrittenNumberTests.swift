import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Numbers as people write them")
struct WrittenNumberTests {
    private static func value(_ text: String) -> JSONValue? { TypedText.number.value(of: .string(text)) }

    /// Writes a whole number with groups of three.
    private static func grouped(_ digits: String, _ separator: String) -> String {
        var groups: [Substring] = []
        var rest = digits[...]
        while rest.count > 3 {
            groups.insert(rest.suffix(3), at: 0)
            rest = rest.dropLast(3)
        }
        return ([rest] + groups).joined(separator: separator)
    }

    @Test(
        "whatever separates groups and decimals, a number with both is read back", arguments: 0..<40)
    func styles(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        for (group, decimal) in [
            (",", "."), (".", ","), (" ", ","), ("'", "."), ("’", "."), ("\u{A0}", ","), ("\u{202F}", "."),
        ] {
            let whole = String(Int.random(in: 1000...999_999_999, using: &random))
            let decimals = String(Int.random(in: 1...99, using: &random)) + "5"
            let sign = ["", "-", "+", "−"].randomElement(using: &random) ?? ""
            let text = sign + Self.grouped(whole, group) + decimal + decimals
            let expected = try #require(Double(whole + "." + decimals)) * (sign == "-" || sign == "−" ? -1 : 1)
            #expect(Self.value(text)?.double == expected, "\(text)")
        }
    }

    @Test("a whole number in groups is an integer in each style that does not read as decimals", arguments: 0..<20)
    func integers(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for group in [",", ".", " ", "'", "\u{A0}"] {
            // Two groups at least: one full stop alone stands before decimals.
            let number = Int64.random(in: 1_000_000...99_999_999_999, using: &random)
            #expect(Self.value(Self.grouped("\(number)", group)) == .integer(number))
        }
        let number = Int64.random(in: -99_999...99_999, using: &random)
        #expect(Self.value("\(number)") == .integer(number))
    }

    @Test(
        "what nobody writes as one number is none",
        arguments: [
            "1,23,456", "12 34", "1..2", "1,,2", ".5", ",5", "5.", "5,", "--5", "+-5", "- 5", "1e3", "0x10",
            "1.234.56", "1,234,56", "1'234,567.8", "1.2,3.4", "١٢", "½", "NaN", "inf", "1\n000", "-", "+",
        ])
    func noNumbers(text: String) {
        #expect(Self.value(text) == nil)
    }

    @Test("more digits than an integer holds are a number all the same, and one that is endless is read to its bound")
    func long() {
        #expect(Self.value("9223372036854775807") == .integer(.max))
        #expect(Self.value("9223372036854775808") == .double(9.223372036854775808e18))
        #expect(Self.value("-9223372036854775808") == .double(-9.223372036854775808e18))
        #expect(Self.value(String(repeating: "9", count: 41)) == nil)
        #expect(WrittenNumber.readings(Array(String(repeating: "9", count: 5_000)), at: 0).first?.end == 40)
    }

    @Test("the readings of a text are the numbers it can begin with, the longest first")
    func readings() {
        func ends(_ text: String, at start: Int = 0) -> [Int] {
            WrittenNumber.readings(Array(text), at: start).map(\.end)
        }
        #expect(ends("12 345 apples") == [6, 2, 1])
        #expect(ends("1,5.") == [3, 1])
        #expect(ends("costs 42", at: 6) == [8, 7])
        #expect(ends("42", at: 2) == [])
        #expect(ends("x42") == [])
    }
}
