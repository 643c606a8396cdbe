import Machines

/// Which events a script expects, and in which order.
///
/// An expression is taken forward event by event: ``residuals(after:)`` says what is still expected once an event has
/// been taken. All orders that are still possible are kept side by side, so no order that the script allows is missed.
enum EventExpression: Hashable {
    case event(EventMatcher)
    /// One after the other.
    case sequence([EventExpression])
    /// In any order, but each member is finished before the next one begins.
    case all([EventExpression])
    /// Each member in its own order, mixed in any way.
    case interleave([EventExpression])
    /// One of the members.
    case any([EventExpression])
    /// The member or nothing.
    indirect case optional(EventExpression)

    /// Nothing more is expected.
    static var nothing: EventExpression { .sequence([]) }

    /// Whether nothing more needs to arrive.
    var isSatisfied: Bool {
        switch self {
        case .event: false
        case .sequence(let members), .all(let members), .interleave(let members): members.allSatisfy(\.isSatisfied)
        case .any(let members): members.contains(where: \.isSatisfied)
        case .optional: true
        }
    }

    /// Returns what may still be expected once an event has been taken; empty if the event does not fit here.
    func residuals(after event: ChatEvent) -> [EventExpression] {
        switch self {
        case .event(let matcher): return matcher.matches(event) ? [.nothing] : []
        case .optional(let member): return member.residuals(after: event)
        case .any(let members): return members.flatMap { $0.residuals(after: event) }
        case .sequence(let members):
            var residuals: [EventExpression] = []
            for (index, member) in members.enumerated() {
                let rest = Array(members[(index + 1)...])
                residuals += member.residuals(after: event).map { Self.sequence($0, then: rest) }
                guard member.isSatisfied else { break }
            }
            return residuals
        case .all(let members):
            return members.indices.flatMap { index in
                var others = members
                let member = others.remove(at: index)
                return member.residuals(after: event).map { residual in
                    Self.sequence(residual, then: others.isEmpty ? [] : [.all(others)])
                }
            }
        case .interleave(let members):
            return members.indices.flatMap { index in
                members[index].residuals(after: event).map { residual in
                    var remaining = members
                    if residual == .nothing { remaining.remove(at: index) } else { remaining[index] = residual }
                    return remaining.isEmpty ? .nothing : .interleave(remaining)
                }
            }
        }
    }

    private static func sequence(_ first: EventExpression, then rest: [EventExpression]) -> EventExpression {
        if first == .nothing { return rest.count == 1 ? rest[0] : .sequence(rest) }
        return rest.isEmpty ? first : .sequence([first] + rest)
    }

    /// All events of the expression.
    var matchers: [EventMatcher] {
        switch self {
        case .event(let matcher): [matcher]
        case .optional(let member): member.matchers
        case .sequence(let members), .all(let members), .interleave(let members), .any(let members):
            members.flatMap(\.matchers)
        }
    }

    /// Returns an event without which it cannot be satisfied and that cannot come; nil if all that it needs can.
    func unmet(where cannotCome: (EventMatcher) -> Bool) -> EventMatcher? {
        switch self {
        case .event(let matcher): return cannotCome(matcher) ? matcher : nil
        case .sequence(let members), .all(let members), .interleave(let members):
            for member in members { if let unmet = member.unmet(where: cannotCome) { return unmet } }
            return nil
        case .any(let members):
            let unmet = members.map { $0.unmet(where: cannotCome) }
            return unmet.contains { $0 == nil } ? nil : unmet.first ?? nil
        case .optional: return nil
        }
    }

    /// The events of which any one satisfies the expression; nil if it takes more than one event, or none.
    var alternatives: [EventMatcher]? {
        switch self {
        case .event(let matcher): return [matcher]
        case .any(let members):
            let alternatives = members.map(\.alternatives)
            return alternatives.contains { $0 == nil } ? nil : alternatives.flatMap { $0 ?? [] }
        case .sequence, .all, .interleave, .optional: return nil
        }
    }

    /// The events that could be taken next.
    var candidates: [EventMatcher] {
        switch self {
        case .event(let matcher): return [matcher]
        case .optional(let member): return member.candidates
        case .all(let members), .interleave(let members), .any(let members): return members.flatMap(\.candidates)
        case .sequence(let members):
            var candidates: [EventMatcher] = []
            for member in members {
                candidates += member.candidates
                guard member.isSatisfied else { break }
            }
            return candidates
        }
    }
}

extension EventExpression: CustomStringConvertible {
    /// What is expected, as it reads in a failure.
    var description: String {
        func list(_ name: String, _ members: [EventExpression]) -> String {
            "\(name) { " + members.map(\.description).joined(separator: ", ") + " }"
        }
        return switch self {
        case .event(let matcher): matcher.description
        case .sequence(let members): list("seq", members)
        case .all(let members): list("all", members)
        case .interleave(let members): list("interleave", members)
        case .any(let members): list("any", members)
        case .optional(let member): "maybe(\(member))"
        }
    }
}
