/// The states of a simulated call, in the vendor's words (*Call Status* of the FCSDK guide).
enum CallStatus: String, CaseIterable, Hashable, Sendable {
    case setup, alerting, ringing, mediaPending, inCall, timedOut, busy, notFound, error, ended
    /// A provisional answer while the agents of a group are busy.
    case queued
}
