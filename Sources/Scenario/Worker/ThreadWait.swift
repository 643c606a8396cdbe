/// What a suspended thread waits for.
protocol ThreadWait: AnyObject {
    /// What it is, in words, for time-outs; put together only where somebody reads it.
    var purpose: String { get }

    /// Where in the script the thread waits.
    var position: ScriptPosition? { get }

    /// Whether it is the end of another thread of the execution.
    var isForThread: Bool { get }

    /// The number of that thread, if the script joins it.
    var joinedThread: Int? { get }

    /// Whether it is something that a system in Lua does: an answer, a wake, the time that a handler of its own takes.
    /// A handler that waits for that may wait for ever, as one that polls does, so nobody waits for it.
    var isForSystem: Bool { get }

    /// Whether it is others who come to a barrier, or a letter of theirs.
    var isCoordination: Bool { get }

    /// The actor without whom it cannot come, if that is so: it is something that the actor observes or hears of.
    var source: Actor? { get }

    /// Takes back what was set up for the wait; called once if the thread is canceled.
    func cancel()
}

extension ThreadWait {
    var joinedThread: Int? { nil }
    var source: Actor? { nil }
    var isCoordination: Bool { false }
}
