import JSON
import LuaRuntime
import Machines
import RunRecord
import Transport

/// The simulated server of a chat system in Lua with a script of its own, for those who do not have its functions: all
/// users of a load test together, or other processes.
///
/// The functions of a server belong to a script, and that of a scenario ends with it. So the file is loaded once more,
/// in a play that has no scenario and lasts until it is closed. Whoever uses the server asks it by name, with plain
/// data. What goes wrong in it and at it is for all of them (``ServerUsers``).
final class LuaServerHost: SharedHost {
    private let execution: ScenarioExecution
    private let script: Script
    private let server: LuaServer

    /// The kinds of the parties that have come, by their names.
    private var kinds: [String: String] = [:]

    /// The scenarios that use the server.
    private let users: ServerUsers

    /// The observer of the user who came last, who hears how long requests of the server take; nil without users of a
    /// load test.
    private var observer: (any ExecutionObserver)?

    /// Whether a user has heard what its functions passed over.
    private var isLapseHeard = false

    /// Why the server has ended, if something went wrong in it.
    var failure: ScenarioFailure? { self.users.failure }

    /// Whether none of its functions goes on by itself, and nobody uses it; one may wait for an answer.
    var isAtRest: Bool { self.execution.threads.all.allSatisfy(\.standsBy) && self.users.isEmpty }

    /// Told when something goes wrong in the server.
    var onFailure: (ScenarioFailure) -> Void = { _ in }

    /// Told what the parties observe.
    var onEvent: (String, ChatEvent) -> Void = { _, _ in }

    /// Loads a system and starts a server of it.
    ///
    /// - Parameters:
    ///   - options: The options of the server, which are checked.
    ///   - engine: Where the script runs.
    ///   - place: Where the server listens; any free port unless given.
    ///   - user: The scenario that starts it, if one does.
    /// - Throws: What is wrong with the file, the options or the network.
    init(
        _ source: LuaSystemSource, options: JSONObject, settings: ExecutionSettings, worker: Worker,
        network: any Network, engine: ScriptEngine, place: Endpoint? = nil, startedBy user: ScenarioExecution? = nil
    ) throws(ScenarioFailure) {
        let definition = ScenarioDefinition(
            file: source.fileName, line: 1, titlePath: ["server of \(source.name ?? source.fileName)"],
            options: ScenarioOptions(), index: 0)
        let execution = ScenarioExecution(
            definition, attempt: SharedPart.attempt, settings: settings, worker: worker, network: network,
            engine: engine, emit: { _ in }, onEnd: { _ in })
        execution.threads.onFailure = { _ in }
        let script = try Script(
            source.script, selecting: nil, settings: settings, seed: execution.seed, engine: engine)
        execution.adopt(script)
        do {
            guard let system = script.declarations.luaSystem(named: source.name) else {
                throw UsageError(
                    "\(source.module ?? source.fileName) declares no chat system"
                        + (source.name.map { " \"\($0)\"" } ?? ""))
            }
            let checked = try ArgumentChecker(call: "server of \(system.declaration.name)", member: "option")
                .record(options, system.declaration.serverOptions)
            self.server = try LuaServer(
                system, options: checked, given: .nil, number: 1, execution: execution, script: script, place: place)
        } catch {
            execution.abandon(because: .stopped)
            throw Self.failure(of: error)
        }
        execution.servers.add(self.server)
        self.execution = execution
        self.script = script
        self.users = ServerUsers(ofServerOf: self.server.system.title, in: execution, startedBy: user)
        self.users.onEnd = { [weak self] failure in
            self?.onFailure(failure)
            self?.close()
        }
        self.server.excusesLeaving = { [users = self.users] in users.haveBrokenOff }
        self.server.listen { [weak self] in self?.onEvent($0, $1) }
        execution.connections.onServerMeasurement = { [weak self] in
            self?.observer?.measuredOfSharedServer($0, at: worker.poolNow)
        }
    }

    private static func failure(of error: any Error) -> ScenarioFailure {
        switch error {
        case let failure as ScenarioFailure: failure
        case let mistake as UsageError:
            ScenarioFailure(category: .error, kind: .script, message: mistake.message)
        case let fault as HostError: ScenarioFailure(category: .error, kind: .script, message: fault.message)
        case let failure as TransportFailure:
            ScenarioFailure(category: .error, kind: .harness, message: failure.message)
        default:
            ScenarioFailure(
                category: .error, kind: .harness, message: "the simulated server cannot listen: \(error)")
        }
    }

    var system: ChatSystem { self.server.system }
    var origin: String { self.server.origin }
    var properties: JSONObject { self.server.properties }
    var isShared: Bool { true }
    var means: WakeupSources.Means { .outsiders }
    var pending: [String] { self.server.pending }

    /// What its functions passed over is told to whoever ends while none of them runs, which could still look at it.
    var lapse: ScenarioFailure? {
        guard self.execution.threads.all.isEmpty, let lapse = self.server.lapse else { return nil }
        self.isLapseHeard = true
        return lapse
    }

    /// What its callers have broken, and what its functions passed over when nobody used it any more.
    func findUnheardProblems(_ completion: @escaping ([SharedProblem]) -> Void) {
        let lapse = self.isLapseHeard ? nil : self.server.lapse
        self.users.findUnheardProblems(besides: [lapse].compactMap(\.self), completion)
    }

    /// Takes in a scenario that uses the server.
    ///
    /// - Throws: Why the server has ended, if it has.
    func admit(_ user: ScenarioExecution) throws(ScenarioFailure) {
        try self.users.admit(user)
        self.observer = user.observer ?? self.observer
    }

