internal import EmbeddedFiles
import LuaRuntime

/// The part of the scenario language that is written in Lua: whatever calls functions of the script, and the sugar on
/// top of host functions.
///
/// It runs once in each state, with the table of host functions as its argument; all scripts share what it defines, so
/// it keeps nothing about any of them.
enum Prelude {
    /// The chunk name; a leading `=` keeps these lines out of script tracebacks.
    static let chunkName = "=repartee"

    /// The compiled form, made once a process.
    static let chunk: LuaChunk = {
        let state = LuaState()
        defer { state.close() }
        do { return try state.compile(Self.source, name: Self.chunkName) } catch {
            preconditionFailure("the prelude does not compile: \(error)")
        }
    }()

    /// Marks a metatable as one of the engine, for the tables of the preludes.
    static var own: HostFunction {
        HostFunction("own", parameters: ["metatable"]) { (call) throws(HostError) in
            try call.markMetatable(1)
            call.pushArgument(1)
            return .returns
        }
    }

    /// Lets a table of headers, whose names are in lower case, find them by any spelling.
    static var ignoreCase: HostFunction {
        HostFunction("ignore_case", parameters: ["headers"]) { (call) throws(HostError) in
            try call.ignoreCase(1)
            return .returns
        }
    }

    static let source = String(cString: embedded_prelude())
}
