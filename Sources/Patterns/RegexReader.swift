/// Compiles regular expressions: the syntax that most engines share, without back references and look-around.
///
/// | what | how |
/// |---|---|
/// | one of, group | `a\|b`, `(…)`, `(?:…)`, `(?<name>…)` |
/// | repetition | `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`, each also lazy, which counts where a text is searched |
/// | character | `.`, `[a-z]`, `[^…]`, `\d \w \s` and `\D \W \S`, `\p{L} \p{N} \p{P} \p{Lu} \p{Ll}`, `[[:alpha:]]` |
/// | place | `^`, `$`, `\b`, `\B` |
/// | how | `(?i)`, `(?s)` to the end of the group, `(?i:…)` for one group |
///
/// `\d` and `[:digit:]` are the digits from 0 to 9, as in ECMA-262, by whose expressions JSON Schema goes; letters, in
/// `\w` as well, are those of all languages.
///
/// A character is a code point here, as in JSON Schema and most engines: `\r\n` are two, and so are a letter and the
/// accent that is combined with it.
struct RegexReader {
    private indirect enum Node {
        case empty
        case characters(RegexCharacters)
        case place(RegexProgram.Place)
        case sequence([Node])
        case choice([Node])
        case repetition(Node, least: Int, most: Int?, isLazy: Bool)
    }

    /// How the characters that follow are read.
    private struct Flags {
        var ignoresCase = false
        var dotTakesNewline = false
    }

    /// How deep groups and sets may nest, for each level takes some of the stack.
    private static let deepest = 100

    /// How often something repeated may be repeated as a whole, as in `a{2}{3}`; each time takes some of the stack,
    /// too.
    private static let mostRepetitions = 3

    private let pattern: [Unicode.Scalar]
    private var place = 0
    private var flags = Flags()
    private var depth = 0

    /// Programs of more instructions are refused.
    private let longest: Int

    private init(_ pattern: String, longest: Int) {
        self.pattern = Array(pattern.unicodeScalars)
        self.longest = longest
    }

    /// Compiles an expression.
    ///
    /// - Parameter longest: Programs of more instructions are refused.
    /// - Throws: ``RegexError`` that says what cannot be read, and where.
    static func program(_ pattern: String, longest: Int) throws(RegexError) -> RegexProgram {
        var reader = RegexReader(pattern, longest: longest)
        let node = try reader.choice()
        guard reader.place == reader.pattern.count else { throw reader.mistake("there is an unmatched \")\"") }
        var program = RegexProgram()
        try reader.compile(node, into: &program)
        program.add(.accept)
        return program
    }

    private func mistake(_ text: String) -> RegexError {
        RegexError("\(text), at character \(min(self.place + 1, self.pattern.count))")
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    // MARK: Reading

    private var next: Unicode.Scalar? { self.place < self.pattern.count ? self.pattern[self.place] : nil }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard self.pattern[self.place...].starts(with: wanted) else { return false }
        self.place += wanted.count
        return true
    }

    private mutating func choice() throws(RegexError) -> Node {
        self.depth += 1
        defer { self.depth -= 1 }
        guard self.depth <= Self.deepest else { throw self.mistake("groups nest more than \(Self.deepest) deep") }
        var members = [try self.sequence()]
        while self.take("|") { members.append(try self.sequence()) }
        return members.count == 1 ? members[0] : .choice(members)
    }

    private mutating func sequence() throws(RegexError) -> Node {
        var items: [Node] = []
        while let next = self.next, next != "|", next != ")" {
            let item = try self.item()
            items.append(try self.repeated(item))
        }
        return items.count == 1 ? items[0] : items.isEmpty ? .empty : .sequence(items)
    }

