import JSON
import Machines

/// What was going on when a function of the script was called.
enum ScriptContinuation: Hashable, Sendable {
    case token
    case display(Envelope)
    case send(Outgoing)
    case endConversation(JSONObject)
    case speech(Speech)

    /// What functions of the script do that read aloud in place of the client.
    enum Speech: Hashable, Sendable {
        /// The script reads this text aloud.
        case speaking(String)
        /// The script stops reading aloud.
        case fallingSilent
        /// The script is asked whether it reads something aloud.
        case isSpeaking
    }
}

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
