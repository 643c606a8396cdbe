import Dispatch
import Synchronization

/// Holds a run in virtual time before whatever a script does next, until somebody lets it go on.
///
/// While it holds, the thread that plays waits, so virtual time stands still and nothing else happens. Set from other
/// threads.
public final class PlayGate: Sendable {
    private struct State {
        var isHeld = false
        /// How often it lets pass although it is held.
        var passes = 0
        /// Whether somebody waits who is to be woken.
        var isAwaited = false
    }

    /// More than this is not let pass beforehand.
    private static let passLimit = 1_000

    private let state = Mutex(State())
    private let wakening = DispatchSemaphore(value: 0)

    /// Creates a gate that is open.
    public init() {}

    /// Whether it holds.
    public var isHeld: Bool { self.state.withLock(\.isHeld) }

    /// Holds what comes, or lets everything pass.
    public func hold(_ isHeld: Bool) {
        self.change { state in
            state.isHeld = isHeld
            state.passes = 0
        }
    }

    /// Lets one pass.
    public func step() {
        self.change { state in state.passes = min(state.passes + 1, Self.passLimit) }
    }

    private func change(_ body: (inout State) -> Void) {
        let isAwaited = self.state.withLock { state in
            body(&state)
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if isAwaited { self.wakening.signal() }
    }

    /// Waits until it lets pass.
    ///
    /// - Parameter beforeWaiting: Called each time that it must be waited.
    func pass(_ beforeWaiting: () -> Void) {
        while true {
            let mayPass = self.state.withLock { state in
                if !state.isHeld { return true }
                if state.passes > 0 {
                    state.passes -= 1
                    return true
                }
                state.isAwaited = true
                return false
            }
            if mayPass { return }
            beforeWaiting()
            self.wakening.wait()
        }
    }
}
