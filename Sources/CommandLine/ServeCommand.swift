import ArgumentParser
import FoundationEssentials
import Machines
import NIOCore
import Scenario
import Transport

/// `repartee serve`: simulated servers on loopback ports, driven by scenarios of other processes.
struct ServeCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves simulated chat servers on loopback ports until it is interrupted.",
        discussion: """
            Each scenario that plays against it gets a server of its own, through the control port; also of systems that \
            are written in Lua, if the files of the project are here. People and programs \
            play agents over HTTP there: curl -d '{"party":"Sam","command":"accept"}' URL/servers/boldchat accepts the \
            visitor who waits longest at the server that --system boldchat has started; curl URL says what else there is. \
            With --ui a page plays visitors and agents in a browser, and saves what was said as a scenario.
            """)

    @Option(parsing: .unconditional, help: "The control port; any free one if 0.")
    var port = 7700

    @Option(help: "The address to listen on; other machines cannot reach the loopback.")
    var host = "127.0.0.1"

    @Option(
        name: .customLong("system"),
        help: ArgumentHelp(
            "Also starts a server of this system, for trying it by hand; may be repeated. A system of the project is named "
                + "by its file, such as Scenarios/support.lua.", valueName: "system"))
    var standalone: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Also serves a page on which conversations are played by hand, in a browser on this machine, and saved as "
                + "scenarios. It prints the URL, and offers the first --system first."))
    var ui = false

    @Option(parsing: .unconditional, help: "The seed of ids and choices.", transform: SeedArgument.read)
    var seed: UInt64 = 1

    func validate() throws {
        guard 0...65535 ~= self.port else {
            throw ValidationError("--port takes a number from 0 to 65535, not \(self.port)")
        }
    }

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        for file in self.standalone where file.hasSuffix(".lua") {
            guard FileManager.default.fileExists(atPath: environment.path(file)) else {
                environment.writeError("error: --system: \(file) does not exist\n")
                return .usage
            }
        }
        let settings: ExecutionSettings
        do throws(ScriptProblem) { settings = try self.settings(in: environment) } catch {
            return environment.report(error)
        }
        let loop = SocketLoop()
        let eventLoop = loop.eventLoop
        let (interrupted, interrupt) = AsyncStream<Void>.makeStream()
        let signals = environment.onInterrupt { interrupt.finish() }
        let service = ServedHost()
        let outcome = eventLoop.submit { () -> Result<Addresses, CommandProblem> in
            do throws(CommandProblem) {
                return .success(try self.serve(settings, by: service, on: eventLoop, in: environment))
            } catch {
                return .failure(error)
            }
        }
        var status = ExitStatus.harness
        switch try? await outcome.get() {
        case .success(let addresses)?:
            environment.writeOutput(addresses.text)
            for await _ in interrupted {}
            _ = try? await eventLoop.submit {
                service.page?.close()
                service.host?.close()
            }.get()
            status = .success
        case .failure(let problem)?: status = environment.report(problem)
        case nil: environment.writeError("error: the event loop has ended\n")
        }
        signals?.stop()
        await loop.shutDown()
        return status
    }

    /// Where what is served can be reached.
    private struct Addresses {
        let control: String
        var servers: [(name: String, origin: String)] = []
        var page: String?

        /// What people and programs read: a line for each, the control port first.
        var text: String {
            let lines =
                ["control \(self.control)"] + self.servers.map { "\($0.name) \($0.origin)" }
                + (self.page.map { ["page \($0)"] } ?? [])
                + [
                    "play scenarios against it: repartee test --target \(self.control)",
                    "play agents by hand: curl \(self.control) says how",
                ]
            return lines.joined(separator: "\n") + "\n"
        }
    }

    /// Starts the control port, the servers that are asked for, and the page.
    ///
    /// - Parameters:
    ///   - service: Keeps what is started.
    ///   - loop: Where this is called.
    private func serve(
        _ settings: ExecutionSettings, by service: ServedHost, on loop: any EventLoop,
        in environment: CommandEnvironment
    ) throws(CommandProblem) -> Addresses {
        let host: ControlHost
        do throws(TransportFailure) {
            host = try ControlHost(settings, on: Endpoint(host: self.host, port: self.port), loop: loop)
        } catch {
            throw CommandProblem(error.message, .harness)
        }
        service.host = host
        host.onFailure = { environment.writeError("error: \($0)\n") }
        var addresses = Addresses(control: host.url)
        for name in self.standalone { addresses.servers.append(try Self.start(name, at: host, in: environment)) }
        guard self.ui else { return addresses }
        do throws(TransportFailure) {
            let page = try ChatPage(settings, offering: self.standalone, on: loop)
            service.page = page
            addresses.page = page.url
        } catch {
            throw CommandProblem(error.message, .harness)
        }
        return addresses
    }

    /// Starts the server of a system that is built in, or that a file declares.
    private static func start(
        _ name: String, at host: ControlHost, in environment: CommandEnvironment
    ) throws(CommandProblem) -> (name: String, origin: String) {
        let server: (name: String, origin: String)?
        do throws(ConfigurationError) {
            server = try host.startStandalone(name.hasSuffix(".lua") ? environment.path(name) : name)
        } catch {
            throw CommandProblem(error.message, .script)
        }
        guard let server else { throw CommandProblem(host.unknown(name).message, .usage) }
        return server
    }

    /// What the servers of the project's own systems can require and read.
    private func settings(in environment: CommandEnvironment) throws(ScriptProblem) -> ExecutionSettings {
        let project = ProjectFolder(around: environment)
        let configuration = try project.configuration()
        Watchdog.shared.setLimit(configuration.busyLimit)
        return ExecutionSettings(
            systems: BuiltInSystems.all, projectRoot: project.root, workingDirectory: project.root,
            project: configuration,
            seed: self.seed, isVirtual: false, epochMilliseconds: WallClock.epochMilliseconds,
            variables: environment.variables, vault: environment.vault)
    }
}

/// Holds the host and the page on their event loop.
///
/// Safe to send: the properties are only touched by blocks that run on that loop, one after the other.
private final class ServedHost: @unchecked Sendable {
    var host: ControlHost?
    var page: ChatPage?
}
