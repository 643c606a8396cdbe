import JSON

/// A number by its value, however it is written: a whole one of 64 bits as such, any other one as a floating-point
/// number.
///
/// Identifiers of 64 bits are not all told apart as floating-point numbers, which have 53: `9007199254740993` would be
/// no more than `9007199254740992`, and 2^63 as much as 2^63 - 1.
enum ExactNumber: Hashable {
    case whole(Int64)
    /// One that no whole number of 64 bits is equal to.
    case other(Double)

    init(_ number: Double) {
        self = Int64(exactly: number).map(Self.whole) ?? .other(number)
    }

    /// - Returns: Nil of a value that is no number.
    init?(_ value: JSONValue) {
        if let whole = value.integer {
            self = .whole(whole)
        } else if let number = value.double {
            self = .other(number)
        } else {
            return nil
        }
    }

    /// The number as one of floating point, which may be another one beyond 53 bits.
    var approximation: Double {
        switch self {
        case .whole(let number): Double(number)
        case .other(let number): number
        }
    }

    /// Returns how far it is from another one.
    func distance(to other: ExactNumber) -> Double {
        guard case .whole(let own) = self, case .whole(let others) = other else {
            return abs(self.approximation - other.approximation)
        }
        return Double(UInt64(bitPattern: max(own, others)) &- UInt64(bitPattern: min(own, others)))
    }
}

extension ExactNumber: Comparable {
    static func < (left: ExactNumber, right: ExactNumber) -> Bool {
        switch (left, right) {
        case (.whole(let one), .whole(let other)): one < other
        case (.other(let one), .other(let other)): one < other
        // What is no whole number of 64 bits is beyond them, or has a fraction, and is then so small that the whole
        // number next to it loses nothing as one of floating point.
        case (.whole(let one), .other(let other)): other >= Self.limit || other > -Self.limit && Double(one) < other
        case (.other(let one), .whole(let other)): one < -Self.limit || one < Self.limit && one < Double(other)
        }
    }

    /// 2^63, which the whole numbers of 64 bits stay below.
    private static let limit = 9_223_372_036_854_775_808.0
}

extension ExactNumber: CustomStringConvertible {
    /// The number as people write it: without a fraction that is zero.
    var description: String {
        switch self {
        case .whole(let number): "\(number)"
        case .other(let number): JSONValue.double(number).description
        }
    }
}
