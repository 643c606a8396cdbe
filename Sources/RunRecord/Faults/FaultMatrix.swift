/// What became of scenarios that were played once for each fault at each point of what went over their connections.
public struct FaultMatrix: Hashable, Sendable {
    /// The version of the tool.
    public var toolVersion: String

    /// The seed of the run.
    public var seed: UInt64

    /// The kinds of faults, in the order of the rows.
    public var kinds: [String]

    /// The scenarios that pass without a fault.
    public var scenarios: [FaultedScenario]

    /// The scenarios that do not pass without one and were not played with any, and the files that cannot be loaded.
    public var leftOut: [LeftOutScenario]

    /// The faults that were not played with some system, because they cannot happen there.
    public var impossible: [ImpossibleFault] = []

    /// Why the run was broken off, and how many of its scenarios came to their end; nil if it was not.
    public var breakOff: String?

    /// Creates a matrix.
    public init(
        toolVersion: String, seed: UInt64, kinds: [String], scenarios: [FaultedScenario], leftOut: [LeftOutScenario]
    ) {
        self.toolVersion = toolVersion
        self.seed = seed
        self.kinds = kinds
        self.scenarios = scenarios
        self.leftOut = leftOut
    }

    /// How many plays came to an outcome.
    public func count(_ outcome: FaultOutcome) -> Int {
        self.scenarios.reduce(0) { $0 + $1.count(outcome) }
    }

    /// How many executions with a fault there were.
    public var playCount: Int { self.scenarios.reduce(0) { $0 + $1.cells.count } }

    /// Whether nothing went wrong that is not explained, as far as it was played, and nothing was left out that should
    /// have been.
    public var isGood: Bool {
        FaultOutcome.allCases.allSatisfy { $0.isGood || self.count($0) == 0 }
            && self.leftOut.allSatisfy(\.outcome.isGood)
    }
}

/// A scenario that does not pass without a fault, so that none could show anything.
public struct LeftOutScenario: Hashable, Sendable {
    /// The script, as reports name it.
    public var file: String

    /// The line that declares it, or that keeps the file from being loaded; nil where that is none.
    public var line: Int?

    /// The name that the script gives it.
    public var title: String

    /// What it came to without a fault.
    public var outcome: Outcome

    /// Why; one line.
    public var reason: String

    /// Creates an entry.
    public init(file: String, line: Int?, title: String, outcome: Outcome, reason: String) {
        self.file = file
        self.line = line
        self.title = title
        self.outcome = outcome
        self.reason = reason
    }

    /// The entry for people, in a line.
    public var text: String {
        let place = self.line.map { "\(self.file):\($0)" } ?? self.file
        let reason = self.reason.isEmpty ? "" : ": \(self.reason)"
        return "\(place)  \(self.title)  (\(self.outcome.name.replacing("_", with: " "))\(reason))"
    }
}

/// A scenario and its executions with faults.
public struct FaultedScenario: Hashable, Sendable {
    /// The script, as reports name it.
    public var file: String

    /// The line that declares it.
    public var line: Int

    /// The name that the script gives it.
    public var title: String

    /// How a run chooses it alone, if its name does not.
    public var choice: ScenarioChoice?

    /// The names of the systems of its actors, sorted.
    public var systems: [String]

    /// The points of the execution without a fault at which something was made to go wrong.
    public var points: [FaultPlace]

    /// How many points the execution without a fault has.
    public var pointCount: Int

    /// How many plays the scenario has.
    public var playCount: Int

    /// The plays, by point and then in the order of the kinds; fewer than ``playCount`` if the run was broken off.
    public var cells: [FaultCell]

    /// Creates a scenario.
    public init(
        file: String, line: Int, title: String, choice: ScenarioChoice? = nil, systems: [String], points: [FaultPlace],
        pointCount: Int, playCount: Int, cells: [FaultCell] = []
    ) {
        self.file = file
        self.line = line
        self.title = title
        self.choice = choice
        self.systems = systems
        self.points = points
        self.pointCount = pointCount
        self.playCount = playCount
        self.cells = cells
    }

    /// Whether all its plays came to their end.
    public var isWhole: Bool { self.cells.count == self.playCount }

    /// How many plays came to an outcome.
    public func count(_ outcome: FaultOutcome) -> Int { self.cells.count { $0.outcome == outcome } }

    /// The first play that came to something bad.
    public var firstBad: FaultCell? { self.cells.first { !$0.outcome.isGood } }
}

/// A fault that is not played with a system.
public struct ImpossibleFault: Hashable, Sendable {
    /// The name of the kind of fault, such as `cut`.
    public var kind: String

    /// The title of the system.
    public var system: String

    /// Whether it is about what clients send, about what they receive, or, with nil, about both.
    public var isSent: Bool?

    /// Why it cannot happen; one sentence.
    public var reason: String

    /// Creates an entry.
    public init(kind: String, system: String, isSent: Bool?, reason: String) {
        self.kind = kind
        self.system = system
        self.isSent = isSent
        self.reason = reason
    }

    /// The entry for people, in a line.
    public var text: String {
        let side = self.isSent.map { $0 ? " of what is sent" : " of what is received" } ?? ""
        return "\(self.system), \(self.kind)\(side): \(self.reason)"
    }
}

/// A point of an execution, as reports show it.
public struct FaultPlace: Hashable, Sendable {
    /// Counted from one.
    public var number: Int

    /// When it is reached, on the time line of the scenario.
    public var atNanoseconds: Int64

    /// Whether a client sends, not the server.
    public var isSent: Bool

    /// What passes.
    public var summary: String

    /// Creates a point.
    public init(number: Int, atNanoseconds: Int64, isSent: Bool, summary: String) {
        self.number = number
        self.atNanoseconds = atNanoseconds
        self.isSent = isSent
        self.summary = summary
    }
}

/// One play with one fault.
public struct FaultCell: Hashable, Sendable {
    /// The fault and its point.
    public var fault: FaultName

    /// What the play came to beside the one without a fault.
    public var outcome: FaultOutcome

    /// What the client told, what went wrong, or why that is to be expected; empty where there is nothing to say.
    public var detail: String

    /// Creates a cell.
    public init(_ fault: FaultName, outcome: FaultOutcome, detail: String) {
        self.fault = fault
        self.outcome = outcome
        self.detail = detail
    }
}

/// What an execution with a fault came to.
public enum FaultOutcome: String, CaseIterable, Hashable, Sendable {
    /// The scenario ended as it does without the fault.
    case sameEnd = "same_end"
    /// It ended otherwise, and a client had told that something was wrong.
    case toldError = "told_error"
    /// It ended otherwise for a reason that the system or the scenario declares.
    case explained
    /// It ended otherwise, and no client had told that anything was wrong.
    case otherEnd = "other_end"
    /// A text that was sent once arrived twice.
    case sentTwice = "sent_twice"
    /// It waited until a time limit, and no client had told that anything was wrong.
    case hang
    /// The process ended.
    case trap

    /// Whether that is as it should be.
    public var isGood: Bool {
        switch self {
        case .sameEnd, .toldError, .explained: true
        case .otherEnd, .sentTwice, .hang, .trap: false
        }
    }

    /// The outcome for people.
    public var title: String {
        switch self {
        case .sameEnd: "same end"
        case .toldError: "error told"
        case .explained: "explained"
        case .otherEnd: "another end"
        case .sentTwice: "sent twice"
        case .hang: "hang"
        case .trap: "trap"
        }
    }
}
