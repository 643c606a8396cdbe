/// Finds the scenarios of a script that are declared one after the other or in a loop, and puts them into blocks that
/// can be passed over.
///
/// Each scenario is played in globals of its own, so its file is run anew for it, up to its declaration. In a file of
/// thousands nearly all of that would be declarations of other scenarios: a closure and a call for each. The engine is
/// asked once for a run of declarations instead, which of them it wants, and the run becomes a tree of blocks, of 8
/// scenarios, of 64, of 512 and so on, which compare two numbers: what it costs to find one in a thousand times as many
/// is hardly more. `scenario("a", f) scenario("b", f)` becomes, in the lines in which it stood:
///
/// ```lua
/// do local _declares_first, _declares_last = _declares(scenario, 2)
/// if _declares_first <= 1 and 1 <= _declares_last then scenario("a", f) end
/// if _declares_first <= 2 and 2 <= _declares_last then scenario("b", f) end end
/// ```
///
/// A loop over numbers that only declares scenarios is left with the one pass that is wanted. `for i = 1, 9 do
/// scenario("a" .. i, f) end` becomes:
///
/// ```lua
/// do local _declares_first, _declares_last, _declares_step = _declares_passes(scenario, 1, 1, 9)
/// for i = _declares_first, _declares_last, _declares_step do scenario("a" .. i, f) end end
/// ```
///
/// Only what cannot be missed is put into blocks: calls whose arguments are literals, names and functions. What stands
/// between two scenarios ends a run and is run for each execution as it always was: locals, functions, hooks, other
/// loops, other calls. No line moves, so that every position in an error stays what it is.
struct DeclarationBlocks {
    /// The global that is asked which scenarios of a run have to be declared.
    static let question = "_declares"

    /// The global that is asked which passes of a loop have to be made.
    static let loopQuestion = "_declares_passes"

    /// The variables that an answer is kept in while the run or the loop is passed through.
    private static let (first, last, step) = ("_declares_first", "_declares_last", "_declares_step")

    /// How many scenarios, or smaller blocks, stand in a block.
    private static let width = 8

    /// A loop over numbers whose body is nothing but scenarios.
    private struct Loop {
        /// From `for` up to the first of its numbers.
        let head: Range<Int>
        let variable: Range<Int>
        /// Where its `do` begins.
        let begin: Int
        let end: Int
        let scenarios: [Range<Int>]
    }

    /// A text that takes the place of another.
    private struct Edit {
        let range: Range<Int>
        let text: String

        /// Puts a text before a place.
        init(at place: Int, _ text: String) { (self.range, self.text) = (place..<place, text) }

        init(_ range: Range<Int>, _ text: String) { (self.range, self.text) = (range, text) }
    }

    private var reader: LuaTokenReader

    /// In the order of the script.
    private var edits: [Edit] = []

    private init(_ source: String) {
        self.reader = LuaTokenReader(source)
    }

    /// Returns a script with its runs and loops of scenarios in blocks.
    ///
    /// - Parameter source: A script without syntax errors.
    /// - Returns: Nil if there is nothing of the kind.
    static func blocked(_ source: String) -> String? {
        var blocks = DeclarationBlocks(source)
        blocks.findScenarios()
        guard !blocks.edits.isEmpty else { return nil }
        return blocks.text()
    }

    // MARK: Blocks

    private func text() -> String {
        var text: [UInt8] = []
        text.reserveCapacity(self.reader.bytes.count + self.reader.bytes.count / 8)
        var copied = 0
        for edit in self.edits {
            text += self.reader.bytes[copied..<edit.range.lowerBound]
            text += Array(edit.text.utf8)
            copied = edit.range.upperBound
        }
        text += self.reader.bytes[copied...]
        return String(decoding: text, as: UTF8.self)
    }

    /// Puts a run of scenarios into blocks.
    private mutating func block(_ run: [Range<Int>]) {
        guard run.count > 1 else { return }
        let sizes = Self.sizes(of: run.count)
        for (place, statement) in run.enumerated() {
            var before = ""
            if place == 0 {
                before += "do local \(Self.first), \(Self.last) = \(Self.question)(scenario, \(run.count)) "
            }
            for size in sizes where place.isMultiple(of: size) {
                let end = min(place + size, run.count)
                before += "if \(Self.first) <= \(end) and \(place + 1) <= \(Self.last) then "
            }
            self.edits.append(Edit(at: statement.lowerBound, before))
            var after = ""
            for size in sizes where (place + 1).isMultiple(of: size) || place + 1 == run.count { after += " end" }
            if place + 1 == run.count { after += " end" }
            self.edits.append(Edit(at: statement.upperBound, after))
        }
    }

    /// Returns the sizes of the blocks that a run is put into, largest first; the last ones hold one scenario each.
    private static func sizes(of count: Int) -> [Int] {
        var sizes = [1]
        while sizes[0] * Self.width < count { sizes.insert(sizes[0] * Self.width, at: 0) }
        return sizes
    }

    /// Lets a loop make only the passes that are wanted.
    private mutating func block(_ loop: Loop) {
        let variables = "\(Self.first), \(Self.last), \(Self.step)"
        let variable = String(decoding: self.reader.bytes[loop.variable], as: UTF8.self)
        self.edits.append(
            Edit(loop.head, "do local \(variables) = \(Self.loopQuestion)(scenario, \(loop.scenarios.count), "))
        self.edits.append(Edit(at: loop.begin, ") for \(variable) = \(variables) "))
        self.block(loop.scenarios)
        self.edits.append(Edit(at: loop.end, " end"))
    }

