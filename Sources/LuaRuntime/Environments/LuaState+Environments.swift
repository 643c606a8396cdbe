internal import CLua
internal import LuaBridge

extension LuaState {
    /// Makes an environment.
    ///
    /// It costs little: what all environments share is taken, tables as copies, when its script first asks for it.
    ///
    /// - Parameter seed: The seed of its `math.random`; derived from the state's unless given.
    /// - Throws: ``LuaError`` if memory runs out.
    public func makeEnvironment(seed: UInt64? = nil) throws(LuaError) -> LuaEnvironment {
        guard let main = unsafe self.main else { throw LuaError.closed }
        if seed == nil { self.nextSeed &+= 0x9E37_79B9_7F4A_7C15 }
        let status = unsafe repartee_lua_make_environment(main, seed ?? self.nextSeed)
        guard status == LUA_OK else { throw unsafe self.takeError(from: main, status: status, trace: []) }
        return LuaEnvironment(
            anchor: unsafe self.anchorTop(of: main), anchors: self.anchors,
            instructionsLeft: self.limits.instructionsTotal ?? .max)
    }

    /// Adds a global to what all environments share; each gets its own copy of a table.
    ///
    /// - Throws: ``LuaError`` if memory runs out.
    public func share(_ name: String, _ value: LuaValue) throws(LuaError) {
        guard let main = unsafe self.main else { throw LuaError.closed }
        unsafe repartee_lua_push_shared(main)
        unsafe self.push(name, on: main)
        unsafe self.push(value, on: main)
        unsafe lua_rawset(main, -3)
        unsafe lua_settop(main, -2)
        try self.numberShared()
    }

    /// Runs Lua of the engine once; the globals it defines are shared by all environments.
    ///
    /// Its functions must keep nothing about the script that calls them: host functions find that by
    /// ``LuaCall/environment``.
    ///
    /// - Parameters:
    ///   - chunk: The compiled text; its name starts with `=`, so that its frames are left out of tracebacks.
    ///   - arguments: What it gets as `...`.
    /// - Throws: ``LuaError`` if it fails.
    public func runPrelude(_ chunk: LuaChunk, _ arguments: [LuaValue] = []) throws(LuaError) {
        precondition(LuaState.isHarness(chunk.name), "the name of a prelude starts with '=' or '@repartee:'")
        guard let main = unsafe self.main else { throw LuaError.closed }
        unsafe repartee_lua_push_shared(main)
        try self.call(try self.loaded(self.loadAboveEnvironment(chunk), in: nil), arguments)
        try self.numberShared()
    }

    private func numberShared() throws(LuaError) {
        guard let main = unsafe self.main else { throw LuaError.closed }
        let status = unsafe repartee_lua_number_shared(main)
        guard status == LUA_OK else { throw unsafe self.takeError(from: main, status: status, trace: []) }
    }

    /// Runs a script compiled before; its code is kept, so that the next environment that runs it need not load it.
    ///
    /// - Throws: ``LuaError`` of the script.
    public func run(_ chunk: LuaChunk, in environment: LuaEnvironment) throws(LuaError) {
        guard let main = unsafe self.main else { throw LuaError.closed }
        self.note(chunk.name)
        let code = try self.code(of: chunk)
        _ = unsafe lua_rawgeti(main, registryIndex, lua_Integer(code.anchor))
        _ = unsafe lua_rawgeti(main, registryIndex, lua_Integer(environment.anchor))
        let status = unsafe repartee_lua_instantiate(main)
        guard status == LUA_OK else {
            let error = unsafe self.takeError(from: main, status: status, trace: [])
            unsafe lua_settop(main, -3)
            throw error
        }
        unsafe lua_settop(main, -2)
        try self.call(try self.loaded(LUA_OK, in: environment))
    }

    /// Returns the function that a chunk was loaded as, whatever its globals are now.
    private func code(of chunk: LuaChunk) throws(LuaError) -> LuaReference {
        if let kept = self.keptChunks.first(where: { $0.chunk === chunk }) { return kept.function }
        guard let main = unsafe self.main else { throw LuaError.closed }
        unsafe repartee_lua_push_shared(main)
        let function = try self.loaded(self.loadAboveEnvironment(chunk), in: nil)
        if self.keptChunks.count == Self.mostKeptChunks { self.keptChunks.removeFirst() }
        self.keptChunks.append((chunk, function))
        return function
    }

    /// Scripts are run file by file, so few are enough.
    private static var mostKeptChunks: Int { 4 }

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

    private func loadAboveEnvironment(_ chunk: LuaChunk) -> Int32 {
        unsafe chunk.bytes.withUnsafeBytes { bytes in
            unsafe self.loadAboveEnvironment(bytes, name: chunk.name, mode: "b")
        }
    }

    private func loaded(_ status: Int32?, in environment: LuaEnvironment?) throws(LuaError) -> LuaReference {
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
