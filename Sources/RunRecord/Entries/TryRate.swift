/// In how many tries something was as wanted, and between what its true rate lies.
public struct TryRate: Hashable, Sendable {
    /// How many tries count.
    public var tries: Int

    /// In how many of them it was as wanted.
    public var passed: Int

    /// The lower end of the interval in which the true rate lies, from 0 to 1, at ``PassRate/confidence``.
    public var low: Double

    /// The upper end of it.
    public var high: Double

    /// Creates a rate.
    public init(tries: Int, passed: Int, low: Double, high: Double) {
        self.tries = tries
        self.passed = passed
        self.low = low
        self.high = high
    }

    /// The part of the tries in which it was as wanted, from 0 to 1.
    public var share: Double { self.tries == 0 ? 0 : Double(self.passed) / Double(self.tries) }

    /// What people read: `57 of 60 tries, 95 %, 95 % interval 86.3 to 98.3 %`.
    ///
    /// - Parameter confidence: How often such an interval holds the true rate.
    public func text(confidence: Double) -> String {
        "\(self.passed) of \(self.tries) tries, \(Self.percent(self.share)) %, \(Self.percent(confidence)) % interval "
            + "\(Self.percent(self.low)) to \(Self.percent(self.high)) %"
    }

    /// A rate in percent, with at most one digit after the point; 100 and 0 only where it is all and none.
    public static func percent(_ rate: Double) -> String {
        // Rates are read from files, too, which may hold anything.
        let rate = min(1, max(0, rate.isNaN ? 0 : rate))
        let rounded = Int((rate * 1000).rounded())
        let tenths = rate == 0 || rate == 1 ? rounded : min(999, max(1, rounded))
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
