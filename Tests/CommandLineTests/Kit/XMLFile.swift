import Foundation
import FoundationXML

/// What a well-formed XML file says: its elements with their attributes, in order.
final class XMLFile: NSObject, XMLParserDelegate {
    /// An element's name and attributes, and the text directly inside.
    struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    /// Reads a file.
    ///
    /// - Throws: The parser's error if the file is not well-formed.
    init(_ data: Data) throws {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        if !parser.parse() { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        self.open.append(self.elements.count)
        self.elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        self.open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let index = self.open.last { self.elements[index].text += text }
    }

    /// The elements of a name.
    func all(_ name: String) -> [Element] { self.elements.filter { $0.name == name } }
}
