import JSON
import LuaRuntime

/// What a shared part runs.
struct FixtureFunctions {
    let before: [LuaReference]
    let after: [LuaReference]

    /// The time limit of each; that of a hook unless given.
    let limit: Duration?
}

/// The value that the execution of a shared part makes for others, while its functions run.
struct SharedMaking {
    /// How many functions make it.
    private let functionCount: Int

    /// The time limit of each; that of a hook unless given.
    let limit: Duration?

    /// Gets the value.
    let completion: (SharedValue) -> Void

    /// What the functions have returned so far.
    private(set) var value: JSONValue = [:]

    init(
        _ functions: FixtureFunctions, completion: @escaping (SharedValue) -> Void
    ) {
        self.functionCount = functions.before.count
        self.limit = functions.limit
        self.completion = completion
    }

    /// Takes in what a function returned; the tables that several hooks return become one.
    ///
    /// - Throws: A fault if it cannot be copied to other scripts.
    mutating func take(_ returned: LuaValue) throws(HostError) {
        let own = try returned.json()
        if self.functionCount == 1, self.value.object?.isEmpty == true {
            self.value = own
        } else if let members = own.object {
            self.value = .object((self.value.object ?? [:]).merging(members))
        }
    }
}
