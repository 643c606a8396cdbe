internal import CLua
internal import LuaBridge

extension LuaState {
    /// Makes an environment and runs the preludes in it.
    ///
    /// - Parameter seed: The seed of its `math.random`; derived from the state's unless given.
    /// - Throws: ``LuaError`` if a prelude fails or memory runs out.
    public func makeEnvironment(seed: UInt64? = nil) throws(LuaError) -> LuaEnvironment {
        guard let main = unsafe self.main else { throw LuaError.closed }
        if seed == nil { self.nextSeed &+= 0x9E37_79B9_7F4A_7C15 }
        let status = unsafe repartee_lua_make_environment(main, seed ?? self.nextSeed)
        guard status == LUA_OK else { throw unsafe self.takeError(from: main, status: status, trace: []) }
        let environment = LuaEnvironment(
            anchor: unsafe self.anchorTop(of: main), anchors: self.anchors,
            instructionsLeft: self.limits.instructionsTotal ?? .max)
        for prelude in self.preludes { _ = try self.call(try self.load(prelude, in: environment)) }
        return environment
    }

    /// Loads a script.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - name: The chunk name: `@` and the file; `=` and a name for Lua of the engine.
    ///   - environment: Its globals.
    /// - Returns: The function that runs it.
    /// - Throws: ``LuaError`` of kind ``LuaError/Kind/syntax``.
    public func load(_ source: String, name: String, in environment: LuaEnvironment) throws(LuaError) -> LuaReference {
        var source = source
        return try self.load(&source, name: name, in: environment)
    }

    /// Loads a script compiled before.
    public func load(_ chunk: LuaChunk, in environment: LuaEnvironment) throws(LuaError) -> LuaReference {
        self.note(chunk.name)
        let status = unsafe chunk.bytes.withUnsafeBytes { bytes in
            unsafe self.load(bytes, name: chunk.name, mode: "b", in: environment)
        }
        return try self.loaded(status, in: environment)
    }

    /// Compiles a script so that it can be loaded many times without reading its text again.
    ///
    /// - Throws: ``LuaError`` of kind ``LuaError/Kind/syntax``.
    public func compile(_ source: String, name: String) throws(LuaError) -> LuaChunk {
        self.note(name)
        guard let main = unsafe self.main else { throw LuaError.closed }
        self.note(name)
        var source = source
        unsafe lua_createtable(main, 0, 0)
        let status = source.withUTF8 { bytes in
            unsafe self.loadAboveEnvironment(UnsafeRawBufferPointer(bytes), name: name, mode: "t")
        }
        guard status == LUA_OK else { throw unsafe self.takeError(from: main, status: status, trace: []) }
        let output = ChunkOutput()
        let writer: lua_Writer = { _, bytes, count, data in
            let output = unsafe Unmanaged<ChunkOutput>.fromOpaque(data!).takeUnretainedValue()
            unsafe output.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
        _ = unsafe repartee_lua_dump(main, writer, Unmanaged.passUnretained(output).toOpaque())
        unsafe lua_settop(main, -2)
        return LuaChunk(name: name, bytes: output.bytes)
    }

    private func load(
        _ source: inout String, name: String, in environment: LuaEnvironment
    ) throws(LuaError) -> LuaReference {
        self.note(name)
        let status = source.withUTF8 { bytes in
            unsafe self.load(UnsafeRawBufferPointer(bytes), name: name, mode: "t", in: environment)
        }
        return try self.loaded(status, in: environment)
    }

    private func load(
        _ bytes: UnsafeRawBufferPointer, name: String, mode: String, in environment: LuaEnvironment
    ) -> Int32? {
        guard let main = unsafe self.main else { return nil }
        _ = unsafe lua_rawgeti(main, registryIndex, lua_Integer(environment.anchor))
        return unsafe self.loadAboveEnvironment(bytes, name: name, mode: mode)
    }

    private func loadAboveEnvironment(_ bytes: UnsafeRawBufferPointer, name: String, mode: String) -> Int32 {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        return unsafe repartee_lua_load(self.main, start, bytes.count, name, mode)
    }

    private func loaded(_ status: Int32?, in environment: LuaEnvironment) throws(LuaError) -> LuaReference {
        guard let status, let main = unsafe self.main else { throw LuaError.closed }
        guard status == LUA_OK else { throw unsafe self.takeError(from: main, status: status, trace: []) }
        return LuaReference(
            anchor: unsafe self.anchorTop(of: main), kind: .function, environment: environment, anchors: self.anchors)
    }

    /// Remembers the file that a chunk name stands for.
    func note(_ chunkName: String) {
        guard chunkName.hasPrefix("@"), !LuaState.isHarness(chunkName) else { return }
        let file = String(chunkName.dropFirst())
        self.files[LuaState.shortName(of: file)] = file
    }

    func global(_ name: String, in environment: LuaEnvironment) -> LuaValue {
        guard let main = unsafe self.main else { return .nil }
        _ = unsafe lua_rawgeti(main, registryIndex, lua_Integer(environment.anchor))
        unsafe self.push(name, on: main)
        _ = unsafe lua_rawget(main, -2)
        let value = unsafe self.value(at: -1, of: main, environment: environment)
        unsafe lua_settop(main, -3)
        return value
    }

    func setGlobal(_ name: String, to value: LuaValue, in environment: LuaEnvironment) {
        guard let main = unsafe self.main else { return }
        _ = unsafe lua_rawgeti(main, registryIndex, lua_Integer(environment.anchor))
        unsafe self.push(name, on: main)
        unsafe self.push(value, on: main)
        unsafe lua_rawset(main, -3)
        unsafe lua_settop(main, -2)
    }
}

/// Takes up the pieces of a compiled chunk.
private final class ChunkOutput {
    var bytes: [UInt8] = []
}
