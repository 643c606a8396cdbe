import JSON
import Machines

/// Kinds of personal data that a text may give away, as `match.personal_data` finds them.
///
/// Each is found in one pass over the text. What carries check digits counts only where they are right, so that order
/// numbers are not taken for cards.
enum PersonalData: String, CaseIterable {
    case email, phone, iban, card

    /// What is found, as it reads in a failure.
    var phrase: String {
        switch self {
        case .email: "an e-mail address"
        case .phone: "a phone number"
        case .iban: "an IBAN"
        case .card: "a card number"
        }
    }

    /// Several kinds, as they read in a failure.
    static func phrase(of kinds: [PersonalData]) -> String {
        let phrases = kinds.map(\.phrase)
        let last = phrases.last ?? ""
        return phrases.count < 2 ? last : phrases.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Reads which kinds a script means: all if it names none.
    ///
    /// - Throws: ``UsageError`` with the kinds that there are.
    static func kinds(_ value: JSONValue) throws(UsageError) -> [PersonalData] {
        guard !value.isNull else { return Self.allCases }
        let names = value.array ?? [value]
        let known = Self.allCases.map(\.rawValue)
        // An empty table of Lua is an empty list.
        guard !names.isEmpty, value.object == nil else {
            throw UsageError(
                "match.personal_data takes a list of kinds that is not empty (\(known.joined(separator: ", "))), or nothing "
                    + "for all of them")
        }
        var kinds: [PersonalData] = []
        for name in names {
            guard let kind = PersonalData(rawValue: name.string ?? "") else {
                throw UsageError(
                    "match.personal_data knows no kind \(name)"
                        + TextDistance.hint(name.string ?? "", among: known, listing: "it knows"))
            }
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds
    }

    /// Returns whether there is data of one of some kinds in a value or anywhere within it; JSON has card numbers as
    /// numbers, too.
    static func isFound(_ kinds: [PersonalData], in value: JSONValue) -> Bool {
        value.holdsText(withNumbers: true) { text in kinds.contains { $0.isFound(in: text) } }
    }

    /// Returns whether a text has such data anywhere.
    func isFound(in text: String) -> Bool {
        let bytes = Self.plain(text)
        return switch self {
        case .email: Self.hasEmail(bytes)
        case .phone: Self.hasPhone(bytes)
        case .iban: Self.hasIBAN(bytes)
        case .card: Self.numbers(bytes).contains { Self.isCard($0) } || Self.hasCardAmongOthers(bytes)
        }
    }

    /// Returns a text as it would stand in ASCII, as far as that can be, for data is the same however it is set: with
    /// spaces, dashes, digits and full-width forms of ASCII, and without what nobody sees. Letters stay, and of other
    /// signs it is only known that they are none.
    private static func plain(_ text: String) -> [UInt8] {
        guard text.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\r") }) else { return Array(text.utf8) }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case _ where scalar == "\n" && plain.last == UInt8(ascii: "\r"): plain[plain.count - 1] = UInt8(ascii: "\n")
            case _ where scalar.isASCII: plain.append(UInt8(ascii: scalar))
            case _ where SeenText.isInvisible(scalar): break
            // The full-width forms stand in the order of ASCII.
            case _ where 0xFF01...0xFF5E ~= scalar.value: plain.append(UInt8(scalar.value - 0xFF01) + UInt8(ascii: "!"))
            case .decimalNumber: plain.append(UInt8(ascii: "0") + UInt8(scalar.properties.numericValue ?? 0))
            case .spaceSeparator: plain.append(UInt8(ascii: " "))
            case .lineSeparator, .paragraphSeparator: plain.append(UInt8(ascii: "\n"))
            case .dashPunctuation: plain.append(UInt8(ascii: "-"))
            case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .connectorPunctuation,
                .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
                plain.append(UInt8(ascii: ","))
            default: plain += UTF8.encode(scalar).map { Array($0) } ?? []
            }
        }
        return plain
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
    private static func isWord(_ byte: UInt8) -> Bool { Self.isDigit(byte) || Self.isLetter(byte) || byte >= 0x80 }

    /// Something before an `@`, and behind it names with a dot between them, the last one of two letters or more.
    private static func hasEmail(_ text: [UInt8]) -> Bool {
        for (place, byte) in text.enumerated() where byte == UInt8(ascii: "@") && place > 0 {
            guard Self.isWord(text[place - 1]) || "_+-%".utf8.contains(text[place - 1]) else { continue }
            let host = text[(place + 1)...].prefix {
                Self.isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            }
            let names = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: true)
            // Two dots in a row end the address.
            guard let first = host.first, first != UInt8(ascii: "."), names.count > 1, let last = names.last else {
                continue
            }
            if last.count > 1, last.allSatisfy(Self.isLetter) { return true }
        }
        return false
    }

