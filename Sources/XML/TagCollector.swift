internal import CExpat

/// What libexpat calls while it parses: makes events of names, attributes and texts.
final class TagCollector {
    /// What libexpat puts between a namespace, a name and a prefix: a form feed.
    static let separator: UInt8 = 0x0C

    /// Parsing takes this much for each name; namespaces are addresses, and those are shorter.
    private static let longestNamespace = 2048

    /// So many namespaces are remembered at a time: a stream may go on for ever, each time with another one.
    private static let mostNamespaces = 64

    private let limits: XMLLimits
    private var parser: XML_Parser?
    private var events: [XMLEvent] = []

    /// The text since the last tag.
    private var text: [UInt8] = []

    /// The prefixes that the next element declares.
    private var declared: [XMLAttribute] = []
    private var depth = 0

    /// The namespaces that were told last: each name of an element has its own with it, and a short tag would cost as
    /// much as a long namespace.
    private var namespaces: Set<String> = []

    /// Why the parser was stopped, if it was.
    private(set) var refusal: String?

    /// Whether a tag has been completed since the events were last taken.
    var hasCompleted: Bool { !self.events.isEmpty }

    init(limits: XMLLimits) {
        self.limits = limits
    }

    /// Takes the events so far; text at the end waits for the tag that ends it.
    func take() -> [XMLEvent] {
        defer { self.events = [] }
        return self.events
    }

    /// Has a parser call the collector, which must live as long as it.
    func attach(to parser: XML_Parser) {
        self.parser = parser
        XML_SetReturnNSTriplet(parser, 1)
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { TagCollector.collector($0)?.start($1, $2) },
            { user, name in TagCollector.collector(user)?.end(name) })
        XML_SetCharacterDataHandler(parser) { user, start, count in
            guard let start else { return }
            UnsafeRawBufferPointer(start: start, count: Int(count)).withMemoryRebound(to: UInt8.self) {
                TagCollector.collector(user)?.text += $0
            }
        }
        XML_SetStartNamespaceDeclHandler(parser) { TagCollector.collector($0)?.declare($1, $2) }
        XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
            TagCollector.collector(user)?.stop("declarations of document types are refused, and entities with them")
        }
    }

    private static func collector(_ user: UnsafeMutableRawPointer?) -> TagCollector? {
        user.map { Unmanaged<TagCollector>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Ends the parsing; libexpat may still call once or twice, which counts no more.
    private func stop(_ refusal: String) {
        if self.refusal == nil { self.refusal = refusal }
        XML_StopParser(self.parser, 0)
    }

    private func declare(_ prefix: UnsafePointer<XML_Char>?, _ namespace: UnsafePointer<XML_Char>?) {
        guard self.refusal == nil else { return }
        if let namespace, Self.isTooLong(namespace) {
            return self.stop("a namespace has more than \(Self.longestNamespace) bytes")
        }
        // The namespace of names without a prefix is told with each of them.
        guard let prefix else { return }
        guard self.declared.count < self.limits.attributes else {
            return self.stop("an element declares more than \(self.limits.attributes) prefixes")
        }
        self.declared.append(
            XMLAttribute(
                name: "xmlns:" + String(cString: prefix), value: namespace.map { String(cString: $0) } ?? ""))
    }

    private static func isTooLong(_ namespace: UnsafePointer<XML_Char>) -> Bool {
        var length = 0
        while namespace[length] != 0 {
            length += 1
            guard length <= Self.longestNamespace else { return true }
        }
        return false
    }

    private func start(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard self.refusal == nil else { return }
        self.completeText()
        self.depth += 1
        guard self.depth <= self.limits.depth else {
            return self.stop("elements nest more than \(self.limits.depth) deep")
        }
        var element = self.element(name)
        element.attributes = self.declared
        self.declared = []
        var place = 0
        while let attributes, let name = attributes[place], let value = attributes[place + 1] {
            guard element.attributes.count < self.limits.attributes else {
                return self.stop("an element has more than \(self.limits.attributes) attributes")
            }
            let parts = Self.parts(name)
            let prefix = parts.count == 3 ? parts[2] : parts.count == 2 ? "xml" : nil
            element.attributes.append(
                XMLAttribute(
                    name: (prefix.map { $0 + ":" } ?? "") + parts[parts.count > 1 ? 1 : 0],
                    value: String(cString: value)))
            place += 2
        }
        self.events.append(.start(element))
    }

    private func end(_ name: UnsafePointer<XML_Char>?) {
        guard self.refusal == nil else { return }
        self.completeText()
        self.depth -= 1
        let element = self.element(name)
        self.events.append(.end(name: element.name, namespace: element.namespace))
    }

    private func completeText() {
        guard !self.text.isEmpty else { return }
        self.events.append(.text(String(decoding: self.text, as: UTF8.self)))
        self.text = []
    }

    private func element(_ name: UnsafePointer<XML_Char>?) -> XMLElement {
        let parts = name.map(Self.parts) ?? [""]
        guard parts.count > 1 else { return XMLElement(name: parts[0]) }
        if self.namespaces.count == Self.mostNamespaces { self.namespaces = [] }
        return XMLElement(name: parts[1], namespace: self.namespaces.insert(parts[0]).memberAfterInsert)
    }

    /// The namespace, the name and the prefix of a name, or the name alone.
    private static func parts(_ name: UnsafePointer<XML_Char>) -> [String] {
        String(cString: name).utf8.split(separator: Self.separator, omittingEmptySubsequences: false)
            .map { String(decoding: Array($0), as: UTF8.self) }
    }
}
