internal import HTTPTypes

/// A file in a body of the type `multipart/form-data` (RFC 7578).
public struct MultipartFile: Hashable, Sendable {
    /// The file name.
    public let name: String

    /// The MIME type.
    public let type: String

    /// The bytes.
    public let content: [UInt8]

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - name: The file name.
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
        guard var reader = MultipartReader(body, contentType: contentType) else { return nil }
        while let part = reader.next() {
            guard part.name == field else { continue }
            self.init(
                name: part.fileName ?? "",
                type: part.type?.lowercased().filter { $0 != " " } ?? "application/octet-stream", content: part.content)
            return
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
