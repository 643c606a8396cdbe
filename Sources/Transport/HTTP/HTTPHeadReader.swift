import HTTPTypes

/// Reads the lines of one complete head or trailer, in which every line ends with CR LF and the last one is empty.
enum HTTPHeadReader {
    /// Finds the start line, behind the one empty line that may come first.
    ///
    /// - Returns: The bounds of the line, without CR LF.
    static func startLine(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = bytes.count >= 2 && bytes[0] == 0x0D ? 2 : 0
        let end = bytes.firstIndex(of: 0x0A, from: start) ?? bytes.count
        return start..<max(start, end - 1)
    }

    /// Reads all field lines.
    ///
    /// - Parameters:
    ///   - bytes: The head or trailer.
    ///   - start: Where the first field line begins.
    ///   - leavesOutHost: Whether `Host` only goes to the framing, because a request has it as its authority.
    static func fields(
        _ bytes: Span<UInt8>, from start: Int, leavesOutHost: Bool = false
    ) throws(HTTPSyntaxError) -> (HTTPFields, HTTPFraming) {
        let names = HTTPFieldNames.common
        var fields: [HTTPField] = []
        var framing = HTTPFraming()
        var position = start
        while let lineFeed = bytes.firstIndex(of: 0x0A, from: position), lineFeed - 1 > position {
            let (field, meaning) = try Self.field(bytes, position..<(lineFeed - 1), names)
            if meaning != .ordinary { try framing.note(field.value, meaning) }
            if meaning != .host || !leavesOutHost { fields.append(field) }
            position = lineFeed + 1
        }
        var collection = HTTPFields()
        collection.reserveCapacity(fields.count)
        collection.replaceSubrange(0..<0, with: fields)
        return (collection, framing)
    }

    private static func field(
        _ bytes: Span<UInt8>, _ line: Range<Int>, _ names: HTTPFieldNames
    ) throws(HTTPSyntaxError) -> (HTTPField, HTTPFieldNames.Meaning) {
        let first = bytes[line.lowerBound]
        guard first != 0x20, first != 0x09 else {
            throw HTTPSyntaxError("a field is folded over lines (RFC 9112 section 5.2)")
        }
        var colon = line.lowerBound
        while colon < line.upperBound, HTTPCharacters.isToken(bytes[colon]) { colon += 1 }
        guard colon < line.upperBound, colon > line.lowerBound, bytes[colon] == 0x3A else {
            throw HTTPSyntaxError("a field name has a character that it must not have (RFC 9112 section 5.1)")
        }
        guard let (name, meaning) = names.name(bytes, line.lowerBound..<colon) else {
            throw HTTPSyntaxError("a field name is not a token (RFC 9110 section 5.1)")
        }
        var start = colon + 1
        var end = line.upperBound
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        for index in start..<end where !HTTPCharacters.isFieldContent(bytes[index]) {
            throw HTTPSyntaxError("the value of \(name) has a control character (RFC 9110 section 5.5)")
        }
        guard let value = bytes.text(start..<end) else {
            // Bytes above 127 that are not UTF-8 are kept as they are.
            return (HTTPField(name: name, value: Array(bytes, start..<end)), meaning)
        }
        return (HTTPField(name: name, value: value), meaning)
    }
}
