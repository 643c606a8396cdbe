import JSON
import Machines

/// One frame of the event stream, in either direction.
enum OSSFrame: Hashable, Sendable {
    /// An event of the server, or a call of the client: both have a method.
    case call(OSSCall)
    /// The answer to a call.
    case answer(OSSAnswer)

    /// Reads a frame.
    ///
    /// - Returns: Nil if the message is not a JSON object with a `method`, a `result` or an `error`.
    init?(_ message: WebSocketMessage) {
        guard let value = try? message.json() else { return nil }
        self.init(value)
    }

    /// Reads a frame from the JSON of a message, which is to be an object with one of the same members.
    init?(_ value: JSONValue) {
        guard let members = value.object else { return nil }
        if let method = members.text("method") {
            self = .call(OSSCall(method: method, params: Self.params(members["params"]), id: members["id"], raw: value))
        } else if members["result"] != nil || members["error"] != nil {
            self = .answer(OSSAnswer(id: members["id"], raw: value))
        } else {
            return nil
        }
    }

    /// Parameters are an array of one object; a bare object and JSON text are accepted too.
    private static func params(_ value: JSONValue?) -> JSONObject {
        let first = if case .array(let elements)? = value { elements.first } else { value }
        switch first {
        case .object(let members)?: return members
        case .string(let text)?: return (try? JSONReader.read(text))?.object ?? [:]
        default: return [:]
        }
    }
}

/// A call over the event stream: `{"method", "params": [{…}], "id"}`.
struct OSSCall: Hashable, Sendable {
    /// The method or event.
    var method: String
    /// The first of its parameters.
    var params: JSONObject
    /// What an answer names the call by.
    var id: JSONValue?
    /// The frame as it was read; nil for one that is to be sent.
    var raw: JSONValue?

    /// Creates a call.
    init(method: String, params: JSONObject = [:], id: JSONValue? = nil, raw: JSONValue? = nil) {
        self.method = method
        self.params = params
        self.id = id
        self.raw = raw
    }

    /// The frame as JSON.
    var wire: JSONValue {
        [
            "method": .string(self.method),
            "params": .array(self.params.isEmpty ? [] : [.object(self.params)]),
            "id": self.id ?? .null,
        ]
    }

    /// The identifier as a number, if it has one.
    var number: Int64? { OSSAnswer.number(self.id) }
}

/// The answer to a call over the event stream: `{"result", "error", "id"}`.
struct OSSAnswer: Hashable, Sendable {
    /// What an answer names the call by.
    var id: JSONValue?
    /// The frame as it was read or is to be sent.
    var raw: JSONValue

    /// Wraps an answer that was read.
    init(id: JSONValue?, raw: JSONValue) {
        self.id = id
        self.raw = raw
    }

    /// Creates an answer to send.
    init(id: JSONValue?, result: JSONValue, error: JSONValue = .null) {
        self.id = id
        self.raw = ["result": result, "error": error, "id": id ?? .null]
    }

    /// Wraps the REST answer to a call that went there because the stream is a long poll.
    init(_ answer: RESTAnswer) {
        // Over REST a missing status is a failure.
        self.init(
            id: nil, result: answer.isSuccess ? answer.body : .object(answer.members.merging(["Status": "error"])))
    }

    /// What is sent for a heartbeat; without an identifier the vendor's client answers `"0"`.
    static func heartbeat(_ id: JSONValue?) -> OSSAnswer {
        if let id, !id.isNull { return OSSAnswer(id: id, result: ["Response": "ack"]) }
        return OSSAnswer(id: "0", result: ["Response": "ack"])
    }

    /// Whether the server reports success; the vendor's client never asks.
    var isSuccess: Bool {
        (self.raw["error"]?.isNull ?? true)
            && (self.raw["result"]?.object?.text("Status")?.lowercased() ?? "success") == "success"
    }

    /// What an answer says about its failure, if it says something.
    static func message(_ raw: JSONValue) -> String? {
        raw["result"]?.object?.text("Message") ?? raw["error"]?.object?.text("Message") ?? raw["error"]?.string
    }

    /// The identifier as a number, if it has one.
    var number: Int64? { Self.number(self.id) }

    /// The identifier as text, for comparing numbers with their spelling in strings.
    var text: String? { (["id": self.id ?? .null] as JSONObject).text("id") }

    /// Reads an identifier, which may be a number or its digits.
    static func number(_ id: JSONValue?) -> Int64? {
        switch id {
        case .string(let text)?: Int64(text)
        case let value?: value.integer
        case nil: nil
        }
    }
}
