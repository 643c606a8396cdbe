public import JSON

extension ScriptType {
    /// Whether a value is of the kind that the type takes, whatever is in it: a text, a table, a list.
    ///
    /// Lua has one empty table, which is both a list and a table of members.
    public func takesKind(of value: JSONValue) -> Bool {
        switch self {
        case .string, .file, .choice: value.string != nil
        case .number: value.double != nil
        case .integer: value.integer != nil
        case .boolean: value.bool != nil
        case .duration: value.string != nil || value.double != nil
        case .record, .map, .actor: value.object != nil || value.array?.isEmpty == true
        case .list: value.array != nil || value.object?.isEmpty == true
        case .either(let alternatives): alternatives.contains { $0.takesKind(of: value) }
        case .json: true
        case .function: false
        case .nothing: value.isNull
        }
    }

    /// The kind of value that it takes, as people call it.
    public var kind: String {
        switch self {
        case .string, .choice: "a string"
        case .file: "the path of a file"
        case .number: "a number"
        case .integer: "an integer"
        case .boolean: "true or false"
        case .duration: "a duration"
        case .list: "a list"
        case .record, .map: "a table"
        case .either(let alternatives): alternatives.map(\.kind).joined(separator: " or ")
        case .actor: "an actor"
        case .function: "a function"
        case .json: "any value"
        case .nothing: "nothing"
        }
    }

    /// Returns the first of some alternatives that takes the kind of a value, or nil if none does.
    public static func first(of alternatives: [ScriptType], taking value: JSONValue) -> ScriptType? {
        alternatives.first { $0.takesKind(of: value) }
    }
}
