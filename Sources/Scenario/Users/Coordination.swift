import JSON

/// Where users wait for each other: barriers that open for a number of users, and mailboxes.
protocol Coordination: AnyObject {
    /// Waits at a barrier until as many have come as it takes; then all go on and it closes behind them.
    ///
    /// - Parameters:
    ///   - count: How many it takes, the caller included.
    ///   - resume: Called once it opens, with nil; or with why it is not the barrier at which others of its name wait.
    ///     May be called before this returns.
    /// - Returns: What takes the wait back.
    func arrive(at name: String, count: Int, _ resume: @escaping (_ refusal: String?) -> Void) -> () -> Void

    /// Puts a letter into a mailbox; who has waited longest gets it.
    ///
    /// - Returns: Why there is no room for it, or nil.
    func post(_ letter: JSONValue, to name: String) -> String?

    /// Takes the oldest letter out of a mailbox, waiting for one if it is empty.
    ///
    /// - Parameter resume: Called with the letter; may be called before this returns.
    /// - Returns: What takes the wait back.
    func take(from name: String, _ resume: @escaping (JSONValue) -> Void) -> () -> Void
}
