/// The states of a connection as the vendor's clients report them.
enum ConnectionStatus: String, CaseIterable, Sendable {
    case connecting, open, closing, closed

    /// The number that web clients report.
    var code: Int64 {
        switch self {
        case .connecting: 0
        case .open: 1
        case .closing: 2
        case .closed: 3
        }
    }

    /// The key of the words that iOS clients show.
    var stringKey: String {
        switch self {
        case .connecting: "odais_connecting"
        case .open: "odais_connected"
        case .closing, .closed: "odais_disconnected"
        }
    }
}
