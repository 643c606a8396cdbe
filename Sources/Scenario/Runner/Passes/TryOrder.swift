import RunRecord

/// The tries of a scenario whose rate decides: which may be played, and what they come to in the order of their
/// numbers.
///
/// A value: it plays nothing. Tries may be played at the same time and end in any order; they are judged one after the
/// other, so the verdict is that of tries that are played one after the other. No try is begun that could turn out not
/// to be needed: only as many as are played at least, whatever comes of those that are playing.
struct TryOrder: Sendable {
    private var series: PassSeries
    private let definition: ScenarioDefinition
    private var begun = 0
    private var judged = 0
    private var ended: [Int: (end: ScenarioEnd, evidence: TryEvidence)] = [:]

    /// Whether there is no other try; those that still play are not judged.
    private(set) var isOver = false

    /// Creates the tries of a scenario, none of which is begun.
    init(_ series: PassSeries, of definition: ScenarioDefinition) {
        self.series = series
        self.definition = definition
    }

    /// The number of the try that is judged next.
    var head: Int { self.judged + 1 }

    /// Begins a try.
    ///
    /// - Returns: Its number, counted from one; nil if none may begin now, or there is no other.
    mutating func next() -> Int? {
        guard !self.isOver, self.begun < self.judged + self.series.leastFurther else { return nil }
        self.begun += 1
        return self.begun
    }

    /// Takes the end of a try.
    ///
    /// - Returns: How tries ended whose turn has come, by their numbers.
    mutating func add(_ end: ScenarioEnd, _ evidence: TryEvidence) -> [(number: Int, end: ScenarioEnd)] {
        self.ended[evidence.number] = (end, evidence)
        var judged: [(number: Int, end: ScenarioEnd)] = []
        while !self.isOver, let (end, evidence) = self.ended.removeValue(forKey: self.head) {
            let end = self.series.judge(end, evidence, of: self.definition)
            self.judged += 1
            self.series.earlier = end.passes
            self.isOver = !end.isRetried
            judged.append((evidence.number, end))
        }
        return judged
    }
}
