/// Values that wait, each under a number of its own counted from 1: what a timer, an answer or a function of the script
/// names when its time has come. No number is given twice, so that what comes late finds nothing of another's.
public struct Numbered<Value: Sendable>: Sendable {
    private var values: [UInt64: Value] = [:]
    private var last: UInt64 = 0

    /// Creates a collection without values.
    public init() {}

    /// Whether nothing waits.
    public var isEmpty: Bool { self.values.isEmpty }

    /// The numbers of all that waits, rising.
    public var numbers: [UInt64] { self.values.keys.sorted() }

    /// Adds a value, and returns its number.
    public mutating func add(_ value: Value) -> UInt64 {
        self.last += 1
        self.values[self.last] = value
        return self.last
    }

    /// Takes a value out; nil if it waits no more.
    public mutating func take(_ number: UInt64) -> Value? { self.values.removeValue(forKey: number) }

    /// Takes out what nobody waits for any more; all of it unless said otherwise.
    public mutating func removeAll(where isMeant: (Value) -> Bool = { _ in true }) {
        self.values = self.values.filter { !isMeant($0.value) }
    }

    /// The value under a number; nil if it waits no more.
    public subscript(number: UInt64) -> Value? {
        get { self.values[number] }
        _modify { yield &self.values[number] }
    }
}
