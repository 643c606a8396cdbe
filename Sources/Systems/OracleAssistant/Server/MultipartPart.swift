import ChatCore

/// One part of a `multipart/form-data` body (RFC 7578).
struct MultipartPart {
    /// The file name, percent-decoded.
    let fileName: String
    /// The MIME type.
    let mimeType: String
    /// The bytes.
    let content: ArraySlice<UInt8>

    /// Finds a part by its name; nil if the body has no such form or no such part.
    init?(body: [UInt8], contentType: String, named name: String) {
        guard let mark = contentType.firstRange(of: "boundary=") else { return nil }
        let boundary = contentType[mark.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        guard !boundary.isEmpty, boundary.utf8.count <= 200 else { return nil }
        let delimiter = Array("--\(boundary)".utf8), line = Array("\r\n".utf8)
        guard body.starts(with: delimiter) else { return nil }
        var rest = body[delimiter.count...]
        while rest.starts(with: line) {
            rest = rest.dropFirst(2)
            guard let headEnd = Self.find(Array("\r\n\r\n".utf8), in: rest),
                let end = Self.find(line + delimiter, in: rest[(headEnd + 4)...])
            else { return nil }
            let head = String(decoding: rest[rest.startIndex..<headEnd], as: UTF8.self)
            if head.contains("name=\"\(name)\"") {
                self.content = rest[(headEnd + 4)..<end]
                self.fileName = FormEncoding.percentDecode(Self.parameter("filename=\"", in: head) ?? "")
                let type = head.lowercased().firstRange(of: "content-type:").map { head.lowercased()[$0.upperBound...] }
                self.mimeType = String((type ?? "application/octet-stream").prefix { $0 != "\r\n" && $0 != "\n" })
                    .filter { $0 != " " }
                return
            }
            rest = rest[(end + 2 + delimiter.count)...]
        }
        return nil
    }

    private static func parameter(_ start: String, in head: String) -> Substring? {
        head.firstRange(of: start).map { head[$0.upperBound...].prefix { $0 != "\"" } }
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
