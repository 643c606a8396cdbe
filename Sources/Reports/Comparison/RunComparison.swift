import JSON
public import RunRecord

/// What changed between two runs: what broke, was fixed, became flaky, slower or faster, came and went.
///
/// Scenarios are told apart by their ids, which no edit elsewhere in a file changes; of several attempts the last one
/// counts.
public struct RunComparison: Sendable {
    /// What changed about a scenario; the first that fits.
    enum Change: String, CaseIterable {
        case broke
        case fixed
        case becameFlaky = "became flaky"
        case noLongerFlaky = "no longer flaky"
        case failsDifferently = "fails differently"
        case nowSkipped = "now skipped"
        case slower, faster, new, removed
    }

    /// How a scenario ended, as people read it.
    enum Ending: String {
        case passed, flaky, failed, error, skipped, unfinished
        case expectedFailure = "expected failure"

        init(_ outcome: Outcome, isRetry: Bool) {
            self =
                switch outcome {
                case .passed: Flakiness.holds(for: outcome, isRetry: isRetry) ? .flaky : .passed
                case .failed: .failed
                case .error: .error
                case .expectedFailure: .expectedFailure
                case .skipped: .skipped
                }
        }

        /// Whether somebody should look at it.
        var isBad: Bool {
            switch self {
            case .failed, .error, .unfinished: true
            case .passed, .flaky, .skipped, .expectedFailure: false
            }
        }
    }

    /// A scenario as one of the runs played it.
    struct Play {
        let start: ScenarioStart
        var nanoseconds: Int64 = 0
        var ending = Ending.unfinished
        var message: String?

        /// What its tries came to, if several decided.
        var passes: PassRate?
    }

    /// A scenario that is not as it was.
    struct Item {
        let change: Change
        let before: Play?
        let after: Play?
    }

    /// The changes, in the order of ``Change`` and then of the runs.
    let items: [Item]

    /// The rates of the scenarios that several tries decided in both runs.
    let rates: [RateComparison]

    /// How many scenarios are as they were.
    let unchanged: Int

    private let before: (run: RunStart?, count: Int)
    private let after: (run: RunStart?, count: Int)

    /// A scenario is slower or faster if it differs by this factor, and by more than ``leastNanoseconds``.
    private static let factor = 1.5
    private static let leastNanoseconds: Int64 = 100_000_000

    /// Compares two runs.
    ///
    /// - Parameters:
    ///   - old: The record of the earlier run.
    ///   - new: The record of the later run.
    public init(from old: [RunEntry], to new: [RunEntry]) {
        let (old, new) = (Self.plays(of: old), Self.plays(of: new))
        let known = Dictionary(old.plays.map { ($0.start.id, $0) }, uniquingKeysWith: { _, last in last })
        let ids = Set(new.plays.map(\.start.id))
        var items = new.plays.compactMap { after in
            let before = known[after.start.id]
            return Self.change(from: before, to: after).map { Item(change: $0, before: before, after: after) }
        }
        self.rates = new.plays.compactMap { after in
            known[after.start.id].flatMap { RateComparison(from: $0, to: after) }
        }
        let kept = new.plays.count - items.count
        items += old.plays.filter { !ids.contains($0.start.id) }.map { Item(change: .removed, before: $0, after: nil) }
        self.items = Change.allCases.flatMap { change in items.filter { $0.change == change } }
        self.unchanged = kept
        self.before = (old.run, old.plays.count)
        self.after = (new.run, new.plays.count)
    }

    private static func change(from before: Play?, to after: Play) -> Change? {
        guard let before else { return .new }
        if after.ending.isBad != before.ending.isBad {
            if after.ending.isBad { return .broke }
            return after.ending == .skipped ? .nowSkipped : .fixed
        }
        if after.ending.isBad { return after.message == before.message ? nil : .failsDifferently }
        if after.ending != before.ending {
            if after.ending == .skipped { return .nowSkipped }
            if after.ending == .flaky { return .becameFlaky }
            if before.ending == .flaky { return .noLongerFlaky }
        }
        guard after.ending != .skipped, before.ending != .skipped,
            (after.nanoseconds &- before.nanoseconds).magnitude > UInt64(Self.leastNanoseconds)
        else { return nil }
        if Double(after.nanoseconds) > Double(before.nanoseconds) * Self.factor { return .slower }
        if Double(before.nanoseconds) > Double(after.nanoseconds) * Self.factor { return .faster }
        return nil
    }

