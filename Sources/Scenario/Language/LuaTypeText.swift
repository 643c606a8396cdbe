import Machines

/// The types of scripts as the annotations of lua-language-server write them (LuaCATS).
enum LuaTypeText {
    /// Returns the type of a value.
    ///
    /// - Parameter record: The name of the class for a table of declared members, or nil to write its members out.
    static func text(_ type: ScriptType, record: String? = nil) -> String {
        switch type {
        case .string, .file: "string"
        case .number: "number"
        case .integer: "integer"
        case .boolean: "boolean"
        case .duration: "repartee.duration"
        case .json: "any"
        case .record(let members):
            record
                ?? "{ "
                + members.map { "\(Self.key($0.name, isOptional: $0.isOptional)): \(Self.text($0.type))" }.joined(
                    separator: ", ") + " }"
        case .map(let element): "table<string, \(Self.text(element))>"
        case .list(let element): Self.inParentheses(Self.text(element)) + "[]"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: "|")
        case .either(let alternatives): alternatives.map { Self.text($0) }.joined(separator: "|")
        case .actor: "repartee.actor"
        case .function: "function"
        case .nothing: "nil"
        }
    }

    /// Returns the name of a member; one that is no identifier stands in brackets.
    static func key(_ name: String, isOptional: Bool) -> String {
        let isIdentifier = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
        return (isIdentifier ? name : "[\"\(name)\"]") + (isOptional ? "?" : "")
    }

    private static func inParentheses(_ text: String) -> String { text.contains("|") ? "(\(text))" : text }
}
