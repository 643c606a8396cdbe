internal import EmbeddedFiles
public import JSON
import LuaRuntime
public import Machines
public import NIOCore
import RunRecord
import Secrets
import Transport

/// A conversation that a person plays by hand, with a simulated server of its own: as a scenario of which each line is
/// given when the person wishes.
///
/// So everything is as in scenarios, for systems that are built in and for those in Lua: what is declared, how it is
/// checked, and what a mistake is told with. Confined to the event loop of its worker.
public final class HandPlay {
    /// At most so much is done and seen in one conversation; why something was refused is kept beyond it.
    static let stepLimit = 5000

    /// At most so many play in it.
    static let actorLimit = 40

    /// What the server is called, and the variable of a saved scenario that holds it.
    static let serverName = "server"

    let system: ChatSystem
    private let module: String
    private let settings: ExecutionSettings
    private let worker: Worker
    private let engine = ScriptEngine()
    private let execution: ScenarioExecution
    private let recorder = Recorder()

    /// What does what is asked; nil once the conversation is closed.
    private var body: LuaReference?
    private(set) var cast: [PlayedActor] = []
    private(set) var steps: [PlayedStep] = []

    /// Grows with every change, also of those that are no step.
    public private(set) var version = 0

    /// Hears what happens; the execution refers to it before the conversation is made.
    private final class Recorder {
        var onEntry: (RunEntry) -> Void = { _ in }
    }

    /// Called when something has happened.
    public var onChange: () -> Void = {}

    /// Begins a conversation in real time on an event loop; to be called on that loop.
    ///
    /// - Parameters:
    ///   - name: What scripts require, or the file of a system in Lua, below the root of the project.
    ///   - options: Those of the simulated server.
    ///   - settings: The systems, the project, and what hides secrets.
    /// - Throws: What is wrong with the system.
    public convenience init(
        _ name: String, options: JSONObject, settings: ExecutionSettings, loop: any EventLoop
    ) throws(ConfigurationError) {
        let worker = Worker(loop: loop)
        let network = SocketNetwork(eventLoop: loop)
        network.scope = worker
        try self.init(name, options: options, settings: settings, worker: worker, network: network)
    }

    init(
        _ name: String, options: JSONObject, settings: ExecutionSettings, worker: Worker, network: any Network
    ) throws(ConfigurationError) {
        let path = name.hasSuffix(".lua") ? String(name.dropLast(".lua".count)) : name
        let folder = name.hasSuffix(".lua") ? path.lastIndex(of: "/").map { path[..<$0] + "/" } ?? "" : ""
        self.module = String(path.dropFirst(folder.count))
        guard LuaSystemSource.isModuleName(self.module) else {
            throw ConfigurationError("\"\(name)\" cannot be the name of a chat system")
        }
        var file = ScriptFile(
            name: folder + "by-hand.lua",
            source: "local system = require \(LuaLiteral.string(self.module))\n"
                + String(cString: embedded_by_hand()))
        let recorder = self.recorder
        do throws(ScenarioFailure) {
            let declared = try self.engine.declarations(of: &file, settings: settings, readingUserRows: false)
            guard let definition = declared.definitions.first, let used = declared.systems.first,
                used.isOwn || name == self.module
            else {
                throw ScenarioFailure(
                    category: .error, kind: .script, message: "there is no chat system in \(name)")
            }
            self.system = used.system
            self.execution = ScenarioExecution(
                definition, attempt: SharedPart.attempt, settings: settings, worker: worker, network: network,
                engine: self.engine, emit: { recorder.onEntry($0) }, onEnd: { _ in })
            let script = try self.engine.load(
                file, selecting: definition, settings: settings, seed: self.execution.seed)
            self.execution.adopt(script)
            self.body = script.takeSelected()?.body
        } catch {
            self.engine.close()
            throw ConfigurationError(error.message)
        }
        self.settings = settings
        self.worker = worker
        recorder.onEntry = { [weak self] in self?.happened($0) }
        self.join(PlayedActor(name: Self.serverName, role: .server, variable: Self.serverName, options: options)) { _ in
        }
    }

