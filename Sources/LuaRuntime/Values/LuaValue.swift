public import JSON

/// A value on its way between the engine and a script, outside of host functions.
public enum LuaValue {
    /// Nothing; also what is missing.
    case `nil`
    /// True or false.
    case boolean(Bool)
    /// A number of the subtype integer.
    case integer(Int64)
    /// A number of the subtype float.
    case number(Double)
    /// A string that is valid UTF-8.
    case string(String)
    /// A string that is not valid UTF-8, or that need not be.
    case bytes([UInt8])
    /// A value that becomes tables in the script; JSON's null becomes `json.null`.
    case json(JSONValue)
    /// A host function; only into a script.
    case function(HostSlot)
    /// A new table with these fields; only into a script.
    case table([(String, LuaValue)])
    /// A new table that writes itself; only into a script.
    case source(any LuaTableSource)
    /// A new sequence of these values; only into a script.
    case list([LuaValue])
    /// An object of the engine.
    case handle(AnyObject, LuaHandleType)
    /// A table, function or thread of the script.
    case reference(LuaReference)

    /// Whether Lua takes the value for true.
    public var isTruthy: Bool {
        switch self {
        case .nil, .boolean(false): false
        default: true
        }
    }

    /// The text, if this is a string in UTF-8.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The reference, if this is a table, function or thread of the script.
    public var reference: LuaReference? {
        if case .reference(let reference) = self { reference } else { nil }
    }

    /// Returns the value as JSON; Lua's nil becomes null.
    ///
    /// - Throws: ``HostError`` that names what JSON cannot express.
    public func json() throws(HostError) -> JSONValue {
        switch self {
        case .nil: return .null
        case .boolean(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .number(let value):
            guard value.isFinite else {
                throw HostError("JSON cannot express a number that is infinite or none", kind: "json")
            }
            return .double(value)
        case .string(let text): return .string(text)
        case .bytes: throw HostError("a string is not valid UTF-8 and cannot stand in JSON", kind: "json")
        case .json(let value): return value
        case .function: throw HostError("a function cannot stand in JSON", kind: "json")
        case .source: throw HostError("a table that is not written yet cannot stand in JSON", kind: "json")
        case .table(let fields):
            var object = JSONObject()
            for (name, value) in fields { object[name] = try value.json() }
            return .object(object)
        case .list(let elements):
            var array: [JSONValue] = []
            for element in elements { array.append(try element.json()) }
            return .array(array)
        case .handle: throw HostError("an object of the engine cannot stand in JSON", kind: "json")
        case .reference(let reference): return try reference.json()
        }
    }
}
