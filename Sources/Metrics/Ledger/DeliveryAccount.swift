/// What became of the messages of a run, in numbers.
public struct DeliveryAccount: Hashable, Sendable {
    /// How many messages were sent.
    public var sent: Int64 = 0
    /// How many deliveries they were to become.
    public var expected: Int64 = 0
    /// How many of those came.
    public var delivered: Int64 = 0
    /// How many of those did not come.
    public var lost: Int64 = 0
    /// How many are still to come.
    public var underWay: Int64 = 0
    /// How many came again.
    public var duplicated: Int64 = 0
    /// How many came after a later one.
    public var reordered: Int64 = 0
    /// How many came to someone who was not to receive them.
    public var misdelivered: Int64 = 0
    /// How many came that nobody in these results has sent.
    public var unexpected: Int64 = 0
    /// How many came from another run.
    public var foreign: Int64 = 0

    /// Creates an account of no messages.
    public init() {}

    /// Whether every message arrived once, in order, where it should, and nothing else did.
    public var isClean: Bool { self.defects.isEmpty }

    /// How many things went wrong with messages of this run.
    var problems: Int64 {
        [self.lost, self.duplicated, self.reordered, self.misdelivered, self.unexpected].saturatingSum
    }

    /// The account in one line, such as `9,999,998 of 10,000,000 deliveries, 2 lost, 0 duplicated`.
    public var line: String {
        var parts = [
            "\(NumberText.grouped(self.delivered)) of \(NumberText.counted(self.expected, "delivery", "deliveries"))",
            "\(NumberText.grouped(self.lost)) lost", "\(NumberText.grouped(self.duplicated)) duplicated",
        ]
        let others = [
            (self.reordered, "out of order"), (self.misdelivered, "to the wrong user"),
            (self.unexpected, "never sent"), (self.underWay, "under way"), (self.foreign, "of another run"),
        ]
        parts += Self.words(others)
        return parts.joined(separator: ", ")
    }

    /// What went wrong in one line, such as `60 duplicated, 1 out of order`; empty if nothing did.
    public var defectLine: String {
        Self.words([
            (self.lost, "lost"), (self.duplicated, "duplicated"), (self.reordered, "out of order"),
            (self.misdelivered, "to the wrong user"), (self.unexpected, "never sent"),
            (self.foreign, "of another run"),
        ]).joined(separator: ", ")
    }

    /// Returns numbers with what they count, without those of nothing.
    private static func words(_ counts: [(Int64, String)]) -> [String] {
        counts.filter { $0.0 > 0 }.map { "\(NumberText.grouped($0.0)) \($0.1)" }
    }

    /// The names of the figures that thresholds know.
    public static let names = Set(Self.figures.map(\.name))

    /// The figures that thresholds know by name, such as `count(lost)`.
    static let figures: [(name: String, value: @Sendable (DeliveryAccount) -> Int64)] = [
        ("sent", { $0.sent }), ("expected", { $0.expected }), ("delivered", { $0.delivered }),
        ("lost", { $0.lost }), ("duplicated", { $0.duplicated }), ("reordered", { $0.reordered }),
        ("misdelivered", { $0.misdelivered }), ("unexpected", { $0.unexpected }), ("foreign", { $0.foreign }),
    ]

    /// Whether nothing went wrong that a part of a run can tell by itself: what comes to it that it has not sent,
    /// another part may have.
    public var isCleanInPart: Bool { self.defects.allSatisfy { ["unexpected", "foreign"].contains($0) } }

    /// The figures of which any but zero is wrong.
    private static let defects: Set = ["lost", "duplicated", "reordered", "misdelivered", "unexpected", "foreign"]

    /// The names of the figures that say what went wrong.
    var defects: [String] { Self.figures.filter { Self.defects.contains($0.name) && $0.value(self) > 0 }.map(\.name) }
}
