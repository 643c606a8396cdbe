/// A JSON value that keeps what a peer sent: member order and the spelling of numbers survive a round trip.
///
/// Texts are equal when their bytes are, as in Lua.
public enum JSONValue: Hashable, Sendable {
    /// The word `null`, which is not the same as a member that is missing.
    case null
    /// The word `true` or `false`.
    case bool(Bool)
    /// A number written without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// A number whose shortest decimal form is what stands in the text.
    case double(Double)
    /// A number that neither of the other two forms would spell as the peer did, such as `1e3` or 40 digits.
    case numeral(String)
    /// A text without its quotes and escapes.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Named values, in the order in which they were written.
    case object(JSONObject)
}

extension JSONValue {
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.double(let one), .double(let other)): one == other
        case (.numeral(let one), .numeral(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// The text, if this is a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The truth value, if this is a boolean.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements, if this is an array.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, if this is an object.
    public var object: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The number as a 64-bit integer, if this is a number with an integral value in range.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .numeral(let text): Double(text).flatMap(Int64.init(exactly:))
        default: nil
        }
    }

    /// The number as a double, if this is a number.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .numeral(let text): Double(text)
        default: nil
        }
    }

    /// About how many bytes of memory the value takes.
    public var weight: Int {
        let own = MemoryLayout<JSONValue>.stride
        switch self {
        case .null, .bool, .integer, .double: return own
        case .numeral(let text), .string(let text): return own + text.utf8.count
        case .array(let elements): return elements.reduce(own) { $0 + $1.weight }
        case .object(let members): return own + members.weight
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The member of that name, if this is an object that has it.
    public subscript(name: String) -> JSONValue? {
        self.object?[name]
    }

    /// The element at that position, if this is an array that has it.
    public subscript(index: Int) -> JSONValue? {
        guard let elements = self.array, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
