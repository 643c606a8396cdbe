import LuaRuntime

/// What scripts hand to the functions for systems of their own: the system, a client, a server.
enum LuaSystemArgument {
    /// Returns an argument that is a system of the script's own; nil for anything else.
    static func ownSystem(_ number: Int, of call: borrowing LuaCall) -> LuaSystem? {
        guard call.kind(number) == .handle, case .handle(let object, _) = call.value(number) else { return nil }
        return object as? LuaSystem
    }

    /// Returns the first argument, which is a system of the script's own.
    static func system(of call: borrowing LuaCall) throws(HostError) -> LuaSystem {
        guard case .handle(let object, _) = call.value(1), let system = object as? LuaSystem else {
            throw call.argumentFault(1, expected: "a chat system")
        }
        return system
    }

    /// Returns the first argument, which is the client of a system in Lua.
    ///
    /// - Parameter example: How its script writes such a call; as the function is spelt unless given.
    static func client(
        of call: borrowing LuaCall, asIn example: String? = nil
    ) throws(HostError) -> (actor: Actor, backend: LuaClientBackend) {
        guard case .handle(let object, _) = call.value(1), let actor = object as? Actor,
            let backend = actor.backend as? LuaClientBackend
        else {
            throw HostError.argument(
                "this needs the client it is called on: write a colon, as in \(example ?? call.name)(…)")
        }
        return (actor, backend)
    }

    /// Returns the first argument, which is a server of a system in Lua, also of another script.
    static func anyServer(of call: borrowing LuaCall) throws(HostError) -> any LuaSystemServer {
        guard case .handle(let object, _) = call.value(1) else {
            throw HostError.argument("this needs the server it is called on: write a colon")
        }
        if let server = (object as? ServerHandle)?.server as? any LuaSystemServer { return server }
        throw HostError.usage("the server has ended")
    }

    /// Returns the first argument, which is the server of a system in Lua.
    static func server(of call: borrowing LuaCall) throws(HostError) -> LuaServer {
        guard case .handle(let object, _) = call.value(1) else {
            throw HostError.argument(
                "this needs the server it is called on: write a colon, as in desk:emit(…)")
        }
        if let server = (object as? ServerBox)?.server { return server }
        if let server = (object as? ServerHandle)?.server as? LuaServer { return server }
        throw HostError.usage("the server has ended")
    }
}
