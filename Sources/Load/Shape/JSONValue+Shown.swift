import JSON

extension JSONValue {
    /// What kind of Lua value this is, with its article.
    var kindName: String {
        switch self {
        case .null: "nothing"
        case .bool: "a boolean"
        case .integer, .double, .numeral: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "a table"
        }
    }

    /// The value as an error shows it: texts and numbers themselves, anything larger by its kind.
    var shown: String {
        switch self {
        case .string(let text): "\"\(text.count > 40 ? text.prefix(40) + "…" : text)\""
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .numeral(let text): text.count > 40 ? text.prefix(40) + "…" : text
        case .bool(let value): "\(value)"
        case .null, .array, .object: self.kindName
        }
    }
}
