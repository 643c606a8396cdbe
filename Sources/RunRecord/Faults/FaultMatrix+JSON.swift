public import JSON

extension FaultMatrix {
    /// The matrix for other programs: the scenarios with their points and plays, and the counts of outcomes.
    public var json: JSONValue {
        var counts = JSONObject()
        for outcome in FaultOutcome.allCases { counts[outcome.rawValue] = .integer(Int64(self.count(outcome))) }
        return .object([
            "tool_version": .string(self.toolVersion), "seed": .string("\(self.seed)"),
            "kinds": .array(self.kinds.map { .string($0) }), "counts": .object(counts),
            "scenarios": .array(self.scenarios.map(\.json)), "left_out": .array(self.leftOut.map { .string($0) }),
        ])
    }
}

extension FaultedScenario {
    fileprivate var json: JSONValue {
        let points = self.points.map { point -> JSONValue in
            .object([
                "number": .integer(Int64(point.number)), "at_ns": .integer(point.atNanoseconds),
                "sent": .bool(point.isSent), "what": .string(point.summary),
            ])
        }
        let cells = self.cells.map { cell -> JSONValue in
            .object([
                "fault": .string(cell.fault), "outcome": .string(cell.outcome.rawValue),
                "detail": .string(cell.detail),
            ])
        }
        return .object([
            "file": .string(self.file), "line": .integer(Int64(self.line)), "title": .string(self.title),
            "point_count": .integer(Int64(self.pointCount)), "points": .array(points), "plays": .array(cells),
        ])
    }
}