    /// Ends the conversation at once.
    public func close() {
        self.onChange = {}
        guard self.body != nil else { return }
        self.body = nil
        self.execution.abandon(because: .stopped)
        self.engine.close()
    }

    private func changed() {
        self.version += 1
        self.onChange()
    }

    private func add(_ content: PlayedStep.Content) {
        if case .refused = content {} else { guard self.steps.count < Self.stepLimit else { return } }
        self.steps.append(
            PlayedStep(at: self.execution.now - .start, version: self.version + 1, content: content))
        self.changed()
    }

    private func happened(_ entry: RunEntry) {
        guard case .happened(_, _, .observed(let name, _, let kind, let fields, _)) = entry else { return }
        let event = ChatEvent(EventKind(rawValue: kind), fields)
        let actor = self.execution.actors.first { $0.name == name }
        self.add(.observed(actor: name, event: event, isNoise: actor?.vocabulary.isNoise(event) ?? false))
    }

    // MARK: What a person does

    /// Lets somebody come.
    ///
    /// - Parameters:
    ///   - name: Their name, which nobody else has.
    ///   - kind: A kind of party of the server, such as `agent`; nil for a client.
    ///   - options: Those of a client.
    ///   - completion: Gets nil, or what is wrong.
    public func join(
        _ name: String, kind: String?, options: JSONObject, completion: @escaping (ConfigurationError?) -> Void
    ) {
        if let problem = self.problem(ofName: name, kind) { return completion(ConfigurationError(problem)) }
        let variables = Set(self.cast.map(\.variable) + [ScenarioWriter.holder(of: self.module)])
        self.join(
            PlayedActor(
                name: name, role: kind.map { .party($0) } ?? .client,
                variable: VariableName.make(of: name, besides: variables), options: options), completion)
    }

    private func problem(ofName name: String, _ kind: String?) -> String? {
        if name.isEmpty || name.utf8.count > 80 { return "a name has 1 to 80 characters" }
        if self.cast.contains(where: { $0.name == name }) { return "there is a \"\(name)\" already" }
        if self.cast.count >= Self.actorLimit { return "more than \(Self.actorLimit - 1) cannot play" }
        return kind.flatMap { self.system.refusal(ofParty: $0) }
    }

    private func join(_ actor: PlayedActor, _ completion: @escaping (ConfigurationError?) -> Void) {
        var options = actor.options
        let values: [LuaValue]
        let order: String
        switch actor.role {
        case .server: (order, values) = ("server", [.json(.object(options))])
        case .client:
            options["name"] = .string(actor.name)
            (order, values) = ("client", [.json(.object(options))])
        case .party(let kind): (order, values) = ("party", [.string(Self.serverName), .string(kind)])
        }
        self.learn(actor.options, actor.role == .server ? self.system.server.options : self.system.client.options)
        self.cast.append(actor)
        self.run(.joined(actor), order, actor.name, values) { [weak self] result in
            if case .failure(let error) = result {
                self?.cast.removeAll { $0.name == actor.name }
                completion(error)
            } else {
                completion(nil)
            }
            self?.changed()
        }
    }

    /// Lets somebody do something.
    ///
    /// - Parameters:
    ///   - name: Who.
    ///   - command: A method that is declared for them.
    ///   - arguments: By the names of its parameters; an actor by its name.
    ///   - completion: Gets what the method returned, or what is wrong.
    public func perform(
        _ name: String, _ command: String, _ arguments: JSONObject,
        completion: @escaping (Result<JSONValue, ConfigurationError>) -> Void
    ) {
        do throws(ConfigurationError) {
            guard let actor = self.cast.first(where: { $0.name == name }) else {
                throw ConfigurationError("nobody here is called \"\(name)\"")
            }
            let methods = actor.methods(in: self.system)
            guard let method = methods.first(where: { $0.name == command }) else {
                throw ConfigurationError(
                    UnknownMember.text(command, of: name, as: "method", among: methods.map(\.name)))
            }
            let (values, places) = try self.values(arguments, of: method, by: name)
            self.learn(arguments, method.parameters)
            self.run(
                .commanded(actor: name, method: method, arguments: arguments), "command", name,
                [.string(command), .json(.array(places.map { .integer(Int64($0)) }))] + values, completion)
        } catch {
            completion(.failure(error))
        }
    }

