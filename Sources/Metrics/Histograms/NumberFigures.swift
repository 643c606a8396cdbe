/// What a histogram keeps of the numbers that scripts measure, beside the counts of those from zero on.
///
/// Scripts measure anything: scores below zero, shares, sums of money. The slots of a ``Histogram`` are whole numbers,
/// so a number is counted in the slot of its size in millionths, and its exact value goes into the sum and the
/// extremes.
struct NumberFigures: Sendable {
    /// So many units that slots count make one.
    private static let unitsInOne = 1e6

    /// The numbers below zero, by their size.
    var below = SlotCounts()
    private(set) var least = Double.infinity
    private(set) var greatest = -Double.infinity
    private var sum = 0.0
    /// What rounding has taken from the sum (Neumaier), so that ten times 0.1 is 1.
    private var remainder = 0.0

    init() {}

    /// Creates the figures that a file holds.
    init(below: SlotCounts, total: Double, least: Double, greatest: Double) {
        self.below = below
        self.sum = total
        self.least = least
        self.greatest = greatest
    }

    /// The sum of all numbers.
    var total: Double { self.sum + self.remainder }

    mutating func add(_ number: Double) {
        self.addToSum(number)
        self.least = min(self.least, number)
        self.greatest = max(self.greatest, number)
    }

    private mutating func addToSum(_ number: Double) {
        let next = self.sum + number
        self.remainder +=
            abs(self.sum) >= abs(number) ? (self.sum - next) + number : (number - next) + self.sum
        self.sum = next
    }

    mutating func merge(_ other: NumberFigures) {
        self.below.add(other.below)
        self.addToSum(other.sum)
        self.addToSum(other.remainder)
        self.least = min(self.least, other.least)
        self.greatest = max(self.greatest, other.greatest)
    }

    /// The size of a number as slots count it.
    static func code(_ number: Double) -> Int64 {
        let size = (number.magnitude * Self.unitsInOne).rounded()
        return size < Double(Precision.highestValue) ? Int64(size) : Precision.highestValue
    }

    /// The roundest number that a slot counts: numbers of few digits come out as they were given.
    static func representative(of slot: Int, _ precision: Precision) -> Double {
        let (low, high) = (precision.lowestValue(of: slot), precision.highestValue(of: slot))
        var power: Int64 = 1_000_000_000_000_000
        while power > 1 {
            let round = (low + power - 1) / power * power
            if round <= high { return Double(round) / Self.unitsInOne }
            power /= 10
        }
        return Double(low) / Self.unitsInOne
    }
}

extension NumberFigures: Hashable {
    static func == (left: NumberFigures, right: NumberFigures) -> Bool {
        left.total == right.total && left.least == right.least && left.greatest == right.greatest
            && left.below == right.below
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(self.total)
        hasher.combine(self.least)
        hasher.combine(self.greatest)
        hasher.combine(self.below)
    }
}
