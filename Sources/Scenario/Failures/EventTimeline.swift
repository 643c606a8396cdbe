import Machines
import RunRecord
import Secrets

/// What an actor observed, as failures show it: the last events, one a line, with what became of each.
struct EventTimeline {
    /// At most this many events are shown, the last ones.
    private static let limit = 20

    /// Of the events before those, this many are shown that nobody expected.
    private static let openLimit = 5

    /// So many characters of the fields of an event are shown.
    private static let summaryLength = 90

    /// The actor's name.
    let actor: String

    let log: EventLog

    /// What must not be seen: it is taken out before anything is cut.
    let secrets: SecretMasker

    /// Returns it as a section of a failure.
    ///
    /// - Parameter now: The instant of the failure.
    func section(now: Instant) -> ScenarioFailure.Section { .init(heading: "timeline", lines: self.lines(now: now)) }

    /// One line an event: mark, number, time, time since the one before, event.
    private func lines(now: Instant) -> [String] {
        guard self.log.count > 0 else { return ["\(self.actor) observed nothing in \(now.timelineText)"] }
        var lines: [String] = []
        var last: Instant?
        var next = 0
        for place in self.shown {
            let logged = self.log[place]
            if place > next { lines.append("… \(place - next) earlier event\(place - next == 1 ? "" : "s")") }
            next = place + 1
            let mark =
                switch logged.disposition {
                case .taken: "✓"
                case .noise: "·"
                case .open: "!"
                }
            let delta = last.map { "+" + (logged.at - $0).timelineText } ?? logged.at.timelineText
            last = logged.at
            let fields = EventSummary(of: logged.event, without: self.secrets).shortened(to: Self.summaryLength)
            lines.append(
                "\(mark) #\(logged.number)  \(delta)  \(logged.event.kind.rawValue)"
                    + (fields.isEmpty ? "" : "  " + fields))
        }
        if let last, now > last { lines.append("       +\((now - last).timelineText)  now") }
        lines.append("(✓ taken by an expectation   · need not be expected   ! nobody expected it)")
        return lines
    }

    /// The places of the events that are shown: the last ones, and before them what it is about.
    private var shown: [Int] {
        let places = self.log.forgottenCount..<self.log.count
        let last = places.suffix(Self.limit)
        let open = places.dropLast(last.count).filter { self.log[$0].disposition == .open }.prefix(Self.openLimit)
        return Array(open) + last
    }
}

extension EventTimeline {
    /// Creates the timeline of an actor.
    init(of actor: Actor, without secrets: SecretMasker) {
        self.init(actor: actor.name, log: actor.log, secrets: secrets)
    }
}
