/// A compiled script that can be loaded into any number of environments and states of this process.
///
/// An object, so that a state knows again what it has loaded.
public final class LuaChunk: Sendable {
    /// The chunk name: `@` and the file, or `=` and the name of a part of the engine.
    public let name: String

    let bytes: [UInt8]

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
