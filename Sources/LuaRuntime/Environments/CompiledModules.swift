/// What the texts of modules were compiled to, so that the next environment that requires one need not compile it
/// again.
struct CompiledModules {
    /// A project has fewer modules than this; its texts must not add up where each play has others.
    private static let limit = 64

    private var entries: [String: (text: [UInt8], chunk: LuaChunk)] = [:]

    /// Returns what a text was compiled to under a name; nil if it was not, or if it is not the same to the last byte.
    func chunk(of text: String, named name: String) -> LuaChunk? {
        guard let entry = self.entries[name] else { return nil }
        var text = text
        // Equal texts of Swift may differ in their bytes.
        return text.withUTF8 { unsafe $0.elementsEqual(entry.text) } ? entry.chunk : nil
    }

    /// Keeps what a text was compiled to, in the place of what its module was before.
    mutating func keep(_ chunk: LuaChunk, of text: String) {
        if self.entries[chunk.name] == nil, self.entries.count == Self.limit { self.entries = [:] }
        self.entries[chunk.name] = (Array(text.utf8), chunk)
    }
}
