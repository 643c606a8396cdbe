internal import LuaBridge
import Synchronization

/// What another thread sees of a state while its scripts run, and how it stops them.
///
/// A turn is what a script does without waiting: a resumption, a call from the engine, a cleanup. A watchdog that sees
/// the same turn for too long stops it; every function of the host and of C and the counting hook look for that.
///
/// Safe to share: the cell is read and written by atomic operations only, and freed when nobody refers to it.
@safe public final class LuaWatch: @unchecked Sendable {
    let cell: UnsafeMutablePointer<repartee_lua_watch>
    private let lastReason = Mutex<String?>(nil)

    init() {
        unsafe self.cell = .allocate(capacity: 1)
        unsafe self.cell.initialize(to: repartee_lua_watch())
    }

    deinit { unsafe self.cell.deallocate() }

    /// The turn in progress, a number that does not come again; nil while no script runs.
    public var turn: UInt64? {
        let turn = unsafe repartee_lua_watched_turn(self.cell)
        return turn.isMultiple(of: 2) ? nil : turn
    }

    /// Stops the script; nothing happens if the turn has ended.
    ///
    /// - Parameter reason: The message of the error that the script ends with.
    public func stop(_ turn: UInt64, because reason: String) {
        self.lastReason.withLock { $0 = reason }
        unsafe repartee_lua_stop_turn(self.cell, turn)
    }

    /// Why the script was stopped last.
    var reason: String { self.lastReason.withLock { $0 } ?? "the script was stopped from outside" }
}
