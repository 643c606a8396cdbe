import RunRecord

extension Worker {
    /// Lets a play go on in virtual time.
    ///
    /// - Parameters:
    ///   - interruption: If it is requested, the play is broken off and cleans up; if it is urgent, it does not.
    ///   - isDone: What is waited for.
    func play(_ play: ScenarioPlay, interruption: Interruption, until isDone: () -> Bool) {
        var stop = self.runVirtually { isDone() || interruption.isRequested }
        guard !isDone() else { return }
        play.end(because: stop == .nothingCanHappen ? .deadlock : interruption.failure)
        stop = self.runVirtually { isDone() || interruption.isUrgent }
        guard !isDone() else { return }
        play.abandon(because: stop == .nothingCanHappen ? .deadlock : interruption.failure)
    }
}
