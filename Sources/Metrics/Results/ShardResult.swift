/// What one shard of a load run measured.
public struct ShardResult: Hashable, Sendable {
    /// How a run came to its end.
    public enum Ending: Hashable, Sendable {
        /// As planned.
        case finished
        /// A threshold ended it, and which one.
        case aborted(String)
        /// Every iteration was a mistake of the script, so nobody waited for the planned end.
        case mistaken
        /// It was stopped from outside.
        case interrupted
        /// It has not; this is what it had come to so far.
        case unfinished
    }

    /// Something that happened to the load or the server, to be shown on the axis of time.
    public struct Annotation: Hashable, Comparable, Sendable {
        /// When it began, in microseconds since the start of the run.
        public var startMicroseconds: Int64
        /// When it was over, if it lasted.
        public var endMicroseconds: Int64?
        /// What it was.
        public var label: String

        /// Creates an annotation; without an end it was over at once.
        public init(startMicroseconds: Int64, endMicroseconds: Int64? = nil, label: String) {
            self.startMicroseconds = startMicroseconds
            self.endMicroseconds = endMicroseconds
            self.label = label
        }

        public static func < (left: Self, right: Self) -> Bool {
            (left.startMicroseconds, left.endMicroseconds ?? left.startMicroseconds, left.label)
                < (right.startMicroseconds, right.endMicroseconds ?? right.startMicroseconds, right.label)
        }

        /// Returns what happened in several parts of a run in order of time, each once: parts that are told the same do
        /// not hear of it in the same microsecond.
        static func merged(_ annotations: [Annotation]) -> [Annotation] {
            let gap: Int64 = 1_000_000
            var merged: [Annotation] = []
            // Where the last one of a label stands; those before it had ended when it began.
            var places: [String: Int] = [:]
            for annotation in annotations.sorted() {
                let last = places[annotation.label].map { (place: $0, annotation: merged[$0]) }
                let place = last.flatMap { place, last in
                    let end = last.endMicroseconds ?? last.startMicroseconds
                    return annotation.startMicroseconds - end <= gap ? place : nil
                }
                guard let place else {
                    places[annotation.label] = merged.count
                    merged.append(annotation)
                    continue
                }
                guard let end = annotation.endMicroseconds else { continue }
                merged[place].endMicroseconds = max(end, merged[place].endMicroseconds ?? end)
            }
            return merged
        }
    }

    /// When the run began, as RFC 3339 text, if it is known.
    public var startedAt: String?
    /// How long the run took, in microseconds.
    public var durationMicroseconds: Int64
    /// How it came to its end.
    public var ending: Ending
    /// What its users measured.
    public var measurements: Measurements
    /// What was sent and received, so that every message is accounted for.
    public var ledger: Ledger
    /// How the generator did, by which its figures are believed or not.
    public var health: GeneratorHealth
    /// The floor of this machine, if it was measured.
    public var calibration: Calibration?
    /// In order of time.
    public var annotations: [Annotation]
    /// Why users failed, the most frequent first.
    public var causes: [FailureCause]
    /// How many iterations were skipped for which reason.
    public var skips: [String: Int64]

    /// Creates a result; a duration below zero counts as zero.
    public init(
        startedAt: String? = nil, durationMicroseconds: Int64, ending: Ending = .finished, measurements: Measurements,
        ledger: Ledger, health: GeneratorHealth, calibration: Calibration? = nil, annotations: [Annotation] = [],
        causes: [FailureCause] = [], skips: [String: Int64] = [:]
    ) {
        self.startedAt = startedAt
        self.durationMicroseconds = max(0, durationMicroseconds)
        self.ending = ending
        self.measurements = measurements
        self.ledger = ledger
        self.health = health
        self.calibration = calibration
        self.annotations = annotations.sorted()
        self.causes = causes
        self.skips = skips
    }
}

extension Measurements: Hashable {
    public func hash(into hasher: inout Hasher) {
        // Series come in any order, and their number and names tell results apart well enough.
        hasher.combine(self.phases)
        hasher.combine(self.series.count)
    }
}

extension Ledger: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.run)
        hasher.combine(self.streams)
    }
}
