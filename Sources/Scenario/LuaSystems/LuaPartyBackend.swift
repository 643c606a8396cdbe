import LuaRuntime
import Machines

/// A party of a simulated server in Lua as what stands behind an actor.
final class LuaPartyBackend: PartyBackend {
    let luaSystem: LuaSystem

    /// The party's own table; nil where its functions run in another script, and once the party is closed, for the
    /// table holds the actor in turn.
    private(set) var party: LuaReference?

    /// What kind of party it is.
    let kind: String

    init(_ name: String, of kind: String, party: LuaReference?, of server: any LuaSystemServer) {
        self.luaSystem = server.luaSystem
        self.kind = kind
        self.party = party
        super.init(server: server, party: name)
    }

    override func declaration(of command: String) -> MethodDeclaration? {
        self.luaSystem.declaration(of: command, in: .party(self.kind))
    }

    override var namesReasons: Bool { true }

    override func close() { self.party = nil }
}
