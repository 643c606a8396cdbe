public import JSON

extension FaultMatrix {
    /// The matrix for other programs: the scenarios with their points and plays, and the counts of outcomes.
    public var json: JSONValue {
        var counts = JSONObject()
        for outcome in FaultOutcome.allCases { counts[outcome.rawValue] = .integer(Int64(self.count(outcome))) }
        return .object([
            "tool_version": .string(self.toolVersion), "seed": .string("\(self.seed)"),
            "kinds": .array(self.kinds.map { .string($0) }), "counts": .object(counts),
            "scenarios": .array(self.scenarios.map(\.json)), "left_out": .array(self.leftOut.map { .string($0.text) }),
            "impossible": .array(self.impossible.map(\.json)),
            "broken_off": self.breakOff.map { .string($0) } ?? .null,
        ])
    }
}
