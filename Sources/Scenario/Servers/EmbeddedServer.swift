import JSON
import Machines
import Transport

/// A simulated server in this process, on the network of its scenario.
///
/// Of its side of the wire no more is captured than what comes from outside of the run: the clients of the scenario
/// record the same bytes.
final class EmbeddedServer: ScenarioServer {
    let system: ChatSystem
    let origin: String
    let isStrict: Bool
    let ledger: LedgerOptions?
    private let driver: ServerDriver
    private let listener: any Listener
    private let subscribers: Subscribers
    private let fixedTarget: JSONObject?

    /// Those who share it; nil if it ends with the scenario that starts it.
    private let users: ServerUsers?

    /// Whether only the clients of its execution can reach it.
    private let isPrivate: Bool

    /// Whether others could come to it only by chance: its script says neither that others share it nor where it
    /// listens.
    private let isOwn: Bool

    /// What is said of who comes to it, where the script says where it listens: as for somebody outside, who cannot
    /// come in virtual time.
    private let remark: String

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - options: The options of the script, checked already.
    ///   - number: Tells the servers of a scenario apart.
    ///   - users: Those who share it, if it outlives the scenario that starts it.
    ///   - place: Where it listens; any free port unless given.
    ///   - links: The links over TCP that it takes, if any.
    ///   - tellsOfClosing: Whether its machine tells with which code somebody closes a connection.
    ///   - makeMachine: Makes the machine, where the system itself does not know how.
    /// - Throws: ``UsageError`` if the options cannot be used, or a failure of the network.
    init(
        _ system: ChatSystem, options: JSONObject, number: Int, sharedBy users: ServerUsers? = nil,
        execution: ScenarioExecution, place: Endpoint? = nil, links: ServerLinks? = nil, tellsOfClosing: Bool = true,
        makeMachine: ((ServerConfiguration) throws(ConfigurationError) -> DrivenServer)? = nil
    ) throws {
        guard let makeServer = makeMachine ?? system.server.make else {
            throw UsageError("\(system.title) has no simulated server; choose a target with --target")
        }
        do throws(ConfigurationError) { self.ledger = try LedgerOptions(options: options) } catch {
            throw UsageError(error.message)
        }
        let label = number == 1 ? system.name : "\(system.name) \(number)"
        // The users of a thread are on one network; each of their servers gets a port of its own.
        let isPrivate = execution.worker.isVirtual && execution.isAlone
        let endpoint = isPrivate ? Endpoint(host: "\(system.name)-\(number).test", port: 80) : Endpoint.loopback
        let listener = try execution.network.listen(on: place ?? endpoint, identity: nil)
        self.system = system
        self.listener = listener
        // A server that hears links alone has nothing for those who come by HTTP.
        self.origin = links?.besideHTTP == false ? "tcp://\(listener.endpoint)" : listener.origin
        self.users = users
        self.isStrict = StrictOption.isSet(in: options)
        self.isPrivate = isPrivate
        let isNamed = place != nil && !execution.worker.isVirtual
        self.isOwn = isPrivate || (execution.slot != nil && users == nil && !isNamed)
        self.remark =
            execution.worker.isVirtual && place != nil
            ? "; in virtual time nobody outside of this process can connect: --clock real" : ""
        let machine: DrivenServer
        do {
            machine = try makeServer(
                ServerConfiguration(
                    origin: listener.origin, options: options, epochMilliseconds: execution.settings.epochMilliseconds))
        } catch {
            listener.close()
            throw UsageError(error.message)
        }
        self.fixedTarget = machine.target
        let calls = MachineCallbacks(execution: users == nil ? execution : nil)
        let subscribers = Subscribers(of: system)
        self.subscribers = subscribers
        self.driver = ServerDriver(
            machine: machine, label: label, listener: listener, scheduler: execution.worker,
            random: RandomSource(seed: execution.seed).derived(for: label),
            configuration: ServerDriverConfiguration(links: links, observed: .outsiders),
            observer: execution.isAlone ? execution.connections.outsideCalls : nil,
            callScript: { calls.call($0, $1, $2) },
            emit: subscribers.hear)
        calls.driver = self.driver
        self.report(to: users?.execution ?? execution, as: label, tellsOfClosing: tellsOfClosing)
        users?.execution.servers.add(self)
    }

    /// Lets an execution hear what its driver tells: the one that has started it, or its own if it outlives that.
    ///
    /// - Parameter label: What it is called there.
    private func report(to execution: ScenarioExecution, as label: String, tellsOfClosing: Bool) {
        self.driver.onViolation { [weak execution, title = self.system.title] violation in
            if tellsOfClosing, violation.closure?.wasClean == true { return }
            execution?.connections.took(violation, at: "the simulated server of \(title)")
        }
        if self.isStrict {
            self.subscribers.onUnheard = { [weak self, weak execution] in self?.joinUnnamed($0, execution) }
        }
        if self.isPrivate {
            self.driver.onQuiet = { [weak execution, subscribers = self.subscribers] in
                subscribers.fellSilent()
                // Parties of other servers may have waited for its requests.
                execution?.deadlocks.reconsider()
            }
        }
        if execution.worker.isVirtual {
            self.driver.onTimer = TimerLivelockGuard.watch("the server \(label)", of: execution) {
                [driver = self.driver] in driver.close()
            }
        }
    }

    var isShared: Bool { self.users != nil }

    /// Takes in a scenario that shares it.
    ///
    /// - Throws: Why it has ended, if something went wrong in it.
    func admit(_ user: ScenarioExecution) throws(ScenarioFailure) { try self.users?.admit(user) }

    func released(by execution: ScenarioExecution) { self.users?.release(execution) }

    var properties: JSONObject { self.driver.properties }

    var target: JSONObject { self.fixedTarget ?? self.driver.properties }

    var faultOrders: FaultOrders { self.driver.faultOrders }

    func perform(_ command: Command, by party: String?) -> CommandReply {
        .now(self.driver.perform(command, by: party))
    }

    var means: WakeupSources.Means {
        // Whoever finds a port of the machine can connect to it.
        guard self.isPrivate else { return .outsiders }
        return self.awaitsOwnClients ? .clients : .work
    }

    var awaitsOwnClients: Bool { self.isOwn && self.driver.isQuiet && self.driver.connectionCount == 0 }

    var pending: [String] {
        ["what comes to \(self.origin): \(self.driver.arrivals)\(self.remark)"] + self.driver.pendingTimers
    }

    var unfinished: [UnfinishedMessage] { self.driver.unfinished }

    var actsByItself: Bool { false }

    func attach(_ actor: Actor, as party: String, of kind: String) {
        self.subscribers.attach(actor, as: party, of: kind)
    }

    func detach(_ party: String) {
        self.subscribers.detach(party)
    }

    /// Tells somebody everything that parties of the server observe.
    func listen(_ listener: @escaping (String, ChatEvent) -> Void) {
        self.subscribers.onEvent = listener
    }

    func close() {
        self.listener.close()
        self.driver.close()
        // They hold the server as what stands behind them.
        self.subscribers.removeAll()
        self.users?.close()
    }
}

extension EmbeddedServer: SharedHost {
    var isAtRest: Bool { self.users?.isEmpty ?? true }

    func findUnheardProblems(_ completion: @escaping ([SharedProblem]) -> Void) {
        guard let users = self.users else { return completion([]) }
        users.findUnheardProblems(completion)
    }
}
