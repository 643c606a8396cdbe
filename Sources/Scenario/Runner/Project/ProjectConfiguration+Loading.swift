import JSON
import LuaRuntime

extension ProjectConfiguration {
    /// Reads `repartee.lua`, in the same sandbox as scenarios.
    ///
    /// - Parameters:
    ///   - source: The text of the file.
    ///   - name: The file as messages name it.
    ///   - folder: Where the files are that it names by relative paths.
    ///   - variables: The environment, in which targets may name secrets and proxies.
    ///   - masked: Takes out what must not be seen.
    /// - Throws: ``ScriptProblem`` that says what is wrong and where.
    public init(
        source: String, name: String, folder: String = ".", variables: [String: String] = [:],
        masked: @escaping (String) -> String = { $0 }
    ) throws(ScriptProblem) {
        let state = LuaState()
        defer { state.close() }
        state.undefinedName = { $0.message().map { HostError.usage($0) } }
        Watchdog.shared.watch(state.watch)
        let table: JSONValue
        let isWhole: Bool
        do {
            let environment = try state.makeEnvironment()
            let values = try state.call(try state.load(source, name: "@" + name, in: environment))
            table = try values.first?.json() ?? .null
            isWhole = values.count < 2
        } catch let error as LuaError {
            let lines =
                error.position.map { SourceExcerpt(source: source, line: $0.line, masked: masked).rendered } ?? []
            throw ScriptProblem(([error.description] + lines).joined(separator: "\n"))
        } catch {
            throw ScriptProblem("\(name): \(error)")
        }
        guard let members = table.object else {
            throw ScriptProblem("\(name) returns no table; it ends with `return { targets = { … } }`")
        }
        guard isWhole else {
            throw ScriptProblem(
                "\(name) returns more than one value, of which the first would count alone; put all of it into one table"
            )
        }
        do { try self.init(members, name: name, folder: folder, variables: variables) } catch {
            throw ScriptProblem(error.message)
        }
    }
}

/// Why a run cannot begin: what is wrong with a script, the configuration or a path, and what to do.
public struct ScriptProblem: Error, Sendable, CustomStringConvertible {
    /// What people read; it names the file where one is at fault.
    public let message: String

    /// Whether the command line is at fault and not a file.
    public let isUsage: Bool

    /// Whether nobody's file is at fault but what the tool had to speak to.
    public let isHarness: Bool

    /// Creates a problem.
    public init(_ message: String, isUsage: Bool = false, isHarness: Bool = false) {
        self.message = message
        self.isUsage = isUsage
        self.isHarness = isHarness
    }

    public var description: String { self.message }
}
