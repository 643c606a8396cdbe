import Machines
import Scenario

/// What `--target` chooses: simulated servers, a target of `repartee.lua`, or a server by its URL.
enum TargetChoice {
    /// Returns where clients go.
    ///
    /// - Parameters:
    ///   - target: What the command line says; nil for simulated servers.
    ///   - isControlPort: Whether it is a URL at which a control port answers.
    /// - Throws: ``ScriptProblem`` if there is no such target, if it lacks a secret, or if no such URL can be.
    static func destination(
        _ target: String?, _ configuration: ProjectConfiguration, isControlPort: Bool
    ) throws(ScriptProblem) -> ExecutionSettings.Destination {
        guard let target, target != "embedded" else { return .embedded }
        if let known = configuration.targets[target] {
            do throws(ConfigurationError) { try known.requireSecrets(of: target) } catch {
                throw ScriptProblem(error.message)
            }
            return .named(target, known)
        }
        if target.contains("://") {
            do throws(ConfigurationError) { try ProjectConfiguration.Target.check(url: target) } catch {
                throw ScriptProblem("--target: \(error.message)", isUsage: true)
            }
            return .named(
                target,
                isControlPort ? ProjectConfiguration.Target(served: target) : ProjectConfiguration.Target(url: target))
        }
        throw ScriptProblem(
            "there is no target \"\(target)\" in repartee.lua"
                + TextDistance.hint(target, among: configuration.targets.keys.sorted())
                + (configuration.targets.isEmpty ? "; add targets = { NAME = { url = \"https://…\" } }" : "")
                + (target.contains(":") ? "; a URL begins with its scheme, as in http://" : ""), isUsage: true)
    }

    /// Returns whether a target of the command line is a URL at which the control port of `repartee serve` answers; the
    /// chat server itself has the same form of URL.
    ///
    /// - Parameter interruption: Ends the question before somebody answers.
    static func isControlPort(_ target: String?, unless interruption: Interruption) async -> Bool {
        guard let target, target.hasPrefix("http://") || target.hasPrefix("https://") else { return false }
        return await ProjectConfiguration.Target(url: target).finding(at: target, unless: interruption)
            .isControlPort
    }
}
