/// The members of a JSON object in the order in which they were written.
///
/// Two objects are equal when they hold equal members, in whatever order. Where a text names a member twice, the last
/// one counts, at the first one's place. Names are the same when their bytes are.
///
/// Most objects of a chat have a handful of members, which are found sooner by comparing names than by hashing one; an
/// index is kept once there are more than ``indexingThreshold``, so that no peer can make finding them slow.
public struct JSONObject: Sendable {
    /// A name and what it stands for.
    public struct Member: Sendable {
        /// Any text, the empty one too; unique in its object.
        public let name: String

        /// What the name stands for; of several values in a text the last one.
        public internal(set) var value: JSONValue

        /// Creates a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The number of members up to which no index is kept.
    static let indexingThreshold = 12

    private(set) var members: [Member]

    /// The places of the members by their names; nil while there are few.
    private var places: [MemberName: Int]?

    /// Creates an empty object.
    public init() {
        self.members = []
    }

    /// Creates an object from members in order; a repeated name keeps its last value.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.members = []
        self.members.reserveCapacity(members.underestimatedCount)
        for (name, value) in members { self.set(name, to: value) }
    }

    /// Creates an object from members in order, all of which have different names.
    public init(uniqueMembers members: [Member]) {
        self.members = members
        if members.count > Self.indexingThreshold { self.index() }
    }

    /// The value of a member; assigning nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { self.place(of: name).map { self.members[$0].value } }
        set { if let newValue { self.set(name, to: newValue) } else { self.remove(name) } }
    }

    /// About how many bytes of memory the members take.
    var weight: Int { self.members.reduce(0) { $0 + 16 + $1.name.utf8.count + $1.value.weight } }

    /// The names of the members in order.
    public var names: [String] { self.members.map(\.name) }

    /// The members that are not null.
    public var withoutNulls: JSONObject {
        guard self.members.contains(where: \.value.isNull) else { return self }
        return JSONObject(uniqueMembers: self.members.filter { !$0.value.isNull })
    }

    /// Returns a copy in which the members of another object replace those of the same name.
    public func merging(_ other: JSONObject) -> JSONObject {
        var result = self
        result.members.reserveCapacity(self.count + other.count)
        for member in other.members { result.set(member.name, to: member.value) }
        return result
    }

    private func place(of name: String) -> Int? {
        if let places = self.places { return places[MemberName(text: name)] }
        // By their places, for to look at a whole member is to copy its value.
        return self.members.indices.first { self.members[$0].name.hasSameBytes(as: name) }
    }

    /// Sets a member; returns whether there was none of that name.
    @discardableResult
    mutating func set(_ name: String, to value: JSONValue) -> Bool {
        if let place = self.place(of: name) {
            self.members[place].value = value
            return false
        }
        self.members.append(Member(name: name, value: value))
        if self.places != nil {
            self.places?[MemberName(text: name)] = self.members.count - 1
        } else if self.members.count > Self.indexingThreshold {
            self.index()
        }
        return true
    }

    private mutating func remove(_ name: String) {
        guard let place = self.place(of: name) else { return }
        self.members.remove(at: place)
        guard self.places != nil else { return }
        self.places = nil
        if self.members.count > Self.indexingThreshold { self.index() }
    }

    private mutating func index() {
        var places: [MemberName: Int] = [:]
        places.reserveCapacity(2 * self.members.count)
        for (place, member) in self.members.enumerated() { places[MemberName(text: member.name)] = place }
        self.places = places
    }
}

/// A name as the index of an object has it: hashed by its bytes, too, for a peer could make up any number of names that
/// only compose the same characters otherwise.
private struct MemberName: Hashable {
    let text: String

    static func == (left: MemberName, right: MemberName) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension JSONObject: Sequence {
    /// How many members there are.
    public var count: Int { self.members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { self.members.isEmpty }

    public var underestimatedCount: Int { self.members.count }

    /// Iterates over the members in order.
    public struct Iterator: IteratorProtocol {
        fileprivate let object: JSONObject
        fileprivate var place = 0

        public mutating func next() -> (String, JSONValue)? {
            guard self.place < self.object.members.count else { return nil }
            defer { self.place += 1 }
            let member = self.object.members[self.place]
            return (member.name, member.value)
        }
    }

    public func makeIterator() -> Iterator {
        Iterator(object: self)
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        // Member order must not matter, so the members' hashes are combined by a commutative operation.
        var combined = 0
        for member in self.members {
            var hash = Hasher()
            hash.combine(member.name)
            hash.combine(member.value)
            combined ^= hash.finalize()
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
