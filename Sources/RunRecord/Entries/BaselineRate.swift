/// The rate that a scenario had when it was stored, beside the one that it has.
public struct BaselineRate: Hashable, Sendable {
    /// How many tries there were then.
    public var tries: Int

    /// How many of them passed.
    public var passed: Int

    /// The lower end of the interval of the rate then, from 0 to 1, at ``PassRate/confidence``.
    public var low: Double

    /// The upper end of it.
    public var high: Double

    /// The lower end of the interval of the rate now less the rate then, from -1 to 1.
    public var differenceLow: Double

    /// The upper end of it.
    public var differenceHigh: Double

    /// Creates a rate.
    public init(tries: Int, passed: Int, low: Double, high: Double, differenceLow: Double, differenceHigh: Double) {
        self.tries = tries
        self.passed = passed
        self.low = low
        self.high = high
        self.differenceLow = differenceLow
        self.differenceHigh = differenceHigh
    }

    /// Whether the rate has fallen.
    public var hasFallen: Bool { self.differenceHigh < 0 }

    /// The part of the tries that passed then, from 0 to 1.
    public var rate: Double { self.tries == 0 ? 0 : Double(self.passed) / Double(self.tries) }

    /// What people read: `58 of 60 tries, 96.7 %, 95 % interval 88.6 to 99.1 %`.
    ///
    /// - Parameter confidence: That of the ``PassRate`` it belongs to.
    public func figures(confidence: Double) -> String {
        PassRate.figures(passed: self.passed, tries: self.tries, low: self.low, high: self.high, confidence: confidence)
    }

    /// The interval of the difference, for people: `-12.5 to +4 points`.
    public var difference: String { Self.points(from: self.differenceLow, to: self.differenceHigh) }

    /// An interval of the difference of two rates, for people, in percentage points.
    ///
    /// - Parameters:
    ///   - low: From -1 to 1.
    ///   - high: From -1 to 1.
    public static func points(from low: Double, to high: Double) -> String {
        func signed(_ difference: Double) -> String {
            let text = PassRate.percent(difference.magnitude)
            return text == "0" ? text : "\(difference < 0 ? "-" : "+")\(text)"
        }
        return "\(signed(low)) to \(signed(high)) points"
    }
}
