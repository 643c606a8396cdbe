import JSON

/// Numbers as people write them: `12`, `-3.5`, `1,234.50`, `1.234,50`, `1 234`.
///
/// Where both separators stand, the last is the decimal one. A comma alone separates groups if just three digits
/// follow it, and decimals otherwise; a full stop alone separates decimals (defined here).
enum WrittenNumber {
    private static let separators: Set<Character> = [".", ",", "'", "’", "\u{A0}", "\u{202F}", " "]

    /// Returns the numbers that a text can begin with from a place on, the longest first.
    static func readings(_ text: [Character], at start: Int) -> [TypedText.Reading] {
        var place = start
        var sign = 1.0
        if place < text.count, text[place] == "-" || text[place] == "−" || text[place] == "+" {
            sign = text[place] == "+" ? 1 : -1
            place += 1
        }
        let run = text[min(place, text.count)...].prefix(40).prefix {
            Self.isDigit($0) || Self.separators.contains($0)
        }
        return run.indices.reversed().compactMap { last in
            guard Self.isDigit(text[last]), let value = Self.value(Array(run[...last]), sign) else { return nil }
            return TypedText.Reading(end: last + 1, value: value)
        }
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    private static func value(_ text: [Character], _ sign: Double) -> JSONValue? {
        guard let first = text.first, Self.isDigit(first) else { return nil }
        let found = text.filter { !Self.isDigit($0) }
        var parts = text.split(omittingEmptySubsequences: false) { !Self.isDigit($0) }.map { String($0) }
        guard !parts.contains(where: \.isEmpty) else { return nil }
        var decimals: String?
        if let last = found.last, Self.isDecimal(last, found, parts) { decimals = parts.removeLast() }
        let groupSeparators = decimals == nil ? found : found.dropLast()
        guard Set(groupSeparators).count <= 1 else { return nil }
        if parts.count > 1 {
            guard parts[0].count <= 3, parts.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
        }
        let whole = parts.joined()
        guard let decimals else {
            if let integer = Int64(whole) { return .integer(sign < 0 ? -integer : integer) }
            return Double(whole).map { .double(sign * $0) }
        }
        return Double(whole + "." + decimals).map { .double(sign * $0) }
    }

    /// Whether the last separator stands before decimals.
    private static func isDecimal(_ last: Character, _ found: [Character], _ parts: [String]) -> Bool {
        guard last == "." || last == "," else { return false }
        if Set(found).count > 1 { return found.filter { $0 == last }.count == 1 }
        guard found.count == 1 else { return false }
        return last == "." || !(parts[1].count == 3 && parts[0].count <= 3)
    }
}
