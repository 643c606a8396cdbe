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

extension FaultedScenario {
    fileprivate var json: JSONValue {
        .object([
            "file": .string(self.file), "line": .integer(Int64(self.line)), "title": .string(self.title),
            "systems": .array(self.systems.map { .string($0) }), "point_count": .integer(Int64(self.pointCount)),
            "play_count": .integer(Int64(self.playCount)), "points": .array(self.points.map(\.json)),
            "plays": .array(self.cells.map(\.json)),
        ])
    }
}

extension FaultPlace {
    var json: JSONValue {
        .object([
            "number": .integer(Int64(self.number)), "at_ns": .integer(self.atNanoseconds), "sent": .bool(self.isSent),
            "what": .string(self.summary),
        ])
    }

    /// Reads a point as ``json`` writes it.
    init?(_ json: JSONValue) {
        guard let number = json["number"]?.integer, let instant = json["at_ns"]?.integer,
            let isSent = json["sent"]?.bool, let summary = json["what"]?.string
        else { return nil }
        self.init(number: Int(number), atNanoseconds: instant, isSent: isSent, summary: summary)
    }
}

extension FaultCell {
    var json: JSONValue {
        .object([
            "fault": .string("\(self.fault)"), "outcome": .string(self.outcome.rawValue),
            "detail": .string(self.detail),
        ])
    }

    /// Reads an execution as ``json`` writes it.
    init?(_ json: JSONValue) {
        guard let fault = json["fault"]?.string.flatMap({ FaultName($0) }),
            let outcome = json["outcome"]?.string.flatMap(FaultOutcome.init), let detail = json["detail"]?.string
        else { return nil }
        self.init(fault, outcome: outcome, detail: detail)
    }
}

extension ImpossibleFault {
    fileprivate var json: JSONValue {
        .object([
            "fault": .string(self.kind), "system": .string(self.system), "sent": self.isSent.map { .bool($0) } ?? .null,
            "reason": .string(self.reason),
        ])
    }
}