    /// The arguments in their order, and the places of actors among them, counted from one.
    private func values(
        _ arguments: JSONObject, of method: MethodDeclaration, by name: String
    ) throws(ConfigurationError) -> (values: [LuaValue], places: [Int]) {
        let known = method.parameters.map(\.name)
        if let stranger = arguments.first(where: { !known.contains($0.0) })?.0 {
            throw ConfigurationError(
                UnknownMember.text(stranger, of: "\(name):\(method.name)", as: "argument", among: known))
        }
        var values: [LuaValue] = []
        var places: [Int] = []
        for (index, parameter) in method.parameters.enumerated() {
            let value = arguments[parameter.name] ?? .null
            if parameter.type == .actor, let other = value.string {
                guard self.cast.contains(where: { $0.name == other }) else {
                    throw ConfigurationError("\(name):\(method.name): nobody here is called \"\(other)\"")
                }
                places.append(index + 1)
            }
            values.append(value.isNull ? .nil : .json(value))
        }
        while case .nil? = values.last { values.removeLast() }
        return (values, places)
    }

    /// Keeps what is declared to be secret out of everything that is shown.
    private func learn(_ members: JSONObject, _ declared: [ParameterDeclaration]) {
        for parameter in declared where parameter.isSecret {
            if let text = members[parameter.name]?.string { self.settings.vault.add(text, isLearnt: true) }
        }
    }

    private func run(
        _ content: PlayedStep.Content, _ order: String, _ name: String, _ values: [LuaValue],
        _ completion: @escaping (Result<JSONValue, ConfigurationError>) -> Void
    ) {
        guard let body, let script = self.execution.script else {
            return completion(.failure(ConfigurationError("the conversation has ended; begin another one")))
        }
        guard self.steps.count < Self.stepLimit else {
            return completion(
                .failure(ConfigurationError("\(Self.stepLimit) things have happened; save this, and begin another one"))
            )
        }
        let number = self.steps.count
        self.add(content)
        let end = { [weak self] (outcome: Result<LuaValue, ScenarioFailure>) in
            switch outcome {
            case .success(let value):
                // What it has changed in its actor shows, though nothing was observed.
                self?.changed()
                completion(.success((try? value.json()) ?? .null))
            case .failure(let failure):
                self?.add(.refused(step: number, message: failure.message))
                completion(.failure(ConfigurationError(failure.message)))
            }
        }
        do throws(ScenarioFailure) {
            let thread = try self.execution.threads.spawn(
                body, [script.context, .string(order), .string(name)] + values)
            thread.whenEnded(end)
        } catch {
            end(.failure(error))
        }
    }

    // MARK: What is seen

    /// The text of a scenario that does and sees the same.
    public var scenario: String {
        var states: [ScenarioWriter.EndState] = []
        for actor in self.cast where actor.role == .client {
            for (property, value) in self.state(of: actor) {
                states.append(ScenarioWriter.EndState(variable: actor.variable, property: property, value: value))
            }
        }
        return ScenarioWriter(module: self.module, system: self.system, secrets: self.execution.secrets)
            .text(self.steps, ending: states, at: self.execution.now - .start)
    }

    /// What can be told of a client in a word: its properties that are one of a few.
    func state(of actor: PlayedActor) -> JSONObject {
        guard actor.role == .client, let member = self.execution.actors.first(where: { $0.name == actor.name }) else {
            return [:]
        }
        let values = member.backend?.properties ?? [:]
        return JSONObject(
            self.system.client.properties.compactMap { property in
                switch property.type {
                case .choice, .boolean: values[property.name].flatMap { $0.isNull ? nil : (property.name, $0) }
                default: nil
                }
            })
    }

    /// Where clients of other programs reach the server; nil as long as it has not started.
    var origin: String? { self.execution.servers.home(of: self.system.name)?.origin }

    /// What must not be seen.
    var secrets: SecretMasker { self.execution.secrets }
}
