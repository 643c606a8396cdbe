import JSON
import LuaRuntime
import Machines
import RunRecord
import Transport

/// A simulated server in another process, driven through the control port of `repartee serve`.
final class RemoteServer: ScenarioServer {
    let system: ChatSystem
    let isShared = false
    let isStrict: Bool
    private(set) var origin = ""
    /// How they stood at the start.
    private(set) var properties: JSONObject = [:]
    private var connection: ControlConnection?
    private let subscribers: Subscribers
    private var completions: [Int64: (Result<JSONObject, ControlRefusal>) -> Void] = [:]

    /// Why the other process cannot be asked any more.
    private var loss: String?
    private let url: String
    private let eventNames: EventNames

    /// Whether the other process is told of parties before they do anything; those of systems in Lua, and no others,
    /// may wait for visitors.
    private let announcesParties: Bool
    private let onFailure: (ScenarioFailure) -> Void

    /// The functions of the script that the server may call.
    private let functions: Set<Int64>
    private let callScript:
        (ScriptFunction, [JSONValue], @escaping (Result<JSONValue, ScriptCallFailure>) -> Void) -> Void

    private let scheduler: any Scheduler

    /// Connects to a control port and starts a server there.
    ///
    /// - Parameters:
    ///   - url: The URL of the control port.
    ///   - options: The options of the script, checked already.
    ///   - place: Where the other process finds a system that is written in Lua; nil for built-in ones.
    ///   - completion: Called once, with nil when the server can be used, or with what went wrong; what the other
    ///     process refuses of the options is a mistake of the script, as of a server in this one.
    init(
        _ system: ChatSystem, url: String, options: JSONObject, foundAt place: JSONObject? = nil,
        execution: ScenarioExecution,
        trust: TrustPolicy,
        completion: @escaping (HostError?) -> Void
    ) throws(UsageError) {
        self.system = system
        self.isStrict = StrictOption.isSet(in: options)
        self.subscribers = Subscribers(of: system)
        self.url = url
        self.scheduler = execution.worker
        self.announcesParties = place != nil
        self.onFailure = { [weak execution] in execution?.fail(because: $0) }
        var functions: Set<Int64> = []
        let options = PassedFunction.restored(options, system.server.options, functions: &functions)
        self.functions = functions
        self.callScript = { [weak execution] in execution?.threads.callScript($0, $1, completion: $2) }
        self.eventNames = EventNames(of: [system])
        let connection = ControlConnection(
            url: url, network: execution.network, scheduler: execution.worker,
            random: RandomSource(seed: execution.seed).derived(for: "control"),
            configuration: ClientDriverConfiguration(trust: trust), tell: { [weak self] in self?.heard($0) })
        guard let connection else {
            throw UsageError(
                "the control URL \"\(url)\" is not what `repartee serve` prints, such as http://127.0.0.1:7700")
        }
        self.connection = connection
        if self.isStrict {
            self.subscribers.onUnheard = { [weak self, weak execution] in self?.joinUnnamed($0, execution) }
        }
        let start: JSONObject = ["method": "start", "system": .string(system.name), "options": .object(options)]
        self.send(start.merging(place ?? [:])) { [weak self] result in
            switch result {
            case .failure(let mistake):
                // A built-in system is there, so what is wrong is what the script wants of its server.
                if place == nil, self?.loss == nil { return completion(HostError(UsageError(mistake.message))) }
                completion(
                    HostError(
                        ScenarioFailure(
                            category: .error, kind: .connection,
                            message: "no simulated server at \(url): \(mistake.message)")))
            case .success(let members):
                self?.origin = members["origin"]?.string ?? ""
                self?.properties = members["properties"]?.object ?? [:]
                completion(nil)
            }
        }
    }

    private func send(_ message: JSONObject, completion: @escaping (Result<JSONObject, ControlRefusal>) -> Void) {
        if let loss = self.loss { return completion(.failure(ControlRefusal(loss))) }
        if let id = self.connection?.send(message) { self.completions[id] = completion }
    }

    private func heard(_ news: ControlConnection.Output) {
        switch news {
        case .answer(let id, let result): self.completions.removeValue(forKey: id)?(result)
        case .event(let name, let party, let members):
            guard let kind = self.eventNames[name] else { return }
            self.subscribers.hear(
                party, ChatEvent(kind, members["fields"]?.object ?? [:], raw: members["raw"]))
        case .call(let number, let members): self.call(number, members)
        case .serverFailed(let message, let category, let kind):
            self.onFailure(ScenarioFailure(category: category, kind: kind, message: message))
        case .failed(let reason):
            let completions = self.completions
            self.completions = [:]
            let message =
                reason + " (\(self.url) is taken for the control URL that `repartee serve` prints; "
                + "write a server of your own into repartee.lua as a target)"
            self.loss = message
            for completion in completions.values { completion(.failure(ControlRefusal(message))) }
            // Without anybody who waits for an answer, nobody would learn that events do not come any more.
            guard completions.isEmpty else { return }
            self.onFailure(ScenarioFailure(category: .error, kind: .connection, message: message))
        }
    }

