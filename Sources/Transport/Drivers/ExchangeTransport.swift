/// What an exchange travels on.
protocol ExchangeTransport: AnyObject {
    /// Whether the beginning of an answer has come that cannot be told of yet.
    var hasBegunAnswer: Bool { get }

    /// Stops carrying an exchange whose answer is not wanted any more.
    func drop(_ exchange: OngoingExchange)

    /// Takes in that the answer of an exchange is whole; nothing has been told of it yet.
    func release(_ exchange: OngoingExchange)
}
