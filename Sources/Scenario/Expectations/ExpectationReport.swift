import DequeModule
import JSON
import Machines
import RunRecord
import Secrets

/// What the log of an actor says of a failed expectation: which event comes nearest, and, where none does, what came
/// instead or that nothing came.
struct ExpectationReport {
    /// What the actor observed.
    let log: EventLog

    /// Where the expectation began to look.
    let start: Int

    /// What must not be seen: it is taken out before anything is cut.
    let secrets: SecretMasker

    /// The event that comes closest to an expectation.
    struct Candidate {
        let event: NearestEvent
        let differences: [ValueDifference]

        /// What is wrong with it, in one line; nil if that may be chance: the event is of another kind, or far away.
        let headline: String?

        /// When it came; nil unless it could have been taken but for the one value that the headline names.
        let missedAt: Instant?

        /// Where it differs, in one line, and when it came; nil unless it could have been taken but for several values.
        let severalDiffer: (text: String, at: Instant)?
    }

    /// How close an event comes to an expectation; the closer one is greater.
    private struct Closeness: Comparable {
        /// Whether it is of the kind that is asked for; that counts first, and the others in their order.
        let hasKind: Bool
        let mismatchCount: Int

        /// Whether it could have been taken.
        let isAhead: Bool

        /// Whether nobody expected it.
        let isOpen: Bool

        /// Of those that could have been taken the first one is what came instead, and of the others the last.
        let place: Int

        private var order: [Int] {
            [
                self.hasKind ? 1 : 0, -self.mismatchCount, self.isAhead ? 1 : 0, self.isOpen ? 1 : 0,
                self.isAhead ? -self.place : self.place,
            ]
        }

        static func < (one: Self, other: Self) -> Bool { one.order.lexicographicallyPrecedes(other.order) }
    }

    /// Returns the event that comes closest, with its differences field by field.
    ///
    /// - Parameters:
    ///   - expected: The events that could have come next.
    ///   - taken: The places of the events that fitted so far, in their order; none of them is a candidate.
    func nearest(to expected: [EventMatcher], taken: [Int]) -> Candidate? {
        let free = self.log.events.lazy.filter { logged in
            logged.disposition != .taken && !logged.isAllowed && !taken.contains(logged.number - 1)
        }
        return self.nearest(to: expected, among: free, taken: taken)
    }

    /// Returns the event that comes closest to one that was to come at any time, whether or not something took it.
    func nearest(to expected: [EventMatcher]) -> Candidate? {
        self.nearest(to: expected, among: self.log.events, taken: [])
    }

    private func nearest(
        to expected: [EventMatcher], among events: some Sequence<LoggedEvent>, taken: [Int]
    ) -> Candidate? {
        guard let best = self.closest(to: expected, among: events) else { return nil }
        let isPassedOver = best.event.number <= self.start
        var remarks: [String] = []
        if best.mismatches.isEmpty {
            remarks = [
                isPassedOver
                    ? "matches, but it came before an event that an earlier expectation took;"
                    : "matches, but it came before what the order asks for first;",
                "if the order does not matter, expect both with all { … }",
            ]
        }
        remarks += best.search.remarks(on: best.mismatches)
        if best.isCutElsewhere {
            remarks.append("the search for other orders of lists stopped in another event, which may come closer")
        }
        let differences = best.mismatches.prefix(8).map { $0.difference(without: self.secrets) }
        let event = NearestEvent(
            number: best.event.number, kind: best.event.event.kind.rawValue,
            at: best.event.at.timelineText, remarks: remarks)
        let name = "#\(best.event.number) \(best.event.event.kind.rawValue)"
        var headline: String?
        var missedAt: Instant?
        if let problem = Self.syntaxProblem(of: best.event.event, best.mismatches) {
            headline = "\(name) is not JSON: \(problem)"
        } else if best.mismatches.isEmpty, isPassedOver {
            headline = "\(name) came before an event that was expected earlier"
        } else if best.mismatches.isEmpty {
            headline = self.tooEarly(best.event, taken).map { "\(name) came before \($0)" }
        } else if best.rank.hasKind, !isPassedOver, best.event.disposition == .open,
            differences.count == 1, best.matcher.kind != nil
        {
            headline = Self.headline(name, differences[0], isAbsent: best.mismatches[0].found == nil)
            missedAt = best.event.at
        }
        return Candidate(
            event: event, differences: differences, headline: headline, missedAt: missedAt,
            severalDiffer: Self.severalDiffer(name, best, at: differences.map(\.path)))
    }