    func released(by execution: ScenarioExecution) { self.users.release(execution) }

    func handOnRefusal(with reason: String) -> Bool { self.execution.connections.handOnBreach(with: reason) }

    /// What clients have sent that is none of the messages of the system.
    var breaches: DistantLapses { self.execution.connections.messageBreaches.distant }

    // MARK: Parties

    /// Lets a party come.
    ///
    /// - Throws: A mistake if the system has no such kind of party, or somebody of that name is of another kind.
    func come(_ party: String, as kind: String) throws(UsageError) {
        if let refusal = self.system.refusal(ofParty: kind) { throw UsageError(refusal) }
        if let other = self.kinds[party] {
            guard other == kind else {
                throw UsageError("\"\(party)\" is there already, as \(other); choose another name")
            }
            return
        }
        do throws(HostError) {
            _ = try self.server.party(party, kind: kind, of: self.script)
        } catch {
            throw UsageError(error.message)
        }
        self.kinds[party] = kind
    }

    func attach(_ actor: Actor, as party: String, of kind: String) {
        do throws(UsageError) { try self.come(party, as: kind) } catch {
            return self.users.fail(Self.failure(of: error))
        }
        self.server.attach(actor, as: party, of: kind)
    }

    func detach(_ party: String) { self.server.detach(party) }

    // MARK: Commands

    func perform(_ command: Command, by party: String?) -> CommandReply {
        if let failure = self.failure { return .now(.refused(failure.message)) }
        do throws(UsageError) {
            let part = try self.part(for: command.name, by: party)
            guard let declared = self.server.luaSystem.command(command.name, in: part) else {
                throw self.unknown(command.name, in: part)
            }
            let values = Self.values(command.arguments, declared)
            return .later { completion in self.run(command.name, of: party, in: part, values, completion) }
        } catch {
            return .now(.refused(error.message))
        }
    }

    /// Whose commands are meant; who comes by giving a command is of the first kind that has it.
    private func part(for command: String, by party: String?) throws(UsageError) -> LuaSystem.Part {
        guard let party else { return .serverCommands }
        let system = self.server.luaSystem
        if self.kinds[party] == nil {
            let kinds = self.system.parties.map(\.name)
            guard let kind = kinds.first(where: { system.command(command, in: .party($0)) != nil }) ?? kinds.first
            else { throw UsageError("\(self.system.title) has no parties") }
            try self.come(party, as: kind)
        }
        return .party(self.kinds[party] ?? "")
    }

    private func unknown(_ name: String, in part: LuaSystem.Part) -> UsageError {
        let known = self.server.luaSystem.commandNames(in: part)
        return UsageError(UnknownMember.text(name, of: "\(self.system.name).\(part.text)", among: known))
    }

    /// Gives arguments that come in their order their names, or numbers where the command declares none.
    func named(_ values: [JSONValue], of command: String, by party: String?) throws(UsageError) -> JSONObject {
        let part = try self.part(for: command, by: party)
        let declared = self.server.luaSystem.command(command, in: part)
        let callName = CallName(receiver: party ?? "server", function: command)
        try declared?.checkCount(values.count, isNil: { values[$0].isNull }, of: callName)
        guard let parameters = declared?.parameters else {
            return JSONObject(values.enumerated().map { ("\($0.offset + 1)", $0.element) })
        }
        return try ArgumentChecker(call: callName).arguments(values, parameters)
    }

    /// The arguments in their order; where none are declared they are numbered.
    private static func values(_ arguments: JSONObject, _ command: LuaCommand) -> [LuaValue] {
        let names = command.parameters?.map(\.name) ?? (0..<arguments.count).map { "\($0 + 1)" }
        return names.map { name in arguments[name].flatMap { $0.isNull ? nil : .json($0) } ?? .nil }
    }

    private func run(
        _ name: String, of party: String?, in part: LuaSystem.Part, _ values: [LuaValue],
        _ completion: @escaping (CommandOutcome) -> Void
    ) {
        do {
            guard let parts = self.server.luaSystem.parts, let desk = self.server.desk,
                let makers = self.script.engine.luaSystems
            else { return completion(.refused("the server has ended")) }
            let receiver: LuaReference
            let table: LuaReference
            let key: String
            if case .party(let kind) = part, let party,
                let own = try self.server.party(party, kind: kind, of: self.script)
            {
                (receiver, table, key) = (own, parts.parties, kind)
            } else {
                (receiver, table, key) = (desk, parts.server, "commands")
            }
            let thread = try self.execution.threads.spawn(
                makers.run, [.reference(table), .string(key), .string(name), .reference(receiver)] + values)
            thread.whenEnded { completion(Self.outcome($0)) }
        } catch {
            completion(.refused(Self.failure(of: error).message))
        }
    }

    private static func outcome(_ result: Result<LuaValue, ScenarioFailure>) -> CommandOutcome {
        switch result {
        case .failure(let failure) where failure.kind == .notOffered: return .notOffered(failure.message)
        case .failure(let failure) where failure.kind == .gaveUp:
            return .failed(failure.message, kind: failure.kind.rawValue)
        case .failure(let failure) where failure.category == .failure:
            return .failed(failure.placedMessage, kind: failure.kind.rawValue)
        case .failure(let failure):
            return .refused(failure.placedMessage)
        case .success(let value):
            guard let json = try? value.json() else {
                return .refused("it returns what cannot go to another script; return plain data")
            }
            return .done(json)
        }
    }

    func close() {
        self.users.close()
        self.observer = nil
    }
}
