/// Finds the scenarios of a script that are declared one after the other, and puts them into blocks that can be passed
/// over.
///
/// Each scenario is played in globals of its own, so its file is run anew for it, up to its declaration. In a file of
/// thousands nearly all of that would be declarations of other scenarios: a closure and a call for each. A run of
/// declarations becomes a tree of blocks instead, `if _declares(scenario, 8) then … end`, of 8 scenarios, of 64, of
/// 512 and so on, and the engine answers which of them hold the one that is to be played:
///
/// | in the text | becomes |
/// |---|---|
/// | `scenario("a", f) scenario("b", f)` | `if _declares(scenario, 2) then scenario("a", f) scenario("b", f) end` |
///
/// Only what cannot be missed is put into blocks: calls whose arguments are literals, names and functions. What stands
/// between two scenarios ends a run and is run for each play as it always was: locals, functions, hooks, loops, other
/// calls. No line moves, so that every position in an error stays what it is.
struct DeclarationBlocks {
    /// The global that is asked whether the scenarios of a block have to be declared.
    static let question = "_declares"

    /// How many scenarios, or smaller blocks, stand in a block.
    private static let width = 8

    /// One token of Lua, as far as it matters here.
    private enum Token: Equatable {
        case name(Range<Int>)
        case literal
        case symbol(UInt8)
        /// `..`
        case concatenation
        /// `...`, `::`
        case other
        case end
    }

    private let bytes: [UInt8]
    private var place = 0

    /// Where the last token began.
    private var start = 0

    private init(_ source: String) {
        self.bytes = Array(source.utf8)
    }

    /// Returns a script with its runs of scenarios in blocks.
    ///
    /// - Parameter source: A script without syntax errors.
    /// - Returns: Nil if there is no such run.
    static func blocked(_ source: String) -> String? {
        var blocks = DeclarationBlocks(source)
        let runs = blocks.findRuns()
        guard !runs.isEmpty else { return nil }
        return blocks.text(with: runs)
    }

    // MARK: Blocks

