import LuaRuntime
import Machines

extension Script {
    /// Calls a function of the prelude that makes something of a system in Lua.
    func callMaker(_ maker: LuaReference, _ arguments: [LuaValue]) throws(HostError) -> [LuaValue] {
        do throws(LuaError) { return try self.state.call(maker, arguments, in: self.environment) } catch {
            throw HostError(error)
        }
    }

    /// The type by which scripts hold a system of their own.
    var luaSystemType: LuaHandleType {
        self.engine.handleType("chat system") {
            LuaHandleDeclaration(
                name: "chat system", methods: [],
                member: HostFunction("chat system", parameters: ["member"]) { (call) throws(HostError) in
                    let name = try call.string(1)
                    guard let system = try call.receiver(ofTypeNamed: "chat system") as? LuaSystem,
                        let parts = system.parts
                    else { throw HostError.usage("the system is not declared yet") }
                    switch name {
                    case "commands": call.push(LuaValue.reference(parts.commands))
                    case "on": call.push(LuaValue.reference(parts.handlers))
                    case "server": call.push(LuaValue.reference(parts.server))
                    case "parties": call.push(LuaValue.reference(parts.parties))
                    case "json": call.push(LuaValue.reference(parts.messages))
                    case "name": call.push(system.declaration.name)
                    default:
                        throw HostError.usage(
                            "a chat system has no \"\(name)\""
                                + TextDistance.hint(
                                    name, among: ["commands", "on", "server", "parties", "json", "name"],
                                    otherwise: "it has commands, on, server, parties, json and name"))
                    }
                    return .returns
                }, text: { ($0 as? LuaSystem)?.declaration.name ?? "chat system" })
        }
    }

    /// The type of what stands for a server in its own table.
    var serverBoxType: LuaHandleType {
        self.engine.handleType("simulated server") { LuaHandleDeclaration(name: "simulated server", methods: []) }
    }
}
