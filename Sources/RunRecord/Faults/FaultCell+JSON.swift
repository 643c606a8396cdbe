import JSON

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
