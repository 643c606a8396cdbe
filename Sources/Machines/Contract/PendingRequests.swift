/// The requests of a machine that have no answer yet, and what each is for.
///
/// | input | then |
/// |---|---|
/// | ``begin(_:)`` | the request is under way |
/// | its answer or failure | ``end(_:)`` takes it out, once |
/// | ``endAll(where:)`` | those that are meant are taken out, to be canceled |
public struct PendingRequests<Purpose: Hashable & Sendable>: Sendable {
    private var underWay: [PendingRequest<Purpose>] = []
    private var last: UInt64 = 0

    /// Creates a table without requests.
    public init() {}

    /// Notes a request that starts.
    public mutating func begin(_ purpose: Purpose) -> PendingRequest<Purpose> {
        self.last += 1
        let request = PendingRequest(number: self.last, purpose: purpose)
        self.underWay.append(request)
        return request
    }

    /// Takes a request out that has ended.
    public mutating func end(_ request: PendingRequest<Purpose>) {
        self.underWay.removeAll { $0.number == request.number }
    }

    /// Whether a request for a purpose has no answer yet.
    public func contains(_ purpose: Purpose) -> Bool { self.underWay.contains { $0.purpose == purpose } }

    /// Takes requests out, first those that were started first: equal runs give equal records.
    public mutating func endAll(where isMeant: (Purpose) -> Bool) -> [PendingRequest<Purpose>] {
        let meant = self.underWay.filter { isMeant($0.purpose) }
        self.underWay.removeAll { isMeant($0.purpose) }
        return meant
    }
}
