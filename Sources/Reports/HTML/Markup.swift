/// Markup in the making: elements of ours, and texts that cannot become any.
struct Markup {
    private(set) var bytes: [UInt8] = []

    /// Appends markup of ours.
    mutating func raw(_ text: String) { self.bytes.append(contentsOf: text.utf8) }

    /// Appends a text, whatever it says.
    mutating func text(_ text: String) { XMLText.append(content: text, to: &self.bytes) }

    /// Appends an attribute of an element that has begun.
    mutating func attribute(_ name: StaticString, _ text: String) {
        XMLText.append(attribute: name, text, to: &self.bytes)
    }

    /// Appends an element with a text and nothing else in it.
    mutating func element(_ name: String, look: String? = nil, _ text: String) {
        self.raw("<\(name)\(look.map { " class=\"\($0)\"" } ?? "")>")
        self.text(text)
        self.raw("</\(name)>")
    }

    /// Appends a table; the look of a cell is its class.
    mutating func table(_ head: [String], _ rows: [[Cell]]) {
        self.raw("<table><thead><tr>")
        // A head without a text would be read out as one.
        for name in head { self.element(name.isEmpty ? "td" : "th", name) }
        self.raw("</tr></thead><tbody>\n")
        for row in rows {
            self.raw("<tr>")
            for cell in row { self.element("td", look: cell.look, cell.text) }
            self.raw("</tr>\n")
        }
        self.raw("</tbody></table>\n")
    }

    /// A cell of a table.
    struct Cell: ExpressibleByStringLiteral {
        let text: String
        let look: String?

        init(_ text: String, look: String? = nil) {
            self.text = text
            self.look = look
        }

        init(stringLiteral text: String) { self.init(text) }
    }

    mutating func append(_ other: Markup) { self.bytes.append(contentsOf: other.bytes) }
}
