import LuaRuntime

/// The functions of the prelude that make what a system in Lua consists of.
struct LuaSystemMakers {
    /// (actor, handlers, options) → `me`, function that gets what arrives
    let client: LuaReference

    /// (server, handlers, options) → `desk`, function that gets what arrives
    let server: LuaReference

    /// (commands, name) → method
    let command: LuaReference

    /// (server, name) → method
    let serverCommand: LuaReference

    /// (parties, name, party) → method
    let partyCommand: LuaReference

    /// (desk, name) → the party's own table
    let party: LuaReference

    /// (table, name) → member
    let member: LuaReference

    /// (table of tables of commands, key, name, receiver, …) → what the command returns
    let run: LuaReference

    /// (`me`) → what has come of lines and events of streamed answers that are not whole, in words
    let begunItems: LuaReference

    /// (form, …) → what the command returns that submits it
    let submit: LuaReference
}