    /// A run of digits with single separators in it.
    private struct Number {
        let digits: [UInt8]
        let hasPlus: Bool

        /// How many digits there are up to the end of each of its groups.
        let ends: [Int]
    }

    /// What divides the digits of a number.
    private static let inNumbers = Array(" -/()".utf8)

    /// The runs of digits that a space, a dash, a slash or a parenthesis may divide, as people write numbers. A dot
    /// does not: dates have it, and fractions.
    ///
    /// - Parameter isPhone: Whether a dash or a slash with a space on either side may stand once behind the code of a
    ///   country or a town, and dots behind a plus.
    private static func numbers(_ text: [UInt8], isPhone: Bool = false) -> [Number] {
        var numbers: [Number] = []
        var place = 0
        while place < text.count {
            guard Self.isDigit(text[place]), place == 0 || !Self.isWord(text[place - 1]) else {
                place += 1
                continue
            }
            let hasPlus = place > 0 && text[place - 1] == UInt8(ascii: "+")
            let hasDots = isPhone && hasPlus && Self.isDividedByDots(text[place...])
            var mayBeWide = isPhone
            var digits: [UInt8] = []
            var ends: [Int] = []
            var gap = 0
            while place < text.count, gap < 3 {
                if Self.isDigit(text[place]) {
                    digits.append(text[place] - 0x30)
                    gap = 0
                } else if gap == 0, mayBeWide, hasPlus || (ends.first ?? digits.count) > 2,
                    Self.wideDividers.contains(where: text[place...].starts(with:))
                {
                    // Further ones stand between numbers, such as times.
                    mayBeWide = false
                    ends.append(digits.count)
                    gap = 1
                    place += 2
                } else if Self.inNumbers.contains(text[place]) || hasDots && gap == 0 && text[place] == Self.dot {
                    if gap == 0 { ends.append(digits.count) }
                    gap += 1
                } else {
                    break
                }
                place += 1
            }
            if gap == 0 { ends.append(digits.count) }
            numbers.append(Number(digits: digits, hasPlus: hasPlus, ends: ends))
        }
        return numbers
    }

    /// 8 to 15 digits behind a plus (ITU-T E.164) or behind 00, which is dialled for it in most countries,
    /// or 10 to 13 that begin with a zero, as numbers within a country do. Another number may follow, but not where
    /// the first digits may be those of a day or a month.
    private static func hasPhone(_ text: [UInt8]) -> Bool {
        let isFound = Self.numbers(text, isPhone: true).contains { number in
            let beginsAsPhone = number.hasPlus || (number.ends.first ?? 0) > 2
            let counts = beginsAsPhone ? number.ends : number.ends.suffix(1)
            return counts.contains { Self.isPhone(number.digits.prefix($0), hasPlus: number.hasPlus) }
        }
        return isFound || Self.hasDottedPhone(text)
    }

    private static let dot = UInt8(ascii: ".")

    /// What divides the code of a town from what follows it, as in `030 / 1234567`.
    private static let wideDividers = [Array(" / ".utf8), Array(" - ".utf8)]

    /// Whether dots divide the digits at the beginning of a text, so that they are no fraction: that has one dot and no
    /// other sign.
    private static func isDividedByDots(_ text: ArraySlice<UInt8>) -> Bool {
        let number = text.prefix { Self.isDigit($0) || $0 == Self.dot || Self.inNumbers.contains($0) }
        let last = number.lastIndex(where: Self.isDigit) ?? number.startIndex
        return number[...last].count { !Self.isDigit($0) } > 1
    }

