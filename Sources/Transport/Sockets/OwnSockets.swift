import Synchronization

/// The sockets of this process that meet: where it listens, and which of its own connections lead there.
///
/// A server sees no more of a client than its address, which does not say whether it is one of the same run or somebody
/// outside of it. The loops of a process have clients of each other's servers, so all of them share this.
final class OwnSockets: Sendable {
    private struct Connection: Hashable {
        let client: Int
        let server: Int
    }

    private struct State {
        /// How many listeners there are at a port, each at an address of its own.
        var listeners: [Int: Int] = [:]

        /// Those that no server has asked for yet.
        var connections: Set<Connection> = []
    }

    /// Those of this process.
    static let ofProcess = OwnSockets()

    private let state = Mutex(State())

    /// Whether something listens at a port.
    func listens(at port: Int) -> Bool { self.state.withLock { $0.listeners[port] != nil } }

    /// Takes in that something listens at a port.
    func opened(at port: Int) { self.state.withLock { $0.listeners[port, default: 0] += 1 } }

    /// Takes in that it listens no more.
    func closed(at port: Int) {
        self.state.withLock { state in
            guard let count = state.listeners[port] else { return }
            state.listeners[port] = count > 1 ? count - 1 : nil
            // Nobody asks for those any more.
            if count == 1 { state.connections = state.connections.filter { $0.server != port } }
        }
    }

    /// Takes in a connection from a port of this process, before anything is sent on it.
    func connected(from client: Int, to server: Int) {
        self.state.withLock { state in
            guard state.listeners[server] != nil else { return }
            state.connections.insert(Connection(client: client, server: server))
        }
    }

    /// Whether a connection comes from this process; to be asked once: when something has come on it,
    /// or when it has ended.
    func take(from client: Int, to server: Int) -> Bool {
        self.state.withLock { $0.connections.remove(Connection(client: client, server: server)) != nil }
    }
}
