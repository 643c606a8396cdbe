import Machines
import RunRecord

/// What must hold of a whole conversation: `t:never`, `t:always`, `t:eventually`, `t:within_turns`.
///
/// A class: its matchers may call tests of the script, which may declare further rules meanwhile.
final class ConversationRule {
    let kind: RuleProgress.Kind
    let matchers: [EventMatcher]

    /// The actor that it is about; nil for every client, also those that join later.
    private let actor: Actor?

    /// Where the script declared it.
    let position: ScriptPosition?

    private var progress: RuleProgress

    /// Whether the record has a warning of an event that is not banned by a hair.
    private var hasWarned = false

    init(_ kind: RuleProgress.Kind, _ matchers: [EventMatcher], of actor: Actor?, position: ScriptPosition?) {
        self.kind = kind
        self.matchers = matchers
        self.actor = actor
        self.position = position
        self.progress = RuleProgress(kind)
    }

    /// Whether the rule is about what an actor observes.
    func watches(_ actor: Actor) -> Bool { self.actor.map { $0 === actor } ?? actor.isClient }

    /// Takes in what an actor observed.
    ///
    /// - Returns: The failure, if it breaks the rule.
    func observed(_ place: Int, by actor: Actor) -> ScenarioFailure? {
        guard self.watches(actor) else { return nil }
        let event = actor.log[place].event
        let asked = self.matchers.filter { ($0.kind ?? event.kind) == event.kind }
        guard !asked.isEmpty else { return nil }
        let isBan = if case .never = self.kind { true } else { false }
        let fits = asked.contains { isBan ? $0.isBroken(by: event) : $0.matches(event) }
        if isBan, !fits, !self.hasWarned { self.hasWarned = actor.warns(of: asked, as: "t:never", at: place) }
        guard self.progress.handle(.observed(fits: fits)) else { return nil }
        return fits ? self.violation(by: place, of: actor) : self.exception(asked[0], at: place, of: actor)
    }

    /// Takes in that an actor begins a turn.
    ///
    /// - Returns: The failure, if it was the last but one that was allowed.
    func turnBegan(by actor: Actor) -> ScenarioFailure? {
        guard self.watches(actor), self.progress.handle(.turnBegan), case .withinTurns(let most) = self.kind else {
            return nil
        }
        return self.failure(
            "\(actor.name) began turn \(self.progress.turns) and had not observed \(self.text), which must come within "
                + Self.turns(most), about: [actor])
    }

    /// Takes in what was done and observed before the rule was declared.
    ///
    /// - Returns: The failure, if that breaks the rule.
    func lookBack(in execution: ScenarioExecution) -> ScenarioFailure? {
        guard execution.remembersConversation else {
            for actor in execution.actors where self.watches(actor) {
                for place in 0..<actor.log.count {
                    if let failure = self.observed(place, by: actor) { return failure }
                }
            }
            return nil
        }
        for entry in execution.cast.said {
            let failure: ScenarioFailure?
            switch entry.content {
            case .command(_, beginsTurn: true): failure = self.turnBegan(by: entry.actor)
            case .command(_, beginsTurn: false): failure = nil
            case .event(let place): failure = self.observed(place, by: entry.actor)
            }
            if let failure { return failure }
        }
        return nil
    }

    /// Returns what is wrong with the rule at the end of the conversation.
    func failureAtEnd(among actors: [Actor]) -> ScenarioFailure? {
        let watched = actors.filter(self.watches)
        if let mistake = self.mistake(about: watched, of: actors) {
            return ScenarioFailure(category: .error, kind: .usage, message: mistake, position: self.position)
        }
        guard self.progress.isUnmet else { return nil }
        let who = watched.count == 1 ? watched[0].name : "the conversation"
        switch self.kind {
        case .never: return nil
        case .always:
            let kinds = self.matchers.map { $0.kind?.rawValue ?? "event" }.joined(separator: " or ")
            return self.failure(
                "\(who) ended without any \(kinds), so nothing shows that each is \(self.text)", about: watched)
        case .eventually: return self.failure("\(who) ended without \(self.text)", about: watched)
        case .withinTurns(let most):
            return self.failure(
                "\(who) ended after \(Self.turns(self.progress.turns)) without \(self.text), which must come within "
                    + Self.turns(most), about: watched)
        }
    }
}

