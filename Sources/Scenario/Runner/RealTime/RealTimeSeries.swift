import RunRecord

/// A scenario in real time that several tries decide: on which loops they play, and what the record has of them when.
///
/// A value: it plays nothing. Tries may play on several loops at once and end in any order; what they give goes to the
/// record in the order of their numbers, so that it reads as if they had been played one after the other.
struct RealTimeSeries: Sendable {
    /// What the end of a try brings.
    struct Judgement {
        /// What goes to the record now.
        var entries: [RunEntry] = []

        /// How tries ended whose turn has come, by their numbers.
        var judged: [(number: Int, end: ScenarioEnd)] = []

        /// Whether the scenario has ended: its tries are over, and none plays any more.
        var isDone = false

        /// Where tries still play that nobody needs any more, by their numbers: one that broke has just ended the
        /// scenario.
        var needless: [Int: Int] = [:]
    }

    /// When its first try could begin, by the clock of whoever deals.
    let begin: Duration

    /// How the scenario ended, as far as it is known.
    private(set) var outcome = Outcome.error

    private var tries: TryOrder

    /// On which loop each try plays, by their numbers.
    private var playing: [Int: Int] = [:]

    /// What tries gave whose turn has not come, by their numbers.
    private var held: [Int: [RunEntry]] = [:]

    init(_ tries: TryOrder, begin: Duration) {
        self.tries = tries
        self.begin = begin
    }

    /// Begins a try.
    ///
    /// - Parameter loop: Where it plays.
    /// - Returns: Its number, counted from one; nil if none may begin now, or there is no other.
    mutating func next(on loop: Int) -> Int? {
        guard let number = self.tries.next() else { return nil }
        self.playing[number] = loop
        return number
    }

    /// Takes what a try gives while it plays.
    ///
    /// - Returns: What goes to the record now.
    mutating func add(_ entries: [RunEntry], ofTry number: Int) -> [RunEntry] {
        guard !self.tries.isOver else { return [] }
        if number == self.tries.head { return entries }
        self.held[number, default: []] += entries
        return []
    }

    /// Takes the end of a try.
    mutating func add(_ end: ScenarioEnd, _ evidence: TryEvidence) -> Judgement {
        let wasOver = self.tries.isOver
        self.playing[evidence.number] = nil
        var judgement = Judgement(judged: self.tries.add(end, evidence))
        for (number, end) in judgement.judged {
            judgement.entries += (self.held.removeValue(forKey: number) ?? []) + [.scenarioEnded(end)]
            if !end.isRetried { self.outcome = end.outcome }
        }
        guard self.tries.isOver else {
            judgement.entries += self.held.removeValue(forKey: self.tries.head) ?? []
            return judgement
        }
        self.held = [:]
        judgement.isDone = self.playing.isEmpty
        if !wasOver { judgement.needless = self.playing }
        return judgement
    }
}
