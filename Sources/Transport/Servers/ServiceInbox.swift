import DequeModule
import Machines

/// Tells a service of one thing after the other: what comes while it is being told of something else waits until that
/// is done, so that its owner is never called from within itself.
final class ServiceInbox {
    private var waiting = Deque<ServerInput>()
    private var isTelling = false

    /// Gets what happens; let go by ``close()``.
    var tell: (ServerInput) -> Void = { _ in }

    /// Takes in what happened.
    func take(_ input: ServerInput) {
        guard !self.isTelling else {
            self.waiting.append(input)
            return
        }
        self.isTelling = true
        self.tell(input)
        while let next = self.waiting.popFirst() { self.tell(next) }
        self.isTelling = false
    }

    /// Forgets what waits of a WebSocket.
    func forget(_ id: ConnectionID) {
        self.waiting.removeAll { input in
            switch input {
            case .upgradeRequested(id, _), .linkOpened(id), .received(id, _), .closed(id, _): true
            default: false
            }
        }
    }

    /// Forgets what waits, and tells nothing more.
    func close() {
        self.tell = { _ in }
        self.waiting.removeAll()
    }
}
