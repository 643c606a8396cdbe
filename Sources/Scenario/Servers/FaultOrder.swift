import JSON
import Machines
import RunRecord

/// A fault that the script has ordered of a server for what comes next.
struct FaultOrder {
    let server: any ScenarioServer

    /// Which of the orders of the server it is.
    let number: Int

    /// The command, and where the script gives it.
    let command: Command
    let position: ScriptPosition?

    /// The mistake of an order that has struck nothing until the end.
    var mistake: ScenarioFailure {
        // The first text says what is to be struck.
        let target = self.command.arguments.lazy.compactMap(\.1.string).first { _ in true }.map { "\"\($0)\"" } ?? ""
        return ScenarioFailure(
            category: .error, typeName: "usage",
            message: "server:\(self.command.name)(\(target)) has struck nothing: what it is for did not come after it",
            position: self.position,
            sections: [
                .init(
                    heading: "remedy",
                    lines: [
                        "order it before what it is to strike, or leave it out: without it the scenario is the same"
                    ])
            ])
    }
}
