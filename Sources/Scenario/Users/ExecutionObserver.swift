public import Machines
public import Transport

/// Hears what the actors of a virtual user do and observe while it happens; a load test measures by it.
public protocol ExecutionObserver: AnyObject {
    /// An actor is about to do something.
    ///
    /// - Parameters:
    ///   - actor: Who.
    ///   - command: What; a text on its way out may be changed.
    ///   - text: Where such a text stands, if there is one.
    ///   - now: When.
    /// - Returns: What takes the text back, to be called if the command fails; nil if there is no text.
    func commands(
        _ actor: any ObservedActor, _ command: inout Command, sending text: SentText?, at now: PoolInstant
    ) -> (() -> Void)?

    /// An actor has observed something; neither its log nor an expectation has seen it yet.
    ///
    /// - Parameters:
    ///   - actor: Who.
    ///   - event: What; a text that the observer added may be taken out again.
    ///   - now: When.
    func observes(_ actor: any ObservedActor, _ event: inout ChatEvent, at now: PoolInstant)

    /// A connection or a request of an actor took its time, or one that a server of the user's own sent.
    func measured(_ measurement: ClientMeasurement, at now: PoolInstant)

    /// A connection or a request of a server took its time that the user shares with others.
    func measuredOfSharedServer(_ measurement: ClientMeasurement, at now: PoolInstant)

    /// A step of the script has come to its end.
    ///
    /// - Parameter duration: How long it took.
    func stepEnded(_ name: String, after duration: Duration, at now: PoolInstant)

    /// A script counts something of its own.
    ///
    /// - Returns: Why that cannot be counted under its name, for the script to be told; nil if it can.
    func measures(_ sample: ScriptSample, at now: PoolInstant) -> String?

    /// The last function of the script has ended: the body, hooks after it and what was deferred. What follows is a
    /// time in which events still count, and the end of the conversations.
    func scriptEnded(at now: PoolInstant)

    /// Whether an acknowledgement that is declared has not come, so that the user is given a moment longer at its end.
    var awaitsAcknowledgement: Bool { get }

    /// Something happened that may explain what is measured: a fault that the script brought about, or what it marks.
    func marks(_ label: String, at now: PoolInstant)
}

extension ExecutionObserver {
    /// Nothing is waited for by those who do not look at acknowledgements.
    public var awaitsAcknowledgement: Bool { false }
}
