internal import JSON

/// The functions of a state that the bridge itself calls; they belong to the state and do not hold it.
enum BridgeCallbacks {
    /// Finds what a script requires: returns the module, or its text or code with its name and how it is to be loaded.
    static func require(in state: LuaState) -> HostFunction {
        HostFunction("require", parameters: ["name"]) { [unowned state] (call) throws(HostError) in
            let name = try call.string(1)
            guard let searcher = state.moduleSearcher else {
                throw HostError("module '\(name)' is not found: there is no place to look for it", kind: "module")
            }
            switch try searcher(name, call.position) {
            case .value(let value): call.push(value)
            case .source(let text, let chunkName):
                state.files.note(chunkName)
                let chunk = Self.compiled(text, named: chunkName, in: state, on: call.stack)
                if let chunk { call.push(chunk.bytes) } else { call.push(text) }
                call.push(chunkName)
                call.push(chunk == nil ? "t" : "b")
            }
            return .returns
        }
    }

    /// Returns what a module is compiled to, compiling it if nobody has required it as it is.
    ///
    /// - Returns: Nil if it cannot be compiled; whoever loads its text is told why.
    private static func compiled(
        _ text: String, named name: String, in state: LuaState, on stack: LuaStack
    ) -> LuaChunk? {
        if let chunk = state.compiledModules.chunk(of: text, named: name) { return chunk }
        guard let chunk = try? ChunkLoader(stack: stack).compile(text, name: name) else { return nil }
        state.compiledModules.keep(chunk, of: text)
        return chunk
    }

    /// Raises the fault of a script that reads a name which nobody has assigned.
    static func undefined(in state: LuaState) -> HostFunction {
        HostFunction("undefined", parameters: ["names", "name", "library", "table", "closed"]) {
            [unowned state] (call) throws(HostError) in
            guard let judge = state.undefinedName, let fault = judge(try UndefinedName(call)) else { return .returns }
            throw fault
        }
    }

    /// Gives a table the members that its document stands for, and answers with one of them.
    static var document: HostFunction {
        HostFunction("document", parameters: ["table", "name"]) { (call) throws(HostError) in
            call.stack.completeDocument(at: 1)
            call.pushMember(named: 2, ofTable: 1)
            return .returns
        }
    }
}
