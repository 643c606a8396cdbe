import Machines
import RunRecord
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

    /// The first error of some actors that nothing expected, with who observed it; nil if there is none.
    static func firstError(of actors: [Actor]) -> (actor: Actor, cause: Cause)? {
        let errors = actors.compactMap { actor in
            actor.log.leftovers.first { $0.event.kind == .error }.map { (actor: actor, at: $0.at) }
        }
        return errors.min { $0.at < $1.at }.flatMap { first in
            first.actor.cause(from: 0, groups: false).map { (first.actor, $0) }
        }
    }

    /// Why the target cannot be reached; a simulated server of the run itself is none.
    var unreachable: String? {
        guard self.isAtTarget || self.execution.destination.isRemote else { return nil }
        return self.backend?.unreachable?.message
    }

    /// What the script may have left out, where nothing comes: to submit a form, or what a browser says of itself.
    var remedies: [ScenarioFailure.Section] {
        let lines = [self.submission, self.origin].compactMap { $0 }
        return lines.isEmpty ? [] : [.init(heading: "remedy", lines: lines)]
    }

    /// How the form is sent off that was filled in last.
    private var submission: String? {
        guard self.hasUnsubmittedForm else { return nil }
        return "a form was filled in and not submitted: form:submit() does that, as in form:fill { … }:submit()"
    }

    /// What may help where a real server refused a WebSocket: many look at the header that browsers send of themselves,
    /// and say no more than that access is denied.
    private var origin: String? {
        guard self.isAtTarget || self.execution.destination.isRemote,
            case .failed(let failure)? = self.backend?.ending?.manner, failure.code == .upgradeRefused,
            failure.status == 403
        else { return nil }
        return "a server that lets in its own pages alone looks for Origin, which browsers send and headers say here: "
            + "headers = { Origin = \"https://…\" }, or me.origin in a system in Lua"
    }

    /// What the actor has under way, in words.
    var workUnderWay: [String] {
        let pending = self.backend?.pending ?? []
        return pending.isEmpty
            ? ["nothing: \(self.name) has no request, connection or timer that could bring something"] : pending
    }
}
