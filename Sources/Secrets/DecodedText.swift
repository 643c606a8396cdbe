/// What bytes say once a way of writing them is undone, with the place of each byte in the original.
struct DecodedText {
    private(set) var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var ends: [Int] = []

    /// - Parameter capacity: About how many bytes there will be.
    private init(capacity: Int) {
        self.bytes.reserveCapacity(capacity)
        self.starts.reserveCapacity(capacity)
        self.ends.reserveCapacity(capacity)
    }

    /// Returns where in the original a part stands.
    func original(_ range: Range<Int>) -> Range<Int> {
        self.starts[range.lowerBound]..<self.ends[range.upperBound - 1]
    }

    private mutating func append(_ byte: UInt8, _ start: Int, _ end: Int) {
        self.bytes.append(byte)
        self.starts.append(start)
        self.ends.append(end)
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ start: Int, _ end: Int) {
        guard !scalar.isASCII else { return self.append(UInt8(truncatingIfNeeded: scalar.value), start, end) }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { self.append(byte, start, end) }
    }
}

// MARK: - Escapes

extension DecodedText {
    /// Undoes one layer of escapes: those of JSON and Lua strings, of HTML and XML, of URLs and forms.
    ///
    /// - Returns: Nil if there are none.
    static func unescaped(_ text: [UInt8]) -> DecodedText? {
        guard let first = text.firstIndex(where: Self.beginsEscape) else { return nil }
        var result = DecodedText(capacity: text.count)
        var index = 0
        var hasChanged = false
        while index < text.count {
            if index >= first, Self.beginsEscape(text[index]), let end = result.appendEscape(text, at: index) {
                index = end
                hasChanged = true
            } else {
                result.append(text[index], index, index + 1)
                index += 1
            }
        }
        return hasChanged ? result : nil
    }

    private static func beginsEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
    }

    /// Appends what an escape stands for.
    ///
    /// - Returns: Where the escape ends, or nil if it is none.
    private mutating func appendEscape(_ text: [UInt8], at start: Int) -> Int? {
        switch text[start] {
        case UInt8(ascii: "%"):
            guard let value = Self.number(text, start + 1, digits: 2...2, radix: 16) else { return nil }
            self.append(UInt8(value.0), start, value.end)
            return value.end
        case UInt8(ascii: "&"): return self.appendEntity(text, at: start)
        default: return self.appendBackslash(text, at: start)
        }
    }

    private mutating func appendBackslash(_ text: [UInt8], at start: Int) -> Int? {
        guard start + 1 < text.count else { return nil }
        let letter = text[start + 1]
        switch letter {
        case UInt8(ascii: "u"): return self.appendUnicode(text, at: start)
        case UInt8(ascii: "x"):
            guard let value = Self.number(text, start + 2, digits: 2...2, radix: 16) else { return nil }
            self.append(UInt8(value.0), start, value.end)
            return value.end
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let value = Self.number(text, start + 1, digits: 1...3, radix: 10), value.0 < 256 else { return nil }
            self.append(UInt8(value.0), start, value.end)
            return value.end
        default:
            guard let byte = Self.plain[letter] else { return nil }
            self.append(byte, start, start + 2)
            return start + 2
        }
    }

    /// What a backslash and a character stand for.
    private static let plain: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "'"): UInt8(ascii: "'"), 0x0A: 0x0A,
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "v"): 0x0B, UInt8(ascii: "a"): 0x07,
    ]

    /// Appends `\u00e4`, `\ud83d\ude00` or `\u{1F600}`.
    private mutating func appendUnicode(_ text: [UInt8], at start: Int) -> Int? {
        if start + 2 < text.count, text[start + 2] == UInt8(ascii: "{") {
            guard let value = Self.number(text, start + 3, digits: 1...6, radix: 16), value.end < text.count,
                text[value.end] == UInt8(ascii: "}"), let scalar = Unicode.Scalar(UInt32(value.0))
            else { return nil }
            self.append(scalar, start, value.end + 1)
            return value.end + 1
        }
        guard let value = Self.number(text, start + 2, digits: 4...4, radix: 16) else { return nil }
        if let scalar = Unicode.Scalar(UInt32(value.0)) {
            self.append(scalar, start, value.end)
            return value.end
        }
        guard 0xD800..<0xDC00 ~= value.0, value.end + 1 < text.count, text[value.end] == UInt8(ascii: "\\"),
            text[value.end + 1] == UInt8(ascii: "u"),
            let low = Self.number(text, value.end + 2, digits: 4...4, radix: 16), 0xDC00..<0xE000 ~= low.0,
            let scalar = Unicode.Scalar(UInt32(0x10000 + (value.0 - 0xD800) << 10 + (low.0 - 0xDC00)))
        else { return nil }
        self.append(scalar, start, low.end)
        return low.end
    }

    /// Appends `&quot;`, `&#34;` or `&#x22;`.
    private mutating func appendEntity(_ text: [UInt8], at start: Int) -> Int? {
        guard let end = text[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")), end > start + 1 else { return nil }
        let name = text[(start + 1)..<end]
        if name.first == UInt8(ascii: "#") {
            let isHexadecimal = name.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
            let digits = start + (isHexadecimal ? 3 : 2)
            guard let value = Self.number(text, digits, digits: 1...7, radix: isHexadecimal ? 16 : 10),
                value.end == end, let scalar = Unicode.Scalar(UInt32(value.0))
            else { return nil }
            self.append(scalar, start, end + 1)
            return end + 1
        }
        guard let byte = Self.entities[String(decoding: name, as: UTF8.self)] else { return nil }
        self.append(byte, start, end + 1)
        return end + 1
    }

    private static let entities: [String: UInt8] = [
        "quot": UInt8(ascii: "\""), "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "apos": UInt8(ascii: "'"), "nbsp": UInt8(ascii: " "),
    ]

    /// Reads digits.
    private static func number(
        _ text: [UInt8], _ start: Int, digits: ClosedRange<Int>, radix: Int
    ) -> (Int, end: Int)? {
        var value = 0
        var index = start
        while index < text.count, index - start < digits.upperBound, let digit = Self.digit(text[index]), digit < radix
        {
            value = value * radix + digit
            index += 1
        }
        return index - start >= digits.lowerBound ? (value, index) : nil
    }

    static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}