    private mutating func item() throws(RegexError) -> Node {
        guard let character = self.next else { return .empty }
        self.place += 1
        switch character {
        case "(": return try self.group()
        case "[": return .characters(try self.set())
        case ".":
            return .characters(RegexCharacters(members: [.of(self.flags.dotTakesNewline ? .any : .anyButNewline)]))
        case "^": return .place(.start)
        case "$": return .place(.end)
        case "\\":
            if self.take("b") { return .place(.boundary) }
            if self.take("B") { return .place(.noBoundary) }
            return self.characters([try self.escape()])
        case "*", "+", "?":
            self.place -= 1
            throw self.mistake("there is nothing that \"\(character)\" could repeat")
        default: return self.characters([.one(character)])
        }
    }

    private func characters(_ members: [RegexCharacters.Member]) -> Node {
        .characters(RegexCharacters(members: members, ignoresCase: self.flags.ignoresCase))
    }

    private mutating func group() throws(RegexError) -> Node {
        let outer = self.flags
        if self.take("?") {
            for refused in ["=", "!", "<=", "<!", ">", "P="] where self.take(refused) {
                throw self.mistake(
                    "look-around and atomic groups are not known, because expressions here never go back in the text")
            }
            if self.take("<") || self.take("P<") {
                while let next = self.next, RegexCharacters.isWord(next) { self.place += 1 }
                guard self.take(">") else { throw self.mistake("the name of a group ends with \">\"") }
            } else if !self.take(":") {
                var isOn = true
                while let next = self.next, next != ")", next != ":" {
                    self.place += 1
                    switch next {
                    case "-": isOn = false
                    case "i": self.flags.ignoresCase = isOn
                    case "s": self.flags.dotTakesNewline = isOn
                    default: throw self.mistake("\"\(next)\" is no flag; there are i and s")
                    }
                }
                // Flags alone hold to the end of the group that they stand in.
                if self.take(")") { return .empty }
                guard self.take(":") else { throw self.mistake("a group is not closed") }
            }
        }
        let node = try self.choice()
        guard self.take(")") else { throw self.mistake("a group is not closed") }
        self.flags = outer
        return node
    }

    private mutating func repeated(_ item: Node) throws(RegexError) -> Node {
        var node = item
        var count = 0
        while let next = self.next {
            let start = self.place
            var bounds: (Int, Int?)
            switch next {
            case "*": bounds = (0, nil)
            case "+": bounds = (1, nil)
            case "?": bounds = (0, 1)
            case "{":
                guard let counted = try self.counts() else { return node }
                bounds = counted
            default: return node
            }
            if start == self.place { self.place += 1 }
            count += 1
            guard count <= Self.mostRepetitions else {
                throw self.mistake("a repetition is repeated more than \(Self.mostRepetitions - 1) times over")
            }
            if self.next == "+" {
                throw self.mistake("a possessive repetition is not known; leave out the second \"+\"")
            }
            let isLazy = self.take("?")
            node = .repetition(node, least: bounds.0, most: bounds.1, isLazy: isLazy)
        }
        return node
    }

    /// So many characters hold every count that is not too large.
    private static let longestCount = 20

    /// Reads `{2}`, `{2,}` or `{2,5}`; anything else in braces stands for itself.
    private mutating func counts() throws(RegexError) -> (Int, Int?)? {
        guard let end = self.pattern[self.place...].prefix(Self.longestCount).firstIndex(of: "}") else { return nil }
        let parts = self.pattern[(self.place + 1)..<end].split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let least = Self.number(parts[0]) else { return nil }
        var most: Int? = least
        if parts.count == 2 {
            if parts[1].isEmpty {
                most = nil
            } else {
                guard let number = Self.number(parts[1]) else { return nil }
                most = number
            }
        }
        guard 0...self.longest ~= least, (most ?? least) >= least, (most ?? 0) <= self.longest else {
            throw self.mistake(
                "a repetition goes from the smaller to the greater number, at most \(self.longest)")
        }
        self.place = end + 1
        return (least, most)
    }

    /// Reads digits alone, without a sign.
    private static func number(_ digits: ArraySlice<Unicode.Scalar>) -> Int? {
        digits.allSatisfy { ("0"..."9").contains($0) } ? Int(Self.text(digits)) : nil
    }

