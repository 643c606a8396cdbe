import RunRecord

extension Worker {
    /// Lets an execution go on in virtual time.
    ///
    /// - Parameters:
    ///   - interruption: If it is requested, the execution is broken off and cleans up; if it is urgent, it does not.
    ///   - isDone: What is waited for.
    func play(_ execution: ScenarioExecution, interruption: Interruption, until isDone: () -> Bool) {
        var stop = self.runVirtually { isDone() || interruption.isRequested }
        guard !isDone() else { return }
        execution.end(because: stop == .nothingCanHappen ? .deadlock : interruption.failure)
        stop = self.runVirtually { isDone() || interruption.isUrgent }
        guard !isDone() else { return }
        execution.abandon(because: stop == .nothingCanHappen ? .deadlock : interruption.failure)
    }
}
