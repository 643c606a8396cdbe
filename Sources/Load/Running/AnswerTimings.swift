import JSON
import Machines

/// What whole and streamed answers of plain HTTP say about their own times, which their machine has taken.
///
/// | metric | event | field |
/// |---|---|---|
/// | response | response | `time` |
/// | first_token | the first token of a stream | `time` |
/// | token_gap | a later token | `gap` |
/// | last_token | stream_ended, if it is complete | `time_to_last` |
/// | rate_limited | rate_limited, or response or stream_started | 1, or 0 |
enum AnswerTimings {
    /// What an event adds to a metric.
    enum Sample: Hashable {
        case time(BuiltInMetric, Duration)
        case count(BuiltInMetric, Int64)
    }

    /// Returns what an event adds.
    static func samples(of event: ChatEvent) -> [Sample] {
        func time(_ metric: BuiltInMetric, _ field: String) -> [Sample] {
            event.fields[field]?.double.flatMap { Duration(scriptSeconds: $0) }.map { [.time(metric, $0)] } ?? []
        }
        switch event.kind {
        case .response: return time(.response, "time") + [.count(.rateLimited, 0)]
        case .rateLimited: return [.count(.rateLimited, 1)]
        case .streamStarted: return [.count(.rateLimited, 0)]
        case .token: return event.fields["gap"] == nil ? time(.firstToken, "time") : time(.tokenGap, "gap")
        case .streamEnded: return event.fields["complete"] == true ? time(.lastToken, "time_to_last") : []
        default: return []
        }
    }
}
