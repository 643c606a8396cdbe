/// The functions that the chunks were loaded as which ran last, so that the next environment need not load them again.
struct KeptChunks {
    /// Scripts are run file by file, so few are enough.
    private static let limit = 4

    private var entries: [(chunk: LuaChunk, function: LuaReference)] = []

    /// Returns the function that a chunk was loaded as.
    func function(of chunk: LuaChunk) -> LuaReference? {
        self.entries.first { $0.chunk === chunk }?.function
    }

    /// Keeps a function in the place of the oldest one.
    mutating func keep(_ function: LuaReference, of chunk: LuaChunk) {
        if self.entries.count == Self.limit { self.entries.removeFirst() }
        self.entries.append((chunk, function))
    }
}
