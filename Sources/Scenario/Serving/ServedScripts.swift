import FoundationEssentials
import JSON
import Machines
import Transport

/// Loads the simulated servers in Lua that a control port is asked for, from the files of its project.
final class ServedScripts {
    private let settings: ExecutionSettings
    private let worker: Worker
    private let network: any Network
    private let engine = ScriptEngine()

    init(_ settings: ExecutionSettings, worker: Worker, network: any Network) {
        self.settings = settings
        self.worker = worker
        self.network = network
    }

    /// Starts a server of a system in Lua.
    ///
    /// - Parameters:
    ///   - message: What was asked: the `system`, by its name or its file, and the `module` and `file` that have it.
    ///   - place: Where the server listens.
    /// - Returns: Nil if no file of the project has it.
    /// - Throws: What is wrong with the file or the options.
    func host(_ message: JSONObject, options: JSONObject, at place: Endpoint) throws(ConfigurationError)
        -> LuaServerHost?
    {
        guard let source = try self.source(message) else { return nil }
        do throws(ScenarioFailure) {
            return try LuaServerHost(
                source, options: options, settings: self.settings, worker: self.worker, network: self.network,
                engine: self.engine, place: place)
        } catch {
            let isNamedByModule = message["module"] == nil && message["file"] == nil
            if isNamedByModule, error.message.hasPrefix("there is no module") { return nil }
            throw ConfigurationError(error.placedMessage)
        }
    }

    /// Returns the file that somebody means who names a system of the project as scripts require it.
    ///
    /// - Returns: Nil if there is none in the project's root or its folder of scenarios.
    func file(ofSystem name: String) -> String? {
        guard LuaSystemSource.isModuleName(name) else { return nil }
        return ["\(name).lua", "Scenarios/\(name).lua"].first { file in
            let path = try? self.settings.pathInProject(file)
            return path.map { FileManager.default.fileExists(atPath: $0) } ?? false
        }
    }

    private func source(_ message: JSONObject) throws(ConfigurationError) -> LuaSystemSource? {
        let system = message["system"]?.string ?? ""
        let module = message["module"]?.string
        if let module, !LuaSystemSource.isModuleName(module) {
            throw ConfigurationError("\"\(module)\" cannot be the name of a module")
        }
        if system.hasSuffix(".lua") {
            return LuaSystemSource(nil, requiredAs: nil, by: try self.file(system))
        }
        guard let name = message["file"]?.string else {
            let module = module ?? system
            guard LuaSystemSource.isModuleName(module) else { return nil }
            return LuaSystemSource(nil, requiredAs: module, by: ScriptFile(name: "serve.lua", source: ""))
        }
        return LuaSystemSource(system, requiredAs: module, by: try self.file(name))
    }

    private func file(_ name: String) throws(ConfigurationError) -> ScriptFile {
        do {
            guard let path = try self.settings.pathInProject(name),
                let data = FileManager.default.contents(atPath: path)
            else {
                throw ConfigurationError(
                    "there is no \(name) in the project of this `repartee serve`; start it where the scenarios are")
            }
            let shown = self.settings.relativeToProject(path) ?? name
            return ScriptFile(name: shown, source: try ScriptFile.text(data, name: shown))
        } catch let mistake as UsageError {
            throw ConfigurationError(mistake.message)
        } catch let problem as ScriptProblem {
            throw ConfigurationError(problem.message)
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw ConfigurationError("\(name): \(error)")
        }
    }

    func close() {
        self.engine.close()
    }
}

extension LuaServerHost: ServedServer {
    func join(_ party: String, as kind: String) throws(ConfigurationError) {
        do throws(UsageError) { try self.come(party, as: kind) } catch { throw ConfigurationError(error.message) }
    }

    func arguments(
        _ values: [JSONValue], of command: String, by party: String?
    ) throws(ConfigurationError) -> JSONObject {
        do throws(UsageError) { return try self.named(values, of: command, by: party) } catch {
            throw ConfigurationError(error.message)
        }
    }

    var lapses: DistantLapses {
        var lapses = self.breaches
        lapses.passedOver = self.lapse
        return lapses
    }

    /// Servers in Lua have functions of their own and call none of another script.
    func returned(_ call: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>) {}
}
