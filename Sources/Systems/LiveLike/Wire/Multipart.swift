/// The body of an upload: `multipart/form-data` with one part (RFC 7578).
enum Multipart {
    /// Returns the body with one file part.
    static func body(name: String, fileName: String, type: String, bytes: [UInt8], boundary: String) -> [UInt8] {
        let head =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\n"
            + "Content-Type: \(type)\r\n\r\n"
        return Array(head.utf8) + bytes + Array("\r\n--\(boundary)--\r\n".utf8)
    }

    /// Returns the bytes of the part of that name, or nil if the body has no such part or another form.
    static func part(named name: String, in body: [UInt8], contentType: String) -> [UInt8]? {
        guard let place = contentType.firstRange(of: "boundary=") else { return nil }
        let boundary = contentType[place.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        guard !boundary.isEmpty, boundary.utf8.count <= 70 else { return nil }
        var rest = body[...]
        guard Self.take(Array("--\(boundary)\r\n".utf8), from: &rest) != nil,
            let head = Self.take(Array("\r\n\r\n".utf8), from: &rest),
            String(decoding: head, as: UTF8.self).contains("name=\"\(name)\""),
            let content = Self.take(Array("\r\n--\(boundary)".utf8), from: &rest)
        else { return nil }
        return Array(content)
    }

    /// Removes everything up to and including a mark; returns what stood before it.
    private static func take(_ mark: [UInt8], from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let place = bytes.firstRange(of: mark) else { return nil }
        let before = bytes[..<place.lowerBound]
        bytes = bytes[place.upperBound...]
        return before
    }
}