    // MARK: Runs and loops

    /// Finds runs of at least two scenarios, and loops of scenarios.
    private mutating func findScenarios() {
        var run: [Range<Int>] = []
        var beginsStatement = true
        var token = self.reader.next()
        while token != .end {
            let begin = self.reader.start
            if beginsStatement, self.isName(token, Self.word) {
                if let end = self.readCall() {
                    run.append(begin..<end)
                    token = self.nextStatement()
                    continue
                }
                // What was read belongs to no run, and another scenario may begin in it.
                self.reader.place = begin + Self.word.count
            }
            self.block(run)
            run = []
            if beginsStatement, self.isName(token, Self.loopWord) {
                if let loop = self.readLoop(from: begin) {
                    self.block(loop)
                    token = self.nextStatement()
                    continue
                }
                self.reader.place = begin + Self.loopWord.count
            }
            beginsStatement = self.canBeginStatement(after: token)
            token = self.reader.next()
        }
        self.block(run)
    }

    private static let word = Array("scenario".utf8)
    private static let loopWord = Array("for".utf8)
    private static let function = Array("function".utf8)

    private func isName(_ token: LuaTokenReader.Token, _ text: [UInt8]) -> Bool {
        if case .name(let range) = token { self.reader.bytes[range].elementsEqual(text) } else { false }
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

    /// The signs between the numbers of a loop that call nothing.
    private static let arithmetic = Set(",+-*/%#.".utf8)

    /// Whether a name that follows a token begins a statement; after anything that ends an expression it can only do
    /// so.
    private func canBeginStatement(after token: LuaTokenReader.Token) -> Bool {
        switch token {
        case .name(let range): !Self.leading.contains(Array(self.reader.bytes[range]))
        case .literal: true
        case .symbol(let byte): Self.ending.contains(byte)
        case .concatenation, .end: false
        // A label ends as it begins, so what follows either is not looked at.
        case .other: false
        }
    }

    /// Reads the first token of the next statement.
    private mutating func nextStatement() -> LuaTokenReader.Token {
        let token = self.reader.next()
        return token == .symbol(UInt8(ascii: ";")) ? self.reader.next() : token
    }

    /// Reads a loop over numbers behind its `for`.
    ///
    /// - Returns: Nil if it is another loop, or does anything but declare scenarios.
    private mutating func readLoop(from begin: Int) -> Loop? {
        guard case .name(let variable) = self.reader.next() else { return nil }
        guard self.reader.next() == .symbol(UInt8(ascii: "=")) else { return nil }
        let head = begin..<self.reader.place
        // What takes the place of the head must not move a line.
        guard !self.reader.bytes[head].contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
        guard let first = self.readNumbers() else { return nil }
        var scenarios: [Range<Int>] = []
        var token = self.reader.next()
        while self.isName(token, Self.word) {
            let start = self.reader.start
            guard let end = self.readCall() else { return nil }
            scenarios.append(start..<end)
            token = self.nextStatement()
        }
        guard self.isName(token, Array("end".utf8)), !scenarios.isEmpty else { return nil }
        return Loop(
            head: head, variable: variable, begin: first, end: self.reader.place, scenarios: scenarios)
    }

    /// Reads the numbers that a loop goes through, and its `do`.
    ///
    /// - Returns: Where the `do` begins; nil if something is called there, which might return more than one number.
    private mutating func readNumbers() -> Int? {
        var previous = LuaTokenReader.Token.symbol(UInt8(ascii: "="))
        while true {
            let token = self.reader.next()
            switch token {
            case .name(let range):
                let word = Array(self.reader.bytes[range])
                if word == Array("do".utf8) { return self.reader.start }
                guard !Self.keywords.contains(word) else { return nil }
            case .literal:
                if case .name = previous { return nil }
            case .symbol(let byte) where Self.arithmetic.contains(byte): break
            case .symbol, .concatenation, .other, .end: return nil
            }
            previous = token
        }
    }

    /// Reads the arguments of a scenario behind its name.
    ///
    /// - Returns: Where the statement ends; nil if it cannot be passed over.
    private mutating func readCall() -> Int? {
        guard case .symbol(UInt8(ascii: "(")) = self.reader.next() else { return nil }
        var braces = 0
        var previous = LuaTokenReader.Token.symbol(UInt8(ascii: "("))
        while true {
            let token = self.reader.next()
            switch token {
            case .end, .other: return nil
            case .symbol(UInt8(ascii: ")")):
                guard braces == 0 else { return nil }
                let end = self.reader.place
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
                guard !Self.keywords.contains(Array(self.reader.bytes[range])) else { return nil }
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
            let token = self.reader.next()
            switch token {
            case .end: return false
            case .name(let range):
                let word = Array(self.reader.bytes[range])
                if Self.opening.contains(word) { depth += 1 }
                if Self.closing.contains(word) { depth -= 1 }
            default: break
            }
        }
        return true
    }

    /// Whether the call that was just read is a statement of its own: nothing is called on what it returns.
    private mutating func isStatementOver() -> Bool {
        let place = self.reader.place
        defer { self.reader.place = place }
        switch self.reader.next() {
        case .name, .end: return true
        case .symbol(let byte): return byte == UInt8(ascii: ";")
        case .literal, .concatenation, .other: return false
        }
    }
}
