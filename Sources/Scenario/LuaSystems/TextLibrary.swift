import LuaRuntime

/// What the language itself calls around a command that sends a text.
enum TextLibrary {
    /// All functions.
    static var functions: [HostFunction] {
        [
            HostFunction("begin_text", parameters: ["actor"]) { (call) throws(HostError) in
                call.push(Self.actor(of: call)?.textsUnderWay.take())
                return .returns
            },
            HostFunction("end_text", parameters: ["actor", "number", "failed"]) { (call) throws(HostError) in
                let takeBack = Self.actor(of: call)?.textsUnderWay.end(try call.integer(2))
                if try call.boolean(3) { takeBack?() }
                return .returns
            },
        ]
    }

    private static func actor(of call: borrowing LuaCall) -> Actor? {
        guard case .handle(let object, _) = call.value(1) else { return nil }
        return object as? Actor
    }
}
