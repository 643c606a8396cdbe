import FoundationEssentials
import RunRecord

/// The record of a run, put together from all its shards.
///
/// Scenarios stand in the order in which one run would have begun them. Where the shards number their attempts apart,
/// as parts of one count, that is the order of the numbers; otherwise it is by file, line and place in the shard, and
/// attempts are numbered anew.
struct MergedRecord {
    private let parts: [ShardSet.Part]

    /// How many shards the run has; of a run without an end some may be missing.
    private let count: Int

    init(_ set: ShardSet) {
        self.count = set.count
        self.parts = set.parts.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A scenario with what it needs to find its place.
    private struct Piece {
        let start: ScenarioStart
        let shard: Int
        let place: Int
        let entries: [RunEntry]

        func isBefore(_ other: Piece) -> Bool {
            let folders = self.start.file.split(separator: "/")
            let others = other.start.file.split(separator: "/")
            if folders != others { return folders.lexicographicallyPrecedes(others) }
            return (self.start.line, self.place, self.shard) < (other.start.line, other.place, other.shard)
        }
    }

    /// The entries of the whole run.
    var entries: [RunEntry] {
        guard let first = self.parts.first else { return [] }
        guard self.count > 1 else {
            return [.runStarted(first.start)] + first.scenarios.flatMap(\.self) + self.ending
        }
        let offsets = self.offsets
        var pieces: [Piece] = []
        for (shard, part) in self.parts.enumerated() {
            for (place, entries) in part.scenarios.enumerated() {
                guard case .scenarioStarted(let start)? = entries.first else { continue }
                pieces.append(Piece(start: start, shard: shard, place: place, entries: entries))
            }
        }
        let areNumbersApart = Set(pieces.map(\.start.index)).count == pieces.count
        pieces.sort { areNumbersApart ? $0.start.index < $1.start.index : $0.isBefore($1) }
        var start = first.start
        start.shard = nil
        start.plannedScenarios = self.planned
        start.startedAt = self.parts.compactMap(\.start.startedAt).min()
        var entries: [RunEntry] = [.runStarted(start)]
        for (index, piece) in pieces.enumerated() {
            let number = areNumbersApart ? piece.start.index : index
            for entry in piece.entries { entries.append(Self.moved(entry, to: number, by: offsets[piece.shard])) }
        }
        return entries + self.ending
    }

    /// How many scenarios the run has, as far as the shards that are there know.
    private var planned: Int {
        let sum = self.parts.reduce(0) { $0 &+ $1.start.plannedScenarios }
        guard self.parts.count < self.count else { return sum }
        return max(sum, self.parts.compactMap(\.start.shard?.plannedScenarios).max() ?? 0)
    }

    /// How much later each shard began than the first one, in nanoseconds.
    ///
    /// In virtual time every scenario has a time line of its own, and in real time all have that of their run.
    private var offsets: [Int64] {
        let starts = self.parts.map { $0.start.startedAt.flatMap(WallTime.date)?.timeIntervalSince1970 }
        guard self.parts.first?.start.clock == .real, let first = starts.compactMap(\.self).min() else {
            return self.parts.map { _ in 0 }
        }
        return starts.map { $0.flatMap { Int64(exactly: (($0 - first) * 1e9).rounded()) } ?? 0 }
    }

    private static func moved(_ entry: RunEntry, to index: Int, by nanoseconds: Int64) -> RunEntry {
        switch entry {
        case .scenarioStarted(var start):
            start.index = index
            start.atNanoseconds &+= nanoseconds
            return .scenarioStarted(start)
        case .happened(_, let time, let runEvent):
            return .happened(scenario: index, atNanoseconds: time &+ nanoseconds, runEvent)
        case .scenarioEnded(var end):
            end.index = index
            end.atNanoseconds &+= nanoseconds
            return .scenarioEnded(end)
        case .runStarted, .runEnded: return entry
        }
    }

    /// The end of the run, if all shards have ended.
    ///
    /// Virtual times add up; in real time shards run side by side, so the run is as long as until the last one's end.
    private var ending: [RunEntry] {
        let ends = self.parts.compactMap(\.end)
        guard ends.count == self.count, let first = self.parts.first else { return [] }
        var counts = OutcomeCounts()
        var duration: Int64 = 0
        for (end, offset) in zip(ends, self.offsets) {
            counts.add(end.counts)
            duration =
                first.start.clock == .virtual
                ? duration &+ end.durationNanoseconds : max(duration, end.durationNanoseconds &+ offset)
        }
        return [
            .runEnded(
                RunEnd(
                    counts: counts, durationNanoseconds: duration,
                    isInterrupted: ends.contains(where: \.isInterrupted),
                    timeLimit: ends.lazy.compactMap(\.timeLimit).first,
                    robustness: MutatorRate.sums(of: ends.flatMap(\.robustness)),
                    usage: ends.lazy.compactMap(\.usage).reduce(into: nil) { sum, usage in
                        var parts = sum ?? ModelUsage()
                        parts.add(usage)
                        sum = parts
                    }))
        ]
    }
}
