internal import CLua
internal import LuaBridge

/// Turns texts and compiled chunks into functions, on the main stack of a state.
struct ChunkLoader {
    let stack: LuaStack

    /// Loads a text as a function whose globals are an environment's.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - name: The chunk name.
    ///   - environment: The globals.
    /// - Throws: ``LuaError`` of kind ``LuaError/Kind/syntax``.
    func load(_ source: String, name: String, in environment: LuaEnvironment) throws(LuaError) -> LuaReference {
        self.stack.state.files.note(name)
        self.stack.pushAnchored(environment.anchor)
        return try self.take(self.read(source, name: name), in: environment)
    }

    /// Loads a chunk as a function whose globals are an environment's.
    ///
    /// - Throws: ``LuaError`` if memory runs out.
    func load(_ chunk: LuaChunk, in environment: LuaEnvironment) throws(LuaError) -> LuaReference {
        self.stack.state.files.note(chunk.name)
        self.stack.pushAnchored(environment.anchor)
        return try self.take(self.read(chunk), in: environment)
    }

    /// Loads a chunk as a function whose globals are what all environments share.
    ///
    /// - Throws: ``LuaError`` if memory runs out.
    func loadShared(_ chunk: LuaChunk) throws(LuaError) -> LuaReference {
        unsafe repartee_lua_push_shared(self.stack.thread)
        return try self.take(self.read(chunk), in: nil)
    }

    /// Compiles a text.
    ///
    /// - Throws: ``LuaError`` of kind ``LuaError/Kind/syntax``.
    func compile(_ source: String, name: String) throws(LuaError) -> LuaChunk {
        self.stack.state.files.note(name)
        let thread = unsafe self.stack.thread
        unsafe lua_createtable(thread, 0, 0)
        let status = self.read(source, name: name)
        guard status == LUA_OK else { throw LuaErrorReader(self.stack).take(status: status) }
        let output = ChunkOutput()
        let writer: lua_Writer = { _, bytes, count, data in
            let output = unsafe Unmanaged<ChunkOutput>.fromOpaque(data!).takeUnretainedValue()
            unsafe output.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
        _ = unsafe repartee_lua_dump(thread, writer, Unmanaged.passUnretained(output).toOpaque())
        unsafe lua_settop(thread, -2)
        return LuaChunk(name: name, bytes: output.bytes)
    }

    /// Takes the function from the top of the stack that was loaded there, or the error.
    func take(_ status: Int32, in environment: LuaEnvironment?) throws(LuaError) -> LuaReference {
        guard status == LUA_OK else { throw LuaErrorReader(self.stack).take(status: status) }
        return LuaReference(
            anchor: self.stack.anchorTop(), kind: .function, environment: environment,
            anchors: self.stack.state.anchors)
    }

    /// Puts a function in the place of the globals on top of the stack.
    private func read(_ source: String, name: String) -> Int32 {
        var source = source
        return source.withUTF8 { unsafe self.read(UnsafeRawBufferPointer($0), name: name, mode: "t") }
    }

    private func read(_ chunk: LuaChunk) -> Int32 {
        unsafe chunk.bytes.withUnsafeBytes { unsafe self.read($0, name: chunk.name, mode: "b") }
    }

    private func read(_ bytes: UnsafeRawBufferPointer, name: String, mode: String) -> Int32 {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        return unsafe repartee_lua_load(self.stack.thread, start, bytes.count, name, mode)
    }
}

/// Takes up the pieces of a compiled chunk.
private final class ChunkOutput {
    var bytes: [UInt8] = []
}
