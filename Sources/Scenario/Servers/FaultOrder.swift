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

    /// The call as a script writes it; the first text says what is to be struck.
    var call: String {
        let target = self.command.arguments.lazy.compactMap(\.1.string).first { _ in true }.map { "\"\($0)\"" } ?? ""
        return "server:\(self.command.name)(\(target))"
    }

    /// The mistake of an order that has struck nothing until the end.
    var mistake: ScenarioFailure {
        ScenarioFailure(
            category: .error, kind: .usage,
            message: "\(self.call) has struck nothing: what it is for did not come after it",
            position: self.position,
            sections: [
                .init(
                    heading: "remedy",
                    lines: [
                        "order it before what it is to strike, or leave it out: without it the scenario is the same"
                    ])
            ])
    }

    /// The error of an order of which nobody can tell whether it has struck something.
    private func unjudged(because reason: String) -> ScenarioFailure {
        ScenarioFailure(
            category: .error, kind: .connection,
            message: "whether \(self.call) has struck anything is not known: \(reason)", position: self.position)
    }

    /// Asks the servers which of some orders have struck nothing.
    ///
    /// - Parameter completion: Gets the mistakes, those of one server after those of another; at once unless servers of
    ///   other processes have to be asked.
    static func findMistakes(
        in orders: [FaultOrder], found: [ScenarioFailure] = [], completion: @escaping ([ScenarioFailure]) -> Void
    ) {
        guard let first = orders.first else { return completion(found) }
        first.server.findIdleFaults { result in
            let own = orders.filter { $0.server === first.server }
            let mistakes: [ScenarioFailure] =
                switch result {
                case .success(let idle): own.filter { idle.contains($0.number) }.map(\.mistake)
                case .failure(let reason): [first.unjudged(because: reason.message)]
                }
            Self.findMistakes(
                in: orders.filter { $0.server !== first.server }, found: found + mistakes, completion: completion)
        }
    }
}
