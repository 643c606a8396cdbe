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