    /// A number within a country that dots alone divide, as `01.23.45.67.89` and `0171.234.56.78` are: five pairs, or
    /// three groups and more of which the first is longer than a day or a month.
    private static func hasDottedPhone(_ text: [UInt8]) -> Bool {
        var place = 0
        while place < text.count {
            let isBegin = place == 0 || !Self.isWord(text[place - 1]) && text[place - 1] != Self.dot
            guard isBegin, text[place] == UInt8(ascii: "0") else {
                place += 1
                continue
            }
            let number = text[place...].prefix { Self.isDigit($0) || $0 == Self.dot }
            place = number.endIndex
            let groups = number.split(separator: Self.dot, omittingEmptySubsequences: false)
            let lengths = (number.last == Self.dot ? groups.dropLast() : groups[...]).map(\.count)
            // Four groups of three are the address of a machine.
            let isOfGroups = lengths.count > 2 && 3...5 ~= lengths[0] && lengths != [3, 3, 3, 3]
            guard lengths == [2, 2, 2, 2, 2] || isOfGroups && !lengths.contains(0) else { continue }
            let digits = number.filter(Self.isDigit).map { $0 - 0x30 }
            let isEnd = number.endIndex == text.count || !Self.isWord(text[number.endIndex])
            if isEnd, Self.isPhone(digits[...], hasPlus: false) { return true }
        }
        return false
    }

    private static func isPhone(_ digits: ArraySlice<UInt8>, hasPlus: Bool) -> Bool {
        let count = digits.count
        if hasPlus { return 8...15 ~= count }
        guard digits.first == 0 else { return false }
        // No code of a country begins with a zero.
        let isAbroad = count > 2 && digits[1] == 0 && digits[2] != 0
        return 10...13 ~= count || isAbroad && 10...17 ~= count
    }

    /// How the digits of a card are grouped.
    private static let cardGroups = [[4, 4, 4, 4], [4, 6, 5], [4, 6, 4], [4, 4, 4, 4, 3]] + (13...19).map { [$0] }

    /// What divides the groups of a card, besides a dot: as people write it, in columns, in tables and set in bold.
    private static let inCards = Self.inNumbers + Array("\t\n*_|`".utf8)

    /// As long as what divides two groups may be.
    private static let longestDivider = 8

    /// Whether there is a card number with other numbers beside it, or divided as other numbers are. That it is in one
    /// piece or grouped as on the card tells it from those.
    private static func hasCardAmongOthers(_ text: [UInt8]) -> Bool {
        var row: [ArraySlice<UInt8>] = []
        // Where cards stand in the row: they may be chance there.
        var cards: [Range<Int>] = []
        var place = 0
        while place < text.count {
            guard Self.isDigit(text[place]), place == 0 || !Self.isWord(text[place - 1]) else {
                place += 1
                continue
            }
            let number = text[place...].prefix(while: Self.isDigit)
            let isWhole = number.endIndex == text.count || !Self.isWord(text[number.endIndex])
            let isInRow = isWhole && number.count == Self.groupInRow
            if let last = row.last, !isInRow || !Self.isDivider(text[last.endIndex..<place]) {
                if Self.hasCard(row, at: cards) { return true }
                row = []
                cards = []
            }
            if let groups = Self.cardGroups.first(where: { Self.isGroupedCard(text[place...], $0) }) {
                guard groups.starts(with: [Self.groupInRow, Self.groupInRow]) else { return true }
                cards.append(row.count..<(row.count + Self.groupsInRow))
            }
            if isInRow { row.append(number) }
            place = number.endIndex
        }
        return Self.hasCard(row, at: cards)
    }

    /// How many digits the groups have that other numbers have as well, and how many of them a card has.
    private static let (groupInRow, groupsInRow) = (4, 4)

