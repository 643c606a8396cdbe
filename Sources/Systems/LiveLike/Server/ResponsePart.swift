import Machines

/// How answers go out: at once, late, or not at all, as the options or the script say.
///
/// The message carrier's log makes sure that a lost answer loses no message.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `given`, lost by chance | unchanged | drops the request |
/// | any | `given` without latency | unchanged | responds |
/// | prompt, late | `given` with latency | late | sets a timer |
/// | late | `due` | late, prompt after the last one | responds |
/// | any | `latencySet`, `lossSet` | unchanged | |
struct ResponsePart: Sendable {
    /// What happens to answers.
    enum Input: Sendable {
        case given(ExchangeID, Response)
        case due(UInt64)
        case latencySet(Duration, jitter: Duration)
        /// The share of answers that get lost, from 0 to below 1.
        case lossSet(Double)
    }

    private var latency: Duration
    private var jitter: Duration
    private var loss: Double
    /// The answers that are on their way, by their numbers.
    private(set) var delayed = Numbered<(exchange: ExchangeID, response: Response)>()

    /// Creates a part that has nothing to send.
    init(_ options: ServerOptions) {
        self.latency = options.latency
        self.jitter = options.jitter
        self.loss = options.loss
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, random: inout RandomSource) -> [LiveLikeServer.Effect] {
        switch input {
        case .given(let exchange, let response): return [self.send(response, to: exchange, &random)]
        case .due(let number):
            guard let delayed = self.delayed.take(number) else { return [] }
            return [.respond(delayed.exchange, delayed.response)]
        case .latencySet(let latency, let jitter):
            self.latency = latency
            self.jitter = jitter
            return []
        case .lossSet(let loss):
            self.loss = loss
            return []
        }
    }

    private mutating func send(
        _ response: Response, to exchange: ExchangeID, _ random: inout RandomSource
    ) -> LiveLikeServer.Effect {
        if self.loss > 0, Double.random(in: 0..<1, using: &random) < self.loss { return .drop(exchange) }
        guard self.latency > .zero || self.jitter > .zero else { return .respond(exchange, response) }
        var delay = self.latency
        if self.jitter > .zero {
            delay += .nanoseconds(Int64.random(in: 0...self.jitter.clampedNanoseconds, using: &random))
        }
        return .setTimer(.answer(self.delayed.add((exchange, response))), delay)
    }
}
