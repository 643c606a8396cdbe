import JSON
import Machines
import Transport

/// What stands behind an actor: a client machine, or a party of a simulated server here or in another process.
protocol ActorBackend: AnyObject {
    /// Does what a script asks; the outcome may come later.
    func reply(to command: Command) -> CommandReply

    /// Returns what a script declares of a command; nil where the system comes with the program.
    func declaration(of command: String) -> MethodDeclaration?

    /// How others refer to the actor.
    var identity: JSONObject { get }

    /// What scripts can read.
    var properties: JSONObject { get }

    /// What a person would see of it now, if it has a screen.
    var screenLines: [ScreenLine] { get }

    /// What the actor never observes as it is set up, by the events, each as the beginning of a sentence.
    var absences: [EventKind: String] { get }

    /// What is under way, in words.
    var pending: [String] { get }

    /// What has come of messages that are not whole: how much, and on which connection.
    var unfinished: [UnfinishedMessage] { get }

    /// What its author should have handled and did not, as a failure, for no event tells of it; nil if there is
    /// nothing.
    ///
    /// - Parameter actor: The actor that it stands behind.
    func lapse(of actor: Actor) -> ScenarioFailure?

    /// Whether it still talks with the other side when the scenario has ended, in a handler of its own.
    var saysGoodbye: Bool { get }

    /// The last answers that were not `ok`, as a section of a failure; none where the system comes with the program,
    /// whose events tell of them.
    var refusals: [ScenarioFailure.Section] { get }

    /// What has arrived since the last command and brought no event, as a section of a failure; none where the system
    /// comes with the program.
    var passedOver: [ScenarioFailure.Section] { get }

    /// Why nobody can be reached at the other end, if that is so.
    var unreachable: TransportFailure? { get }

    /// What can bring something to the actor without a command to it.
    var means: WakeupSources.Means { get }

    /// Whether it may let something come to the party of a server though no client of the execution does anything.
    /// Clients never act before they are told to.
    var actsByItself: Bool { get }

    /// Whether it is the party of a server that is at rest and to which only clients of the execution will come.
    var awaitsOwnClients: Bool { get }

    /// Whether events that tell of a connection's end can say why it has ended: a script decides what is in them. Those
    /// of some clients and parties that come with the program have no field for it.
    var namesReasons: Bool { get }

    /// How the last thing ended that was under way.
    var ending: Ending? { get }

    /// The connections that it has lost since they were last forgotten.
    var losses: Ending.Losses? { get }

    /// Counts the connections that it loses from now on anew.
    func forgetLosses()

    /// When its next timer fires; nil if none runs.
    var nextTimer: Instant? { get }

    /// Whether the client tells of an error in the moment in which its request ends.
    var tellsAtOnce: Bool { get }

    /// Ends the conversation on the server; the scenario hears nothing more.
    func tearDown()

    /// Whether nothing is under way any more.
    var isQuiet: Bool { get }

    /// Drops everything at once.
    func close()
}

extension ActorBackend {
    var screenLines: [ScreenLine] { [] }
    var nextTimer: Instant? { nil }
    func lapse(of actor: Actor) -> ScenarioFailure? { nil }
    var unfinished: [UnfinishedMessage] { [] }
    var saysGoodbye: Bool { false }
    var refusals: [ScenarioFailure.Section] { [] }
    var passedOver: [ScenarioFailure.Section] { [] }
    var tellsAtOnce: Bool { true }
    func declaration(of command: String) -> MethodDeclaration? { nil }
    var actsByItself: Bool { false }
    var awaitsOwnClients: Bool { false }

    // Nothing is refused because of what is not known.
    var namesReasons: Bool { true }
    var absences: [EventKind: String] { [:] }
}

/// A client machine on the network of its scenario, as what stands behind an actor.
extension ClientDriver: ActorBackend {
    func reply(to command: Command) -> CommandReply { .now(self.perform(command)) }

    var means: WakeupSources.Means { self.isQuiet ? .commands : .work }
    var namesReasons: Bool { false }
}

/// When the outcome of a command is there.
enum CommandReply {
    /// It is here.
    case now(CommandOutcome)

    /// It comes later. Calling the function with a completion sends the command off; the completion is called once.
    case later((@escaping (CommandOutcome) -> Void) -> Void)
}
