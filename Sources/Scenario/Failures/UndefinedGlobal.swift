import Machines

/// What to say of a global that a script reads but nobody has assigned.
///
/// In Lua it would be nil, and a table that asks for a field by a misspelt constant would ask for nothing.
enum UndefinedGlobal {
    /// What Lua has elsewhere and scripts do not find.
    private static let leftOut: Set<String> = ["dofile", "io", "loadfile", "loadstring", "package", "warn"]

    /// Returns what is wrong and what to do.
    ///
    /// - Parameters:
    ///   - names: Those that the place knows.
    ///   - source: The script, whose local variables a function that does not use them does not know.
    static func message(for name: String, among names: [String], source: String = "") -> String {
        if Self.leftOut.contains(name) { return "\(name) is not available to scripts" }
        let known = Set(names + Self.localNames(in: source)).subtracting([name])
        let suggestion = TextDistance.suggestion(for: name, among: known.sorted())
        return "the global \"\(name)\" is not defined"
            + (suggestion.map { "; did you mean \"\($0)\"?" }
                ?? "; assign it first, or ask rawget(_G, \"\(name)\") whether it is there")
    }

    /// Returns the names of the local variables and functions that a text declares.
    private static func localNames(in source: String) -> [String] {
        source.matches(of: /\blocal\s+(?:function\s+)?([A-Za-z_][\w<>, \t]*)/.asciiOnlyWordCharacters()).flatMap {
            match in
            match.1.split(separator: ",").compactMap { part in
                part.split { $0 == " " || $0 == "\t" || $0 == "<" }.first.map(String.init)
            }
        }
    }
}