    /// Calls a function for the server and sends back what it returned.
    private func call(_ call: Int64, _ members: JSONObject) {
        let answer: JSONObject = ["method": "return", "call": .integer(call)]
        guard let number = members["function"]?.integer, self.functions.contains(number) else {
            self.connection?.send(answer.merging(["error": "the server was given no such function"]))
            return
        }
        self.callScript(ScriptFunction(number), members["arguments"]?.array ?? []) { [weak self] result in
            switch result {
            case .success(let value): self?.connection?.send(answer.merging(["value": value]))
            case .failure(let failure): self?.connection?.send(answer.merging(["error": .string(failure.message)]))
            }
        }
    }

    func perform(_ command: Command, by party: String?) -> CommandReply {
        self.perform(command, by: party) { _ in }
    }

    /// - Parameter note: Gets the answer, if nothing speaks against the command.
    private func perform(
        _ command: Command, by party: String?, note: @escaping (JSONObject) -> Void
    ) -> CommandReply {
        var message: JSONObject = [
            "method": "perform", "command": .string(command.name), "arguments": .object(command.arguments),
        ]
        message["party"] = party.map { .string($0) }
        return .later { completion in
            self.send(message) { result in
                switch result {
                case .failure(let refusal):
                    let failure = refusal.kind.map { CommandOutcome.failed(refusal.message, kind: $0.rawValue) }
                    completion(failure ?? .refused(refusal.message))
                case .success(let members):
                    note(members)
                    completion(.done(members["value"] ?? .null))
                }
            }
        }
    }

    func order(_ command: Command, note: @escaping (Int) -> Void) -> CommandReply {
        self.perform(command, by: nil) { answer in
            if let number = answer["fault"]?.integer { note(Int(clamping: number)) }
        }
    }

    func findIdleFaults(_ completion: @escaping (Result<Set<Int>, UsageError>) -> Void) {
        self.ask("faults") { result in
            completion(
                result.map { answer in
                    Set((answer["idle"]?.array ?? []).compactMap { $0.integer.map { Int(clamping: $0) } })
                })
        }
    }

    /// Asks of servers in Lua alone: those of machines answer whatever is wrong.
    func findDistantLapses(_ completion: @escaping (Result<DistantLapses, UsageError>) -> Void) {
        guard self.announcesParties else { return completion(.success(DistantLapses())) }
        self.ask("lapses") { completion($0.map { DistantLapses($0) }) }
    }

    /// Asks the other process at the end of the scenario, which may never answer.
    private func ask(_ method: String, _ completion: @escaping (Result<JSONObject, UsageError>) -> Void) {
        var pending: ((Result<JSONObject, UsageError>) -> Void)? = completion
        let limit = TearDownWait.limit
        let timer = self.scheduler.schedule(after: limit) {
            pending?(.failure(UsageError("\(self.url) has not answered within \(limit.scriptText)")))
            pending = nil
        }
        self.send(["method": .string(method)]) { result in
            guard let tell = pending else { return }
            pending = nil
            self.scheduler.cancel(timer)
            tell(result.mapError { UsageError($0.message) })
        }
    }

    /// Asks each time: visitors change the server without any command of the script.
    func property(_ name: String) -> CommandReply {
        .later { completion in
            self.send(["method": "read", "after": .integer(.max)]) { result in
                switch result {
                case .failure(let mistake): completion(.refused(mistake.message))
                case .success(let members): completion(.done(members["properties"]?.object?[name] ?? .null))
                }
            }
        }
    }

    var means: WakeupSources.Means { .outsiders }
    var pending: [String] { ["what comes to \(self.origin), which another process plays"] }

    func detach(_ party: String) {
        self.subscribers.detach(party)
    }

    func attach(_ actor: Actor, as party: String, of kind: String) {
        self.subscribers.attach(actor, as: party, of: kind)
        guard self.announcesParties else { return }
        let join: JSONObject = ["method": "join", "party": .string(party), "kind": .string(kind)]
        self.send(join) { [weak self] result in
            // Who is not let in would hear nothing, and silence would be taken for that of the others.
            guard let self, case .failure(let refusal) = result else { return }
            self.onFailure(
                ScenarioFailure(
                    category: .error, kind: self.loss == nil ? .script : .connection,
                    message: "\(party) cannot join the server at \(self.url): \(refusal.message)"))
        }
    }

    func close() {
        self.connection?.close()
        self.connection = nil
        self.completions = [:]
        self.subscribers.removeAll()
    }
}
