import JSON
import LuaRuntime
import Machines
import Transport

/// The simulated server of a chat system in Lua.
final class LuaServer: LuaSystemServer {
    let luaSystem: LuaSystem
    private let server: EmbeddedServer
    private let execution: ScenarioExecution

    /// The server's own table, which its handlers and commands get; nil once the server is closed, for what a script
    /// puts into it may hold the server in turn.
    private(set) var desk: LuaReference?

    /// The kinds of its parties and their tables, by their names.
    private var parties: [String: (kind: String, table: LuaReference)] = [:]

    /// The threads of its handlers that wait for something to happen.
    let waits = NamedWaits()

    /// The threads of its handlers that wait for answers to its requests, or for the next pieces of them.
    let answers = NamedWaits()

    /// The answers to its requests that are not `ok` and that nothing has looked at yet.
    var unread = UnreadAnswers()

    /// The function of the script that knows the handlers.
    private let handler: ScriptFunction

    /// Whether a command of it or of a party was called, or its functions have set a timer, emitted something or sent
    /// it somewhere: its parties may observe something then though no client has come.
    private(set) var actsByItself = false

    /// Whether a client that leaves in the middle of a message may have been made to, since who plays it is broken off;
    /// none is unless set.
    @Boxed var excusesLeaving: (() -> Bool)?

    /// The requests that its handlers have sent, if there were any.
    private var requests: LuaServerRequests?

    /// Starts a server on the network of the scenario.
    ///
    /// - Throws: ``UsageError``, ``HostError`` or a failure of the network.
    init(
        _ luaSystem: LuaSystem, options: JSONObject, given: LuaValue, number: Int, execution: ScenarioExecution,
        script: Script, place: Endpoint? = nil
    ) throws {
        guard luaSystem.hasServer, let parts = luaSystem.parts, let makers = script.engine.luaSystems else {
            throw UsageError(
                "\(luaSystem.declaration.title) has no simulated server: its module has no functions in `server`; "
                    + "write them, or choose a target with --target")
        }
        try luaSystem.checkMessages(of: .serverMessages)
        self.luaSystem = luaSystem
        self.execution = execution
        let box = ServerBox()
        let made = try script.callMaker(
            makers.server,
            [.handle(box, script.serverBoxType), .reference(parts.server), .json(.object(options)), given])
        guard made.count == 2, let desk = made[0].reference, let handler = made[1].reference else {
            preconditionFailure("the prelude makes a table and a function")
        }
        self.desk = desk
        let function = ScriptFunction(script.functions.keep(handler))
        self.handler = function
        let decides = luaSystem.has("upgrade", in: .server)
        let answers = luaSystem.has("request", in: .server)
        let framing = luaSystem.declaration.framing
        self.server = try EmbeddedServer(
            luaSystem.system, options: [:], number: number, execution: execution, place: place,
            links: framing.map { ServerLinks($0, besideHTTP: decides || answers) },
            tellsOfClosing: luaSystem.has("closed", in: .server)
        ) { _ in
            LuaServerMachine(
                handler: function, decidesUpgrades: decides, answersRequests: answers, framing: framing,
                separator: luaSystem.declaration.json?.separator)
        }
        box.server = self
        if luaSystem.has("started", in: .server) { _ = self.server.perform(Command("start"), by: nil) }
    }

    var system: ChatSystem { self.luaSystem.system }
    var origin: String { self.server.origin }
    var properties: JSONObject { ["url": .string(self.origin)] }
    var isShared: Bool { false }

    /// Whether its clients are reached without sockets.
    var isInMemory: Bool { self.execution.worker.isVirtual }

    func perform(_ command: Command, by party: String?) -> CommandReply {
        self.actsByItself = true
        return self.server.perform(command, by: party)
    }

    /// Notes that a scenario calls a command of it or of a party.
    func beginsCommand() { self.actsByItself = true }

