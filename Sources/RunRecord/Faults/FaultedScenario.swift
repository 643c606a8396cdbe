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