    /// Says in one line in which places an event differs that could have been taken but for several values; nil of any
    /// other.
    private static func severalDiffer(
        _ name: String, _ best: Closest, at paths: [String]
    ) -> (text: String, at: Instant)? {
        guard best.rank.hasKind, best.rank.isAhead, best.event.disposition == .open, best.matcher.kind != nil,
            paths.count > 1, !paths.contains("")
        else { return nil }
        let more = best.mismatches.count - Self.mostNamed
        let named = paths.prefix(Self.mostNamed) + (more > 0 ? ["\(more) more"] : [])
        let text = named.dropLast().joined(separator: ", ") + " and " + (named.last ?? "")
        return ("\(name) differs in \(text)", best.event.at)
    }

    /// Says in one line what is not as expected in an event.
    private static func headline(_ name: String, _ difference: ValueDifference, isAbsent: Bool) -> String {
        let (path, expected) = (difference.path, difference.expected.text)
        // A part that the whole event lacks has no place of its own.
        if path.isEmpty, isAbsent { return "\(name) comes without \(expected)" }
        return "\(name) has \(path.isEmpty ? "" : path + " ")\(difference.found.text), "
            + (expected.hasPrefix("not ") ? "where \(expected) was expected" : "not \(expected)")
    }

    /// The event that comes closest to one of some matchers, and how it was found.
    private struct Closest {
        let rank: Closeness
        let event: LoggedEvent
        let mismatches: [Mismatch]
        let matcher: EventMatcher
        let search: MismatchSearch
        /// Whether a search was cut in another event, and not in this one.
        var isCutElsewhere = false
    }

    private func closest(to expected: [EventMatcher], among events: some Sequence<LoggedEvent>) -> Closest? {
        // By their places, for of a server that floods its client there may be a hundred thousand for each matcher.
        let candidates = expected.indices.flatMap { index in
            events.lazy.filter { Self.isCandidate($0, for: expected[index]) }
                .map { (index: index, place: $0.number - 1) }
        }
        var best: Closest?
        var comparisonsLeft = MismatchSearch.mostCompared
        var isCut = false
        for (number, candidate) in candidates.enumerated() {
            let (matcher, logged, place) = (expected[candidate.index], self.log[candidate.place], candidate.place)
            // Each may compare as much as the others, and besides what those before it have left: a long one does not
            // keep a later one from being understood.
            let search = MismatchSearch(comparing: comparisonsLeft / (candidates.count - number))
            let mismatches = matcher.mismatches(logged.event, for: .explanation(search))
            comparisonsLeft -= search.comparedCount
            isCut = isCut || search.isCut
            let rank = Closeness(
                hasKind: matcher.kind == nil || matcher.kind == logged.event.kind, mismatchCount: mismatches.count,
                isAhead: place >= self.start, isOpen: logged.disposition == .open, place: place)
            if best.map({ $0.rank < rank }) ?? true {
                best = Closest(rank: rank, event: logged, mismatches: mismatches, matcher: matcher, search: search)
            }
        }
        if isCut, let search = best?.search { best?.isCutElsewhere = !search.isCut }
        return best
    }

    /// Whether an event may be what was asked for, or what came instead.
    private static func isCandidate(_ logged: LoggedEvent, for matcher: EventMatcher) -> Bool {
        if matcher.kind == nil || matcher.kind == logged.event.kind { return true }
        // What need not be expected, such as the acknowledgement of a text, has the fields of others often.
        return logged.disposition == .open && matcher.fields.contains { Self.agrees($0, with: logged.event) }
    }

    /// What an event that matches came before, of those that the order asks for first; nil if it came before none.
    ///
    /// - Parameter taken: The places of the events that fitted so far.
    private func tooEarly(_ event: LoggedEvent, _ taken: [Int]) -> String? {
        let later = taken.filter { $0 >= event.number }
        guard let first = later.first else { return nil }
        // Of several not each need be one that was to come before it.
        guard later.count == 1 else { return "what the order asks for first" }
        return "#\(first + 1) \(self.log[first].event.kind.rawValue), which the order asks for first"
    }

