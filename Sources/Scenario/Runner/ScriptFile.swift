import LuaRuntime

/// A script as it was read from disk.
public struct ScriptFile: Sendable {
    /// The file as it is named in reports, relative to the project where possible.
    public let name: String

    /// Its whole text.
    public let source: String

    /// The compiled form, once it has been loaded.
    var chunk: LuaChunk?

    /// Creates a file.
    public init(name: String, source: String) {
        self.name = name
        self.source = source
    }
}
