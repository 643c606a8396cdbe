/// A large value that is seldom there: it takes one word where it is kept, and memory of its own only while it is there.
///
/// An object of a load test is kept ten thousand times, and of what may go wrong for its user most never does.
@propertyWrapper
public struct Boxed<Value> {
    private final class Box {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box?

    /// Puts a value away, if there is one.
    public init(wrappedValue: Value?) {
        self.box = wrappedValue.map { Box($0) }
    }

    /// The value; nil if there is none.
    public var wrappedValue: Value? {
        get { self.box?.value }
        set { self.box = newValue.map { Box($0) } }
    }
}
