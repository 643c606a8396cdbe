/// What a script may have meant where Lua says that an object of the engine cannot be indexed.
enum AssignmentHint {
    /// What Lua says of its own values, of which nothing can be read, either.
    private static let lua: Set<Substring> = [
        "nil", "boolean", "number", "string", "table", "function", "thread", "userdata",
    ]

    /// Returns what to add to a message of Lua such as `attempt to index a support client value (local 'ada')`.
    ///
    /// All objects of the engine can be read, so that Lua says this of those only to which something was assigned.
    static func text(for message: String) -> String? {
        guard let match = message.firstMatch(of: /attempt to index an? ([^()']+) value\b/), !Self.lua.contains(match.1)
        else { return nil }
        return "; what it has can be read, and nothing can be assigned to it"
    }
}
