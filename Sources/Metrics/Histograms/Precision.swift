/// How finely a histogram tells values apart: slots that are linear within each power of two.
///
/// The layout is that of HdrHistogram with a lowest value of 1, so that two histograms of one precision merge slot by
/// slot and any of its tools reads them. It is fixed for the whole project, for only then is every merge lossless.
public enum Precision: UInt8, Hashable, Sendable, CaseIterable {
    /// Three significant digits: no value is told wrong by more than 0.1 %.
    case threeDigits = 10
    /// Two significant digits: no value is told wrong by more than 0.8 %, with an eighth of the slots.
    case twoDigits = 7

    /// The highest value that has a slot of its own; what is above counts as this one.
    ///
    /// Defined here: 285 years in microseconds, and the highest integer that any reader of JSON keeps.
    public static let highestValue: Int64 = (1 << 53) - 1

    /// How many significant decimal digits a recorded value keeps.
    public var significantDigits: Int { self == .threeDigits ? 3 : 2 }

    /// The number of slots that all values up to ``highestValue`` need.
    var slotCount: Int { self.slot(of: Self.highestValue) + 1 }

    /// The precision with that many digits, if there is one.
    init?(significantDigits: Int) {
        switch significantDigits {
        case 3: self = .threeDigits
        case 2: self = .twoDigits
        default: return nil
        }
    }

    /// Returns the slot that counts a value.
    ///
    /// - Parameter value: From 0 to ``highestValue``.
    @inline(__always)
    func slot(of value: Int64) -> Int {
        let half = Int(self.rawValue)
        let bits = UInt64(bitPattern: value)
        let shift = 63 - half - (bits | ((2 << half) - 1)).leadingZeroBitCount
        return (shift << half) + Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: shift))
    }

    /// Returns the lowest value that a slot counts.
    func lowestValue(of slot: Int) -> Int64 {
        let half = Int(self.rawValue)
        let shift = max(0, (slot >> half) - 1)
        return Int64(slot - (shift << half)) << Int64(shift)
    }

    /// Returns the highest value that a slot counts.
    func highestValue(of slot: Int) -> Int64 {
        self.lowestValue(of: slot) + (1 << Int64(max(0, (slot >> Int(self.rawValue)) - 1))) - 1
    }

    /// Returns the value in the middle of a slot, which stands for what it counts where a sum is estimated.
    func middleValue(of slot: Int) -> Int64 {
        let lowest = self.lowestValue(of: slot)
        return lowest + (self.highestValue(of: slot) - lowest + 1) / 2
    }
}