    /// Whether some of a row of numbers are a card number and no list.
    private static func hasCard(_ row: [ArraySlice<UInt8>], at places: [Range<Int>]) -> Bool {
        !places.isEmpty && !NumberRow(row).outsideLists(places).isEmpty
    }

    /// Whether this may stand between two groups of a card.
    private static func isDivider(_ text: ArraySlice<UInt8>) -> Bool {
        text.elementsEqual(".".utf8)
            || 1...Self.longestDivider ~= text.count && text.allSatisfy(Self.inCards.contains)
    }

    /// Whether a number is that of a card, and its groups are no list.
    private static func isCard(_ number: Number) -> Bool {
        guard CardNumber.isOne(number.digits) else { return false }
        let starts = [0] + number.ends.dropLast()
        let row = NumberRow(zip(starts, number.ends).map { number.digits[$0..<$1] })
        return !row.outsideLists([0..<row.count]).isEmpty
    }

    /// Whether a text begins with a card number in such groups.
    private static func isGroupedCard(_ text: ArraySlice<UInt8>, _ groups: [Int]) -> Bool {
        var rest = text
        var digits: [UInt8] = []
        var inLine: Set<ArraySlice<UInt8>> = []
        for count in groups {
            if !digits.isEmpty {
                let divider = rest.prefix(Self.longestDivider).prefix { !Self.isWord($0) }
                guard Self.isDivider(divider) else { return false }
                if !divider.contains(UInt8(ascii: "\n")) { inLine.insert(divider) }
                rest = rest.dropFirst(divider.count)
            }
            let group = rest.prefix(count)
            guard group.count == count, group.allSatisfy(Self.isDigit) else { return false }
            digits += group.map { $0 - 0x30 }
            rest = rest.dropFirst(count)
        }
        if let next = rest.first, Self.isWord(next) { return false }
        // Within a line all groups are divided alike, or as those of any number.
        let isDivided = inLine.count < 2 || inLine.allSatisfy { $0.allSatisfy(Self.inNumbers.contains) }
        return isDivided && CardNumber.isOne(digits)
    }

    /// What divides words within a line.
    private static let inLine = Array(" \t".utf8)

    /// Two letters, two check digits and 11 to 30 letters or digits (ISO 13616-1), in one piece or in groups with a
    /// space or a tab between them. A dash or the end of a line divides groups of four alone: other identifiers have
    /// dashes, too.
    private static func hasIBAN(_ text: [UInt8]) -> Bool {
        guard text.count >= 15 else { return false }
        for place in 0..<(text.count - 4) {
            guard Self.isLetter(text[place]), Self.isLetter(text[place + 1]), Self.isDigit(text[place + 2]),
                Self.isDigit(text[place + 3]), place == 0 || !Self.isWord(text[place - 1])
            else { continue }
            var code: [UInt8] = []
            var end = place
            var group = 0
            var isOfFours = false
            while end < text.count, code.count <= 34 {
                if Self.isDigit(text[end]) || Self.isLetter(text[end]) {
                    code.append(text[end])
                    group += 1
                    guard !isOfFours || group <= 4 else { break }
                } else if Self.inLine.contains(text[end]), end + 1 < text.count, !Self.inLine.contains(text[end + 1]) {
                    group = 0
                } else if "-\n".utf8.contains(text[end]), group == 4 {
                    group = 0
                    isOfFours = true
                } else {
                    break
                }
                end += 1
                // Words may follow behind a space, so the code may end at each end of a piece.
                let isEnd = end == text.count || !Self.isWord(text[end])
                if isEnd, 15...34 ~= code.count, Self.isIBAN(code) { return true }
            }
        }
        return false
    }

    /// The remainder of ISO/IEC 7064 (MOD 97-10), the first four characters taken last.
    private static func isIBAN(_ code: [UInt8]) -> Bool {
        let remainder = (code[4...] + code[..<4]).reduce(0) { remainder, byte in
            Self.isDigit(byte)
                ? (remainder * 10 + Int(byte) - 0x30) % 97 : (remainder * 100 + Int(byte | 0x20) - 0x61 + 10) % 97
        }
        return remainder == 1
    }
}
