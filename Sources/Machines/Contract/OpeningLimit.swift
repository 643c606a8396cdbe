/// How long a connection of any kind may take to open: a WebSocket, a link over TCP, or what carries requests.
public enum OpeningLimit: Hashable, Sendable {
    /// As long as whoever carries the machine allows.
    case standard
    /// Exactly so long.
    case after(Duration)
    /// As long as it takes; the operating system gives up after minutes.
    case none

    /// Reads a limit as many products write it: 0 stands for none.
    public init(zeroIsNone limit: Duration) {
        self = limit == .zero ? .none : .after(limit)
    }
}