    private func text(with runs: [[Range<Int>]]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(self.bytes.count + self.bytes.count / 8)
        var copied = 0
        func copy(to end: Int) {
            text += self.bytes[copied..<end]
            copied = end
        }
        for run in runs {
            let sizes = Self.sizes(of: run.count)
            for (place, statement) in run.enumerated() {
                copy(to: statement.lowerBound)
                for size in sizes where place.isMultiple(of: size) {
                    let count = min(size, run.count - place)
                    text += Array("if \(Self.question)(scenario, \(count)) then ".utf8)
                }
                copy(to: statement.upperBound)
                for size in sizes where (place + 1).isMultiple(of: size) || place + 1 == run.count {
                    text += Array(" end".utf8)
                }
            }
        }
        copy(to: self.bytes.count)
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the sizes of the blocks that a run is put into, largest first.
    private static func sizes(of count: Int) -> [Int] {
        var sizes = [Self.width]
        while sizes[0] * Self.width < count { sizes.insert(sizes[0] * Self.width, at: 0) }
        return sizes
    }

    // MARK: Runs

    /// Returns the statements of each run of at least two scenarios.
    private mutating func findRuns() -> [[Range<Int>]] {
        var runs: [[Range<Int>]] = []
        var run: [Range<Int>] = []
        func closed() {
            if run.count > 1 { runs.append(run) }
            run = []
        }
        var beginsStatement = true
        var token = self.next()
        while token != .end {
            if beginsStatement, self.isScenario(token) {
                let begin = self.start
                if let end = self.readCall() {
                    run.append(begin..<end)
                    token = self.next()
                    if case .symbol(UInt8(ascii: ";")) = token { token = self.next() }
                    continue
                }
                // What was read belongs to no run, and another scenario may begin in it.
                self.place = begin + Self.word.count
            }
            closed()
            beginsStatement = self.canBeginStatement(after: token)
            token = self.next()
        }
        closed()
        return runs
    }

    private static let word = Array("scenario".utf8)

    private static let function = Array("function".utf8)

    private func isScenario(_ token: Token) -> Bool { self.isName(token, Self.word) }

    private func isName(_ token: Token, _ text: [UInt8]) -> Bool {
        if case .name(let range) = token { self.bytes[range].elementsEqual(text) } else { false }
    }

    private static func words(_ text: String) -> Set<[UInt8]> { Set(text.split(separator: " ").map { Array($0.utf8) }) }

    /// The words of the language after which no statement begins.
    private static let leading = Self.words(
        "and elseif for function goto if in local not or return until while")

    /// The words of the language that open what `end` or `until` closes; `for` and `while` do by their `do`.
    private static let opening = Self.words("do function if repeat")
    private static let closing = Self.words("end until")

    /// The words of the language that are no values.
    private static let keywords = Self.words(
        "and break do else elseif end for function goto if in local not or repeat return then until while")

    /// The signs that end an expression or a statement.
    private static let ending = Set(")]};".utf8)

    /// Whether a name that follows a token begins a statement; after anything that ends an expression it can only do so.
    private func canBeginStatement(after token: Token) -> Bool {
        switch token {
        case .name(let range): !Self.leading.contains(Array(self.bytes[range]))
        case .literal: true
        case .symbol(let byte): Self.ending.contains(byte)
        case .concatenation, .end: false
        // A label ends as it begins, so what follows either is not looked at.
        case .other: false
        }
    }

    /// Reads the arguments of a scenario behind its name.
    ///
    /// - Returns: Where the statement ends; nil if it cannot be passed over.
    private mutating func readCall() -> Int? {
        guard case .symbol(UInt8(ascii: "(")) = self.next() else { return nil }
        var braces = 0
        var previous = Token.symbol(UInt8(ascii: "("))
        while true {
            let token = self.next()
            switch token {
            case .end, .other: return nil
            case .symbol(UInt8(ascii: ")")):
                guard braces == 0 else { return nil }
                let end = self.place
                return self.isStatementOver() ? end : nil
            case .symbol(UInt8(ascii: "{")):
                // A name before it would be called.
                if case .name = previous { return nil }
                braces += 1
            case .symbol(UInt8(ascii: "}")):
                braces -= 1
                guard braces >= 0 else { return nil }
            case .symbol(UInt8(ascii: ",")), .symbol(UInt8(ascii: "=")), .symbol(UInt8(ascii: ";")),
                .symbol(UInt8(ascii: "-")), .concatenation:
                break
            case .literal:
                if case .name = previous { return nil }
            case .name where self.isName(token, Self.function):
                guard self.skipFunction() else { return nil }
                previous = .literal
                continue
            case .name(let range):
                guard !Self.keywords.contains(Array(self.bytes[range])) else { return nil }
            case .symbol: return nil
            }
            previous = token
        }
    }

    /// Passes over a function up to its `end`.
    ///
    /// - Returns: Whether it has one.
    private mutating func skipFunction() -> Bool {
        var depth = 1
        while depth > 0 {
            let token = self.next()
            switch token {
            case .end: return false
            case .name(let range):
                let word = Array(self.bytes[range])
                if Self.opening.contains(word) { depth += 1 }
                if Self.closing.contains(word) { depth -= 1 }
            default: break
            }
        }
        return true
    }

    /// Whether the call that was just read is a statement of its own: nothing is called on what it returns.
    private mutating func isStatementOver() -> Bool {
        let place = self.place
        defer { self.place = place }
        switch self.next() {
        case .name, .end: return true
        case .symbol(let byte): return byte == UInt8(ascii: ";")
        case .literal, .concatenation, .other: return false
        }
    }

    // MARK: Tokens

    private func byte(_ offset: Int = 0) -> UInt8? {
        self.place + offset < self.bytes.count ? self.bytes[self.place + offset] : nil
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
    }

    /// Reads the next token.
    private mutating func next() -> Token {
        self.skipSpace()
        self.start = self.place
        guard let byte = self.byte() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            self.skipText(upTo: byte)
            return .literal
        case UInt8(ascii: "[") where self.skipLongText(): return .literal
        case UInt8(ascii: "."):
            guard self.byte(1) == byte else {
                if Self.isDigit(self.byte(1)) { return self.number() }
                self.place += 1
                return .symbol(byte)
            }
            let isEllipsis = self.byte(2) == byte
            self.place += isEllipsis ? 3 : 2
            return isEllipsis ? .other : .concatenation
        case UInt8(ascii: ":") where self.byte(1) == byte:
            self.place += 2
            return .other
        case _ where Self.isDigit(byte): return self.number()
        case _ where Self.isNamed(byte):
            while let byte = self.byte(), Self.isNamed(byte) { self.place += 1 }
            return .name(self.start..<self.place)
        default:
            self.place += 1
            return .symbol(byte)
        }
    }

    private mutating func number() -> Token {
        while let byte = self.byte() {
            let previous = self.bytes[self.place - (self.place > self.start ? 1 : 0)] | 0x20
            let isSign =
                (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"))
                && (previous == UInt8(ascii: "e") || previous == UInt8(ascii: "p"))
            guard Self.isNamed(byte) || byte == UInt8(ascii: ".") || isSign else { break }
            self.place += 1
        }
        return .literal
    }

    private mutating func skipSpace() {
        while let byte = self.byte() {
            if byte == 0x20 || 0x09...0x0D ~= byte {
                self.place += 1
            } else if byte == UInt8(ascii: "-"), self.byte(1) == byte {
                self.place += 2
                if self.byte() == UInt8(ascii: "["), self.skipLongText() { continue }
                while let byte = self.byte(), byte != 0x0A, byte != 0x0D { self.place += 1 }
            } else {
                return
            }
        }
    }

    private mutating func skipText(upTo quote: UInt8) {
        self.place += 1
        while let byte = self.byte(), byte != quote { self.place += byte == UInt8(ascii: "\\") ? 2 : 1 }
        self.place = min(self.place + 1, self.bytes.count)
    }

    /// Passes over `[[…]]` or `[=[…]=]`.
    ///
    /// - Returns: Whether there is one; if not, nothing is passed over.
    private mutating func skipLongText() -> Bool {
        var level = 0
        while self.byte(1 + level) == UInt8(ascii: "=") { level += 1 }
        guard self.byte(1 + level) == UInt8(ascii: "[") else { return false }
        self.place += level + 2
        while let byte = self.byte() {
            self.place += 1
            guard byte == UInt8(ascii: "]") else { continue }
            var found = 0
            while found < level, self.byte(found) == UInt8(ascii: "=") { found += 1 }
            if found == level, self.byte(found) == byte {
                self.place += level + 1
                return true
            }
        }
        return true
    }
}
