import JSON
import Patterns

/// Kinds of text that vary from run to run, as scripts and stored transcripts ask for them: `match.uuid`, `<uuid>`.
enum TypedText: String, CaseIterable, Hashable {
    case uuid, number, integer, date, money, word, any

    /// What is asked for, as it reads in a failure.
    var phrase: String {
        switch self {
        case .uuid: "a UUID"
        case .number: "a number"
        case .integer: "an integer"
        case .date: "a date"
        case .money: "an amount of money"
        case .word: "a word"
        case .any: "any text"
        }
    }

    /// A reading of a text from some place on.
    struct Reading: Hashable {
        /// Where the text goes on.
        let end: Int

        /// What was read, as scripts get it.
        let value: JSONValue
    }

    /// Returns the ways to read a text from a place on, the longest first; ``any`` is read by ``TextTemplate`` itself.
    func readings(_ text: [Character], at start: Int) -> [Reading] {
        switch self {
        case .uuid: Self.uuid(text, start)
        case .number: WrittenNumber.readings(text, at: start)
        case .integer: WrittenNumber.readings(text, at: start).filter { $0.value.integer != nil }
        case .date: DateText.readings(text, at: start)
        case .money: Self.money(text, start)
        case .word: Self.word(text, start)
        case .any: []
        }
    }

    /// Returns what a whole value is read as, or nil if it is no such thing; numbers of JSON are numbers, too.
    func value(of value: JSONValue) -> JSONValue? {
        switch (self, value) {
        case (.any, _): return value
        case (.number, .integer), (.number, .double): return value
        case (.integer, .integer): return value
        case (.integer, .double): return value.integer.map { .integer($0) }
        case (_, .string(let text)):
            let characters = Array(text)
            return self.readings(characters, at: 0).first { $0.end == characters.count }?.value
        default: return nil
        }
    }

    /// 8-4-4-4-12 hexadecimal digits (RFC 9562 section 4).
    private static func uuid(_ text: [Character], _ start: Int) -> [Reading] {
        guard start + 36 <= text.count else { return [] }
        let part = text[start..<(start + 36)]
        for (index, character) in part.enumerated() {
            let isDash = [8, 13, 18, 23].contains(index)
            guard isDash ? character == "-" : character.isASCII && character.isHexDigit else { return [] }
        }
        return [Reading(end: start + 36, value: .string(String(part).lowercased()))]
    }

    private static func word(_ text: [Character], _ start: Int) -> [Reading] {
        let word = text[start...].prefix { RegexCharacters.isWord($0) || $0 == "-" || $0 == "'" || $0 == "’" }
        return word.isEmpty ? [] : [Reading(end: word.endIndex, value: .string(String(word)))]
    }

    private static let currencySigns: Set<Character> = ["€", "$", "£", "¥", "₹", "₽", "₩", "₺", "₴", "¢"]

    /// A number with a currency sign or three capital letters before or after it, a space in between or not.
    private static func money(_ text: [Character], _ start: Int) -> [Reading] {
        func reading(_ number: Reading, _ currency: String, end: Int) -> Reading {
            Reading(end: end, value: ["amount": number.value, "currency": .string(currency)])
        }
        if let (currency, end) = Self.currency(text, start) {
            let numbers = WrittenNumber.readings(text, at: Self.skippingSpace(text, end))
            if !numbers.isEmpty { return numbers.map { reading($0, currency, end: $0.end) } }
        }
        return WrittenNumber.readings(text, at: start).compactMap { number in
            guard let (currency, end) = Self.currency(text, Self.skippingSpace(text, number.end)) else { return nil }
            return reading(number, currency, end: end)
        }
    }

    private static func currency(_ text: [Character], _ start: Int) -> (String, Int)? {
        guard start < text.count else { return nil }
        if Self.currencySigns.contains(text[start]) { return (String(text[start]), start + 1) }
        let letters = text[start...].prefix { $0.isLetter }
        guard letters.count == 3, letters.allSatisfy({ $0.isASCII && $0.isUppercase }) else { return nil }
        return (String(letters), letters.endIndex)
    }

    private static func skippingSpace(_ text: [Character], _ start: Int) -> Int {
        start < text.count && (text[start] == " " || text[start] == "\u{A0}") ? start + 1 : start
    }
}
