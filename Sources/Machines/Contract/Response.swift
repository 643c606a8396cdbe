public import HTTPTypes
public import JSON

/// A whole HTTP response: head and body.
public struct Response: Hashable, Sendable {
    /// Status and header fields; what frames the body is written by the transport, whatever stands here.
    public var head: HTTPResponse

    /// The content, without any framing of the transfer; empty if there is none.
    public var body: [UInt8]

    /// Creates a response.
    public init(_ head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Creates a response with a JSON body.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - status: The status; 200 unless given.
    public init(json: JSONValue, status: HTTPResponse.Status = .ok) {
        self.head = HTTPResponse(status: status, headerFields: [.contentType: "application/json; charset=utf-8"])
        self.body = JSONWriter.write(json)
    }

    /// Creates a response with a plain text body.
    public init(text: String, status: HTTPResponse.Status) {
        self.head = HTTPResponse(status: status, headerFields: [.contentType: "text/plain; charset=utf-8"])
        self.body = Array(text.utf8)
    }
}
