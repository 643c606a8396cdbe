import Machines

/// Reads the types that scripts write in declarations of their own: `"string"`, `"integer?"`, `"queued|open|ended"`.
enum LuaTypeReader {
    private static let types: [(name: String, type: ScriptType)] = [
        ("string", .string), ("number", .number), ("integer", .integer), ("boolean", .boolean),
        ("duration", .duration), ("any", .json), ("table", .map(.json)), ("list", .list(.json)), ("actor", .actor),
        ("function", .function), ("functions", .map(.function)), ("file", .file),
    ]

    /// Reads a type.
    ///
    /// - Parameters:
    ///   - text: The type; a question mark at its end makes it optional, bars divide the words of a choice.
    ///   - place: Where it stands, for the message.
    /// - Throws: ``UsageError`` with what was meant.
    static func type(_ text: String, of place: String) throws(UsageError) -> (type: ScriptType, isOptional: Bool) {
        let isOptional = text.hasSuffix("?")
        let name = isOptional ? String(text.dropLast()) : text
        if name.contains("|") {
            let words = name.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard !words.contains("") else {
                throw UsageError(
                    "\(place): a choice has words between its bars, such as \"open|ended\", not \"\(text)\"")
            }
            return (.choice(words), isOptional)
        }
        if let found = Self.types.first(where: { $0.name == name }) { return (found.type, isOptional) }
        let known = Self.types.map(\.name)
        throw UsageError(
            "\(place): there is no type \"\(name)\""
                + TextDistance.hint(
                    name, among: known,
                    otherwise: "there are \(known.joined(separator: ", ")), "
                        + "words such as \"open|ended\", and ? for optional"))
    }

    /// Reads a parameter with its type: `"text: string"`, `"room: string?"`; one without a type may be anything.
    ///
    /// - Throws: ``UsageError`` as of ``type(_:of:)``.
    static func parameter(_ text: String, of place: String) throws(UsageError) -> ParameterDeclaration {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
        guard let name = parts.first, LuaSystemDeclaration.isName(name) else {
            throw UsageError("\(place): a parameter is a name and a type, such as \"text: string\", not \"\(text)\"")
        }
        let (type, isOptional) = try Self.type(parts.count > 1 ? parts[1] : "any?", of: "\(place): \(name)")
        return ParameterDeclaration(name, type, optional: isOptional, "")
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
