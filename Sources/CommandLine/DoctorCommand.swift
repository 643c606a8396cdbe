import ArgumentParser
import LuaRuntime
import Machines
import NIOCore
import Reports
import Scenario
import Transport

/// `repartee doctor`: says what works on this machine and what to do about the rest.
struct DoctorCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks what this machine has and says what to do about the rest.")

    @Option(help: "The folder for reports.")
    var reports = ReportFolder.standard

    @Option(help: "A target of repartee.lua, or a URL, to connect to; says what answers there.")
    var target: String?

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        var checks = [
            self.checkLua(), await self.checkLoopback(), self.checkReports(environment), self.checkProject(environment),
        ]
        if let target = self.target { checks += await self.checkTarget(target, environment) }
        for check in checks {
            environment.writeOutput("\(check.isWell ? "ok     " : "problem") \(check.name): \(check.finding)\n")
        }
        return checks.allSatisfy(\.isWell) ? .success : .harness
    }

    private struct Check {
        let name: String
        let isWell: Bool
        let finding: String
    }

    private func checkLua() -> Check {
        let state = LuaState()
        defer { state.close() }
        do throws(LuaError) {
            // A script asks, for it finds more than what stands in its environment itself.
            let environment = try state.makeEnvironment()
            try state.run(try state.compile("version = _VERSION", name: "doctor.lua"), in: environment)
            if case .string(let version) = environment["version"] {
                return Check(name: "Lua", isWell: true, finding: version)
            }
            return Check(
                name: "Lua", isWell: false, finding: "it does not say its version; install liblua5.4-dev again")
        } catch {
            return Check(name: "Lua", isWell: false, finding: "\(error.message); install liblua5.4-dev again")
        }
    }

    private func checkLoopback() async -> Check {
        let loop = SocketLoop()
        let eventLoop = loop.eventLoop
        let outcome = try? await eventLoop.submit { () -> Result<String, TransportFailure> in
            do throws(TransportFailure) {
                let listener = try SocketNetwork(eventLoop: eventLoop).listen(on: .loopback, identity: nil)
                defer { listener.close() }
                return .success(listener.origin)
            } catch {
                return .failure(error)
            }
        }.get()
        await loop.shutDown()
        switch outcome {
        case .success(let origin)?: return Check(name: "loopback", isWell: true, finding: "can listen at \(origin)")
        case .failure(let failure)?: return Check(name: "loopback", isWell: false, finding: failure.message)
        case nil: return Check(name: "loopback", isWell: false, finding: "the event loop did not answer")
        }
    }

    private func checkReports(_ environment: CommandEnvironment) -> Check {
        let probe = environment.path(self.reports) + "/.doctor"
        do throws(ReportFileError) {
            try FileSystem.replace(probe, with: Array("ok".utf8))
            FileSystem.removeReport(probe)
            return Check(name: "reports", isWell: true, finding: "\(self.reports) can be written")
        } catch {
            return Check(
                name: "reports", isWell: false,
                finding: "\(self.reports) cannot be written; choose another with --reports (\(error.message))")
        }
    }

    /// Connects to a target as its clients would.
    private func checkTarget(_ name: String, _ environment: CommandEnvironment) async -> [Check] {
        let target: ProjectConfiguration.Target
        if name.contains("://") {
            target = ProjectConfiguration.Target(url: name)
        } else {
            // What is wrong with the configuration is a finding of the project.
            let known = (try? ProjectFolder(around: environment).configuration().targets) ?? [:]
            guard let own = known[name] else {
                let hint = TextDistance.hint(name, among: known.keys.sorted())
                return [
                    Check(
                        name: "target \(name)", isWell: false,
                        finding: "there is no such target in repartee.lua\(hint)")
                ]
            }
            do throws(ConfigurationError) { try own.requireSecrets(of: name) } catch {
                return [Check(name: "target \(name)", isWell: false, finding: error.message)]
            }
            target = own
        }
        var urls = [("", target.url)] + target.endpoints.sorted { $0.key < $1.key }.map { (" " + $0.key, $0.value) }
        if let control = target.control, control != target.url { urls.append((" control", control)) }
        var checks: [Check] = []
        for (endpoint, url) in urls {
            let finding = await target.finding(at: url)
            let saysWhatToDo =
                finding.isWell || finding.failure == .cannotConnect || finding.failure == .tlsFailed
            let remedy = saysWhatToDo ? "" : "; is the server started, and is the URL right?"
            // A target that is given by its URL has that for a name already.
            let place = url == name ? "" : "\(url) "
            checks.append(
                Check(
                    name: "target \(name)\(endpoint)", isWell: finding.isWell,
                    finding: "\(place)\(finding.text)\(remedy)"))
        }
        return checks
    }

    private func checkProject(_ environment: CommandEnvironment) -> Check {
        do {
            let targets = try ProjectFolder(around: environment).configuration().targets.keys.sorted()
            let text =
                targets.isEmpty
                ? "no targets; the simulated servers are always there"
                : "targets \(targets.joined(separator: ", "))"
                    + (self.target == nil ? ", not connected to; --target NAME tries one" : "")
            return Check(name: "project", isWell: true, finding: text)
        } catch {
            return Check(name: "project", isWell: false, finding: error.message)
        }
    }
}
