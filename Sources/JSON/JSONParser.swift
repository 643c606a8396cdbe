/// Reads the grammar of JSON (RFC 8259) and lets a ``JSONBuilder`` make something of it.
///
/// It is inlinable so that each module has it for its own builder.
public struct JSONParser<Builder: JSONBuilder> {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline var position = 0
    @usableFromInline var remainingDepth: Int
    @usableFromInline var builder: Builder

    @inlinable
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ builder: Builder, depth: Int) {
        self.bytes = bytes
        self.builder = builder
        self.remainingDepth = depth
    }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8; white space around the value is allowed, anything else after it is an error.
    ///   - builder: What makes something of it.
    ///   - depth: How deeply arrays and objects may nest.
    /// - Throws: ``JSONSyntaxError`` with the offset of the first byte that cannot be read.
    @inlinable
    public static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, into builder: inout Builder, depth: Int = JSONReader.defaultDepth
    ) throws(JSONSyntaxError) -> Builder.Value {
        var parser = JSONParser(bytes, builder, depth: depth)
        defer { builder = parser.builder }
        parser.skipSpace()
        let value = try parser.readValue()
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error("something follows the JSON value") }
        return value
    }

    @usableFromInline
    func error(_ message: String) -> JSONSyntaxError {
        JSONSyntaxError(message: message, offset: self.position)
    }

    @usableFromInline
    func repetition() -> JSONSyntaxError {
        self.error(JSONReader.ambiguity(of: self.builder.repeatedName ?? "") + "; the second ends")
    }

    @inlinable var current: UInt8? {
        self.position < self.bytes.count ? self.bytes[self.position] : nil
    }

    @inlinable
    mutating func skipSpace() {
        while let byte = self.current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            self.position += 1
        }
    }

    @inlinable
    mutating func readValue() throws(JSONSyntaxError) -> Builder.Value {
        switch self.current {
        case UInt8(ascii: "{"): return try self.readObject()
        case UInt8(ascii: "["): return try self.readArray()
        case UInt8(ascii: "\""): return try self.readString { $0.string($1) }
        case UInt8(ascii: "t"):
            try self.readWord("true")
            return self.builder.bool(true)
        case UInt8(ascii: "f"):
            try self.readWord("false")
            return self.builder.bool(false)
        case UInt8(ascii: "n"):
            try self.readWord("null")
            return self.builder.null()
        case UInt8(ascii: "-"): return try self.readNumber()
        case let digit? where UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit: return try self.readNumber()
        case nil: throw self.error("the text ends where a value is expected")
        default: throw self.error("a value is expected")
        }
    }

    @inlinable
    mutating func readWord(_ word: StaticString) throws(JSONSyntaxError) {
        let end = self.position + word.utf8CodeUnitCount
        guard end <= self.bytes.count else { throw self.error("the text ends within a word") }
        for index in 0..<word.utf8CodeUnitCount where self.bytes[self.position + index] != word.utf8Start[index] {
            throw self.error("a value is expected")
        }
        self.position = end
    }

    @inlinable
    mutating func enter() throws(JSONSyntaxError) {
        guard self.remainingDepth > 0 else { throw self.error("arrays and objects nest too deeply") }
        self.remainingDepth -= 1
        self.position += 1
        self.skipSpace()
    }

    @inlinable
    mutating func readArray() throws(JSONSyntaxError) -> Builder.Value {
        try self.enter()
        defer { self.remainingDepth += 1 }
        guard var elements = self.builder.beginElements() else {
            throw self.error("arrays and objects nest too deeply")
        }
        if self.current == UInt8(ascii: "]") {
            self.position += 1
            return self.builder.end(elements)
        }
        while true {
            self.builder.append(try self.readValue(), to: &elements)
            self.skipSpace()
            switch self.current {
            case UInt8(ascii: ","):
                self.position += 1
                self.skipSpace()
            case UInt8(ascii: "]"):
                self.position += 1
                return self.builder.end(elements)
            default: throw self.error("',' or ']' is expected")
            }
        }
    }

    @inlinable
    mutating func readObject() throws(JSONSyntaxError) -> Builder.Value {
        try self.enter()
        defer { self.remainingDepth += 1 }
        guard var members = self.builder.beginMembers() else {
            throw self.error("arrays and objects nest too deeply")
        }
        if self.current == UInt8(ascii: "}") {
            self.position += 1
            return self.builder.end(members)
        }
        while true {
            guard self.current == UInt8(ascii: "\"") else { throw self.error("a member name is expected") }
            let name = try self.readString { $0.name($1) }
            self.skipSpace()
            guard self.current == UInt8(ascii: ":") else { throw self.error("':' is expected") }
            self.position += 1
            self.skipSpace()
            guard self.builder.set(name, to: try self.readValue(), in: &members) else { throw self.repetition() }
            self.skipSpace()
            switch self.current {
            case UInt8(ascii: ","):
                self.position += 1
                self.skipSpace()
            case UInt8(ascii: "}"):
                self.position += 1
                return self.builder.end(members)
            default: throw self.error("',' or '}' is expected")
            }
        }
    }

}

// MARK: - Strings

