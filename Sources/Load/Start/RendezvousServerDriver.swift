import HTTPTypes
import Machines
import Transport

/// Carries the leader of a rendezvous over a listener.
///
/// It lives on one thread, like its listener; whoever creates it holds it until ``close()``.
final class RendezvousServerDriver {
    private var server: RendezvousServer
    private let service: WebSocketService
    private let clock: RendezvousClock
    /// Let go when the driver is closed.
    private var onOutcome: (RendezvousMember.Outcome) -> Void

    /// Begins to accept connections.
    ///
    /// - Parameters:
    ///   - server: What it carries.
    ///   - listener: Where the shards come in; the driver closes it.
    ///   - clock: The time and the timers.
    ///   - onOutcome: Gets what came of it, while lines to the shards may still be unsent.
    init(
        _ server: RendezvousServer, listener: any Listener, clock: RendezvousClock,
        onOutcome: @escaping (RendezvousMember.Outcome) -> Void
    ) {
        self.server = server
        self.clock = clock
        self.onOutcome = onOutcome
        self.service = WebSocketService(
            label: "rendezvous", listener: listener, scheduler: clock.scheduler,
            requestRefusal: Response(
                text: "Shards of a load test meet here, by WebSocket.\n", status: .upgradeRequired))
        self.service.onUpgradeRequest = { [weak self] in self?.take(.asked($0, $1.head)) }
        self.service.onMessage = { [weak self] in self?.take(.received($0, $1)) }
        self.service.onClosure = { [weak self] connection, _ in self?.take(.closed(connection)) }
    }

    /// Waits for the shards from now on.
    func begin() { self.take(.begun) }

    /// Gives up; who waits for this shard is told so.
    func interrupt() { self.take(.interrupted) }

    /// Drops all connections; nothing more is told.
    func close() {
        self.onOutcome = { _ in }
        self.clock.wake(at: nil)
        self.service.close()
    }

    private func take(_ input: RendezvousServer.Input) {
        for effect in self.server.handle(input, at: self.clock.now) { self.perform(effect) }
        self.clock.wake(at: self.server.wake) { [weak self] in self?.take(.waited) }
    }

    private func perform(_ effect: RendezvousServer.Effect) {
        switch effect {
        case .accept(let connection): self.service.accept(connection)
        case .refuse(let connection, let response): self.service.refuse(connection, with: response)
        case .transmit(let connection, let line): self.service.transmit(.text(line.text), on: connection)
        case .close(let connection, let code): self.service.close(connection, code: code)
        case .abort(let connection): self.service.abort(connection)
        case .tell(let outcome): self.onOutcome(outcome)
        }
    }
}
