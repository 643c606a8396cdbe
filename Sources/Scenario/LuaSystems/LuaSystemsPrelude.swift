internal import EmbeddedFiles
import LuaRuntime

/// The Lua half of chat systems written in Lua: `system`, and the tables that their commands and handlers get.
///
/// Like ``Prelude`` it runs once in each state and keeps nothing about any script.
enum LuaSystemsPrelude {
    /// The compiled form, made once a process.
    static let chunk: LuaChunk = {
        let state = LuaState()
        defer { state.close() }
        do { return try state.compile(Self.source, name: Prelude.chunkName) } catch {
            preconditionFailure("the prelude of systems does not compile: \(error)")
        }
    }()

    static let source = String(cString: embedded_systems_prelude())
}
