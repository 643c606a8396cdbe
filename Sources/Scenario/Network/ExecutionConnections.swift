import JSON
import Machines
import RunRecord
import Secrets
import Transport

/// How the clients of an execution reach their servers: where these are, what the network between them is like, and who
/// sees what goes over it.
final class ExecutionConnections {
    private unowned let execution: ScenarioExecution

    /// What really carries the bytes.
    let base: any Network

    /// Where the servers are: at the target of the run, or else at the one that the scenario's declaration names.
    private(set) var destination: ExecutionSettings.Destination

    /// What servers have done wrong of which no event tells.
    private(set) var lapses = ServerLapses()

    /// What others have done wrong at simulated servers.
    private(set) var outsideLapses = OutsideLapses()

    /// What was sent to simulated servers that is none of the messages which they declare.
    private(set) var messageBreaches = MessageBreaches()

    /// How many events clients had observed when the script disturbed their networks last, by their places.
    private var eventCounts: [Int: Int] = [:]

    /// The injected fault that has struck, and where.
    @Boxed private var strike: ScenarioFailure.Section?

    /// Hears what the requests of a simulated server take their time; the observer of the execution unless set.
    @Boxed var onServerMeasurement: ((ClientMeasurement) -> Void)?

    /// Counts the points at which something can go wrong, and puts a fault at one; set before the execution starts.
    var injector: FaultInjector?

    /// The network as the clients of the execution have it.
    private(set) lazy var network: ExecutionNetwork = {
        let injector = self.injector ?? self.execution.settings.disturbance.fault.map { FaultInjector($0) }
        injector?.nextTimer = { [unowned self] in
            self.execution.actors.compactMap { $0.backend?.nextTimer }.min()
        }
        injector?.onStrike = { [unowned self, fault = injector?.fault] in self.struck(by: fault, at: $0) }
        return ExecutionNetwork(
            base: self.base, scheduler: self.execution.worker,
            seed: RandomSource.seed(self.execution.seed, for: "network"),
            conditions: self.execution.settings.disturbance.network,
            injector: injector)
    }()

    /// Sees the wire, if it is captured.
    private lazy var wireObserver: WireRecorder? =
        self.execution.settings.capture == .none
        ? nil : WireRecorder(execution: self.execution, wantsBytes: self.execution.settings.capture == .bytes)

    /// What has reached simulated servers from outside of the run.
    private(set) lazy var outsideCalls = OutsideCalls(of: self.execution, recorder: self.wireObserver)

    init(of execution: ScenarioExecution, over base: any Network, to destination: ExecutionSettings.Destination) {
        self.execution = execution
        self.base = base
        self.destination = destination
    }

    /// Takes the target that the scenario's declaration names, where the command line names none.
    ///
    /// - Throws: A failure that says why there is no such target.
    func findTarget() throws(ScenarioFailure) {
        guard case .embedded = self.destination, let name = self.execution.definition.options.target else { return }
        guard self.execution.slot == nil else {
            throw self.failure("a load test takes its target from the command line: add --target \(name)")
        }
        let target = try self.target(name)
        do throws(ConfigurationError) { try target.requireSecrets(of: name) } catch {
            throw self.failure(error.message)
        }
        self.destination = .named(name, target)
    }

    /// Makes sure that there is the target that the scenario asks for, whether or not it is played there.
    func checkTarget() throws(ScenarioFailure) {
        guard case .embedded = self.destination, self.execution.slot == nil,
            let name = self.execution.definition.options.target
        else { return }
        _ = try self.target(name)
    }

    private func target(_ name: String) throws(ScenarioFailure) -> ProjectConfiguration.Target {
        let targets = self.execution.settings.project.targets
        guard let target = targets[name] else {
            throw self.failure(
                "there is no target \"\(name)\" in repartee.lua"
                    + TextDistance.hint(name, among: targets.keys.sorted()))
        }
        return target
    }

    private func failure(_ message: String) -> ScenarioFailure {
        let definition = self.execution.definition
        return ScenarioFailure(
            category: .error, kind: .script, message: message,
            position: definition.position)
    }

    /// Records nothing more of what goes over the wire; connections may outlive the execution.
    func end() {
        self.wireObserver?.end()
        self.lapses = ServerLapses()
        self.outsideLapses = OutsideLapses()
        self.messageBreaches = MessageBreaches()
    }

