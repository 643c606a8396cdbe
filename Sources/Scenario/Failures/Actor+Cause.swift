import Machines
import Secrets
import Transport

/// What a failed wait of an actor says of why it failed, whatever was waited for.
extension Actor {
    /// What happened to the actor that may explain that something does not come.
    ///
    /// - Parameters:
    ///   - start: Where the wait began to look; nothing that the actor observed from there on was expected.
    ///   - groups: Whether failures of the users of a load test are told apart by their words, which then name no
    ///     times and no counts.
    func cause(from start: Int, groups: Bool) -> Cause? {
        let (execution, secrets) = (self.execution, self.execution.secrets)
        let cause = Cause(
            log: self.log, from: start, since: self.lastCommand,
            ending: self.backend?.ending.map { ($0, at: execution.instant(of: $0.at)) },
            losses: groups ? nil : self.backend?.losses.map { ($0, at: execution.instant(of: $0.first.at)) },
            tellsAtOnce: self.backend?.tellsAtOnce ?? true, masked: { secrets.masked($0) })
        return groups ? cause : cause?.after(self.lastCommand)
    }

    /// Why the target cannot be reached; a simulated server of the run itself is none.
    var unreachable: String? {
        guard self.isAtTarget || self.execution.destination.isRemote else { return nil }
        return self.backend?.unreachable?.message
    }

    /// What the actor has under way, in words.
    var workUnderWay: [String] {
        let pending = self.backend?.pending ?? []
        return pending.isEmpty
            ? ["nothing: \(self.name) has no request, connection or timer that could bring something"] : pending
    }
}
