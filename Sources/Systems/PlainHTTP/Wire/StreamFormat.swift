import HTTPTypes

/// How the pieces of a streamed answer are told apart.
enum StreamFormat: Hashable, Sendable {
    /// Server-sent events, `text/event-stream`.
    case events
    /// One JSON value a line.
    case lines

    private static let lineTypes: Set<String> = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl",
        "application/jsonlines", "application/x-jsonlines", "application/json-lines",
    ]

    /// Returns the format that the content type of an answer says, or nil if the answer is no stream.
    init?(of head: HTTPResponse) {
        let type = MediaType.essence(of: head)
        if type == "text/event-stream" {
            self = .events
        } else if Self.lineTypes.contains(type) {
            self = .lines
        } else {
            return nil
        }
    }
}

/// The type of a body without its parameters.
enum MediaType {
    /// Returns the type in lower case, empty if none is given.
    static func essence(of head: HTTPResponse) -> String {
        let type = (head.headerFields[.contentType] ?? "").prefix { $0 != ";" }
        return type.lowercased().trimmingPrefix { $0 == " " }.split(separator: " ").first.map(String.init) ?? ""
    }

    /// Whether a type says that the body is JSON (RFC 6838 section 4.2.8 for the suffix).
    static func isJSON(_ essence: String) -> Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }
}
