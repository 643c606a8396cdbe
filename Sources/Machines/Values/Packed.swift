/// An instant or a duration that may be missing, in the eight bytes of one that is there.
///
/// An object of a load test is kept ten thousand times, and an optional of its own takes sixteen bytes or more.
@propertyWrapper
public struct Packed<Value: NanosecondCounted>: Sendable {
    /// The least number, which no instant of a run has, stands for none.
    @usableFromInline var nanoseconds: Int64

    /// Packs a value, if there is one.
    @inlinable
    public init(wrappedValue: Value?) {
        self.nanoseconds = wrappedValue?.countedNanoseconds ?? .min
    }

    /// The value, to the nanosecond; nil if there is none.
    @inlinable public var wrappedValue: Value? {
        get { self.nanoseconds == .min ? nil : Value(countedNanoseconds: self.nanoseconds) }
        set { self.nanoseconds = newValue?.countedNanoseconds ?? .min }
    }
}

extension Packed: Equatable {}
extension Packed: Hashable {}

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
