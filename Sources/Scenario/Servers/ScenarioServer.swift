import JSON
import Machines
import Transport

/// A simulated server that a scenario has for itself: in this process, or behind the control port of another one.
protocol ScenarioServer: AnyObject {
    var system: ChatSystem { get }

    /// The origin under which clients reach it: `http://…`, or `tcp://…` if it hears nothing but links over TCP.
    var origin: String { get }

    /// What scripts can read, as far as it is known here; ``property(_:)`` tells how it stands.
    var properties: JSONObject { get }

    /// What scripts read by a name, null if there is nothing; from another process it comes later.
    func property(_ name: String) -> CommandReply

    /// What client machines learn about their target.
    var target: JSONObject { get }

    /// Does what a script asks of the server or of one of its parties; the outcome may come later.
    func perform(_ command: Command, by party: String?) -> CommandReply

    /// Tells an actor what a party of the server observes.
    ///
    /// - Parameter kind: The name of the party's declaration.
    func attach(_ actor: Actor, as party: String, of kind: String)

    /// The faults that scripts have ordered for what comes next, as far as they are known here.
    var faultOrders: FaultOrders { get }

    /// Does what a script asks by which something fails.
    ///
    /// - Parameter note: Gets the number of the order, if what fails is still to come; before the outcome.
    func order(_ command: Command, note: @escaping (Int) -> Void) -> CommandReply

    /// Tells which of the orders have struck nothing so far, or why that cannot be known; the answer may come later.
    func findIdleFaults(_ completion: @escaping (Result<Set<Int>, UsageError>) -> Void)

    /// Tells what was done wrong at it of which only another process knows that plays it; the answer may come later.
    func findDistantLapses(_ completion: @escaping (Result<DistantLapses, UsageError>) -> Void)

    /// Whether it is the server of all virtual users of a process.
    var isShared: Bool { get }

    /// Whether what comes to its parties must be expected, also what need not be elsewhere; see ``StrictOption``.
    var isStrict: Bool { get }

    /// What can bring something to its parties without a command to them.
    var means: WakeupSources.Means { get }

    /// Whether it is at rest, without a connection, and only clients of the execution will come to it, as far as the
    /// script tells: the port of a user of a load test can be found by others, which nobody has told them.
    var awaitsOwnClients: Bool { get }

    /// Whether functions of a script may yet send requests for it, which come to others than its clients.
    var maySendRequests: Bool { get }

    /// Whether they have sent some, as far as that is known.
    var hasSentRequests: Bool { get }

    /// What its author should have handled and did not, as a failure, for no event tells of it; nil if there is
    /// nothing.
    var lapse: ScenarioFailure? { get }

    /// Lets the scenario of a client fail that was told this reason when its connection ended.
    ///
    /// - Returns: Whether the server has closed one with the reason for what its client sent, and no scenario fails by
    ///   that which has the server for itself.
    func handOnRefusal(with reason: String) -> Bool

    /// What others than clients of the run have sent it of messages that are not whole.
    var unfinished: [UnfinishedMessage] { get }

    /// What its parties wait for and what it has under way, in words.
    var pending: [String] { get }

    /// Whether it may let something come to its parties though no client of the execution does anything.
    var actsByItself: Bool { get }

    /// Which messages of its parties are texts, for load tests, if its system does not tell.
    var ledger: LedgerOptions? { get }

    /// The last answers to its own requests that were not `ok`, as a section of a failure: no event tells of them.
    var refusals: [ScenarioFailure.Section] { get }

    /// Tells nobody any more what a party of the server observes.
    func detach(_ party: String)

    /// An execution that has used the server has ended; for servers that outlive it.
    func released(by execution: ScenarioExecution)

    /// Stops the server and drops its connections.
    func close()
}

extension ScenarioServer {
    var target: JSONObject { self.properties }
    var faultOrders: FaultOrders { FaultOrders() }

    func order(_ command: Command, note: @escaping (Int) -> Void) -> CommandReply {
        let count = self.faultOrders.count
        let reply = self.perform(command, by: nil)
        let number = self.faultOrders.count
        if number > count { note(number) }
        return reply
    }

    func findIdleFaults(_ completion: @escaping (Result<Set<Int>, UsageError>) -> Void) {
        completion(.success(self.faultOrders.idle))
    }

    func findDistantLapses(_ completion: @escaping (Result<DistantLapses, UsageError>) -> Void) {
        completion(.success(DistantLapses()))
    }

    func property(_ name: String) -> CommandReply { .now(.done(self.properties[name] ?? .null)) }
    func released(by execution: ScenarioExecution) {}
    var ledger: LedgerOptions? { nil }
    var isStrict: Bool { false }
    var awaitsOwnClients: Bool { self.means == .clients }
    var maySendRequests: Bool { false }
    var hasSentRequests: Bool { false }
    var lapse: ScenarioFailure? { nil }
    func handOnRefusal(with reason: String) -> Bool { false }
    var refusals: [ScenarioFailure.Section] { [] }
    var unfinished: [UnfinishedMessage] { [] }
    var pending: [String] { ["what comes to \(self.origin)"] }

    // Nothing is refused because of what is not known.
    var actsByItself: Bool { true }

    /// Lets a party join an execution to which something came that must be expected, since the script has named none so
    /// far.
    func joinUnnamed(_ party: PartyDeclaration, _ execution: ScenarioExecution?) {
        guard let execution, execution.keepsWhatComes else { return }
        ActorMaker(execution: execution).standIn(party, of: self)
    }
}