    private mutating func escape() throws(RegexError) -> RegexCharacters.Member {
        guard let character = self.next else { throw self.mistake("the expression ends with a backslash") }
        self.place += 1
        switch character {
        case "d", "D": return .of(.digit(character == "d"))
        case "w", "W": return .of(.word(character == "w"))
        case "s", "S": return .of(.space(character == "s"))
        case "n": return .one("\n")
        case "t": return .one("\t")
        case "r": return .one("\r")
        case "f": return .one("\u{C}")
        case "v": return .one("\u{B}")
        case "p", "P": return try self.property(character == "p")
        case "u", "x": return .one(try self.codePoint(character == "u" ? 4 : 2))
        case _ where character.properties.numericType != nil || character == "k":
            throw self.mistake("back references are not known, because expressions here never go back in the text")
        case _ where character.properties.isAlphabetic: throw self.mistake("\"\\\(character)\" means nothing")
        default: return .one(character)
        }
    }

    private mutating func property(_ isWanted: Bool) throws(RegexError) -> RegexCharacters.Member {
        guard self.take("{"), let end = self.pattern[self.place...].firstIndex(of: "}") else {
            throw self.mistake("a property is written \\p{L}")
        }
        let name = Self.text(self.pattern[self.place..<end])
        self.place = end + 1
        switch name {
        case "L": return .of(.letter(isWanted))
        case "N": return .of(.number(isWanted))
        case "P": return .of(.punctuation(isWanted))
        case "Lu": return .of(.uppercase(isWanted))
        case "Ll": return .of(.lowercase(isWanted))
        default: throw self.mistake("there is no property \"\(name)\"; there are L, N, P, Lu and Ll")
        }
    }

    private mutating func codePoint(_ digits: Int) throws(RegexError) -> Unicode.Scalar {
        var text = self.pattern[self.place...].prefix(digits)
        var isWhole = text.count == digits
        var end = text.endIndex
        if self.next == "{", let brace = self.pattern[self.place...].firstIndex(of: "}") {
            text = self.pattern[(self.place + 1)..<brace]
            isWhole = true
            end = brace + 1
        }
        // Digits alone, for reading a number would take a sign, too.
        guard isWhole, text.allSatisfy(\.properties.isASCIIHexDigit), let number = UInt32(Self.text(text), radix: 16),
            let scalar = Unicode.Scalar(number)
        else { throw self.mistake("a code point is written \\x41, \\u00e9 or \\u{1F600}") }
        self.place = end
        return scalar
    }

    /// The classes of POSIX that can stand in a set, such as `[[:alpha:]_]`.
    private static var namedClasses: [String: [RegexCharacters.Member]] {
        [
            "alpha": [.of(.letter(true))], "digit": [.of(.digit(true))],
            "alnum": [.of(.letter(true)), .of(.number(true))],
            "upper": [.of(.uppercase(true))], "lower": [.of(.lowercase(true))], "space": [.of(.space(true))],
            "word": [.of(.word(true))],
            "blank": [.one(" "), .one("\t")], "xdigit": [.range("0"..."9"), .range("a"..."f"), .range("A"..."F")],
            // In ASCII symbols such as + and $ are among them, which Unicode counts apart.
            "punct": [
                .of(.punctuation(true)), .range("!"..."/"), .range(":"..."@"), .range("["..."`"), .range("{"..."~"),
            ],
            "cntrl": [.range("\u{0}"..."\u{1F}"), .one("\u{7F}")],
        ]
    }

    /// Reads `:alpha:]` behind a bracket within a set; nil where it is a set of characters.
    private mutating func namedClass() throws(RegexError) -> RegexCharacters.Member? {
        guard let name = self.className else { return nil }
        guard let members = Self.namedClasses[name] else {
            let known = Self.namedClasses.keys.sorted().joined(separator: ", ")
            throw self.mistake("there is no class [:\(name):]; there are \(known)")
        }
        self.place += name.count + 3
        return .set(RegexCharacters(members: members))
    }