// MARK: - UTF-16

extension DecodedText {
    /// Reads bytes that are no plain text as UTF-16, in either order of its bytes, from the first and from the second
    /// one.
    ///
    /// - Parameter isLatin: Whether only characters below U+0100 matter. Most bytes that are no text are those of a
    ///   word that could be base64, and few of them can be such characters.
    static func utf16(_ text: [UInt8], isLatin: Bool) -> [DecodedText] {
        guard !isLatin || Self.hasTwoLatinUnits(text) else { return [] }
        guard text.contains(where: { $0 < 0x09 }) || String(validating: text, as: UTF8.self) == nil else { return [] }
        return (0...1).flatMap { offset in
            [true, false].map { isLittle in
                var result = DecodedText(capacity: text.count)
                var high: (unit: Int, start: Int)?
                for index in stride(from: offset, to: text.count - 1, by: 2) {
                    let (first, second) = (Int(text[index]), Int(text[index + 1]))
                    let unit = isLittle ? second << 8 | first : first << 8 | second
                    if let scalar = Unicode.Scalar(UInt32(unit)) {
                        result.append(scalar, index, index + 2)
                    } else if let pair = high, 0xDC00..<0xE000 ~= unit,
                        let scalar = Unicode.Scalar(UInt32(0x10000 + (pair.unit - 0xD800) << 10 + (unit - 0xDC00)))
                    {
                        result.append(scalar, pair.start, index + 2)
                    }
                    high = 0xD800..<0xDC00 ~= unit ? (unit, index) : nil
                }
                return result
            }
        }
    }
}

extension DecodedText {
    /// Whether there are two units of UTF-16 in a row, in either order of bytes, whose high bytes are zero; a value has
    /// at least two characters.
    private static func hasTwoLatinUnits(_ text: [UInt8]) -> Bool {
        text.indices.dropLast(2).contains { text[$0] == 0 && text[$0 + 2] == 0 }
    }
}

// MARK: - Base64 and hexadecimal

extension DecodedText {
    /// Reads every run of hexadecimal digits, from its first and from its second digit on.
    ///
    /// - Parameter least: How many bytes a run must stand for.
    static func hexadecimal(_ text: [UInt8], least: Int) -> [DecodedText] {
        Self.runs(in: text, least: 2 * least, where: { Self.digit($0) != nil }).flatMap { run in
            (0...1).map { offset in
                var result = DecodedText(capacity: run.count / 2)
                var index = run.startIndex + offset
                while index + 1 < run.endIndex {
                    let byte = (Self.digit(text[run[index]]) ?? 0) << 4 | (Self.digit(text[run[index + 1]]) ?? 0)
                    result.append(UInt8(byte), run[index], run[index + 1] + 1)
                    index += 2
                }
                return result
            }
        }
    }

    /// Reads every run of digits of base64 and of its form for URLs, from each of its first four digits on: what stands
    /// before it may be a word of letters.
    ///
    /// - Parameter least: How many bytes a run must stand for.
    static func base64(_ text: [UInt8], least: Int) -> [DecodedText] {
        Self.runs(in: text, least: (least * 8 + 5) / 6, where: { Self.sextets[Int($0)] != 0xFF }).flatMap { run in
            (0...3).map { offset in
                var result = DecodedText(capacity: run.count)
                var bits: UInt32 = 0
                var count = 0
                for index in (run.startIndex + offset)..<run.endIndex {
                    bits = bits << 6 | UInt32(Self.sextets[Int(text[run[index]])])
                    count += 6
                    guard count >= 8 else { continue }
                    count -= 8
                    result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)), run[index - 1], run[index] + 1)
                }
                return result
            }
        }
    }

    private static let sextets: [UInt8] = {
        var table = [UInt8](repeating: 0xFF, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in alphabet.utf8.enumerated() { table[Int(digit)] = UInt8(value) }
        table[Int(UInt8(ascii: "-"))] = 62
        table[Int(UInt8(ascii: "_"))] = 63
        return table
    }()

    /// The places of digits that follow each other, be it over the ends of lines.
    private static func runs(in text: [UInt8], least: Int, where isDigit: (UInt8) -> Bool) -> [[Int]] {
        guard Self.hasRun(in: text, least: least, where: isDigit) else { return [] }
        var runs: [[Int]] = []
        var run: [Int] = []
        var index = 0
        while index < text.count {
            if isDigit(text[index]) {
                run.append(index)
            } else if text[index] != 0x0A && text[index] != 0x0D {
                if run.count >= least { runs.append(run) }
                run.removeAll(keepingCapacity: true)
            }
            index += 1
        }
        if run.count >= least { runs.append(run) }
        return runs
    }

    /// Whether there is a run that is long enough; most texts have none, and nothing need be noted of them.
    private static func hasRun(in text: [UInt8], least: Int, where isDigit: (UInt8) -> Bool) -> Bool {
        var length = 0
        for byte in text {
            if isDigit(byte) {
                length += 1
                if length >= least { return true }
            } else if byte != 0x0A && byte != 0x0D {
                length = 0
            }
        }
        return false
    }
}
