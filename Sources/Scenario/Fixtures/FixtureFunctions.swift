import JSON
import LuaRuntime
import RunRecord

/// What a shared part runs.
struct FixtureFunctions {
    let before: [LuaReference]
    let after: [LuaReference]

    /// The time limit of each; that of a hook unless given.
    let limit: Duration?

    /// Whether they are hooks, whose values become the members of one table.
    let areHooks: Bool
}

/// The value that the execution of a shared part makes for others, while its functions run.
struct SharedMaking {
    /// How many functions make it.
    private let functionCount: Int
    private let areHooks: Bool

    /// The time limit of each; that of a hook unless given.
    let limit: Duration?

    /// Gets the value.
    private let completion: (SharedValue) -> Void

    /// What the functions have returned so far.
    private(set) var value: JSONValue = [:]

    init(
        _ functions: FixtureFunctions, completion: @escaping (SharedValue) -> Void
    ) {
        self.functionCount = functions.before.count
        self.areHooks = functions.areHooks
        self.limit = functions.limit
        self.completion = completion
    }

    /// Gives what the functions have returned to whoever waits for it, or says why there is nothing to give.
    func give(unless obstacle: ScenarioFailure?) {
        self.completion(SharedValue(result: obstacle.map { .failure($0) } ?? .success(self.value)))
    }

    /// Takes in what a function returned.
    ///
    /// - Parameter definition: Of the shared part, whose mistake it is.
    /// - Throws: An error of the script that says what is wrong with it.
    mutating func take(_ returned: LuaValue, of definition: ScenarioDefinition) throws(ScenarioFailure) {
        do throws(HostError) { try self.take(returned) } catch {
            throw ScenarioFailure(
                category: .error, kind: .script,
                message: error.kind == ProblemKind.usage.rawValue
                    ? "\(definition.title): \(error.message)"
                    : "\(definition.title) returns what cannot be copied to other scenarios: \(error.message); return "
                        + "plain data, and let each scenario make its own actors",
                position: definition.position)
        }
    }

    /// Takes in what a function returned; the tables that several hooks return become one.
    ///
    /// - Throws: A fault if it cannot be copied to other scripts, if it is no table where it is one with others (of a
    ///   hook scenarios see the members by their names), or if it has a name that another hook has returned.
    mutating func take(_ returned: LuaValue) throws(HostError) {
        let own = try returned.json()
        guard !self.areHooks || own.isNull || own.object != nil || own.array?.isEmpty == true else {
            throw HostError.usage(
                "a hook returns a table, whose members are those of t.shared, not \(own.given)")
        }
        if self.functionCount == 1, self.value.object?.isEmpty == true {
            self.value = own
        } else if let members = own.object {
            if let name = members.names.first(where: { self.value.object?[$0] != nil }) {
                throw HostError.usage(
                    "two before_all hooks return a member \"\(name)\", and t.shared has room for one; rename one")
            }
            self.value = .object((self.value.object ?? [:]).merging(members))
        }
    }
}
