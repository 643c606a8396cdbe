import Machines

/// A timer of the simulated server.
enum ServerTimer: MachineTimer {
    /// The next message to a user is due.
    case deliver(String)
    /// A user's long poll has been held long enough.
    case poll(String)
    /// The recognition of speech on a connection has had its time to think.
    case hear(ConnectionID)

    var description: String {
        switch self {
        case .deliver(let userID): "deliver." + userID
        case .poll(let userID): "poll." + userID
        case .hear(let connection): "hear.\(connection.number)"
        }
    }
}
