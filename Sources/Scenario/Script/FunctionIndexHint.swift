import Machines

/// What a script may have meant where it takes a function of the language for a table, as in `event:message()`.
enum FunctionIndexHint {
    /// Returns what to add to a message of Lua such as `attempt to index a function value (global 'event')`.
    static func text(for message: String) -> String? {
        guard
            let name = message.firstMatch(of: /attempt to index a function value \(global '([^']*)'\)/)?.1,
            LanguageReference.globals.contains(where: { $0.name == name })
        else { return nil }
        return name == "event"
            ? "; event is a function: write event(\"message\", { … })" : "; \(name) is a function: write \(name)(…)"
    }
}