extension JSONParser {
    /// Reads a string whose opening quote is the current byte, and lets the builder have what it stands for.
    @inlinable
    mutating func readString<Made>(
        _ make: (inout Builder, UnsafeBufferPointer<UInt8>) -> Made
    ) throws(JSONSyntaxError) -> Made {
        self.position += 1
        let start = self.position
        var end = start
        // Most strings are ASCII, and for these the general check costs more than all the rest.
        var united: UInt64 = 0
        while end + 8 <= self.bytes.count {
            let word = UnsafeRawBufferPointer(self.bytes).loadUnaligned(fromByteOffset: end, as: UInt64.self)
            let count = StringBytes.count(beforeEndIn: word)
            united |= StringBytes.first(count, of: word)
            end += count
            if count < 8 { break }
        }
        while end < self.bytes.count, self.bytes[end] != UInt8(ascii: "\""), self.bytes[end] != UInt8(ascii: "\\") {
            guard self.bytes[end] >= 0x20 else {
                self.position = end
                throw self.error("a control character stands unescaped in a string")
            }
            united |= UInt64(self.bytes[end])
            end += 1
        }
        guard end < self.bytes.count else { throw self.error("the text ends within a string") }
        guard self.bytes[end] == UInt8(ascii: "\"") else {
            let text = try self.readEscapedString(from: start)
            return text.withUnsafeBufferPointer { make(&self.builder, $0) }
        }
        let text = UnsafeBufferPointer(rebasing: self.bytes[start..<end])
        if united & StringBytes.notASCII != 0 { try self.check(text) }
        self.position = end + 1
        return make(&self.builder, text)
    }

    @usableFromInline
    func check(_ utf8: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
        guard String(validating: utf8, as: UTF8.self) != nil else { throw self.error("a string is not valid UTF-8") }
    }

    @usableFromInline
    mutating func readEscapedString(from start: Int) throws(JSONSyntaxError) -> [UInt8] {
        var text: [UInt8] = []
        self.position = start
        while let byte = self.current {
            switch byte {
            case UInt8(ascii: "\""):
                let isValid: Bool = text.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
                guard isValid else { throw self.error("a string is not valid UTF-8") }
                self.position += 1
                return text
            case UInt8(ascii: "\\"):
                self.position += 1
                try self.readEscape(into: &text)
            case 0..<0x20: throw self.error("a control character stands unescaped in a string")
            default:
                text.append(byte)
                self.position += 1
            }
        }
        throw self.error("the text ends within a string")
    }

    mutating func readEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = self.current else { throw self.error("the text ends within a string") }
        self.position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = UInt32(try self.readHexadecimal())
            if 0xD800...0xDBFF ~= code {
                guard self.current == UInt8(ascii: "\\") else { throw self.error("a surrogate stands alone") }
                self.position += 1
                guard self.current == UInt8(ascii: "u") else { throw self.error("a surrogate stands alone") }
                self.position += 1
                let low = UInt32(try self.readHexadecimal())
                guard 0xDC00...0xDFFF ~= low else { throw self.error("a surrogate stands alone") }
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw self.error("a surrogate stands alone") }
            text.append(contentsOf: UTF8.encode(scalar)!)
        default: throw self.error("an escape sequence is unknown")
        }
    }

    private mutating func readHexadecimal() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = self.current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw self.error("four hexadecimal digits are expected")
            }
            value = value << 4 | UInt16(digit)
            self.position += 1
        }
        return value
    }
}

// MARK: - Numbers

extension JSONParser {
    @inlinable
    mutating func readNumber() throws(JSONSyntaxError) -> Builder.Value {
        let start = self.position
        var isInteger = true
        if self.current == UInt8(ascii: "-") { self.position += 1 }
        if self.current == UInt8(ascii: "0") {
            self.position += 1
        } else {
            try self.skipDigits()
        }
        if self.current == UInt8(ascii: ".") {
            isInteger = false
            self.position += 1
            try self.skipDigits()
        }
        if self.current == UInt8(ascii: "e") || self.current == UInt8(ascii: "E") {
            isInteger = false
            self.position += 1
            if self.current == UInt8(ascii: "+") || self.current == UInt8(ascii: "-") { self.position += 1 }
            try self.skipDigits()
        }
        if isInteger, let value = self.integer(from: start) { return self.builder.integer(value) }
        return self.builder.number(UnsafeBufferPointer(rebasing: self.bytes[start..<self.position]))
    }

    /// Returns the integer whose digits end at the current byte; nil for one that 64 bits do not hold, and for `-0`.
    @inlinable
    func integer(from start: Int) -> Int64? {
        let isNegative = self.bytes[start] == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in self.bytes[(isNegative ? start + 1 : start)..<self.position] {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            // Counted downward, for the smallest integer has no positive counterpart.
            let (next, isPast) = product.subtractingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            if isTooLarge || isPast { return nil }
            value = next
        }
        if isNegative { return value == 0 ? nil : value }
        return value == .min ? nil : -value
    }

    @inlinable
    mutating func skipDigits() throws(JSONSyntaxError) {
        let start = self.position
        while let byte = self.current, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { self.position += 1 }
        guard self.position > start else { throw self.error("a digit is expected") }
    }
}