    private static func plays(of entries: [RunEntry]) -> (run: RunStart?, plays: [Play]) {
        var run: RunStart?
        var plays: [Play] = []
        var places: [String: Int] = [:]
        var running: [Int: (place: Int, start: ScenarioStart)] = [:]
        for entry in entries {
            switch entry {
            case .runStarted(let start): run = start
            case .scenarioStarted(let start):
                let place = places[start.id] ?? plays.count
                if place == plays.count { plays.append(Play(start: start)) }
                places[start.id] = place
                plays[place].ending = .unfinished
                if start.attempt == 1 { plays[place].passes = nil }
                running[start.index] = (place, start)
            case .scenarioEnded(let end):
                guard let (place, start) = running.removeValue(forKey: end.index) else { continue }
                let before = start.isTry && start.attempt > 1 ? plays[place].nanoseconds : 0
                plays[place].nanoseconds = before &+ max(0, end.atNanoseconds &- start.atNanoseconds)
                plays[place].ending = Ending(end.outcome, isRetry: start.isRetry)
                plays[place].passes = end.passes ?? plays[place].passes
                plays[place].message = end.problemsByWeight.first?.message
            case .happened, .runEnded: break
            }
        }
        return (run, plays)
    }
}

extension RunComparison {
    /// So many scenarios of a change are printed; the HTML report has all.
    private static let listLimit = 30

    /// The comparison as a console prints it.
    public var text: String {
        func name(_ run: (run: RunStart?, count: Int)) -> String {
            "\(run.count) \(run.count == 1 ? "scenario" : "scenarios")"
                + (run.run.map { ", seed \($0.seed), target \($0.target)" } ?? "")
        }
        var text = "before: \(name(self.before))\nafter:  \(name(self.after))\n"
        for change in Change.allCases {
            let items = self.items.filter { $0.change == change }
            guard !items.isEmpty else { continue }
            text += "\n\(change.rawValue) (\(items.count))\n"
            for item in items.prefix(Self.listLimit) { text += self.line(item) }
            if items.count > Self.listLimit { text += "  … and \(items.count - Self.listLimit) more\n" }
        }
        if !self.rates.isEmpty {
            text += "\npass rates (\(self.rates.count))\n"
            // What changed comes first, for no more than some are printed.
            let rates =
                self.rates.filter { $0.change != nil } + self.rates.filter { $0.change == nil }
            for rate in rates.prefix(Self.listLimit) { text += rate.text }
            if rates.count > Self.listLimit { text += "  … and \(rates.count - Self.listLimit) more\n" }
        }
        return text + "\n\(self.unchanged) as before\n"
    }

    private func line(_ item: Item) -> String {
        guard let start = (item.after ?? item.before)?.start else { return "" }
        var line = "  \(VisibleText.line("\(start.file):\(start.line)  \(start.name)"))"
        if [.slower, .faster].contains(item.change), let before = item.before, let after = item.after {
            let times = [before, after].map { DurationText.text(nanoseconds: $0.nanoseconds) }
            line += "  \(times[0]) → \(times[1])"
        } else if let before = item.before, let after = item.after, before.ending != after.ending {
            line += "  \(before.ending.rawValue) → \(after.ending.rawValue)"
        }
        if let message = item.after?.message, [.broke, .failsDifferently, .new].contains(item.change) {
            line += "\n      \(VisibleText.shortened(VisibleText.line(message), to: 110))"
        }
        return line + "\n"
    }

    /// The comparison as the page of the later run holds it.
    var json: JSONValue {
        let items = self.items.map { item -> JSONValue in
            let start = (item.after ?? item.before)?.start
            var members: JSONObject = [
                "change": .string(item.change.rawValue), "id": .string(start?.id ?? ""),
                "name": .string(start?.name ?? ""), "path": .string(start?.file ?? ""),
            ]
            if let before = item.before {
                members["before"] = .string(before.ending.rawValue)
                members["time"] = .integer(before.nanoseconds)
                if let message = before.message { members["message"] = .string(message) }
            }
            return .object(members)
        }
        var members: JSONObject = ["items": .array(items), "unchanged": .integer(Int64(self.unchanged))]
        if !self.rates.isEmpty { members["rates"] = .array(self.rates.map(\.json)) }
        if let run = self.before.run { members["seed"] = .string("\(run.seed)") }
        return .object(members)
    }
}
