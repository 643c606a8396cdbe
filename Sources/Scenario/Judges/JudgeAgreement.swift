/// How far a judge agrees with people, by what it said of texts that people labelled.
public struct JudgeAgreement: Hashable, Sendable {
    /// How often the judge said yes where people did.
    public private(set) var rightYes = 0

    /// How often it said yes where people said no.
    public private(set) var wrongYes = 0

    /// How often it said no where people said yes.
    public private(set) var wrongNo = 0

    /// How often it said no where people did.
    public private(set) var rightNo = 0

    /// Counts nothing yet.
    public init() {}

    /// Counts a verdict.
    public mutating func add(expected: Bool, found: Bool) {
        switch (expected, found) {
        case (true, true): self.rightYes += 1
        case (false, true): self.wrongYes += 1
        case (true, false): self.wrongNo += 1
        case (false, false): self.rightNo += 1
        }
    }

    /// How many verdicts were counted.
    public var count: Int { self.rightYes + self.wrongYes + self.wrongNo + self.rightNo }

    /// The share of its yes that people share; nil if it never says yes.
    public var precision: Double? { Self.share(self.rightYes, of: self.rightYes + self.wrongYes) }

    /// The share of people's yes that it finds; nil if people never say yes.
    public var recall: Double? { Self.share(self.rightYes, of: self.rightYes + self.wrongNo) }

    /// Cohen's kappa: how far both agree beyond what chance would do, 1 for always and 0 for no more than chance (J.
    /// Cohen, "A coefficient of agreement for nominal scales", 1960); nil if chance alone makes them agree always.
    public var kappa: Double? {
        guard let agreed = Self.share(self.rightYes + self.rightNo, of: self.count),
            let people = Self.share(self.rightYes + self.wrongNo, of: self.count),
            let judge = Self.share(self.rightYes + self.wrongYes, of: self.count)
        else { return nil }
        let chance = people * judge + (1 - people) * (1 - judge)
        return chance < 1 ? (agreed - chance) / (1 - chance) : nil
    }

    private static func share(_ part: Int, of whole: Int) -> Double? {
        whole > 0 ? Double(part) / Double(whole) : nil
    }
}
