import Machines
import RunRecord
import Transport

/// The steps of an execution that have begun and not ended.
final class ExecutionSteps {
    private unowned let execution: ScenarioExecution

    /// By their numbers.
    private var open: [Int: ScenarioStep] = [:]

    /// How many there were so far.
    private var count = 0

    init(of execution: ScenarioExecution) {
        self.execution = execution
    }

    /// Begins a step.
    ///
    /// - Parameters:
    ///   - limit: Its time limit, if it has one.
    ///   - position: Where the script begins it.
    ///   - line: The line of the scenario's file that does, itself or through other files.
    /// - Returns: What to give to ``end(_:isComplete:)``.
    func begin(_ name: String, limit: Duration?, position: ScriptPosition?, line: Int?) -> Int {
        self.count += 1
        let number = self.count
        self.execution.record(.stepBegan(name: name, line: line))
        let thread = self.execution.threads.current
        let timer = limit.map { limit in
            self.execution.worker.schedule(after: limit) { [weak self] in
                guard let self, let thread else { return }
                let waits = thread.wait.map { [$0.purpose] } ?? []
                self.execution.threads.cancel(
                    thread,
                    because: ScenarioFailure(
                        category: .failure, kind: .timeout,
                        message: "the time limit of the step \"\(name)\", \(limit.scriptText), passed",
                        position: thread.wait?.position ?? position,
                        sections: [
                            .init(heading: "pending", lines: waits.isEmpty ? ["nothing; the script was busy"] : waits),
                            .init(
                                heading: "limit",
                                lines: ["step \(limit.scriptText); step(name, { timeout = \"1m\" }, …) raises it"]),
                        ], limit: "step"))
            }
        }
        self.open[number] = ScenarioStep(name: name, began: self.execution.worker.now, timer: timer)
        return number
    }

    /// Ends a step.
    ///
    /// - Parameter isComplete: Whether its body has returned, and was not left by a failure or broken off: the time of
    ///   half a step says nothing.
    func end(_ number: Int, isComplete: Bool) {
        guard let step = self.open.removeValue(forKey: number) else { return }
        if let timer = step.timer { self.execution.worker.cancel(timer) }
        if isComplete {
            let worker = self.execution.worker
            self.execution.observer?.stepEnded(step.name, after: worker.now - step.began, at: worker.poolNow)
        }
        self.execution.record(.stepEnded(name: step.name))
    }
}
