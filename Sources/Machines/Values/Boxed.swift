/// A large value that is seldom there: it takes one word where it is kept, and memory of its own only while it is
/// there.
///
/// It is inlinable so that asking for nothing, which is nearly all that is asked of it, costs nothing in other modules.
///
/// An object of a load test is kept ten thousand times, and of what may go wrong for its user most never does.
@propertyWrapper
public struct Boxed<Value> {
    @usableFromInline
    final class Box {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: Value) {
            self.value = value
        }
    }

    @usableFromInline var box: Box?

    /// Puts a value away, if there is one.
    @inlinable
    public init(wrappedValue: Value?) {
        self.box = wrappedValue.map { Box($0) }
    }

    /// Whether there is a value; asked where it seldom is, for to compare a value with nil takes a copy of it.
    @inlinable public var isThere: Bool { self.box != nil }

    /// The value; nil if there is none.
    @inlinable public var wrappedValue: Value? {
        get { self.box?.value }
        set { self.box = newValue.map { Box($0) } }
    }
}

extension Boxed: Equatable where Value: Equatable {
    @inlinable
    public static func == (first: Boxed, second: Boxed) -> Bool {
        first.box === second.box || first.wrappedValue == second.wrappedValue
    }
}

extension Boxed: Hashable where Value: Hashable {
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(self.wrappedValue) }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed.Box: Sendable where Value: Sendable {}
