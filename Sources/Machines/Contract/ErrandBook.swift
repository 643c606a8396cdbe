/// The exchanges that a client has under way, and what for.
///
/// | input | then |
/// |---|---|
/// | ``send(_:_:in:)`` | the exchange is under way, for that errand |
/// | its answer or failure | ``finish(_:)`` gives the errand, once |
/// | ``cancel(_:in:)`` | nothing more of it arrives |
public struct ErrandBook<Errand: Sendable>: Sendable {
    private var errands: [ExchangeID: Errand] = [:]
    private var lastExchange: UInt64 = 0

    /// Creates an empty book.
    public init() {}

    /// Starts an exchange.
    ///
    /// - Returns: Its name, by which it can be canceled.
    @discardableResult
    public mutating func send(_ errand: Errand, _ request: Request, in step: inout ClientStep) -> ExchangeID {
        self.lastExchange += 1
        let exchange = ExchangeID(self.lastExchange)
        self.errands[exchange] = errand
        step.ask(.send(exchange, request))
        return exchange
    }

    /// Returns what an exchange that has ended was for, or nil if nobody waits for it.
    public mutating func finish(_ exchange: ExchangeID) -> Errand? {
        self.errands.removeValue(forKey: exchange)
    }

    /// Forgets an exchange.
    public mutating func cancel(_ exchange: ExchangeID, in step: inout ClientStep) {
        self.errands[exchange] = nil
        step.ask(.cancel(exchange))
    }

    /// Forgets the exchanges for errands of a kind, first those that were started first: equal runs give equal records.
    public mutating func cancelAll(where isMeant: (Errand) -> Bool, in step: inout ClientStep) {
        for (exchange, errand) in self.errands.sorted(by: { $0.key.number < $1.key.number }) where isMeant(errand) {
            self.cancel(exchange, in: &step)
        }
    }
}