    /// Puts a client machine on the network; it reaches its server's host, this machine and what the target names.
    ///
    /// - Parameter hearing: Gets what the machine hands to functions of the script, before they do, and the number of
    ///   the thread in which they will run.
    /// - Returns: Its driver, and what counts its answers to its server: those of the machine, and those that functions
    ///   of the script send have to tell of. Nothing counts them in real time, where nothing stands still.
    func carry(
        _ machine: DrivenClient, as actor: Actor, to address: ActorTarget.Address,
        hearing: @escaping ([JSONValue], Int?) -> Void = { _, _ in }
    ) -> (driver: ClientDriver, answers: AnswerLivelockGuard?) {
        var configuration = address.configuration(in: self.execution.settings)
        actor.isAtTarget = address.targetName != nil
        if machine.acceptsAnyCertificate { configuration.trust.verification = .none }
        let calls = MachineCallbacks(execution: self.execution)
        let driver = ClientDriver(
            machine: machine, label: actor.name, network: self.network.link(of: actor.name),
            scheduler: self.network.injector?.clock(for: self.execution.worker) ?? self.execution.worker,
            random: RandomSource(seed: self.execution.seed).derived(for: actor.name), configuration: configuration,
            observer: self.wireObserver,
            callScript: { hearing($2, calls.call($0, $1, $2)) },
            emit: actor.observe)
        driver.onReport { [unowned self] in self.took($0, from: actor.name, actor) }
        calls.driver = driver
        driver.onQuiet = { actor.fellSilent() }
        guard self.execution.worker.isVirtual else { return (driver, nil) }
        let answers = AnswerLivelockGuard(actor.name, and: "the server \(address.origin)", of: self.execution) {
            driver.close()
        }
        driver.watch = MachineWatch(
            onTimer: TimerLivelockGuard.watch("\(actor.name)", of: self.execution) { driver.close() },
            onAnswer: answers.countAnswer)
        return (driver, answers)
    }

    /// Takes in what a driver tells of the connections of a client, or of the requests of a simulated server.
    ///
    /// - Parameter actor: Whose driver it is; nil for a server.
    private func took(_ report: ClientReport, from name: String, _ actor: Actor? = nil) {
        let execution = self.execution
        switch report {
        case .measured(let measurement):
            if actor == nil, let measured = self.onServerMeasurement { return measured(measurement) }
            execution.observer?.measured(measurement, at: execution.worker.poolNow)
        case .learnt(let secret): execution.settings.vault.add(secret, isLearnt: true)
        case .violated(let violation):
            execution.record(.logged(level: .warning, text: "\(name): \(violation.message)"))
            if let actor {
                self.lapses.add(violation, against: actor, at: execution.now)
            } else {
                self.outsideLapses.add(violation, to: name, in: execution)
            }
        case .repeated(let text):
            execution.record(.logged(level: .warning, text: "\(name): \(text)"))
            if let actor { self.lapses.add(repetition: text, of: actor, at: execution.now) }
        }
    }

    /// Puts the requests of a simulated server on the network. It is not that of the clients: no script and no fault
    /// disturbs it.
    ///
    /// - Parameters:
    ///   - name: What the server is called.
    ///   - hosts: Which hosts it may ask.
    ///   - hearing: Gets what the machine hands to functions of the script, before they do.
    func carry(
        _ machine: DrivenClient, of name: String, reaching hosts: AllowedHosts,
        hearing: @escaping ([JSONValue]) -> Void
    ) -> ClientDriver {
        let execution = self.execution
        let calls = MachineCallbacks(execution: execution)
        let driver = ClientDriver(
            machine: machine, label: name, network: self.base, scheduler: execution.worker,
            random: RandomSource(seed: execution.seed).derived(for: "requests of \(name)"),
            configuration: ClientDriverConfiguration(
                hosts: hosts, epochMilliseconds: execution.settings.epochMilliseconds),
            observer: self.wireObserver,
            callScript: {
                hearing($2)
                calls.call($0, $1, $2)
            }, emit: { _ in })
        driver.onReport { [weak execution] in execution?.connections.took($0, from: name) }
        calls.driver = driver
        if execution.worker.isVirtual {
            let answers = AnswerLivelockGuard(name, and: "those it calls", of: execution) { driver.close() }
            driver.watch = MachineWatch(onAnswer: answers.countAnswer)
        }
        return driver
    }

    /// Changes the network of one client or of all, and notes it in the record and on the axis of a load test.
    ///
    /// - Parameters:
    ///   - members: The conditions as the script gave them.
    ///   - position: Where it did.
    ///   - line: The line of the scenario's file that did, itself or through other files.
    /// - Throws: ``UsageError`` if that strikes nothing.
    func change(
        to conditions: NetworkConditions, of actor: Actor?, saying members: JSONObject, at position: ScriptPosition?,
        line: Int?
    ) throws(UsageError) {
        // Under load, and where a fault was injected, a connection may be gone for reasons that no script knows.
        let isJudged = self.execution.slot == nil && !self.hasInjectedFault
        // Hooks and deferred functions clean up, whether or not anything is left of the connections.
        if isJudged, self.execution.isGoingWell { try self.network.check(conditions, of: actor?.name) }
        var arguments = members
        if let actor { arguments["actor"] = .string(actor.name) }
        self.execution.record(.commanded(actor: "t", name: "network", arguments: arguments, line: line))
        let whose = actor.map { " of \($0.name)" } ?? ""
        let text = conditions.description.isEmpty ? "healed" : conditions.description
        self.execution.observer?.marks("t:network\(whose) \(text)", at: self.execution.worker.poolNow)
        let strikesNow = conditions.strikes && self.network.hasConnections(of: actor?.name)
        self.network.change(to: conditions, of: actor?.name, at: self.execution.now)
        if self.execution.slot == nil, !conditions.description.isEmpty {
            for client in self.execution.actors where actor.map({ $0 === client }) ?? client.isClient {
                self.eventCounts[client.place] = client.log.count
            }
        }
        guard isJudged, !conditions.certainStrikes.isEmpty, !strikesNow else { return }
        self.network.add(NetworkOrder(client: actor?.name, conditions: conditions, position: position))
    }

