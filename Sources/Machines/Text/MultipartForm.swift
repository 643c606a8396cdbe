public import JSON

/// A form whose fields may be files, as `multipart/form-data` (RFC 7578).
public struct MultipartForm: Hashable, Sendable {
    /// One field.
    public struct Part: Hashable, Sendable {
        /// The name of the field.
        public let name: String

        /// The name of a file; nil for a plain field.
        public let fileName: String?

        /// The MIME type; nil for a plain text.
        public let type: String?

        /// The bytes.
        public let content: [UInt8]

        /// Creates a field.
        public init(name: String, fileName: String? = nil, type: String? = nil, content: [UInt8]) {
            self.name = name
            self.fileName = fileName
            self.type = type
            self.content = content
        }
    }

    /// A form that a client sends may have so many fields.
    public static let partLimit = 1000

    private let parts: [Part]

    /// What divides the parts.
    private let boundary: String

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - parts: The fields, in their order.
    ///   - boundary: What divides them; one that stands in none of them is chosen unless given.
    public init(_ parts: [Part], boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary ?? Self.boundary(outside: parts)
    }

    /// Reads the fields of a form that a client has sent, in their order.
    ///
    /// - Parameters:
    ///   - body: The body of a request.
    ///   - contentType: Its type, which names the boundary.
    /// - Returns: Nil if it is no such form, or not a whole one, or has more fields than are taken.
    public static func parts(of body: [UInt8], contentType: String) -> [Part]? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            var reader = MultipartReader(body, contentType: contentType)
        else { return nil }
        var parts: [Part] = []
        while let part = reader.next() {
            guard parts.count < Self.partLimit else { return nil }
            parts.append(part)
        }
        return reader.hasEnded ? parts : nil
    }

    /// The content type, which names the boundary.
    public var type: String { "multipart/form-data; boundary=\(self.boundary)" }

    /// The body.
    public var body: [UInt8] {
        var body: [UInt8] = []
        for part in self.parts {
            var head = "--\(self.boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
            if let fileName = part.fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
            if let type = part.type { head += "\r\nContent-Type: \(type)" }
            body += Array((head + "\r\n\r\n").utf8)
            body += part.content
            body += Array("\r\n".utf8)
        }
        return body + Array("--\(self.boundary)--\r\n".utf8)
    }

    /// Chosen by counting, so that the same form has the same bytes each time.
    private static func boundary(outside parts: [Part]) -> String {
        var number = 0
        while true {
            let boundary = "----repartee-\(number)"
            let bytes = Array(boundary.utf8)
            if !parts.contains(where: { $0.content.contains(bytes) }) { return boundary }
            number += 1
        }
    }

    /// As browsers write what would end the quotes or the line.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "%22"
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(scalar)
            }
        }.joined()
    }

    // MARK: From scripts

    /// The option of a request by which scripts give one.
    public static let option = ParameterDeclaration(
        "multipart",
        .list(
            .record([
                ParameterDeclaration("name", .string, "The name of the field."),
                ParameterDeclaration("text", .string, optional: true, "Its content as text."),
                ParameterDeclaration("json", .json, optional: true, "Its content as JSON."),
                ParameterDeclaration("base64", .string, optional: true, "Its content as bytes in base64."),
                ParameterDeclaration("filename", .string, optional: true, "The name of the file that it is."),
                ParameterDeclaration(
                    "type", .string, optional: true,
                    "Its MIME type; unless given that of JSON, or of any bytes where it is a file or in base64."),
            ])), optional: true, "The fields of a form with files, which is sent instead of a body, in their order.")

    /// Reads what a script gave, checked already.
    ///
    /// - Throws: ``ConfigurationError`` if a part has no content or several, or a type that cannot be one.
    public init(script parts: [JSONValue]) throws(ConfigurationError) {
        var read: [Part] = []
        for part in parts {
            let name = part["name"]?.string ?? ""
            let given = ["text", "json", "base64"].filter { part[$0] != nil }
            guard given.count == 1 else {
                throw ConfigurationError(
                    "multipart: the field \"\(name)\" has one content: text, json or base64"
                        + (given.isEmpty ? "" : ", not \(given.joined(separator: " and "))"))
            }
            let type = part["type"]?.string
            guard type?.isVisibleASCIIWithSpaces ?? true else {
                throw ConfigurationError("multipart: \"\(type ?? "")\" cannot be a MIME type")
            }
            let fileName = part["filename"]?.string
            if let text = part["text"]?.string {
                let usual = fileName == nil ? nil : "application/octet-stream"
                read.append(Part(name: name, fileName: fileName, type: type ?? usual, content: Array(text.utf8)))
            } else if let json = part["json"] {
                read.append(
                    Part(
                        name: name, fileName: fileName, type: type ?? "application/json",
                        content: JSONWriter.write(json)))
            } else {
                guard let bytes = Base64.decode(part["base64"]?.string ?? "") else {
                    throw ConfigurationError("multipart: the field \"\(name)\" is not base64 (RFC 4648 section 4)")
                }
                read.append(
                    Part(name: name, fileName: fileName, type: type ?? "application/octet-stream", content: bytes))
            }
        }
        self.init(read)
    }
}

extension String {
    fileprivate var isVisibleASCIIWithSpaces: Bool { self.utf8.allSatisfy { 0x20...0x7E ~= $0 } }
}
