/// Which number of a driver stands for which key of a machine.
///
/// A list, not a dictionary: a client has a handful of exchanges and connections, and there may be many thousands of
/// clients.
@usableFromInline
struct KeyNumbers<Key: Hashable & Sendable>: Sendable {
    @usableFromInline var entries: [(key: Key, number: UInt64)] = []
    @usableFromInline var last: UInt64 = 0

    @inlinable
    init() {}

    /// Gives a key the next number.
    @inlinable
    mutating func begin(_ key: Key) -> UInt64 {
        self.last += 1
        self.entries.append((key, self.last))
        return self.last
    }

    /// Returns the key of a number, or nil if what it stood for has ended.
    @inlinable
    func key(of number: UInt64) -> Key? {
        self.entries.last { $0.number == number }?.key
    }

    /// Returns the number of a key, or nil if nothing of that key is under way.
    @inlinable
    func number(of key: Key) -> UInt64? {
        self.entries.last { $0.key == key }?.number
    }

    /// Takes a number out, and returns its key.
    @inlinable
    mutating func end(_ number: UInt64) -> Key? {
        guard let index = self.entries.lastIndex(where: { $0.number == number }) else { return nil }
        return self.entries.remove(at: index).key
    }
}
