private import OrderedCollections

/// The members of a JSON object in the order in which they were written.
///
/// Two objects are equal when they hold equal members, in whatever order. Where a text names a member twice, the last
/// one counts, at the first one's place.
public struct JSONObject: Sendable {
    private var storage: OrderedDictionary<String, JSONValue>

    /// Creates an empty object.
    public init() {
        self.storage = [:]
    }

    /// Creates an object from members in order; a repeated name keeps its last value.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.storage = OrderedDictionary(members, uniquingKeysWith: { _, last in last })
    }

    /// The value of a member; assigning nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { self.storage[name] }
        set { self.storage[name] = newValue }
    }

    /// The names of the members in order.
    public var names: [String] { Array(self.storage.keys) }

    /// Returns a copy in which the members of another object replace those of the same name.
    public func merging(_ other: JSONObject) -> JSONObject {
        var result = self
        for (name, value) in other { result[name] = value }
        return result
    }
}

extension JSONObject: Sequence {
    public var count: Int { self.storage.count }
    public var isEmpty: Bool { self.storage.isEmpty }

    /// Iterates over the members in order.
    public struct Iterator: IteratorProtocol {
        fileprivate var base: OrderedDictionary<String, JSONValue>.Iterator

        public mutating func next() -> (String, JSONValue)? {
            self.base.next().map { ($0.key, $0.value) }
        }
    }

    public func makeIterator() -> Iterator {
        Iterator(base: self.storage.makeIterator())
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.0] == $0.1 }
    }

    public func hash(into hasher: inout Hasher) {
        // Member order must not matter, so the members' hashes are combined by a commutative operation.
        var combined = 0
        for (name, value) in self {
            var member = Hasher()
            member.combine(name)
            member.combine(value)
            combined ^= member.finalize()
        }
        hasher.combine(combined)
        hasher.combine(self.count)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}
