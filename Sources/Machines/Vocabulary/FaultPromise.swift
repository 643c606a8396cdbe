/// What a product promises, or is known not to do, when something goes wrong on the wire.
///
/// `repartee test --faults` judges by it. Without a promise a client may end a conversation otherwise than without the
/// fault if it tells so.
public struct FaultPromise: Hashable, Sendable {
    /// What is promised.
    public enum Promise: Hashable, Sendable {
        /// The conversation comes to the same end. Messages are doubled only for systems that promise this.
        case sameEnd
        /// Nothing: the product is known to go on in silence, or otherwise.
        case nothing
        /// The fault cannot happen, so that it is not played.
        case impossible
    }

    /// The name of the kind of fault, such as `cut`.
    public let fault: String

    /// What the product does when the fault happens.
    public let promise: Promise

    /// Where the vendor says so, or how its product behaves; one sentence.
    public let reason: String

    /// Whether the promise is about what clients send, about what they receive, or, with nil, about both.
    public let isSent: Bool?

    /// A part of what passes at the point, if the promise is about that alone: of a request line without its query
    /// (`GET /poll`), of `answer 200` or of `text frame`.
    public let content: String?

    /// Creates a promise.
    public init(
        _ fault: String, _ promise: Promise, isSent: Bool? = nil, content: String? = nil, because reason: String
    ) {
        self.fault = fault
        self.promise = promise
        self.isSent = isSent
        self.content = content
        self.reason = reason
    }
}
