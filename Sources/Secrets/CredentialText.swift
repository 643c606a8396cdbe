#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Finds credentials by their names in texts: requests, bodies, URLs, JSON that is written as text.
enum CredentialText {
    /// Returns where the values of credentials stand.
    static func values(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var (signs, ends) = (Signs(text), Ends())
        while let value = Self.next(in: text, &signs, &ends) { found.append(value) }
        return found
    }

    /// Whether there is the value of a credential.
    static func hasOne(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var (signs, ends) = (Signs(text), Ends())
        return Self.next(in: text, &signs, &ends) != nil
    }

    /// Returns the value that belongs to the next of the signs between names and values that has one.
    private static func next(
        in text: UnsafeBufferPointer<UInt8>, _ signs: inout Signs, _ ends: inout Ends
    ) -> Range<Int>? {
        while let place = signs.next() {
            let value =
                text[place] == UInt8(ascii: "=")
                ? Self.parameter(text, equals: place, &ends)
                : Self.member(text, colon: place, &ends) ?? Self.header(text, colon: place)
                    ?? Self.user(text, colon: place)
            if let value { return value }
        }
        return nil
    }

    /// The places of the signs that stand between names and values: colons and equals signs, in their order.
    ///
    /// Most texts have few of either, and every text of a run is looked at.
    private struct Signs {
        private let text: UnsafeBufferPointer<UInt8>
        /// The next one of each; the end of the text if there is none.
        private var (colon, equals): (Int, Int)

        init(_ text: UnsafeBufferPointer<UInt8>) {
            self.text = text
            (self.colon, self.equals) = (0, 0)
            self.colon = self.place(of: UInt8(ascii: ":"), from: 0)
            self.equals = self.place(of: UInt8(ascii: "="), from: 0)
        }

        mutating func next() -> Int? {
            let place = min(self.colon, self.equals)
            guard place < self.text.count else { return nil }
            if place == self.colon {
                self.colon = self.place(of: UInt8(ascii: ":"), from: place + 1)
            } else {
                self.equals = self.place(of: UInt8(ascii: "="), from: place + 1)
            }
            return place
        }

        private func place(of sign: UInt8, from start: Int) -> Int {
            guard start < self.text.count, let base = self.text.baseAddress,
                let found = memchr(base + start, Int32(sign), self.text.count - start)
            else { return self.text.count }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    /// Where values end that may begin one within another: what begins within a parameter or a list ends no sooner.
    private struct Ends {
        var parameter = NextByte { byte in
            byte <= 0x20 || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\"")
                || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "<")
        }
        var list = NextByte { $0 == UInt8(ascii: "]") }
    }

    // MARK: JSON

