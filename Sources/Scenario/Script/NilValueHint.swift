import Machines

/// What a script may have meant where Lua says that a value is nil.
enum NilValueHint {
    /// What Lua itself offers to scripts.
    private static let lua = [
        "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawlen", "rawset",
        "require", "select", "setmetatable", "tonumber", "tostring", "type", "xpcall", "coroutine", "math", "os",
        "string",
        "table", "utf8",
    ]

    /// Returns a suggestion to add to a message of Lua such as `attempt to call a nil value (global 'expct')`.
    ///
    /// Lua names the variable (Lua 5.4 Reference Manual, ldebug.c `varinfo`), and the names that scripts find are
    /// known.
    static func text(for message: String) -> String? {
        guard let match = message.firstMatch(of: /a nil value \((global|field|method) '([^']*)'\)/) else { return nil }
        let known: [String]
        if match.1 == "field", match.2 == "row" {
            return "; t.row is there in a scenario with rows, and t.user.row in a workload with rows"
        }
        switch match.1 {
        case "global":
            known = LanguageReference.globals.map(\.name) + LanguageReference.tables.map(\.name) + Self.lua
        case "field": known = LanguageReference.tables.flatMap { $0.functions.map(\.name) }
        default:
            let own = LanguageReference.ownTables.flatMap(\.methods)
            known = (LanguageReference.form + LanguageReference.testContext + own).map(\.name)
        }
        let name = String(match.2)
        guard !known.contains(name), let suggestion = TextDistance.suggestion(for: name, among: known) else {
            return nil
        }
        return "; did you mean \"\(suggestion)\"?"
    }
}
