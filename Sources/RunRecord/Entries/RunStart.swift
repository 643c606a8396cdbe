/// How a run was set up: what someone needs to know to make the same run again.
public struct RunStart: Hashable, Sendable {
    /// The version of the line format that this code writes.
    public static let currentFormat = 1

    /// The version of the line format of the record.
    public var format: Int

    /// The version of the tool that made the run.
    public var toolVersion: String

    /// The seed from which all randomness of the run comes.
    public var seed: UInt64

    /// Which time the run kept.
    public var clock: RunClock

    /// The name of the target: `embedded` or one that the project declares.
    public var target: String

    /// When the run began, ISO 8601 in UTC to the second (`2026-03-01T12:00:00Z`).
    ///
    /// Nil in virtual time, so that two runs with the same seed give the same bytes.
    public var startedAt: String?

    /// Which part of the scenarios this run plays, or nil if it plays all.
    public var shard: Shard?

    /// How many scenarios are going to be played or skipped.
    public var plannedScenarios: Int

    /// The command that makes the whole run again, if scenarios cannot be played again by themselves.
    public var replay: String?

    /// The fault that strikes each scenario, such as `cut@12`; nil if none does.
    public var fault: String?

    /// Creates the description of a run.
    public init(
        toolVersion: String,
        seed: UInt64,
        clock: RunClock,
        target: String,
        startedAt: String? = nil,
        shard: Shard? = nil,
        plannedScenarios: Int,
        replay: String? = nil,
        fault: String? = nil,
        format: Int = RunStart.currentFormat
    ) {
        self.format = format
        self.toolVersion = toolVersion
        self.seed = seed
        self.clock = clock
        self.target = target
        self.startedAt = startedAt
        self.shard = shard
        self.plannedScenarios = plannedScenarios
        self.replay = replay
        self.fault = fault
    }
}

extension RunStart {
    /// The seed of a run that plays an attempt as this run did, as its first.
    ///
    /// In virtual time the same seed gives the same conversation, so every attempt and every repetition needs another
    /// one; a small step keeps it a number that people can compare.
    public func seed(repetition: Int = 1, attempt: Int) -> UInt64 {
        Self.seed(self.seed, repetition: repetition, attempt: attempt)
    }

    /// The seed of an attempt in a run with a seed; see ``seed(repetition:attempt:)``.
    public static func seed(_ seed: UInt64, repetition: Int, attempt: Int) -> UInt64 {
        seed &+ UInt64(truncatingIfNeeded: repetition &- 1) &* 1000 &+ UInt64(truncatingIfNeeded: attempt &- 1)
    }
}