    /// The value of `"password": "…"`, whose quotes may be escaped any number of times.
    private static func member(
        _ text: UnsafeBufferPointer<UInt8>, colon: Int, _ ends: inout Ends
    ) -> Range<Int>? {
        var index = colon
        while index > 0, Self.isSpace(text[index - 1]) { index -= 1 }
        guard index > 0, text[index - 1] == UInt8(ascii: "\"") else { return nil }
        let escapes = Self.backslashes(before: index - 1, text)
        let nameEnd = index - 1 - escapes
        guard let nameStart = Self.nameStart(before: nameEnd, text), nameStart > 0,
            text[nameStart - 1] == UInt8(ascii: "\""), let kind = Self.kind(text[nameStart..<nameEnd])
        else { return nil }
        var start = colon + 1
        while start < text.count, Self.isSpace(text[start]) { start += 1 }
        if start < text.count, text[start] == UInt8(ascii: "[") {
            guard kind == .credential else { return nil }
            let end = ends.list.place(from: start, in: text)
            return end < text.endIndex ? Self.ifFilled(start + 1, end) : nil
        }
        let quote = start + escapes
        guard quote < text.count, text[quote] == UInt8(ascii: "\"") else {
            let end = text[start...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) } ?? text.endIndex
            return kind == .credential ? Self.ifFilled(start, end) : nil
        }
        let end = Self.closingQuote(from: quote + 1, escapes: escapes, text)
        guard kind == .credential || CredentialNames.looksLikeToken(text[(quote + 1)..<end]) else { return nil }
        return Self.ifFilled(quote + 1, end)
    }

    /// Where the text of a string ends: a quote with as many backslashes as that level of escaping puts there, or the
    /// end of what was cut or of its line.
    private static func closingQuote(
        from start: Int, escapes: Int, quote: UInt8 = UInt8(ascii: "\""), _ text: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var index = start
        while index < text.count, text[index] != 0x0A {
            if text[index] == quote {
                let count = min(Self.backslashes(before: index, text), index - start)
                if count % (2 * (escapes + 1)) == escapes { return index - escapes }
            }
            index += 1
        }
        return index
    }

    private static func backslashes(before index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        var start = index
        while start > 0, text[start - 1] == UInt8(ascii: "\\") { start -= 1 }
        return index - start
    }

    // MARK: Header fields

    /// The value of `Authorization: …` at the beginning of a line.
    private static func header(_ text: UnsafeBufferPointer<UInt8>, colon: Int) -> Range<Int>? {
        guard let start = Self.nameStart(before: colon, text), start == 0 || text[start - 1] == 0x0A,
            CredentialNames.mayBeOne(text[start..<colon]),
            CredentialNames.headerNames.contains(CredentialNames.spelled(text[start..<colon]))
        else { return nil }
        var value = colon + 1
        while value < text.count, text[value] == UInt8(ascii: " ") { value += 1 }
        return Self.ifFilled(value, text[value...].firstIndex { $0 == 0x0D || $0 == 0x0A } ?? text.endIndex)
    }

    // MARK: URLs and forms

    /// What stands before the host in `https://ada:opensesame@host`.
    private static func user(_ text: UnsafeBufferPointer<UInt8>, colon: Int) -> Range<Int>? {
        guard colon + 2 < text.count, text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/") else {
            return nil
        }
        let authority = text[(colon + 3)...].prefix { byte in
            byte > 0x20 && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
                && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "<")
        }
        return authority.lastIndex(of: UInt8(ascii: "@")).flatMap { Self.ifFilled(authority.startIndex, $0) }
    }

    /// The value of `password=…` in the query of a URL or in a form, or of `password = "…"` or `["Set-Cookie"] = '…'`
    /// in a script or a report.
    private static func parameter(
        _ text: UnsafeBufferPointer<UInt8>, equals: Int, _ ends: inout Ends
    ) -> Range<Int>? {
        if let value = Self.assigned(text, equals: equals) { return value }
        guard let start = Self.nameStart(before: equals, text),
            start == 0 || text[start - 1] == UInt8(ascii: "?") || text[start - 1] == UInt8(ascii: "&"),
            Self.kind(text[start..<equals]) != nil
        else { return nil }
        return Self.ifFilled(equals + 1, ends.parameter.place(from: equals + 1, in: text))
    }

    private static func assigned(_ text: UnsafeBufferPointer<UInt8>, equals: Int) -> Range<Int>? {
        var quote = equals + 1
        while quote < text.count, text[quote] == UInt8(ascii: " ") { quote += 1 }
        let escapes = quote
        while quote < text.count, text[quote] == UInt8(ascii: "\\") { quote += 1 }
        guard quote < text.count, Self.isQuote(text[quote]) else { return nil }
        var nameEnd = equals
        while nameEnd > 0, text[nameEnd - 1] == UInt8(ascii: " ") { nameEnd -= 1 }
        if nameEnd > 1, text[nameEnd - 1] == UInt8(ascii: "]"), Self.isQuote(text[nameEnd - 2]) {
            nameEnd -= 2
            nameEnd -= Self.backslashes(before: nameEnd, text)
        }
        guard let start = Self.nameStart(before: nameEnd, text), let kind = Self.kind(text[start..<nameEnd]) else {
            return nil
        }
        let end = Self.closingQuote(from: quote + 1, escapes: quote - escapes, quote: text[quote], text)
        guard kind == .credential || CredentialNames.looksLikeToken(text[(quote + 1)..<end]) else { return nil }
        return Self.ifFilled(quote + 1, end)
    }

    // MARK: Names

    private enum Kind { case credential, token }

    private static func kind(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Kind? {
        guard CredentialNames.mayBeOne(name) else { return nil }
        let spelled = CredentialNames.spelled(name)
        return spelled == "token" ? .token : CredentialNames.memberNames.contains(spelled) ? .credential : nil
    }

    /// Where a name begins that ends at a place; nil if there is none, or one that is too long to be of interest.
    private static func nameStart(before end: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var start = end
        while start > 0, Self.isNameByte(text[start - 1]) {
            start -= 1
            if end - start > CredentialNames.longestName { return nil }
        }
        return start < end ? start : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func ifFilled(_ start: Int, _ end: Int) -> Range<Int>? { start < end ? start..<end : nil }
}
