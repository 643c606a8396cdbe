import JSON
import Machines

/// An event of a member before its callback is known.
struct MemberEvent: Hashable, Sendable {
    let kind: EventKind
    let fields: JSONObject

    /// The method of the vendor's SDK that an answer belongs to; nil for the delegate's or listener's of the platform.
    let callback: String?

    let raw: JSONValue?

    /// Creates an event.
    init(_ kind: EventKind, _ fields: JSONObject, callback: String? = nil, raw: JSONValue? = nil) {
        self.kind = kind
        self.fields = fields
        self.callback = callback
        self.raw = raw
    }

    /// Creates the event of an error, as the completion of a call would tell it.
    init(_ error: SDKError, callback: String?, _ fields: JSONObject = [:], raw: JSONValue? = nil) {
        var fields = fields
        fields["code"] = .string(error.code)
        fields["message"] = .string(error.message)
        fields["status"] = error.status.map { .integer(Int64($0)) }
        self.init(.error, fields, callback: callback, raw: raw)
    }
}
