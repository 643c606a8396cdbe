/// Reads a Lua script token by token, as far as it matters to those who look for declarations in it.
struct LuaTokenReader {
    /// One token.
    enum Token: Equatable {
        /// A name or a word of the language, and where it stands.
        case name(Range<Int>)
        case literal
        case symbol(UInt8)
        /// `..`
        case concatenation
        /// `...`, `::`
        case other
        case end
    }

    /// The script.
    let bytes: [UInt8]

    /// Where the next token is looked for.
    var place = 0

    /// Where the last token began.
    private(set) var start = 0

    /// Begins at the start of a script.
    init(_ source: String) {
        self.bytes = Array(source.utf8)
    }

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

    /// Reads the next token; what stands before it, space and comments, is passed over.
    mutating func next() -> Token {
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

    /// Whether the next token is one of these symbols.
    func isFollowed(by symbols: String) -> Bool {
        var copy = self
        guard case .symbol(let byte) = copy.next() else { return false }
        return symbols.utf8.contains(byte)
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
