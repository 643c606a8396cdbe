/// Reads one JSON text (RFC 8259) from bytes that may come from a hostile peer.
///
/// Depth is bounded, invalid UTF-8 and lone surrogates are errors, and no input traps. The library decoders lose what
/// a conversation test must show: the order of members, numbers above 2^53 and their spelling.
public struct JSONReader {
    /// How deeply arrays and objects may nest unless the caller says otherwise.
    public static let defaultDepth = 128

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var remainingDepth: Int

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: UTF-8; white space around the value is allowed, anything else after it is an error.
    ///   - depth: How deeply arrays and objects may nest.
    /// - Throws: ``JSONSyntaxError`` with the offset of the first byte that cannot be read.
    public static func read(_ text: some Sequence<UInt8>, depth: Int = defaultDepth) throws(JSONSyntaxError)
        -> JSONValue
    {
        let outcome: Result<JSONValue, JSONSyntaxError>? = text.withContiguousStorageIfAvailable { bytes in
            Result { () throws(JSONSyntaxError) in try Self.readDocument(bytes, depth: depth) }
        }
        if let outcome { return try outcome.get() }
        return try Self.read(Array(text), depth: depth)
    }

    /// Reads a text given as a string; see ``read(_:depth:)``.
    public static func read(_ text: String, depth: Int = defaultDepth) throws(JSONSyntaxError) -> JSONValue {
        try Self.read(text.utf8, depth: depth)
    }

    private static func readDocument(
        _ bytes: UnsafeBufferPointer<UInt8>, depth: Int
    ) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONReader(bytes: bytes, remainingDepth: depth)
        reader.skipSpace()
        let value = try reader.readValue()
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.error("something follows the JSON value") }
        return value
    }

    private func error(_ message: String) -> JSONSyntaxError {
        JSONSyntaxError(message: message, offset: self.position)
    }

    private var current: UInt8? {
        self.position < self.bytes.count ? self.bytes[self.position] : nil
    }

    private mutating func skipSpace() {
        while let byte = self.current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            self.position += 1
        }
    }

    private mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
        switch self.current {
        case UInt8(ascii: "{"): return try self.readObject()
        case UInt8(ascii: "["): return try self.readArray()
        case UInt8(ascii: "\""): return .string(try self.readString())
        case UInt8(ascii: "t"): return try self.readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try self.readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try self.readWord("null", .null)
        case UInt8(ascii: "-"): return try self.readNumber()
        case let digit? where UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit: return try self.readNumber()
        case nil: throw self.error("the text ends where a value is expected")
        default: throw self.error("a value is expected")
        }
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let end = self.position + word.utf8CodeUnitCount
        guard end <= self.bytes.count else { throw self.error("the text ends within a word") }
        for index in 0..<word.utf8CodeUnitCount where self.bytes[self.position + index] != word.utf8Start[index] {
            throw self.error("a value is expected")
        }
        self.position = end
        return value
    }

    private mutating func enter() throws(JSONSyntaxError) {
        guard self.remainingDepth > 0 else { throw self.error("arrays and objects nest too deeply") }
        self.remainingDepth -= 1
        self.position += 1
        self.skipSpace()
    }

    private mutating func readArray() throws(JSONSyntaxError) -> JSONValue {
        try self.enter()
        defer { self.remainingDepth += 1 }
        var elements: [JSONValue] = []
        if self.current == UInt8(ascii: "]") {
            self.position += 1
            return .array(elements)
        }
        while true {
            elements.append(try self.readValue())
            self.skipSpace()
            switch self.current {
            case UInt8(ascii: ","):
                self.position += 1
                self.skipSpace()
            case UInt8(ascii: "]"):
                self.position += 1
                return .array(elements)
            default: throw self.error("',' or ']' is expected")
            }
        }
    }

    private mutating func readObject() throws(JSONSyntaxError) -> JSONValue {
        try self.enter()
        defer { self.remainingDepth += 1 }
        var members = JSONObject()
        if self.current == UInt8(ascii: "}") {
            self.position += 1
            return .object(members)
        }
        while true {
            guard self.current == UInt8(ascii: "\"") else { throw self.error("a member name is expected") }
            let name = try self.readString()
            self.skipSpace()
            guard self.current == UInt8(ascii: ":") else { throw self.error("':' is expected") }
            self.position += 1
            self.skipSpace()
            members[name] = try self.readValue()
            self.skipSpace()
            switch self.current {
            case UInt8(ascii: ","):
                self.position += 1
                self.skipSpace()
            case UInt8(ascii: "}"):
                self.position += 1
                return .object(members)
            default: throw self.error("',' or '}' is expected")
            }
        }
    }
}

extension JSONReader {
    /// Reads a string whose opening quote is the current byte.
    private mutating func readString() throws(JSONSyntaxError) -> String {
        self.position += 1
        let start = self.position
        var end = start
        while end < self.bytes.count, self.bytes[end] != UInt8(ascii: "\""), self.bytes[end] != UInt8(ascii: "\\") {
            guard self.bytes[end] >= 0x20 else {
                self.position = end
                throw self.error("a control character stands unescaped in a string")
            }
            end += 1
        }
        guard end < self.bytes.count else { throw self.error("the text ends within a string") }
        guard self.bytes[end] == UInt8(ascii: "\\") else {
            let text = try self.decode(UnsafeBufferPointer(rebasing: self.bytes[start..<end]))
            self.position = end + 1
            return text
        }
        return try self.readEscapedString(from: start)
    }

    private mutating func readEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var text: [UInt8] = []
        self.position = start
        while let byte = self.current {
            switch byte {
            case UInt8(ascii: "\""):
                let decoded: Result<String, JSONSyntaxError> = text.withUnsafeBufferPointer { buffer in
                    Result { () throws(JSONSyntaxError) in try self.decode(buffer) }
                }
                self.position += 1
                return try decoded.get()
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

    private func decode(_ utf8: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> String {
        // Most strings are ASCII, and for these the general check costs more than all the rest.
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return String(decoding: utf8, as: UTF8.self) }
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw self.error("a string is not valid UTF-8")
        }
        return text
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
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

    private mutating func readNumber() throws(JSONSyntaxError) -> JSONValue {
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
        if isInteger, let value = self.integer(from: start) { return .integer(value) }
        let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
        if let value = Double(text), value.isFinite, "\(value)" == text { return .double(value) }
        return .numeral(text)
    }

    /// Returns the integer whose digits end at the current byte; nil for one that 64 bits do not hold, and for `-0`.
    private func integer(from start: Int) -> Int64? {
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

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = self.position
        while let byte = self.current, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { self.position += 1 }
        guard self.position > start else { throw self.error("a digit is expected") }
    }
}
