/// When a session tells the server that it lives.
struct PingSchedule: Hashable, Sendable {
    /// Whether pings are sent.
    var isRunning = false
    /// Failed pings in a row.
    var failures = 0
}
