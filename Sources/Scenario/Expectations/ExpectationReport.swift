import DequeModule
import JSON
import Machines
import Secrets

/// What a failed expectation tells its author: the nearest candidate, the timeline, what was still awaited.
struct ExpectationReport {
    /// Timelines show at most this many events, the last ones.
    static let timelineLimit = 20

    /// Of the events before those, a timeline shows this many that nobody expected.
    private static let openLimit = 5

    /// The actor's name.
    let actor: String

    let log: EventLog

    /// Where the expectation began to look.
    let start: Int

    /// What must not be seen: it is taken out before anything is cut.
    let secrets: Secrets

    /// The sections of the failure text.
    ///
    /// - Parameters:
    ///   - expected: The events that could have come next.
    ///   - taken: The places of the events that fitted so far; none of them is a candidate.
    ///   - now: The instant of the failure.
    func sections(expected: [EventMatcher], taken: [Int], now: Instant) -> [ScenarioFailure.Section] {
        var sections = [
            ScenarioFailure.Section(heading: "expected", lines: expected.map(\.description))
        ]
        if let nearest = self.nearest(to: expected, taken: taken) { sections.append(nearest) }
        return sections + self.timelineSection(now: now)
    }

    /// What the actor observed, as a section of its own.
    func timelineSection(now: Instant) -> [ScenarioFailure.Section] {
        [.init(heading: "timeline", lines: self.timeline(now: now))]
    }

    /// The event that comes closest, with its differences field by field.
    private func nearest(to expected: [EventMatcher], taken: [Int]) -> ScenarioFailure.Section? {
        var best: (rank: [Int], event: LoggedEvent, mismatches: [Mismatch])?
        for matcher in expected {
            for logged in self.log.events where logged.fate != .taken && !taken.contains(logged.number - 1) {
                let place = logged.number - 1
                let mismatches = matcher.mismatches(logged.event)
                let hasKind = matcher.kind == nil || matcher.kind == logged.event.kind
                guard hasKind || matcher.fields.contains(where: { Self.agrees($0, with: logged.event) }) else {
                    continue
                }
                let rank = [hasKind ? 0 : 1, mismatches.count, place >= self.start ? 0 : 1, -place]
                if best == nil || rank.lexicographicallyPrecedes(best!.rank) { best = (rank, logged, mismatches) }
            }
        }
        guard let best else { return nil }
        var lines = [
            "#\(best.event.number) \(best.event.event.kind.rawValue) at \((best.event.at - .start).scriptText)"
        ]
        if best.mismatches.isEmpty {
            let isPassedOver = best.event.number <= self.start
            lines.append(
                isPassedOver
                    ? "matches, but it came before an event that an earlier expectation took;"
                    : "matches, but it came before what the order asks for first;")
            lines.append("if the order does not matter, expect both with all { … }")
        }
        let width = best.mismatches.map { $0.path.joined(separator: ".").count }.max() ?? 0
        for mismatch in best.mismatches.prefix(8) {
            let path = mismatch.path.joined(separator: ".")
            let padding = String(repeating: " ", count: width - path.count)
            let found = mismatch.found { value in
                Self.shortened(self.secrets.masked(value, at: mismatch.path).description, to: 80)
            }
            lines.append("  \(path)\(padding)  expected \(mismatch.expected)")
            lines.append("  \(String(repeating: " ", count: width))  found    \(found)")
        }
        return .init(heading: "nearest", lines: lines)
    }

    private static func agrees(_ field: MemberMatcher, with event: ChatEvent) -> Bool {
        guard let value = event.fields[field.name] else { return false }
        return field.matcher.mismatches(value).isEmpty
    }

    /// The places of the events that a timeline shows: the last ones, and before them what it is about.
    private var shown: [Int] {
        let places = self.log.forgottenCount..<self.log.count
        let last = places.suffix(Self.timelineLimit)
        let open = places.dropLast(last.count).filter { self.log[$0].fate == .open }.prefix(Self.openLimit)
        return Array(open) + last
    }

    /// What the actor observed, one line an event: mark, number, time, time since the one before, event.
    private func timeline(now: Instant) -> [String] {
        guard self.log.count > 0 else { return ["\(self.actor) observed nothing in \((now - .start).scriptText)"] }
        var lines: [String] = []
        var last: Instant?
        var next = 0
        for place in self.shown {
            let logged = self.log[place]
            if place > next { lines.append("… \(place - next) earlier event\(place - next == 1 ? "" : "s")") }
            next = place + 1
            let mark =
                switch logged.fate {
                case .taken: "✓"
                case .noise: "·"
                case .open: "!"
                }
            let delta = last.map { "+" + (logged.at - $0).scriptText } ?? (logged.at - .start).scriptText
            last = logged.at
            let fields = Self.shortened(self.summary(of: logged.event), to: 90)
            lines.append(
                "\(mark) #\(logged.number)  \(delta)  \(logged.event.kind.rawValue)"
                    + (fields.isEmpty ? "" : "  " + fields))
        }
        if let last, now > last { lines.append("       +\((now - last).scriptText)  now") }
        lines.append("(✓ taken by an expectation   · need not be expected   ! nobody expected it)")
        return lines
    }

    /// Returns the fields of an event as one line of `name=value`.
    func summary(of event: ChatEvent) -> String {
        self.secrets.masked(event.fields, keepingNames: true).map { name, value in
            if name == "form", let kind = value["kind"]?.string { return "form=\(kind)" }
            return "\(name)=\(value)"
        }.joined(separator: " ")
    }

    static func shortened(_ text: String, to length: Int) -> String {
        text.count <= length ? text : text.prefix(length - 1) + "…"
    }
}
