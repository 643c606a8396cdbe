/// What a host answers when a script requires a module.
public enum LuaModule {
    /// A text and the chunk name it is loaded under, `@` and the file.
    case source(String, name: String)

    /// The module itself.
    case value(LuaValue)
}