    /// The name between the colons that follow a bracket, where they close with one.
    private var className: String? {
        guard self.next == ":" else { return nil }
        let name = self.pattern[(self.place + 1)...].prefix { $0.isASCII && $0.properties.isAlphabetic || $0 == "^" }
        let end = Array(self.pattern[name.endIndex...].prefix(2))
        return end == [":", "]"] ? Self.text(name) : nil
    }

    private mutating func set() throws(RegexError) -> RegexCharacters {
        if let name = self.className { throw self.mistake("a class stands within a set: [[:\(name):]]") }
        self.depth += 1
        defer { self.depth -= 1 }
        guard self.depth <= Self.deepest else { throw self.mistake("sets nest more than \(Self.deepest) deep") }
        let isNegated = self.take("^")
        var members: [RegexCharacters.Member] = []
        var isFirst = true
        while true {
            guard let character = self.next else { throw self.mistake("a set is not closed with \"]\"") }
            self.place += 1
            if character == "]", !isFirst {
                return RegexCharacters(
                    members: members, isNegated: isNegated, ignoresCase: self.flags.ignoresCase)
            }
            isFirst = false
            var member = RegexCharacters.Member.one(character)
            if character == "\\" { member = self.take("b") ? .one("\u{8}") : try self.escape() }
            if character == "[" {
                if let named = try self.namedClass() { member = named } else { member = .set(try self.set()) }
            }
            guard case .one(let low) = member, self.next == "-", self.pattern.indices.contains(self.place + 1),
                self.pattern[self.place + 1] != "]"
            else {
                members.append(member)
                continue
            }
            self.place += 1
            var high = self.pattern[self.place]
            self.place += 1
            if high == "\\" {
                guard case .one(let escaped) = try self.escape() else {
                    throw self.mistake("a range ends with a character")
                }
                high = escaped
            }
            guard low <= high else { throw self.mistake("a range goes from the smaller to the greater character") }
            members.append(.range(low...high))
        }
    }

    // MARK: Compiling

    private func compile(_ node: Node, into program: inout RegexProgram) throws(RegexError) {
        guard program.size < self.longest else { throw self.isTooLarge }
        switch node {
        case .empty: break
        case .characters(let characters):
            program.add(.character(characters))
            guard characters.setCount == 0 || program.size <= self.longest else { throw self.isTooLarge }
        case .place(let place): program.add(.place(place))
        case .sequence(let items): for item in items { try self.compile(item, into: &program) }
        case .choice(let members):
            var ends: [Int] = []
            for (index, member) in members.enumerated() {
                guard index < members.count - 1 else {
                    try self.compile(member, into: &program)
                    break
                }
                let split = program.add(.jump(0))
                try self.compile(member, into: &program)
                ends.append(program.add(.jump(0)))
                program.set(split, .split(split + 1, program.end))
            }
            for end in ends { program.set(end, .jump(program.end)) }
        case .repetition(let item, let least, let most, let isLazy):
            for _ in 0..<least {
                let start = program.end
                try self.compile(item, into: &program)
                // What needs nothing needs nothing more often; a thousand times a thousand nothings would take long.
                if program.end == start { break }
            }
            guard let most else {
                let split = program.add(.jump(0))
                try self.compile(item, into: &program)
                program.add(.jump(split))
                program.set(split, Self.split(split + 1, program.end, isLazy))
                return
            }
            var splits: [Int] = []
            for _ in least..<max(least, most) {
                splits.append(program.add(.jump(0)))
                try self.compile(item, into: &program)
            }
            for split in splits { program.set(split, Self.split(split + 1, program.end, isLazy)) }
        }
    }

    private var isTooLarge: RegexError {
        RegexError("the expression is too large: its repetitions, written out, have more than \(self.longest) parts")
    }

    /// Goes on within a repetition or behind it; the place that is named first is preferred.
    private static func split(_ within: Int, _ behind: Int, _ isLazy: Bool) -> RegexProgram.Instruction {
        isLazy ? .split(behind, within) : .split(within, behind)
    }
}
