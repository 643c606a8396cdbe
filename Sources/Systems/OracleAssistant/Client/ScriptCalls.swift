import Machines

/// The calls of functions of the script that have not come back.
struct ScriptCalls: Sendable {
    private var pending: [ScriptCallID: ScriptContinuation] = [:]
    private var last: UInt64 = 0

    /// Creates a record without calls.
    init() {}

    /// Creates a record without calls that uses no number of another one again.
    init(after other: ScriptCalls) { self.last = other.last }

    /// Notes what goes on when a call comes back, and returns the call's number.
    mutating func begin(_ continuation: ScriptContinuation) -> ScriptCallID {
        self.last += 1
        let call = ScriptCallID(self.last)
        self.pending[call] = continuation
        return call
    }

    /// Returns what goes on now that a call has come back; nil for a call that nobody waits for.
    mutating func end(_ call: ScriptCallID) -> ScriptContinuation? { self.pending.removeValue(forKey: call) }
}
