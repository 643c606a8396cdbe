/// What a script may have meant where it calls a function of Lua's own libraries with a colon, as in
/// `string:format("%d", 5)`.
enum BadSelfHint {
    /// Returns what to add to a message of Lua such as `calling 'format' on bad self (string expected, got table)`
    /// (lauxlib.c, `luaL_argerror`).
    static func text(for message: String) -> String? {
        guard let name = message.firstMatch(of: /calling '([^']*)' on bad self/)?.1 else { return nil }
        return "; a colon passes what stands before it on: a function of a library is called with a dot, .\(name)(…)"
    }
}
