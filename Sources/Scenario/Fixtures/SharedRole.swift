import JSON

/// What a play has to do with the parts that several scenarios share: it uses them, or is the play of one.
struct SharedRole {
    /// What plays fixtures and hooks that several scenarios share.
    weak var parts: (any SharedParts)?

    /// For the play of a shared part: called while it gets on, where its asker's thread plays it.
    var onProgress: () -> Void = {}

    /// For the play of a shared part: it and those that wait for it, outermost first; empty for a scenario.
    private(set) var chain: [SharedPart.Key] = []

    /// What `before_all` hooks returned.
    private(set) var values = JSONObject()

    /// Whether the play is one of a scenario.
    var isScenario: Bool { self.chain.isEmpty }

    /// Makes the play that of a shared part.
    ///
    /// - Parameter chain: The parts that wait for it.
    mutating func become(_ part: SharedPart, for chain: [SharedPart.Key]) { self.chain = chain + [part.key] }

    /// Takes in what hooks have returned; names that come again win.
    mutating func take(_ value: JSONValue) { self.values = self.values.merging(value.object ?? [:]) }
}
