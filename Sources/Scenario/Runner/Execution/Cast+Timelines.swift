import Machines
import RunRecord
import Secrets

extension Cast {
    /// At most so many actors have their timelines in a failure.
    private static let mostTimelines = 3

    /// Returns what the actors observed, for a failure that tells nothing of it: the conversation of a user of a load
    /// test is kept nowhere else.
    ///
    /// - Parameter now: The instant of the failure.
    func timelines(for failure: ScenarioFailure, at now: Instant, without secrets: SecretMasker) -> [ScenarioFailure
        .Section]
    {
        guard !failure.sections.contains(where: { $0.heading == "timeline" }) else { return [] }
        return self.actors.filter { $0.log.count > 0 }.prefix(Self.mostTimelines).map { actor in
            let section = EventTimeline(of: actor, without: secrets).section(now: now)
            return ScenarioFailure.Section(heading: section.heading, lines: ["of \(actor.name)"] + section.lines)
        }
    }
}
