import JSON
import LuaRuntime
import Machines
import Transport

/// A client of a chat system in Lua as what stands behind an actor.
final class LuaClientBackend: ActorBackend {
    let system: LuaSystem

    /// The client's own table, which its commands and handlers get; nil once the client is closed, for the table holds
    /// the actor in turn, where the collector of the script cannot see that nobody else does.
    private(set) var me: LuaReference?
    private let client: ClientDriver

    /// Counts what handlers send as answers to the server; nil in real time, where nothing stands still.
    private let livelock: AnswerLivelockGuard?
    private unowned let script: Script

    /// The threads that wait for something to happen to the client.
    let waits = NamedWaits()

    /// The threads that wait for answers to its requests, or for the next pieces of them.
    let answers = NamedWaits()

    /// What came last, for failures.
    let arrivals: ClientArrivals

    /// The answers that are not `ok` and that nothing has looked at yet.
    var unread = UnreadAnswers()

    init(
        _ client: ClientDriver, counting livelock: AnswerLivelockGuard?, system: LuaSystem, me: LuaReference,
        arrivals: ClientArrivals, script: Script
    ) {
        self.client = client
        self.livelock = livelock
        self.arrivals = arrivals
        self.system = system
        self.me = me
        self.script = script
    }

    func reply(to command: Command) -> CommandReply { self.client.reply(to: command) }

    func declaration(of command: String) -> MethodDeclaration? {
        self.system.declaration(of: command, in: .commands)
    }

    /// Sends what a command or a handler asks for.
    ///
    /// What a handler sends is counted as an answer to its server: it runs in a thread of its own, after the step of
    /// the machine that called it.
    func send(_ command: Command, _ name: String) throws(HostError) -> JSONValue {
        let result = try self.done(command, name)
        if let livelock = self.livelock, self.script.execution?.threads.current?.isCall ?? false {
            livelock.countAnswer()
        }
        return result
    }

    /// Opens a link.
    ///
    /// What a handler opens is counted, for it may do so whenever one is closed.
    func open(_ options: JSONObject) throws(HostError) -> JSONValue {
        let link = try self.done(Command("open", options), "me:open")
        if let livelock = self.livelock, self.script.execution?.threads.current?.isCall ?? false {
            livelock.countOpening(of: options["url"]?.string ?? options["path"]?.string ?? "/")
        }
        return link
    }

    var identity: JSONObject { self.properties }

    /// What of the declared properties can be told as JSON.
    var properties: JSONObject {
        var properties = JSONObject()
        for property in self.system.declaration.properties {
            guard let value = try? self.property(property.name)?.json(), !value.isNull else { continue }
            properties[property.name] = value
        }
        return properties
    }

    /// Returns a member of the client's table that is declared as a property; nil for other names.
    ///
    /// - Throws: ``HostError`` if it is of another kind than its declaration says, or missing though it may not be.
    func property(_ name: String) throws(HostError) -> LuaValue? {
        guard let property = self.system.declaration.properties.first(where: { $0.name == name }),
            let me = self.me, let makers = self.script.engine.luaSystems
        else { return nil }
        let value = try self.script.callMaker(makers.member, [.reference(me), .string(name)]).first ?? .nil
        let call = "the client of \(self.system.declaration.name)"
        if case .nil = value, !property.isOptional {
            throw .usage(
                "\(call) has no property \"\(name)\" yet: me.\(name) is nil; one that may be missing is declared with a "
                    + "question mark, such as \"string?\"")
        }
        // What JSON cannot hold, such as a table with functions in it, is of no kind that could be wrong.
        guard let json = try? value.json(), !json.isNull else { return value }
        _ = try asFault { () throws(UsageError) in
            try ArgumentChecker(call: call, member: "property").record([name: json], [property])
        }
        return value
    }

    /// What has come of lines and events of streamed answers that its functions wait for and that are not whole.
    private var begunItems: [UnfinishedMessage] {
        guard let me = self.me, let makers = self.script.engine.luaSystems,
            let items = try? self.script.callMaker(makers.begunItems, [.reference(me)]).first?.json()
        else { return [] }
        return UnfinishedMessage.list(items)
    }

    /// The cookies of the client.
    var cookies: JSONValue { self.client.cookies }

    func lapse(of actor: Actor) -> ScenarioFailure? { self.unread.failure(of: actor.name, actor, in: actor.execution) }

    var refusals: [ScenarioFailure.Section] { self.arrivals.refused() }
    var passedOver: [ScenarioFailure.Section] { self.arrivals.passedOver }
    var pending: [String] { self.client.pending }
    var unfinished: [UnfinishedMessage] {
        self.client.unfinished + UnfinishedMessage.list(self.client.properties[MessageDivision.property])
            + self.begunItems
    }
    var saysGoodbye: Bool { self.system.has("ending", in: .handlers) }
    var unreachable: TransportFailure? { self.client.unreachable }
    var nextTimer: Instant? { self.client.nextTimer }
    /// A handler may do something else between, such as asking once more.
    var tellsAtOnce: Bool { false }
    var isQuiet: Bool { self.client.isQuiet }
    var means: WakeupSources.Means { self.client.means }
    var ending: Ending? { self.client.ending }
    var losses: Ending.Losses? { self.client.losses }
    func forgetLosses() { self.client.forgetLosses() }
    func tearDown() { self.client.tearDown() }

    func close() {
        self.waits.forget()
        self.unread = UnreadAnswers()
        self.answers.forget()
        self.client.close()
        self.me = nil
    }
}
