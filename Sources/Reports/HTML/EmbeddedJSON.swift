import JSON

/// JSON within a page: it cannot end the element that holds it, whatever its texts say. What it holds becomes text and
/// no markup where it is shown (`make` in `EmbeddedFiles/Page/Elements.js`).
enum EmbeddedJSON {
    /// Returns a writer that goes on with a page.
    ///
    /// Only texts can hold a `<`. Without one, a browser finds neither the end of the element nor the start of a
    /// comment in it (HTML, 13.2.5.4 "Script data state").
    static func writer(continuing page: consuming [UInt8]) -> JSONWriter {
        JSONWriter(continuing: page, escaping: UInt8(ascii: "<"))
    }

    /// Appends what a closure writes.
    static func write(to output: inout [UInt8], _ write: (inout JSONWriter) -> Void) {
        // The writer has the bytes for itself while it goes on with them, so that none is copied.
        var writer = Self.writer(continuing: exchange(&output, with: []))
        write(&writer)
        output = writer.bytes
    }

    /// Appends a value.
    static func append(_ value: JSONValue, to output: inout [UInt8]) {
        Self.write(to: &output) { $0.append(value) }
    }

    /// Appends a value, or `null`.
    static func append(_ value: JSONValue?, to output: inout [UInt8]) {
        Self.append(value ?? .null, to: &output)
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
