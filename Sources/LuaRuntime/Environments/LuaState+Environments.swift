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
        let stack = try self.openStack()
        let status = unsafe repartee_lua_make_environment(stack.thread, seed ?? self.takeSeed())
        guard status == LUA_OK else { throw LuaErrorReader(stack).take(status: status) }
        return LuaEnvironment(
            anchor: stack.anchorTop(), anchors: self.anchors, instructionsLeft: self.limits.instructionsTotal ?? .max)
    }

    /// Adds a global to what all environments share; each gets its own copy of a table.
    ///
    /// - Throws: ``LuaError`` if memory runs out.
    public func share(_ name: String, _ value: LuaValue) throws(LuaError) {
        let stack = try self.openStack()
        unsafe repartee_lua_push_shared(stack.thread)
        stack.push(name)
        stack.push(value)
        unsafe lua_rawset(stack.thread, -3)
        unsafe lua_settop(stack.thread, -2)
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
        precondition(ScriptFileNames.isHarness(chunk.name), "the name of a prelude starts with '=' or '@repartee:'")
        try self.call(try ChunkLoader(stack: try self.openStack()).loadShared(chunk), arguments)
        try self.numberShared()
    }

    private func numberShared() throws(LuaError) {
        let stack = try self.openStack()
        let status = unsafe repartee_lua_number_shared(stack.thread)
        guard status == LUA_OK else { throw LuaErrorReader(stack).take(status: status) }
    }

    /// Runs a script compiled before; its code is kept, so that the next environment that runs it need not load it.
    ///
    /// - Throws: ``LuaError`` of the script.
    public func run(_ chunk: LuaChunk, in environment: LuaEnvironment) throws(LuaError) {
        let stack = try self.openStack()
        self.files.note(chunk.name)
        stack.push(try self.code(of: chunk))
        stack.pushAnchored(environment.anchor)
        let status = unsafe repartee_lua_instantiate(stack.thread)
        guard status == LUA_OK else {
            let error = LuaErrorReader(stack).take(status: status)
            unsafe lua_settop(stack.thread, -3)
            throw error
        }
        unsafe lua_settop(stack.thread, -2)
        try self.call(try ChunkLoader(stack: stack).take(LUA_OK, in: environment))
    }

    /// Returns the function that a chunk was loaded as, whatever its globals are now.
    private func code(of chunk: LuaChunk) throws(LuaError) -> LuaReference {
        if let kept = self.keptChunks.function(of: chunk) { return kept }
        let function = try ChunkLoader(stack: try self.openStack()).loadShared(chunk)
        self.keptChunks.keep(function, of: chunk)
        return function
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
        try ChunkLoader(stack: try self.openStack()).load(source, name: name, in: environment)
    }

    /// Loads a script compiled before.
    ///
    /// - Throws: ``LuaError`` if memory runs out.
    public func load(_ chunk: LuaChunk, in environment: LuaEnvironment) throws(LuaError) -> LuaReference {
        try ChunkLoader(stack: try self.openStack()).load(chunk, in: environment)
    }

    /// Compiles a script so that it can be loaded many times without reading its text again.
    ///
    /// - Throws: ``LuaError`` of kind ``LuaError/Kind/syntax``.
    public func compile(_ source: String, name: String) throws(LuaError) -> LuaChunk {
        try ChunkLoader(stack: try self.openStack()).compile(source, name: name)
    }
}
