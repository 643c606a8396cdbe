import JSON
import LuaRuntime
import Machines
import Transport

/// The requests that the handlers of a simulated server in Lua send of their own accord, such as webhooks.
///
/// A server's machine answers and no more. So a client's machine, made for the first request, has them under way; what
/// comes back goes to the function of the script that knows the handlers of the server.
final class LuaServerRequests {
    private let driver: ClientDriver
    private let execution: ScenarioExecution

    /// What came last, for failures.
    private let arrivals: ClientArrivals

    /// - Parameters:
    ///   - server: Whose requests they are.
    ///   - handler: The function of the script that gets the answers.
    init(of server: LuaServer, handler: ScriptFunction, execution: ScenarioExecution) throws(HostError) {
        self.execution = execution
        let friends = Self.friends(of: server, in: execution)
        let machine: LuaClientMachine
        do throws(ConfigurationError) {
            machine = try LuaClientMachine(
                ClientConfiguration(
                    origin: server.origin, target: ["hosts": .array(friends.map { .string($0) })], options: [:],
                    epochMilliseconds: execution.settings.epochMilliseconds),
                handler: handler, saysGoodbye: false, framing: nil)
        } catch {
            throw HostError.usage(error.message)
        }
        let arrivals = ClientArrivals(of: execution)
        self.arrivals = arrivals
        self.driver = execution.connections.carry(
            machine, of: server.title, reaching: AllowedHosts(origin: server.origin, friends: friends)
        ) { arrivals.heard($0) }
    }

    /// The hosts that may be asked besides this machine: those of the other simulated servers, and those of the targets
    /// that the project names, among which the other side of a webhook is.
    private static func friends(of server: LuaServer, in execution: ScenarioExecution) -> [String] {
        let settings = execution.settings
        var targets = settings.project.targets.sorted { $0.key < $1.key }.map(\.value)
        if case .named(_, let target) = execution.destination { targets.append(target) }
        return (ActorTarget.address(of: server, in: execution.servers).hosts ?? [])
            + targets.flatMap { target in
                target.hosts + [(try? TargetAddress(origin: target.url, acceptsLinks: true))?.host].compactMap(\.self)
            }
    }

    /// Sends a request.
    func ask(_ options: JSONObject) -> CommandReply {
        guard options["url"]?.string?.contains("://") ?? false else {
            return .now(
                .refused(
                    "url is the whole URL of whom to ask, such as \"http://127.0.0.1:8080/hook\" or t.target_url, "
                        + "which the scenario hands on: a server has no server of its own to which a path could lead"))
        }
        let outcome = self.driver.perform(Command("request", options))
        if case .done = outcome, self.execution.threads.current?.isCall ?? false { self.driver.watch?.onAnswer() }
        return .now(outcome)
    }

    /// Has the machine do something with a request that is under way.
    func perform(_ command: Command) { _ = self.driver.perform(command) }

    /// The requests that have no answer yet, in words.
    var pending: [String] { self.driver.pending }

    /// The last answers that were not `ok`, as a section of a failure of somebody who waits for what the server makes
    /// of them.
    ///
    /// - Parameter server: What it is called.
    func refusals(of server: String) -> [ScenarioFailure.Section] { self.arrivals.refused(by: server) }

    /// Breaks all requests off.
    func close() { self.driver.close() }
}
