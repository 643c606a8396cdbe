/// Reads one JSON text (RFC 8259) from bytes that may come from a hostile peer.
///
/// Depth is bounded, invalid UTF-8 and lone surrogates are errors, and no input traps. The library decoders lose what
/// a conversation test must show: the order of members, numbers above 2^53 and their spelling.
public enum JSONReader {
    /// How deeply arrays and objects may nest unless the caller says otherwise.
    public static let defaultDepth = 128

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: UTF-8; white space around the value is allowed, anything else after it is an error.
    ///   - depth: How deeply arrays and objects may nest.
    /// - Throws: ``JSONSyntaxError`` with the offset of the first byte that cannot be read.
    public static func read(_ text: some Sequence<UInt8>, depth: Int = defaultDepth) throws(JSONSyntaxError)
        -> JSONValue
    {
        try Self.read(text, with: JSONValueBuilder(refusingRepetition: false), depth: depth).value
    }

    /// Reads a text, and notes where an object has two members of one name, of which the last one counts.
    ///
    /// RFC 8259 section 4 leaves open which of them a reader takes, so that two readers may see two messages in it.
    ///
    /// - Returns: The value, and the name of the first member that came once more in its object; nil if none did.
    /// - Throws: ``JSONSyntaxError`` with the offset of the first byte that cannot be read.
    public static func readNotingRepetition(
        _ text: some Sequence<UInt8>, depth: Int = defaultDepth
    ) throws(JSONSyntaxError) -> (value: JSONValue, repeatedName: String?) {
        let (value, builder) = try Self.read(
            text, with: JSONValueBuilder(refusingRepetition: false), depth: depth)
        return (value, builder.repeatedName)
    }

    /// Reads a text in which no object has two members of one name.
    ///
    /// - Throws: ``JSONSyntaxError`` with the offset of the first byte that cannot be read, or behind a member that
    ///   comes once more.
    public static func readUnambiguous(
        _ text: some Sequence<UInt8>, depth: Int = defaultDepth
    ) throws(JSONSyntaxError) -> JSONValue {
        try Self.read(text, with: JSONValueBuilder(refusingRepetition: true), depth: depth).value
    }

    /// Returns why a text is not read as one that says one thing, as a phrase without a place; nil if it is, or if it
    /// is no JSON at all.
    public static func ambiguity(in text: some Sequence<UInt8>) -> String? {
        (try? Self.readNotingRepetition(text))?.repeatedName.map { Self.ambiguity(of: $0) }
    }

    /// A longer name may be of any length, and may have a secret in it that would be cut.
    private static let longestShownName = 60

    /// What is said of a member that came once more.
    static func ambiguity(of name: String) -> String {
        let shown = name.utf8.count <= Self.longestShownName ? "two members \"\(name)\"" : "two members of one name"
        return "an object has \(shown), and readers differ in which counts"
    }

    private static func read(
        _ text: some Sequence<UInt8>, with builder: JSONValueBuilder, depth: Int
    ) throws(JSONSyntaxError) -> (value: JSONValue, builder: JSONValueBuilder) {
        let outcome: Result<(value: JSONValue, builder: JSONValueBuilder), JSONSyntaxError>? =
            text.withContiguousStorageIfAvailable { bytes in
                Result { () throws(JSONSyntaxError) in
                    var builder = builder
                    return (try JSONParser.read(bytes, into: &builder, depth: depth), builder)
                }
            }
        if let outcome { return try outcome.get() }
        return try Self.read(Array(text), with: builder, depth: depth)
    }

    /// Reads a text given as a string; see ``read(_:depth:)``.
    public static func read(_ text: String, depth: Int = defaultDepth) throws(JSONSyntaxError) -> JSONValue {
        try Self.read(text.utf8, depth: depth)
    }
}
