import JSON
import Machines

/// A simulated server of a chat system in Lua, as the scripts that use it see it.
protocol LuaSystemServer: ScenarioServer {
    /// The system as the script declares it that uses the server.
    var luaSystem: LuaSystem { get }
}

extension LuaSystem {
    /// Returns a command as the method that asks another script to run it.
    func declaration(of name: String, in part: Part) -> MethodDeclaration? {
        self.command(name, in: part).map {
            MethodDeclaration(name, $0.parameters ?? [], returns: .json, sends: $0.sends, "")
        }
    }
}
