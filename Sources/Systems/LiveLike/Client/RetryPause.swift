import JSON
import Machines

/// The pause before the next try of the subscribe loop: how long it is, and how it grows from one failure to the next.
struct RetryPause: Sendable {
    /// How the pause grows.
    enum Growth: String, Sendable {
        /// It stays as it is.
        case linear
        /// It doubles from one second on.
        case exponential
    }

    /// An exponential pause doubles this often and no more: 32 s are the longest; defined here.
    private static let doublings = 5

    /// The pause that does not grow; also the one after an answer that came at once and had nothing new.
    let interval: Duration

    private let growth: Growth

    /// Reads the options `retry` and `retry_interval`.
    ///
    /// - Parameter platform: Whose SDK decides if they say nothing: the pause of iOS stays, others double.
    init(_ options: JSONObject, on platform: Platform) {
        self.growth = Growth(rawValue: options["retry"]?.string ?? "") ?? (platform == .iOS ? .linear : .exponential)
        self.interval = Duration(scriptSeconds: options["retry_interval"]?.double ?? 3) ?? .seconds(3)
    }

    /// Returns the pause after a failure.
    ///
    /// - Parameter failure: Which one in a row it is, counted from one.
    func length(afterFailure failure: Int) -> Duration {
        switch self.growth {
        case .linear: self.interval
        case .exponential: .seconds(1 << min(max(failure - 1, 0), Self.doublings))
        }
    }
}
