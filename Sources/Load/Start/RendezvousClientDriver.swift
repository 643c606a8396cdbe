import Machines
import Transport

/// Carries a member of a rendezvous over a network.
///
/// It lives on one thread, like its network; whoever creates it holds it until ``close()``.
final class RendezvousClientDriver {
    private var client: RendezvousClient
    private let network: any Network
    private let clock: RendezvousClock
    private var socket: WebSocketClient?
    /// Let go when the driver is closed.
    private var onOutcome: (RendezvousMember.Outcome) -> Void

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - client: What it carries.
    ///   - network: By which the leader is reached.
    ///   - clock: The time and the timers.
    ///   - onOutcome: Gets what came of it, before the connection is closed.
    init(
        _ client: RendezvousClient, network: any Network, clock: RendezvousClock,
        onOutcome: @escaping (RendezvousMember.Outcome) -> Void
    ) {
        self.client = client
        self.network = network
        self.clock = clock
        self.onOutcome = onOutcome
    }

    /// Goes to the meeting.
    func begin() { self.take(.begun) }

    /// Drops the connection; nothing more is told.
    func close() {
        self.onOutcome = { _ in }
        self.clock.wake(at: nil)
        self.socket?.abort()
    }

    private func take(_ input: RendezvousClient.Input) {
        for effect in self.client.handle(input, at: self.clock.now) { self.perform(effect) }
        self.clock.wake(at: self.client.wake) { [weak self] in self?.take(.waited) }
    }

    private func perform(_ effect: RendezvousClient.Effect) {
        switch effect {
        case .open(let head):
            let socket = WebSocketClient(
                label: "rendezvous", network: self.network, scheduler: self.clock.scheduler,
                random: RandomSource(seed: 1), onEvent: { [weak self] in self?.heard($0) })
            self.socket = socket
            socket.open(head)
        case .transmit(let line): self.socket?.send(.text(line.text))
        case .close: self.socket?.close()
        case .abort: self.socket?.abort()
        case .tell(let outcome): self.onOutcome(outcome)
        }
    }

    private func heard(_ event: WebSocketClient.Event) {
        switch event {
        case .opened: self.take(.opened)
        case .failed(let failure): self.take(.failed(failure))
        case .received(let message): self.take(.received(message))
        case .closed: self.take(.closed)
        }
    }
}
