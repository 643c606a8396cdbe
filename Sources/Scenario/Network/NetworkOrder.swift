import RunRecord
import Transport

/// What a script has ordered of the network that strikes nobody at once: it keeps clients from connecting, or has a
/// limit in bytes.
struct NetworkOrder {
    /// Whose network it is; nil for that of all clients.
    let client: String?

    /// What was ordered.
    let conditions: NetworkConditions

    /// Where the script orders it.
    let position: ScriptPosition?

    /// Whether it is another one given again: the same for the same clients at the same place of the script.
    func repeats(_ other: NetworkOrder) -> Bool {
        self.position == other.position && self.client == other.client
            && self.conditions.description == other.conditions.description
    }

    /// The mistake of an order that has struck nothing until the end.
    var mistake: ScenarioFailure {
        ScenarioFailure(
            category: .error, kind: .usage,
            message: "t:network \(self.conditions.description) has struck nothing: "
                + self.absences.joined(separator: " and ") + " while it held",
            position: self.position, sections: [.init(heading: "remedy", lines: self.remedies)])
    }

    /// What has not happened.
    private var absences: [String] {
        let strikes = self.conditions.certainStrikes
        let whose = self.client.map { " of \($0)" } ?? ""
        var absences: [String] = []
        if strikes.contains(.refusal) {
            absences.append("\(self.client ?? "no client") \(self.client == nil ? "tried" : "did not try") to connect")
        }
        if strikes.contains(.cut) {
            absences.append("no connection\(whose) carried as much in one direction as is to pass before the cut")
        }
        if strikes.contains(.stall) {
            absences.append(
                self.conditions.plan.outgoing.stallAfter == 0
                    ? "no connection\(whose) had anything to carry"
                    : "no connection\(whose) had more to carry in one direction than is to pass before the stall")
        }
        return absences
    }

    private var remedies: [String] {
        let strikes = self.conditions.certainStrikes
        var remedies: [String] = []
        if strikes.contains(.refusal) {
            remedies.append(
                "let a client connect meanwhile, with cut = true if its connection is to be lost before, or leave "
                    + "it out: without it the scenario is the same")
        }
        if !strikes.isDisjoint(with: [.cut, .stall]) {
            remedies.append(
                "let a client send or receive enough meanwhile, choose a smaller size, or leave the limit out: without "
                    + "it the scenario is the same")
        }
        return remedies
    }
}