    /// Why an event that should be JSON is none, if it is none and the script asks for its JSON.
    private static func syntaxProblem(of event: ChatEvent, _ mismatches: [Mismatch]) -> String? {
        guard mismatches.contains(where: { $0.path.first == "json" }), event.fields["json"] == nil,
            let text = UnreadableAnswer.text(of: event)
        else { return nil }
        return UnreadableAnswer.problem(of: text)
    }

    /// The first event since an expectation began to look that nothing has expected, in one line; nil if there is none.
    ///
    /// - Parameters:
    ///   - command: What the script told the actor to do last.
    ///   - taken: The places of the events that fitted so far.
    func intruder(after command: GivenCommand?, taken: [Int]) -> String? {
        let start = self.start(behind: taken)
        guard let unexpected = self.events(from: start).first(where: { $0.disposition == .open }) else { return nil }
        let isAnswer = command.map { unexpected.number > $0.eventCount } ?? true
        let since = isAnswer ? self.since(command, from: start) : self.sinceEvent(start)
        return "\(self.told(unexpected)) came instead\(since)"
    }

    /// The place of the first event that could have met an expectation, or what remains of it.
    private func start(behind taken: [Int]) -> Int {
        max(self.start, self.log.forgottenCount, (taken.max() ?? -1) + 1)
    }

    private func events(from start: Int) -> [LoggedEvent] {
        (start..<max(start, self.log.count)).map { self.log[$0] }
    }

    private func sinceEvent(_ start: Int) -> String {
        start > self.log.forgottenCount ? " after \(self.log[start - 1].event.kind.rawValue)" : ""
    }

    private func since(_ command: GivenCommand?, from start: Int) -> String {
        command.flatMap { $0.eventCount >= start ? " after \($0.name)" : nil } ?? self.sinceEvent(start)
    }

    /// What came since an expectation began to look, in one line, if that did not meet it.
    ///
    /// - Parameters:
    ///   - command: What the script told the actor to do last.
    ///   - taken: The places of the events that fitted so far.
    ///   - isHeard: Whether something arrived that brought no event.
    func silence(after command: GivenCommand?, taken: [Int], isHeard: Bool = false) -> String {
        if let intruder = self.intruder(after: command, taken: taken) { return intruder }
        let start = self.start(behind: taken)
        let since = self.since(command, from: start)
        // What need not be expected comes or not; what came before a command is no answer to it.
        let noise = self.events(from: start).filter { $0.number > command?.eventCount ?? 0 }
        guard !noise.isEmpty else {
            return isHeard ? "no event came\(since)" : "nothing \(taken.isEmpty ? "" : "more ")came\(since)"
        }
        return "nothing but \(noise.count == 1 ? self.told(noise[0]) : Self.counted(noise)) came\(since)"
    }

    /// An event in a headline.
    private func told(_ logged: LoggedEvent) -> String {
        let fields = EventSummary(of: logged.event, without: self.secrets).shortened(to: 60)
        return "#\(logged.number) \(logged.event.kind.rawValue)\(fields.isEmpty ? "" : " " + fields)"
    }

    /// At most this many places are named in which an event differs.
    private static let mostNamed = 3

    /// At most this many kinds are counted one by one.
    private static let countedKinds = 3

    /// How many events of which kinds there are: `9 × pinged, 2 × typing`.
    private static func counted(_ events: [LoggedEvent]) -> String {
        var counts: [(kind: String, count: Int)] = []
        for event in events {
            let kind = event.event.kind.rawValue
            if let place = counts.firstIndex(where: { $0.kind == kind }) {
                counts[place].count += 1
            } else {
                counts.append((kind, 1))
            }
        }
        let rest = counts.dropFirst(Self.countedKinds).reduce(0) { $0 + $1.count }
        let parts = counts.prefix(Self.countedKinds).map { $0.count == 1 ? $0.kind : "\($0.count) × \($0.kind)" }
        return (parts + (rest > 0 ? ["\(rest) others"] : [])).joined(separator: ", ")
    }

    private static func agrees(_ field: MemberMatcher, with event: ChatEvent) -> Bool {
        guard let value = event.fields[field.name] else { return false }
        return field.matcher.fits(value)
    }
}
