/// What a script may have meant where Lua says that what it required cannot be used.
enum ModuleHint {
    /// Returns what to add to a message of Lua such as `attempt to index a boolean value (local 'support')`, if the
    /// script got that value from `require`.
    static func text(for message: String, in source: String) -> String? {
        guard
            let match = message.firstMatch(
                of: /attempt to (?:index|call) a boolean value \((?:local|upvalue|global) '([^']*)'\)/)
        else { return nil }
        let isRequired = source.matches(of: /([A-Za-z_][A-Za-z_0-9]*)\s*=\s*require\b/).contains { $0.1 == match.1 }
        return isRequired
            ? "; require gives true for a module that returns nothing: end the module with return, as in return \(match.1)"
            : nil
    }
}
