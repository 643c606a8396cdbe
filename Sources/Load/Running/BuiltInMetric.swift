public import Metrics

/// What every load run measures without being asked.
public enum BuiltInMetric: String, CaseIterable, Sendable {
    /// From the instant at which an iteration was due to its end.
    case iteration
    /// From that instant to its actual start.
    case startDelay = "start_delay"
    case connect
    case preChat = "pre_chat"
    case queue
    case firstResponse = "first_response"
    case acknowledgement
    /// From sending a text to its arrival at each other party.
    case delivery
    case reconnect
    /// From an HTTP request of any client to its whole answer, by the name of the request.
    case request
    /// From a plain HTTP request to its whole answer.
    case response
    /// From a plain HTTP request to the first text of its streamed answer.
    case firstToken = "first_token"
    /// From one piece with text of a streamed answer to the next.
    case tokenGap = "token_gap"
    /// From a plain HTTP request to the last text of its streamed answer.
    case lastToken = "last_token"
    /// How late timers of the generator fire.
    case timerLateness = "timer_lateness"
    /// Iterations that have ended.
    case iterations
    /// Iterations that were skipped.
    case skipped
    /// The share of iterations that did not pass.
    case failures
    /// Texts that users sent.
    case sent
    /// Texts that users received.
    case received
    /// Errors that actors observed.
    case errors
    /// The share of answers by which a server refused for now (429, or 503 with Retry-After).
    case rateLimited = "rate_limited"
    /// Users that play at the moment.
    case users

    /// The metric.
    public var metric: Metric {
        switch self {
        case .iteration, .startDelay, .connect, .preChat, .queue, .firstResponse, .acknowledgement, .delivery,
            .reconnect, .request, .response, .firstToken, .tokenGap, .lastToken, .timerLateness:
            Metric(self.rawValue, .trend, unit: .microseconds)
        case .iterations, .skipped, .sent, .received, .errors: Metric(self.rawValue, .counter)
        case .failures, .rateLimited: Metric(self.rawValue, .rate)
        case .users: Metric(self.rawValue, .gauge)
        }
    }
}
