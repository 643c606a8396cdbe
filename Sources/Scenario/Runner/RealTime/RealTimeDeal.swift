import RunRecord

/// Deals the scenarios of a suite to the event loops of a run in real time, each of which has some of the slots.
///
/// A value: it plays nothing and reads no clock. It is asked when something begins and told when something has ended,
/// so that it takes no part in what scenarios say.
struct RealTimeDeal: Sendable {
    private let members: [ScenarioSuite.Member]
    private var next = 0

    /// How many slots each loop has in which nothing plays.
    private var freeSlots: [Int]

    /// How many slots in which something plays all loops have.
    private var takenSlots = 0

    /// The scenarios that several tries decide and that have begun, by their places.
    private var series: [Int: RealTimeSeries] = [:]

    /// Until when what the scenarios of a file share is kept.
    private var lifetime: SharedPartLifetime

    /// - Parameters:
    ///   - slots: How many scenarios play at the same time, on all loops; at least as many as there are loops.
    ///   - loops: How many loops there are.
    init(_ members: [ScenarioSuite.Member], slots: Int, loops: Int) {
        self.members = members
        self.freeSlots = (0..<loops).map { slots / loops + ($0 < slots % loops ? 1 : 0) }
        self.lifetime = SharedPartLifetime(files: members.lazy.map(\.definition.file))
    }

    /// On how many loops a suite is played: none is without a slot, and none without anything to play from the start.
    ///
    /// - Parameter processors: How many can run at the same time.
    static func loopCount(for members: [ScenarioSuite.Member], slots: Int, processors: Int) -> Int {
        let plays = members.reduce(0) { $0 + ($1.passes?.limit ?? 1) }
        return max(1, min(slots, processors, plays))
    }

    /// Whether nothing plays and nothing that has begun waits for another play.
    var isAtRest: Bool { self.takenSlots == 0 && self.series.isEmpty }

    /// Deals out one play, to the loop that has most free slots.
    ///
    /// Tries of scenarios that are begun come first, so that these come to an end.
    ///
    /// - Parameters:
    ///   - mayBegin: Whether a scenario may begin that has not.
    ///   - now: The time by any one clock.
    /// - Returns: What is played on which loop; nil if nothing can be played now.
    mutating func deal(mayBegin: Bool, at now: Duration) -> (loop: Int, play: DealtPlay)? {
        guard let most = self.freeSlots.max(), most > 0, let loop = self.freeSlots.firstIndex(of: most),
            let play = self.take(for: loop, mayBegin: mayBegin, at: now)
        else { return nil }
        self.freeSlots[loop] -= 1
        self.takenSlots += 1
        return (loop, play)
    }

    private mutating func take(for loop: Int, mayBegin: Bool, at now: Duration) -> DealtPlay? {
        while true {
            for index in self.series.keys.sorted() {
                if let number = self.series[index]?.next(on: loop) { return .try(index, number: number) }
            }
            guard mayBegin, self.next < self.members.count else { return nil }
            let index = self.next
            self.next += 1
            guard let tries = self.members[index].tries else { return .scenario(index) }
            self.series[index] = RealTimeSeries(tries, begin: now)
        }
    }

    /// Takes what a try gives while it plays.
    ///
    /// - Returns: What goes to the record now.
    mutating func add(_ entries: [RunEntry], ofTry number: Int, of index: Int) -> [RunEntry] {
        self.series[index]?.add(entries, ofTry: number) ?? []
    }

    /// Takes the end of a try; its slot is free when ``freeSlot(on:endOf:)`` is called.
    mutating func add(_ end: ScenarioEnd, _ evidence: TryEvidence, of index: Int) -> RealTimeSeries.Judgement {
        self.series[index]?.add(end, evidence) ?? RealTimeSeries.Judgement()
    }

    /// When a scenario that several tries decide began, and how it ended as far as it is known.
    func standing(of index: Int) -> (begin: Duration, outcome: Outcome)? {
        self.series[index].map { ($0.begin, $0.outcome) }
    }

    /// Takes note that a slot is free again.
    ///
    /// - Parameters:
    ///   - index: The scenario that has ended with that, if one has.
    ///   - loop: Where the slot is.
    /// - Returns: The file of which no scenario is left to be played since then, if there is one.
    mutating func freeSlot(on loop: Int, endOf index: Int?) -> String? {
        self.freeSlots[loop] += 1
        self.takenSlots -= 1
        guard let index else { return nil }
        self.series[index] = nil
        return self.lifetime.scenarioEnded(of: self.members[index].definition.file)
    }

    /// Takes out the scenarios that have not begun; none of them begins any more.
    mutating func takeRest() -> ArraySlice<ScenarioSuite.Member> {
        defer { self.next = self.members.count }
        return self.members[self.next...]
    }
}
