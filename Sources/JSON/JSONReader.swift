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
        let outcome: Result<JSONValue, JSONSyntaxError>? = text.withContiguousStorageIfAvailable { bytes in
            Result { () throws(JSONSyntaxError) in
                var builder = JSONValueBuilder()
                return try JSONParser.read(bytes, into: &builder, depth: depth)
            }
        }
        if let outcome { return try outcome.get() }
        return try Self.read(Array(text), depth: depth)
    }

    /// Reads a text given as a string; see ``read(_:depth:)``.
    public static func read(_ text: String, depth: Int = defaultDepth) throws(JSONSyntaxError) -> JSONValue {
        try Self.read(text.utf8, depth: depth)
    }
}