    func attach(_ actor: Actor, as party: String, of kind: String) {
        self.server.attach(actor, as: party, of: kind)
    }

    func detach(_ party: String) { self.server.detach(party) }

    var means: WakeupSources.Means { self.server.means }
    var pending: [String] { self.server.pending + (self.requests?.pending ?? []) }
    var awaitsOwnClients: Bool { self.server.awaitsOwnClients }
    var maySendRequests: Bool { !self.awaitsOwnClients }
    var hasSentRequests: Bool { self.requests != nil }
    var lapse: ScenarioFailure? { self.unread.failure(of: self.title, nil, in: self.execution) }
    var refusals: [ScenarioFailure.Section] { self.requests?.refusals(of: self.title) ?? [] }
    var unfinished: [UnfinishedMessage] {
        self.server.unfinished + UnfinishedMessage.list(self.server.properties[MessageDivision.property])
    }

    /// Tells somebody everything that parties of the server observe.
    func listen(_ listener: @escaping (String, ChatEvent) -> Void) { self.server.listen(listener) }

    func close() {
        self.parties = [:]
        self.waits.forget()
        self.answers.forget()
        self.unread = UnreadAnswers()
        self.requests?.close()
        self.server.close()
        self.desk = nil
    }

    /// What it is called in messages.
    var title: String { "the simulated server of \(self.luaSystem.declaration.title)" }

    /// Sends a request for a handler, and returns its `number` and `name`.
    func ask(_ options: JSONObject, _ name: String) throws(HostError) -> JSONValue {
        guard self.desk != nil else { throw HostError.usage("the server has ended") }
        if let requests = self.requests { return try requests.ask(options).value(of: name) }
        let requests = try LuaServerRequests(of: self, handler: self.handler, execution: self.execution)
        self.requests = requests
        return try requests.ask(options).value(of: name)
    }

    /// Closes the connection of a client that has sent what is none of the declared messages, if it is still open, and
    /// notes it.
    ///
    /// - Parameter text: What it sent, as far as that is a text.
    func refuse(_ client: Int64, because fault: MessageFault, sent text: String) {
        let reason = fault.closeReason
        let refusal = Command("refuse", ["client": .integer(client), "reason": .string(reason)])
        let isHeard = (try? self.server.perform(refusal, by: nil).value(of: refusal.name)) == true
        let hasLeft = fault.isUnfinished && !isHeard
        if hasLeft, self.excusesLeaving?() == true { return }
        self.execution.connections.took(fault, in: text, from: "client \(client)", at: self.title, hasLeft: hasLeft)
    }

    /// Breaks off a request of a handler.
    func abandon(_ command: Command) { self.requests?.perform(command) }

    /// Returns the failure of what the conversation does not offer to a party.
    func lacks(_ text: String, by party: String, at position: ScriptPosition?) -> ScenarioFailure {
        let key = PartyKey(server: ObjectIdentifier(self), party: party)
        // Who calls from another script is named there.
        guard let actor = self.execution.cast[party: key] else { return .notOffered(text, at: position) }
        return actor.lacks("\(party): \(text)", at: position)
    }

    /// What kind of party somebody is; nil if nobody is called so.
    func kind(of party: String) -> String? { self.parties[party]?.kind }

    /// The parties that there are.
    var partyNames: [String] { self.parties.keys.sorted() }

    /// Returns the table of a party, made when it is first asked for.
    func party(_ name: String, kind: String, of script: Script) throws(HostError) -> LuaReference? {
        if let party = self.parties[name] { return party.table }
        guard let desk = self.desk, let makers = script.engine.luaSystems else { return nil }
        let made = try script.callMaker(
            makers.party, [.reference(desk), .string(name), .string(kind)]
        ).first?.reference
        self.parties[name] = made.map { (kind, $0) }
        return made
    }
}

/// What stands for a server in its own table, before and while there is one.
final class ServerBox {
    weak var server: LuaServer?
}
