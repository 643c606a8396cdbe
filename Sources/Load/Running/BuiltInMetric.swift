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
    /// How late timers of the generator fire.
    case timerLateness = "timer_lateness"
    /// Iterations that have ended.
    case iterations
    /// The share of iterations that did not pass.
    case failures
    /// Texts that users sent.
    case sent
    /// Texts that users received.
    case received
    /// Errors that actors observed.
    case errors
    /// Users that play at the moment.
    case users

    /// The metric.
    public var metric: Metric {
        switch self {
        case .iteration, .startDelay, .connect, .preChat, .queue, .firstResponse, .acknowledgement, .delivery,
            .reconnect, .timerLateness:
            Metric(self.rawValue, .trend, unit: .microseconds)
        case .iterations, .sent, .received, .errors: Metric(self.rawValue, .counter)
        case .failures: Metric(self.rawValue, .rate)
        case .users: Metric(self.rawValue, .gauge)
        }
    }
}
