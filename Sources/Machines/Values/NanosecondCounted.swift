/// A time that is counted in whole nanoseconds, more than the least number of them.
public protocol NanosecondCounted {
    /// Creates the time of a number of nanoseconds.
    init(countedNanoseconds: Int64)

    /// How many nanoseconds it is.
    var countedNanoseconds: Int64 { get }
}

extension Instant: NanosecondCounted {
    @inlinable
    public init(countedNanoseconds: Int64) { self.init(nanoseconds: countedNanoseconds) }

    @inlinable public var countedNanoseconds: Int64 { self.nanoseconds }
}

extension Duration: NanosecondCounted {
    @inlinable
    public init(countedNanoseconds: Int64) { self = .nanoseconds(countedNanoseconds) }

    @inlinable public var countedNanoseconds: Int64 { self.clampedNanoseconds }
}
