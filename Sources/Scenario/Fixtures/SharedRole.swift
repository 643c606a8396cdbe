import JSON

/// What an execution has to do with the parts that several scenarios share: it uses them, or is the execution of one.
struct SharedRole {
    /// What plays fixtures and hooks that several scenarios share.
    weak var parts: (any SharedSetups)?

    /// For the execution of a shared part: called while it gets on, where its asker's thread plays it.
    var onProgress: () -> Void = {}

    /// For the execution of a shared part: it and those that wait for it, outermost first; empty for a scenario.
    private(set) var chain: [SharedSetup.Key] = []

    /// What `before_all` hooks returned.
    private(set) var values = JSONObject()

    /// Whether the execution is one of a scenario.
    var isScenario: Bool { self.chain.isEmpty }

    /// Makes the execution that of a shared part.
    ///
    /// - Parameter chain: The parts that wait for it.
    mutating func become(_ part: SharedSetup, for chain: [SharedSetup.Key]) { self.chain = chain + [part.key] }

    /// Takes in what hooks have returned; names that come again win.
    mutating func take(_ value: JSONValue) { self.values = self.values.merging(value.object ?? [:]) }
}
