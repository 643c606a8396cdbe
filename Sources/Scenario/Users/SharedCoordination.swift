import JSON
public import NIOCore
import Synchronization

/// The barriers and mailboxes that the users of several threads share.
///
/// They live on the event loop of one thread; a ``RemoteCoordination`` on each of the others sends over what its users
/// ask for. Nothing is locked: whoever comes first on that loop is first.
public final class SharedCoordination: Sendable {
    /// One wait of one thread.
    struct WaitID: Hashable, Sendable {
        let thread: Int
        let number: Int
    }

    private struct State {
        let coordination: LocalCoordination
        var cancels: [WaitID: () -> Void] = [:]
    }

    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>
    private let lastThread = Atomic(0)
    private let refusals = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - loop: The loop that barriers and mailboxes live on.
    ///   - limit: How many bytes letters may take that nobody has taken.
    public init(on loop: any EventLoop, limit: Int) {
        self.loop = loop
        self.state = .makeBoxSendingValue(State(coordination: LocalCoordination(limit: limit)), eventLoop: loop)
    }

    /// Letters for which there was no room, a line for each reason.
    public var complaints: [String] {
        self.refusals.withLock { $0.sorted { $0.key < $1.key } }.map { reason, count in
            "\(count == 1 ? "a letter was" : "\(count) letters were") thrown away: \(reason)"
        }
    }

    /// A number for one more thread whose users meet here.
    func newThread() -> Int { self.lastThread.add(1, ordering: .relaxed).newValue }

    /// Waits at a barrier; `onEnd` is called on the loop of the barriers and mailboxes, with nil once it opens, or with
    /// why it is not the one at which users of any thread wait.
    func arrive(
        at name: String, count: Int, as id: WaitID, onEnd: @escaping @Sendable (_ refusal: String?) -> Void
    ) {
        self.wait(id) { coordination, ended in
            coordination.arrive(at: name, count: count) { refusal in
                ended()
                onEnd(refusal)
            }
        }
    }

    /// Takes a letter; `onLetter` is called on the loop of the barriers and mailboxes.
    func take(from name: String, as id: WaitID, onLetter: @escaping @Sendable (JSONValue) -> Void) {
        self.wait(id) { coordination, ended in
            coordination.take(from: name) { letter in
                ended()
                onLetter(letter)
            }
        }
    }

    /// Puts a letter into a mailbox; `completion` is called on the loop of the barriers and mailboxes, with why there
    /// was no room.
    func post(_ letter: JSONValue, to name: String, _ completion: @escaping @Sendable (String?) -> Void) {
        self.loop.execute { [self] in
            let complaint = self.state.value.coordination.post(letter, to: name)
            if let complaint { self.refusals.withLock { $0[complaint, default: 0] += 1 } }
            completion(complaint)
        }
    }

    /// Puts a letter back whose reader did not wait any longer.
    func putBack(_ letter: JSONValue, to name: String) {
        self.loop.execute { [self] in self.state.value.coordination.putBack(letter, to: name) }
    }

    /// Takes a wait back.
    func cancel(_ id: WaitID) {
        self.loop.execute { [self] in self.state.value.cancels.removeValue(forKey: id)?() }
    }

    private func wait(
        _ id: WaitID, _ begin: @escaping @Sendable (LocalCoordination, _ ended: @escaping () -> Void) -> () -> Void
    ) {
        self.loop.execute { [self] in
            var isOver = false
            let cancel = begin(self.state.value.coordination) {
                isOver = true
                self.state.value.cancels[id] = nil
            }
            if !isOver { self.state.value.cancels[id] = cancel }
        }
    }
}
