import JSON

/// JSON within a page: it cannot end the element that holds it, whatever its texts say.
enum EmbeddedJSON {
    /// Appends a value.
    static func append(_ value: JSONValue, to output: inout [UInt8]) {
        Self.append(JSONWriter.write(value), to: &output)
    }

    /// Appends a value, or `null`.
    static func append(_ value: JSONValue?, to output: inout [UInt8]) {
        Self.append(value ?? .null, to: &output)
    }

    /// Appends compact JSON text.
    ///
    /// Only texts within it can hold a `<`. Without one, a browser finds neither the end of the element nor the start
    /// of a comment in it (HTML, 13.2.5.4 "Script data state").
    private static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        var rest = bytes[...]
        while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
            output.append(contentsOf: rest[..<place])
            output.append(contentsOf: "\\u003c".utf8)
            rest = rest[(place + 1)...]
        }
        output.append(contentsOf: rest)
    }

    /// Appends an element with a block of data that only the page's script reads.
    ///
    /// - Parameters:
    ///   - id: The name of the element; one of ours, never of the data.
    ///   - write: Appends the JSON.
    static func appendBlock(id: String, to output: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        output.append(contentsOf: "<script type=\"application/json\" id=\"\(id)\">".utf8)
        write(&output)
        output.append(contentsOf: "</script>\n".utf8)
    }
}
