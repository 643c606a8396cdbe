/// A simulated server of a chat system in Lua, as the scripts that use it see it.
protocol LuaSystemServer: ScenarioServer {
    /// The system as the script declares it that uses the server.
    var luaSystem: LuaSystem { get }
}
