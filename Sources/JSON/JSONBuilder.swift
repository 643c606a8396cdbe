/// Makes something of a JSON text while a ``JSONParser`` reads it.
///
/// Texts are handed over as the bytes that they stand for, valid UTF-8, which are there only as long as the call.
public protocol JSONBuilder {
    /// What becomes of a value.
    associatedtype Value
    /// An array in progress.
    associatedtype Elements
    /// An object in progress.
    associatedtype Members
    /// The name of a member whose value comes next.
    associatedtype Name

    /// The word `null`.
    mutating func null() -> Value
    /// The word `true` or `false`.
    mutating func bool(_ value: Bool) -> Value
    /// A number without fraction or exponent that fits 64 bits.
    mutating func integer(_ value: Int64) -> Value
    /// Any other number, as it is spelt.
    mutating func number(_ text: UnsafeBufferPointer<UInt8>) -> Value
    /// A number that has been read before.
    mutating func double(_ value: Double) -> Value
    /// A text, its escapes resolved.
    mutating func string(_ text: UnsafeBufferPointer<UInt8>) -> Value

    /// Begins an array; nil if there is no room for it.
    mutating func beginElements() -> Elements?
    /// Adds an element at the end of an array.
    mutating func append(_ value: Value, to elements: inout Elements)
    /// Takes the end of an array.
    mutating func end(_ elements: Elements) -> Value

    /// Begins an object; nil if there is no room for it.
    mutating func beginMembers() -> Members?
    /// The name of a member, its escapes resolved; ``set(_:to:in:)`` follows when its value has been read.
    mutating func name(_ text: UnsafeBufferPointer<UInt8>) -> Name
    /// Sets a member; of a name that came before, the last value counts.
    ///
    /// - Returns: Whether reading goes on; if not, ``repeatedName`` says which name came before.
    mutating func set(_ name: Name, to value: Value, in members: inout Members) -> Bool
    /// The name of the first member that came once more in its object, as far as the builder looks for one.
    var repeatedName: String? { get }
    /// Takes the end of an object.
    mutating func end(_ members: Members) -> Value
}

/// Builds ``JSONValue``s.
struct JSONValueBuilder: JSONBuilder {
    /// Whether reading ends where a member comes once more in its object.
    let refusesRepetition: Bool

    /// The name of the first member that came once more in its object.
    private(set) var repeatedName: String?

    init(refusingRepetition refusesRepetition: Bool) {
        self.refusesRepetition = refusesRepetition
    }

    func null() -> JSONValue { .null }
    func bool(_ value: Bool) -> JSONValue { .bool(value) }
    func integer(_ value: Int64) -> JSONValue { .integer(value) }

    func number(_ text: UnsafeBufferPointer<UInt8>) -> JSONValue {
        let text = String(decoding: text, as: UTF8.self)
        if let value = Double(text), value.isFinite, "\(value)" == text { return .double(value) }
        return .numeral(text)
    }

    func double(_ value: Double) -> JSONValue { .double(value) }
    func string(_ text: UnsafeBufferPointer<UInt8>) -> JSONValue { .string(self.name(text)) }
    func beginElements() -> [JSONValue]? { [] }
    func append(_ value: JSONValue, to elements: inout [JSONValue]) { elements.append(value) }
    func end(_ elements: [JSONValue]) -> JSONValue { .array(elements) }
    func beginMembers() -> JSONObject? { JSONObject() }
    func name(_ text: UnsafeBufferPointer<UInt8>) -> String { String(decoding: text, as: UTF8.self) }
    mutating func set(_ name: String, to value: JSONValue, in members: inout JSONObject) -> Bool {
        guard !members.set(name, to: value) else { return true }
        self.repeatedName = self.repeatedName ?? name
        return !self.refusesRepetition
    }
    func end(_ members: JSONObject) -> JSONValue { .object(members) }
}
