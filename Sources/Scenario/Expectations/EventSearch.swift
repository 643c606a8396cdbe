import Machines

/// The search for events that satisfy an expression, fed one event at a time.
///
/// It keeps every order that is still possible, the one that takes events earliest first.
struct EventSearch {
    /// One way in which the events so far can have been taken.
    private struct Branch {
        var expected: EventExpression
        var taken: [Int]
    }

    /// More branches than this are not kept; the earliest ones stay. Only expressions with dozens of look-alike
    /// members get there.
    static let branchLimit = 1024

    /// What is expected, where that is one event as most often.
    private let single: EventMatcher?

    /// Whether an event came that may not be passed over before the single one.
    private var isMissed = false

    /// Empty where a single event is expected.
    private var branches: [Branch]

    /// The ways that were possible before the event that ended the search without success.
    private var lastBranches: [Branch] = []

    /// Whether an event that does not fit may be passed over.
    private let skipsAllowed: Bool

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - expression: What is expected.
    ///   - skipsAllowed: Whether an event that does not fit may be passed over.
    init(_ expression: EventExpression, skipsAllowed: Bool) {
        if case .event(let matcher) = expression {
            self.single = matcher
            self.branches = []
        } else {
            self.single = nil
            self.branches = [Branch(expected: expression, taken: [])]
        }
        self.skipsAllowed = skipsAllowed
    }

    /// Takes in the next event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - index: Its place in the actor's log.
    ///   - isNoise: Whether the event may be passed over even where skips are not allowed.
    /// - Returns: The places of the events that satisfy the expression, if they are complete now.
    mutating func take(_ event: ChatEvent, at index: Int, isNoise: Bool) -> [Int]? {
        if let single = self.single {
            guard !self.isMissed else { return nil }
            if single.matches(event) { return [index] }
            if !self.skipsAllowed, !isNoise { self.isMissed = true }
            return nil
        }
        var next: [Branch] = []
        var seen: Set<EventExpression> = []
        for branch in self.branches {
            for residual in branch.expected.residuals(after: event) where seen.insert(residual).inserted {
                next.append(Branch(expected: residual, taken: branch.taken + [index]))
            }
            if self.skipsAllowed || isNoise, seen.insert(branch.expected).inserted { next.append(branch) }
        }
        if next.isEmpty, !self.branches.isEmpty { self.lastBranches = self.branches }
        self.branches = Array(next.prefix(Self.branchLimit))
        return self.branches.first { $0.expected.isSatisfied && !$0.taken.isEmpty }?.taken
    }

    /// Whether no event can complete the search any more.
    var isHopeless: Bool { self.single == nil ? self.branches.isEmpty : self.isMissed }

    /// What is still expected on the way that got furthest.
    var closest: (expected: EventExpression, taken: [Int])? {
        if let single = self.single { return (.event(single), []) }
        return (self.branches.isEmpty ? self.lastBranches : self.branches).max { $0.taken.count < $1.taken.count }.map {
            ($0.expected, $0.taken)
        }
    }
}
