public import HTTPTypes

/// A piece of a request, in the order of the wire: one head, any number of body pieces, one end.
public enum HTTPRequestPart: Hashable, Sendable {
    /// The start line and the header fields.
    case head(HTTPRequest)
    /// A piece of the content as it came, without the framing.
    case body([UInt8])
    /// The end, with the trailer fields; only a chunked body has any.
    case end(HTTPFields)
}
