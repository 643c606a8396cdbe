/// Takes the fields of a body of the type `multipart/form-data` (RFC 7578) one after the other.
struct MultipartReader {
    /// The longest boundary and the longest head of a field, in bytes; the standard has no longer boundary than 70.
    private static let (boundaryLimit, headLimit) = (200, 8 << 10)

    private static let line = Array("\r\n".utf8)

    /// What ends a field: the end of its last line, and the boundary.
    private let delimiter: [UInt8]
    private var rest: ArraySlice<UInt8>

    /// Whether the end of the form has come; a body that ends before it is not whole.
    private(set) var hasEnded = false

    /// Begins to read a body.
    ///
    /// - Returns: Nil if the type names no boundary, or the body does not begin with it.
    init?(_ body: [UInt8], contentType: String) {
        guard let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty,
            boundary.utf8.count <= Self.boundaryLimit
        else { return nil }
        let opening = Array("--\(boundary)".utf8)
        let start = body.starts(with: Self.line) ? body.dropFirst(Self.line.count) : body[...]
        guard start.starts(with: opening) else { return nil }
        self.delimiter = Self.line + opening
        self.rest = start.dropFirst(opening.count)
    }

    /// Takes the next field; nil at the end, and where the body is no such form.
    mutating func next() -> MultipartForm.Part? {
        guard !self.hasEnded else { return nil }
        guard !self.rest.starts(with: Array("--".utf8)) else {
            self.hasEnded = true
            return nil
        }
        let start = self.rest.startIndex + Self.line.count
        guard self.rest.starts(with: Self.line),
            let headEnd = Self.find(Self.line + Self.line, in: self.rest[start...].prefix(Self.headLimit)),
            let end = Self.find(self.delimiter, in: self.rest[(headEnd + 2 * Self.line.count)...])
        else { return nil }
        let head = Self.head(self.rest[start..<headEnd])
        let content = self.rest[(headEnd + 2 * Self.line.count)..<end]
        self.rest = self.rest[(end + self.delimiter.count)...]
        guard let disposition = head["content-disposition"], let name = Self.parameter("name", of: disposition) else {
            return nil
        }
        return MultipartForm.Part(
            name: Self.unquoted(name), fileName: Self.parameter("filename", of: disposition).map(Self.unquoted),
            type: head["content-type"], content: Array(content))
    }

    /// The header fields of a part, by their names in lower case.
    private static func head(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let fields = lines.compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), Self.trimmed(line[line.index(after: colon)...]))
        }
        return Dictionary(fields) { first, _ in first }
    }

    /// Returns a parameter of a header field; within quotes those may stand behind a backslash, as curl writes them.
    private static func parameter(_ wanted: String, of field: String) -> String? {
        var rest = field.drop { $0 != ";" }
        while rest.popFirst() == ";" {
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            var value: String
            if rest.first == "\"" {
                rest = rest.dropFirst()
                value = ""
                while let character = rest.popFirst(), character != "\"" {
                    let isEscaping = character == "\\" && rest.first == "\""
                    value.append(isEscaping ? rest.removeFirst() : character)
                }
                rest = rest.drop { $0 != ";" }
            } else {
                let token = rest.prefix { $0 != ";" }
                rest = rest.dropFirst(token.count)
                value = Self.trimmed(token)
            }
            if Self.trimmed(name).lowercased() == wanted { return value }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(text)
    }

    /// As browsers write what would end the quotes or the line.
    private static func unquoted(_ name: String) -> String {
        name.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }

    /// Finds what begins with a carriage return and has at most one more: nothing is looked at many times.
    private static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count, let first = pattern.first else { return nil }
        var index = bytes.startIndex
        let last = bytes.endIndex - pattern.count
        while index <= last {
            if bytes[index] == first, bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
            index += 1
        }
        return nil
    }
}
