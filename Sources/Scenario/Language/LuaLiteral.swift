import JSON

/// Values as Lua source text that reads back as the same values.
enum LuaLiteral {
    /// The words of the language, which are no names (Lua 5.4 manual, section 3.1).
    static let keywords: Set<String> = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
        "not", "or", "repeat", "return", "then", "true", "until", "while",
    ]

    /// A text between double quotes, on one line.
    ///
    /// Bytes that a reader or an editor could take for something else are written as three digits, so that a digit
    /// after them is never taken for a part of them.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where Self.isInvisible(scalar):
                for byte in String(scalar).utf8 {
                    let digits = String(byte)
                    result += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Whether a character is not seen, or changes how those around it are seen.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// A value; nested tables on one line. Null is nil, and `json.null` in tables, where Lua has no place for nil.
    static func value(_ value: JSONValue) -> String {
        switch value {
        case .null: "nil"
        case .bool(let value): value ? "true" : "false"
        // The digits of the least integer are a float in Lua before the minus is applied.
        case .integer(let number): number == .min ? "math.mininteger" : String(number)
        case .double(let number):
            number.isNaN ? "(0/0)" : number.isInfinite ? (number < 0 ? "-math.huge" : "math.huge") : "\(number)"
        case .numeral(let text): Self.value(.double(Double(text) ?? .nan))
        case .string(let text): Self.string(text)
        case .array(let elements): Self.table(elements.map(Self.member))
        case .object(let members): Self.table(members.map { "\(Self.key($0.0)) = \(Self.member($0.1))" })
        }
    }

    private static func member(_ value: JSONValue) -> String { value.isNull ? "json.null" : Self.value(value) }

    /// A key of a table: as it is where Lua takes it for a name, else between brackets.
    static func key(_ name: String) -> String {
        let isName =
            !name.isEmpty && !Self.keywords.contains(name)
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            } && !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= name.utf8.first ?? 0)
        return isName ? name : "[\(Self.string(name))]"
    }

    private static func table(_ items: [String]) -> String {
        items.isEmpty ? "{}" : "{ \(items.joined(separator: ", ")) }"
    }
}