extension ConversationRule {
    /// What is asked for, in words.
    private var text: String { self.matchers.map(\.description).joined(separator: " or ") }

    private static func turns(_ count: Int) -> String { count == 1 ? "1 turn" : "\(count) turns" }

    /// The kind of its failures.
    private var failureKind: ProblemKind {
        switch self.kind {
        case .never: .never
        case .always: .always
        case .eventually: .eventually
        case .withinTurns: .withinTurns
        }
    }

    /// The name in scripts, which is that of the kind of its failures.
    var name: String { self.failureKind.rawValue }

    /// Why the rule could not have been broken, or kept, whatever was said; nil if it could.
    ///
    /// - Parameters:
    ///   - watched: The actors that it is about.
    ///   - all: The actors of the scenario.
    private func mistake(about watched: [Actor], of all: [Actor]) -> String? {
        var mistakes: [String] = []
        for actor in watched {
            do throws(UsageError) {
                try actor.check(self.matchers)
                if case .never = self.kind { try actor.checkReached(by: self.matchers) }
                return nil
            } catch { mistakes.append(error.message) }
        }
        let party = all.first { !$0.isClient }.map {
            "; a rule watches clients alone unless it names a party: t:\(self.name)(\($0.name), …)"
        }
        return "t:\(self.name) has watched nobody: "
            + (mistakes.first ?? "the scenario has no client, so nothing could break or keep it" + (party ?? ""))
    }

    /// What an actor observed, up to now.
    private func timeline(of actor: Actor) -> ScenarioFailure.Section {
        EventTimeline(of: actor, without: actor.execution.secrets).section(now: actor.execution.now)
    }

    private func violation(by place: Int, of actor: Actor) -> ScenarioFailure {
        let logged = actor.log[place]
        let summary = EventSummary(of: logged.event, without: actor.execution.secrets)
        return ScenarioFailure(
            category: .failure, kind: self.failureKind,
            message: "\(actor.name) observed \(self.text), which must never happen", position: self.position,
            sections: [
                .init(
                    heading: "broken by",
                    lines: ["#\(logged.number)  \(logged.event.kind.rawValue)  \(summary.text)"],
                    event: logged.number),
                self.timeline(of: actor),
            ], actor: actor.name)
    }

    private func exception(_ matcher: EventMatcher, at place: Int, of actor: Actor) -> ScenarioFailure {
        let logged = actor.log[place]
        let search = MismatchSearch()
        let mismatches = matcher.mismatches(logged.event, for: .explanation(search))
        let differences = mismatches.prefix(8).map {
            $0.difference(without: actor.execution.secrets)
        }
        let nearest = NearestEvent(
            number: logged.number, kind: logged.event.kind.rawValue, at: logged.at.timelineText,
            remarks: search.remarks(on: mismatches))
        return ScenarioFailure(
            category: .failure, kind: self.failureKind,
            message: "\(actor.name) observed #\(logged.number) \(logged.event.kind.rawValue) that is not \(self.text), "
                + "as each must be", position: self.position,
            sections: [nearest.section(differences), self.timeline(of: actor)], actor: actor.name, nearest: nearest,
            valueDifferences: differences)
    }

    /// At most so many actors have their timelines in a failure.
    private static let mostTimelines = 3

    private func failure(_ message: String, about actors: [Actor]) -> ScenarioFailure {
        let only = actors.count == 1 ? actors[0] : nil
        let nearest = only.flatMap { actor in
            ExpectationReport(log: actor.log, start: 0, secrets: actor.execution.secrets)
                .nearest(to: self.matchers)
        }
        var sections: [ScenarioFailure.Section] = []
        if let nearest { sections.append(nearest.event.section(nearest.differences)) }
        sections += actors.prefix(Self.mostTimelines).map(self.timeline)
        return ScenarioFailure(
            category: .failure, kind: self.failureKind, message: message, position: self.position, sections: sections,
            actor: only?.name, nearest: nearest?.event,
            valueDifferences: nearest?.differences ?? [])
    }
}
