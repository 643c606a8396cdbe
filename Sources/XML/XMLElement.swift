/// The start of an element: its name and attributes.
public struct XMLElement: Hashable, Sendable {
    /// The name without a prefix.
    public var name: String

    /// The namespace, or nil for none.
    public var namespace: String?

    /// The attributes in their order, by their names as they are written; `xmlns:` and a prefix where that is declared.
    public var attributes: [XMLAttribute]

    /// Creates the start of an element.
    public init(name: String, namespace: String? = nil, attributes: [XMLAttribute] = []) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
    }
}

/// An attribute of an element.
public struct XMLAttribute: Hashable, Sendable {
    /// The name as it is written, with its prefix.
    public var name: String

    /// The value as it is meant, without references.
    public var value: String

    /// Creates an attribute.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// An element with all that it holds, or a text in it.
public indirect enum XMLNode: Hashable, Sendable {
    /// An element and what stands in it, in order.
    case element(XMLElement, [XMLNode])
    /// A text between two tags, in one piece.
    case text(String)
}

/// What a reader meets, in the order of the document.
public enum XMLEvent: Hashable, Sendable {
    /// The start of an element; an empty one has its end right after.
    case start(XMLElement)
    /// The end of the innermost element that is open.
    case end(name: String, namespace: String?)
    /// All text between two tags, in one piece.
    case text(String)
}

/// Why a text is no XML that is read, or why something cannot be written as XML.
public struct XMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let message: String

    /// The line, counted from one; nil where nothing was read.
    public let line: Int?

    /// Where, in bytes from the start of the document; nil where that is not known.
    public let offset: Int?

    init(_ message: String, line: Int? = nil, offset: Int? = nil) {
        self.message = message
        self.line = line
        self.offset = offset
    }

    public var description: String {
        self.message + (self.line.map { " in line \($0)" } ?? "") + (self.offset.map { " at byte \($0)" } ?? "")
    }
}

/// How large a document may be, since its author may be hostile.
public struct XMLLimits: Hashable, Sendable {
    /// How deeply elements may nest.
    public var depth = 64

    /// How many attributes and declared prefixes an element may have.
    public var attributes = 256

    /// How many bytes may pass without a tag being complete, which bounds names, values and texts.
    public var pieceBytes = 1 << 20

    /// How many elements and texts a document may have that is read as a whole.
    public var nodes = 100_000

    /// Creates the usual limits.
    public init() {}
}
