/// The rate that a scenario had when it was stored, beside the one that it has.
public struct BaselineRate: Hashable, Sendable {
    /// How many tries there were then, and how many of them passed.
    public var rate: TryRate

    /// The lower end of the interval of the rate now less the rate then, from -1 to 1.
    public var differenceLow: Double

    /// The upper end of it.
    public var differenceHigh: Double

    /// Creates a rate.
    public init(_ rate: TryRate, differenceLow: Double, differenceHigh: Double) {
        self.rate = rate
        self.differenceLow = differenceLow
        self.differenceHigh = differenceHigh
    }

    /// Whether the rate has fallen.
    public var hasFallen: Bool { self.differenceHigh < 0 }

    /// The interval of the difference, for people: `-12.5 to +4 points`.
    public var difference: String { Self.points(from: self.differenceLow, to: self.differenceHigh) }

    /// An interval of the difference of two rates, for people, in percentage points.
    ///
    /// - Parameters:
    ///   - low: From -1 to 1.
    ///   - high: From -1 to 1.
    public static func points(from low: Double, to high: Double) -> String {
        func signed(_ difference: Double) -> String {
            let text = TryRate.percent(difference.magnitude)
            return text == "0" ? text : "\(difference < 0 ? "-" : "+")\(text)"
        }
        return "\(signed(low)) to \(signed(high)) points"
    }
}