    /// How many events a client had observed when the script disturbed its network last; nil if it did not.
    func eventCount(atDisturbanceOf actor: Actor) -> Int? { self.eventCounts[actor.place] }

    // MARK: Lapses of servers

    /// Takes in what somebody outside of the run has done against the protocol who calls a simulated server.
    func took(_ violation: ClientViolation, at server: String) {
        self.execution.record(.logged(level: .warning, text: "\(server): \(violation.message)"))
        self.outsideLapses.add(violation, at: server, in: self.execution)
    }

    /// Takes in that a client has sent a simulated server what is none of its messages.
    ///
    /// - Parameter hasLeft: Whether the client has left in the middle of the message.
    func took(_ fault: MessageFault, in text: String, from client: String, at server: String, hasLeft: Bool = false) {
        let told = MessageBreaches.told(fault, from: client, at: server)
        self.execution.record(.logged(level: .warning, text: told))
        self.messageBreaches.add(fault, in: text, from: client, at: server, hasLeft: hasLeft, in: self.execution)
    }

    /// Takes in what another process tells of what clients have sent a server that it plays.
    func took(_ lapses: DistantLapses) {
        for breach in lapses.breaches { self.execution.record(.logged(level: .warning, text: breach.text)) }
        self.messageBreaches.add(lapses, in: self.execution)
    }

    /// Lets a scenario answer for a connection that was closed with this reason for what its client has sent.
    ///
    /// - Returns: Whether one was.
    func handOnBreach(with reason: String) -> Bool { self.messageBreaches.hand(on: reason) }

    /// Forgets what a scenario has expected that shares a server of the execution with others.
    func excuseLapses(by user: ScenarioExecution) {
        self.outsideLapses.excuse(by: user)
        self.messageBreaches.excuse(by: user)
    }

    /// Notes what has come of messages that are not whole when the script has ended, or once more when the time after
    /// it is over, in which they may have begun.
    func noteBegunMessages() {
        // Under load a server may well pause within a message.
        guard self.execution.slot == nil else { return }
        self.lapses.noteBegun(of: self.execution.actors)
        self.outsideLapses.noteBegun(at: self.execution.servers)
    }

    /// Whether messages were not whole when the script ended, of which the next part may be on its way.
    var mayComplete: Bool { self.lapses.hasBegun || self.outsideLapses.hasBegun }

    // MARK: Injected faults

    /// Whether the execution is one of those with an injected fault.
    var hasInjectedFault: Bool { self.network.injector?.fault != nil }

    /// How much longer expectations wait in an execution with an injected fault: a client that recovers may take its
    /// time, and is to be told from one that never does.
    var recoveryTime: Duration { self.hasInjectedFault ? .seconds(120) : .zero }

    /// Notes in the record that a fault strikes.
    private func struck(by fault: InjectedFault?, at point: FaultPoint) {
        guard let fault else { return }
        let text = "\(fault.name): \(fault.kind.summary) (\(point.isSent ? "sent" : "received"): \(point.summary))"
        self.execution.record(.logged(level: .warning, text: "fault \(text)"))
        let time = (self.execution.now - .start).scriptText
        self.strike = .init(heading: "fault", lines: ["\(time)  \(text)"])
    }

    /// What a failure says of the network and the other side: what has come from outside, what was done against the
    /// protocol, which requests were sent again, and the fault that was injected.
    func circumstances(of failure: ScenarioFailure) -> [ScenarioFailure.Section] {
        guard failure.category == .failure else { return [self.strike].compactMap { $0 } }
        let violations =
            (self.lapses.section?.lines ?? []) + self.outsideLapses.lines(in: self.execution)
            + self.messageBreaches.lines(in: self.execution)
        let violation = violations.isEmpty ? nil : ScenarioFailure.Section(heading: "violation", lines: violations)
        return [self.outsideCalls.section, violation, self.lapses.repetition, self.strike].compactMap { $0 }
    }

    /// What is said of requests that were sent again, which a server may have taken twice; nil if there were none.
    var repetition: ScenarioFailure.Section? { self.lapses.repetition }

    /// What is wrong with a fault that has struck nothing: that the scenario passed says nothing about it.
    var missedFault: ScenarioFailure? {
        guard let injector = self.network.injector, let fault = injector.fault, injector.struckAt == nil else {
            return nil
        }
        return ScenarioFailure(
            category: .error, kind: .fault,
            message:
                "the fault \(fault.name) strikes nothing: the scenario has no such point, or it makes no sense there; "
                + "--faults finds the points that there are")
    }
}

extension ProjectConfiguration.Target {
    /// Which certificates are accepted from the target.
    var trust: TrustPolicy {
        TrustPolicy(
            verification: self.verifiesCertificates ? .full : .none,
            authorityFiles: self.certificateAuthorities.map { [$0] } ?? [], oldestVersion: self.oldestTLS,
            identity: self.access.identity)
    }
}
