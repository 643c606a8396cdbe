import ChatCore

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
        self.branches = [Branch(expected: expression, taken: [])]
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
        if self.branches.count == 1, case .event(let matcher) = self.branches[0].expected {
            return self.take(event, at: index, isNoise: isNoise, expecting: matcher)
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

    /// The short way for what most searches are: one event is expected.
    ///
    private mutating func take(
        _ event: ChatEvent, at index: Int, isNoise: Bool, expecting matcher: EventMatcher
    ) -> [Int]? {
        if matcher.matches(event) {
            self.branches[0].expected = .nothing
            self.branches[0].taken.append(index)
            return self.branches[0].taken
        }
        if !self.skipsAllowed, !isNoise {
            self.lastBranches = self.branches
            self.branches = []
        }
        return nil
    }

    /// Whether no event can complete the search any more.
    var isHopeless: Bool { self.branches.isEmpty }

    /// What is still expected on the way that got furthest.
    var closest: (expected: EventExpression, taken: [Int])? {
        (self.branches.isEmpty ? self.lastBranches : self.branches).max { $0.taken.count < $1.taken.count }.map {
            ($0.expected, $0.taken)
        }
    }
}
