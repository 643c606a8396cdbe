internal import CExpat

/// Reads XML as it arrives, in any pieces, by the system's libexpat; hands out one event after the other.
///
/// The events do not depend on how the bytes are divided. Declarations of document types are refused, and with them all
/// entities but the five of XML itself, so that nothing is expanded and nothing is fetched.
public final class XMLReader {
    private let limits: XMLLimits
    /// Nil once the document has ended or a problem was met.
    private var parser: XML_Parser?
    private let tags: TagCollector

    /// What was fed and is not parsed yet, from a place on.
    private var bytes: [UInt8] = []
    private var place = 0

    /// The events that are not handed out yet, from a place on.
    private var events: [XMLEvent] = []
    private var nextEvent = 0

    /// How many bytes were parsed since something was complete.
    private var pieceBytes = 0
    private var hasAll = false
    private var problem: XMLProblem?

    /// So many bytes are parsed at once, which bounds how many events wait.
    private static let step = 4096

    /// Creates a reader.
    public init(limits: XMLLimits = XMLLimits()) {
        self.limits = limits
        self.tags = TagCollector(limits: limits)
        // The character is none that XML allows, so that it stands in no name and in no namespace.
        guard let parser = XML_ParserCreateNS(nil, XML_Char(TagCollector.separator)) else {
            preconditionFailure("libexpat makes no parser: there is no memory")
        }
        self.parser = parser
        self.tags.attach(to: parser)
    }

    deinit { self.release() }

    private func release() {
        XML_ParserFree(self.parser)
        self.parser = nil
    }

    /// How many bytes were fed that did not become events yet.
    public var pendingBytes: Int { self.bytes.count - self.place + self.pieceBytes }

    /// Gives the reader more of the document.
    public func feed(_ bytes: [UInt8]) {
        if self.place > 0 { self.bytes.removeFirst(self.place) }
        self.place = 0
        self.bytes += bytes
    }

    /// Says that the document has ended; what is missing is a problem of ``next()`` then.
    public func finish() { self.hasAll = true }

    /// Returns the next event, or nil until more is fed; after the end of the document, nil for ever.
    ///
    /// - Throws: ``XMLProblem``, from then on each time.
    public func next() throws(XMLProblem) -> XMLEvent? {
        while self.nextEvent == self.events.count {
            if let problem = self.problem { throw problem }
            guard self.parse() else { return nil }
            self.events = self.tags.take()
            self.nextEvent = 0
        }
        self.nextEvent += 1
        return self.events[self.nextEvent - 1]
    }

    /// Parses some bytes; returns whether there were any.
    private func parse() -> Bool {
        let count = min(Self.step, self.bytes.count - self.place)
        let isLast = self.hasAll && self.place + count == self.bytes.count
        guard count > 0 || isLast, let parser = self.parser else { return false }
        let status = self.bytes[self.place..<(self.place + count)].withUnsafeBytes { bytes in
            XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(count), isLast ? 1 : 0)
        }
        self.place += count
        self.pieceBytes = self.tags.hasCompleted ? 0 : self.pieceBytes + count
        let line = Int(XML_GetCurrentLineNumber(parser))
        if status != XML_STATUS_OK {
            let code = XML_GetErrorCode(parser)
            let message = XML_ErrorString(code).map { String(cString: $0) } ?? "it cannot be read"
            let offset = Int(XML_GetCurrentByteIndex(parser))
            self.problem = XMLProblem(self.tags.refusal ?? message, line: line, offset: offset < 0 ? nil : offset)
        } else if self.pieceBytes > self.limits.pieceBytes {
            self.problem = XMLProblem("more than \(self.limits.pieceBytes) bytes without a tag", line: line)
        }
        if isLast || self.problem != nil { self.release() }
        return true
    }
}

extension XMLReader {
    /// Reads a whole document.
    ///
    /// - Throws: ``XMLProblem``.
    public static func read(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws(XMLProblem) -> XMLNode {
        let reader = XMLReader(limits: limits)
        reader.feed(bytes)
        reader.finish()
        var open: [(element: XMLElement, children: [XMLNode])] = []
        var (root, count): (XMLNode?, Int) = (nil, 0)
        while let event = try reader.next() {
            count += 1
            guard count <= 2 * limits.nodes else {
                throw XMLProblem("more than \(limits.nodes) elements and texts")
            }
            switch event {
            case .start(let element): open.append((element, []))
            case .text(let text): open[open.count - 1].children.append(.text(text))
            case .end:
                let (element, children) = open.removeLast()
                let node = XMLNode.element(element, children)
                // What comes after the last end is read, too: it may be a second element.
                if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
            }
        }
        guard let root else { throw XMLProblem("there is no element") }
        return root
    }
}
