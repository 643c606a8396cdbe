import Machines

/// Reads the types that scripts write in declarations of their own: `"string"`, `"integer?"`, `"queued|open|ended"`.
enum LuaTypeReader {
    private static let types: [(name: String, type: ScriptType)] = [
        ("string", .string), ("number", .number), ("integer", .integer), ("boolean", .boolean),
        ("duration", .duration), ("any", .json), ("table", .map(.json)), ("list", .list(.json)), ("actor", .actor),
        ("function", .function), ("functions", .map(.function)), ("file", .file), ("form", DeclaredForm.type),
    ]

    /// Whether nothing is of a type that goes over a wire: what a script gives to commands and as options alone.
    static func isOfScripts(_ type: ScriptType) -> Bool {
        [.actor, .function, .map(.function), .file].contains(type)
    }

    /// Which of them may stand beside each other, as in `"integer|string"`: values tell those apart.
    private static let united: Set<ScriptType> = [
        .string, .number, .integer, .boolean, .map(.json), .list(.json),
    ]

    /// Those whose names are hardly the words of a choice.
    private static let plain: Set<ScriptType> = [.string, .integer, .boolean]

    /// The type whose name is a word among others, such as the kinds of fields of a form: `"text|number|date"`.
    private static let wordlike = ScriptType.number

    /// What stands for no value in other languages, and is no word here: `"number|nil"` is meant as `"number?"`.
    private static let nothing: Set<String> = ["nil", "null", "none"]

    /// Reads a type.
    ///
    /// - Parameters:
    ///   - text: The type; a question mark at its end makes it optional, bars divide the words of a choice, or types of
    ///     which it is one.
    ///   - place: Where it stands, for the message.
    /// - Throws: ``UsageError`` with what was meant.
    static func type(_ text: String, of place: String) throws(UsageError) -> (type: ScriptType, isOptional: Bool) {
        let isOptional = text.hasSuffix("?")
        let name = isOptional ? String(text.dropLast()) : text
        if name.contains("|") {
            let words = name.split(separator: "|", omittingEmptySubsequences: false).map(Self.trimmed)
            guard !words.contains("") else {
                throw UsageError(
                    "\(place): a choice has words between its bars, such as \"open|ended\", not \"\(text)\"")
            }
            return (try Self.choice(words, of: place), isOptional)
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

    /// Returns what it is that is one of some words: one of those types, if all are names of types.
    private static func choice(_ words: [String], of place: String) throws(UsageError) -> ScriptType {
        let types = words.compactMap { word in Self.types.first { $0.name == word }?.type }
        if types.count == words.count, types.allSatisfy(Self.united.contains) { return .either(types) }
        if let (misspelt, name) = Self.misspeltType(in: words) {
            throw UsageError(
                "\(place): in \"\(words.joined(separator: "|"))\" there is no type \"\(misspelt)\"; "
                    + "did you mean \"\(name)\"?")
        }
        let hasWords = words.contains { word in
            !Self.nothing.contains(word) && !Self.types.contains { $0.name == word }
        }
        let isType = { (type: ScriptType) in Self.plain.contains(type) || type == Self.wordlike && !hasWords }
        guard let plain = types.first(where: isType), let name = Self.types.first(where: { $0.type == plain })?.name
        else { return .choice(words) }
        let united = Self.types.filter { Self.united.contains($0.type) }.map(\.name)
        throw UsageError(
            "\(place): in \"\(words.joined(separator: "|"))\" \(name) would be the word \"\(name)\" and no type; "
                + "write types alone, such as \"integer|string\" (of \(united.joined(separator: ", "))), words alone, "
                + "such as \"open|ended\", \"\(name)?\" for one that may be left out, or \"any\"")
    }

    /// Finds the first word between bars that is a type with a slip of a finger.
    ///
    /// Words may be alike to types by chance, such as `last` and `list`, or `strong` and `string`. So a slip is one
    /// only beside a type, or beside another slip, where every word may be a type: `"number|strng"`, but not
    /// `"first|last|number"` or `"weak|strong"`. Among further words only the name of a type that is hardly a word is
    /// one, beside another such name or `number`: `"text|number|boolen"`.
    ///
    /// - Returns: The word and the type that was meant; nil if all are words, or types.
    private static func misspeltType(in words: [String]) -> (word: String, type: String)? {
        let named = Self.types.filter { words.contains($0.name) }
        let others = words.filter { word in
            !Self.nothing.contains(word) && !named.contains { $0.name == word }
        }
        // A word beside the type that it looks like is another one, such as "number|numbers". Short names, but for
        // those of lists and tables, look like too many words: "list|tile".
        let candidates = Self.types.filter { type in
            !words.contains(type.name) && (Self.united.contains(type.type) || type.name.count > 5)
        }
        let slips = others.compactMap { word in
            candidates.first { TextDistance.isSlip(word, $0.name) }.map { (word: word, type: $0) }
        }
        let isBasic = { (type: ScriptType) in Self.plain.contains(type) || type == Self.wordlike }
        if slips.count == others.count,
            !named.isEmpty || slips.count > 1 && slips.allSatisfy({ isBasic($0.type.type) })
        {
            return slips.first.map { ($0.word, $0.type.name) }
        }
        guard named.contains(where: { isBasic($0.type) }) else { return nil }
        return slips.first { Self.plain.contains($0.type.type) }.map { ($0.word, $0.type.name) }
    }

    /// Divides a declaration from what people read of it, which stands behind two dashes: `"string? -- The topic."`
    static func divided(_ text: String) -> (declaration: String, summary: String) {
        guard let dashes = text.firstRange(of: "--") else { return (text, "") }
        return (Self.trimmed(text[..<dashes.lowerBound]), Self.trimmed(text[dashes.upperBound...]))
    }

    /// Reads a parameter with its type: `"text: string"`, `"room: string?"`; one without a type may be anything.
    ///
    /// - Throws: ``UsageError`` as of ``type(_:of:)``.
    static func parameter(_ text: String, of place: String) throws(UsageError) -> ParameterDeclaration {
        let (declaration, summary) = Self.divided(text)
        let parts = declaration.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
        guard let name = parts.first, LuaSystemDeclaration.isName(name) else {
            throw UsageError("\(place): a parameter is a name and a type, such as \"text: string\", not \"\(text)\"")
        }
        let (type, isOptional) = try Self.type(parts.count > 1 ? parts[1] : "any?", of: "\(place): \(name)")
        return ParameterDeclaration(name, type, optional: isOptional, summary)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
