import RunRecord

/// What a script has ordered of the network that keeps clients from connecting, and so strikes who tries to.
struct NetworkOrder {
    /// Whose network it is; nil for that of all clients.
    let client: String?

    /// What was ordered, in words.
    let text: String

    /// Where the script orders it.
    let position: ScriptPosition?

    /// Whether other conditions hold by now.
    var isOver = false

    /// The mistake of an order that has struck nothing until the end.
    var mistake: ScenarioFailure {
        ScenarioFailure(
            category: .error, typeName: "usage",
            message: "t:network \(self.text) has struck nothing: \(self.client ?? "no client") "
                + "\(self.client == nil ? "tried" : "did not try") to connect while it held",
            position: self.position,
            sections: [
                .init(
                    heading: "remedy",
                    lines: [
                        "let a client connect meanwhile, with cut = true if its connection is to be lost before, or leave "
                            + "it out: without it the scenario is the same"
                    ])
            ])
    }
}
