internal import HTTPTypes

/// A file in a body of the type `multipart/form-data` (RFC 7578).
public struct MultipartFile: Hashable, Sendable {
    /// The file name as it stands between quotes.
    public let name: String

    /// The MIME type.
    public let type: String

    /// The bytes.
    public let content: [UInt8]

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - name: The file name; what would end its quotes must be replaced already.
    ///   - type: The MIME type.
    ///   - content: The bytes.
    public init(name: String, type: String, content: [UInt8]) {
        self.name = name
        self.type = type
        self.content = content
    }

    /// Finds a file by the name of its field.
    ///
    /// - Returns: Nil if the body has no such form or no such part.
    public init?(field: String, in body: [UInt8], contentType: String) {
        guard let mark = contentType.firstRange(of: "boundary=") else { return nil }
        let boundary = contentType[mark.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        guard !boundary.isEmpty, boundary.utf8.count <= 200 else { return nil }
        let delimiter = Array("--\(boundary)".utf8)
        let line = Array("\r\n".utf8)
        guard body.starts(with: delimiter) else { return nil }
        var rest = body[delimiter.count...]
        while rest.starts(with: line) {
            rest = rest.dropFirst(line.count)
            guard let headEnd = Self.find(Array("\r\n\r\n".utf8), in: rest),
                let end = Self.find(line + delimiter, in: rest[(headEnd + 4)...])
            else { return nil }
            let head = String(decoding: rest[rest.startIndex..<headEnd], as: UTF8.self)
            if head.contains("name=\"\(field)\"") {
                self.init(
                    name: Self.fileName(in: head), type: Self.type(in: head), content: Array(rest[(headEnd + 4)..<end]))
                return
            }
            rest = rest[(end + line.count + delimiter.count)...]
        }
        return nil
    }

    private static func fileName(in head: String) -> String {
        head.firstRange(of: "filename=\"").map { String(head[$0.upperBound...].prefix { $0 != "\"" }) } ?? ""
    }

    private static func type(in head: String) -> String {
        let lowered = head.lowercased()
        guard let mark = lowered.firstRange(of: "content-type:") else { return "application/octet-stream" }
        return lowered[mark.upperBound...].prefix { $0 != "\r\n" && $0 != "\n" }.filter { $0 != " " }
    }

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

extension Request {
    /// Makes a form with one file the body of the request.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - field: The name of its field.
    ///   - boundary: What parts are divided by; it must not occur in the file.
    public mutating func attach(_ file: MultipartFile, as field: String, boundary: String) {
        let part = MultipartForm.Part(name: field, fileName: file.name, type: file.type, content: file.content)
        let form = MultipartForm([part], boundary: boundary)
        self.head.headerFields[.contentType] = form.type
        self.body = form.body
    }
}
