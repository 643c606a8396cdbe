import HTTPTypes
import JSON
import Machines

/// The answer of a server that refuses for now: too many requests (RFC 6585 section 4), or a server that is away and
/// says when it will be back (RFC 9110 section 15.6.4).
struct RateLimit {
    /// What the event `rate_limited` says of it: `retry_after`, or `retry_after_text` where that cannot be read.
    let fields: JSONObject

    /// Looks at the head of an answer.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - epochMilliseconds: The wall-clock time, in milliseconds since 1970 UTC.
    /// - Returns: Nil if the server does not say that it may be asked again later.
    init?(_ head: HTTPResponse, epochMilliseconds: Int64) {
        let header = head.headerFields[.retryAfter]
        let delay = header.flatMap { RetryAfterHeader.delay($0, epochMilliseconds: epochMilliseconds) }
        guard head.status.code == 429 || head.status.code == 503 && delay != nil else { return nil }
        var fields: JSONObject = [:]
        fields["retry_after"] = delay?.json
        if delay == nil, let header { fields["retry_after_text"] = .string(header) }
        self.fields = fields
    }
}
