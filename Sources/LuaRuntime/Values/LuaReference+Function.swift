internal import CLua
internal import LuaBridge

extension LuaReference {
    /// The name under which a function of the host was registered; nil for anything else.
    public var hostName: String? {
        guard let stack = self.stack, unsafe lua_checkstack(stack.thread, 4) != 0 else { return nil }
        stack.push(self)
        let slot = unsafe repartee_lua_host_slot(stack.thread, -1)
        unsafe lua_settop(stack.thread, -2)
        guard slot >= 0, let functions = unsafe stack.state.host.pointee.functions else { return nil }
        let registered = unsafe functions.assumingMemoryBound(to: Unmanaged<RegisteredFunction>.self)
        return unsafe registered[Int(slot)].takeUnretainedValue().function.name
    }

    /// How a script writes the name of the function, as far as it can be known: that of a host function, or of one that
    /// stands among the globals or in a table there, such as `string.upper`.
    public var functionName: String? {
        if let name = self.hostName { return name }
        guard let stack = self.stack, unsafe lua_checkstack(stack.thread, 12) != 0 else { return nil }
        let top = unsafe lua_gettop(stack.thread)
        defer { unsafe lua_settop(stack.thread, top) }
        stack.push(self)
        if let environment = self.environment {
            stack.pushAnchored(environment.anchor)
            if let name = Self.key(of: top + 1, inTableAt: top + 2, on: stack, depth: 1) { return name }
            unsafe lua_settop(stack.thread, top + 1)
        }
        unsafe repartee_lua_push_shared(stack.thread)
        return Self.key(of: top + 1, inTableAt: top + 2, on: stack, depth: 1)
    }

    /// Where a script defines the function; nil for one that is not its own, and for anything else.
    public var definition: LuaPosition? {
        guard self.kind == .function, let stack = self.stack, unsafe lua_checkstack(stack.thread, 4) != 0 else {
            return nil
        }
        stack.push(self)
        var source: UnsafePointer<CChar>?
        let line = unsafe repartee_lua_line_of(stack.thread, &source)
        guard line > 0, let name = unsafe source.map({ unsafe String(cString: $0) }),
            !ScriptFileNames.isHarness(name)
        else { return nil }
        return LuaPosition(file: String(name.dropFirst()), line: Int(line))
    }

    /// The names of the parameters of the function; nil for one that takes any number of arguments, and for what is
    /// none.
    public var parameterNames: [String]? {
        guard self.kind == .function, let stack = self.stack, unsafe lua_checkstack(stack.thread, 4) != 0 else {
            return nil
        }
        stack.push(self)
        defer { unsafe lua_settop(stack.thread, -2) }
        let count = unsafe repartee_lua_parameter_count(stack.thread, -1)
        guard count >= 0 else { return nil }
        return (0..<count).map { place in
            let name = unsafe repartee_lua_parameter_name(stack.thread, -1, place + 1)
            return unsafe name.map { unsafe String(cString: $0) } ?? "argument \(place + 1)"
        }
    }

    /// Returns the name under which a table, or one of the tables in it, holds a value; of several the first by their
    /// letters, for the order of a table is not the same in each run.
    private static func key(of value: Int32, inTableAt table: Int32, on stack: LuaStack, depth: Int) -> String? {
        var own: String?
        var inner: String?
        unsafe lua_pushnil(stack.thread)
        while unsafe repartee_lua_traverse(stack.thread, table) != 0 {
            let top = unsafe lua_gettop(stack.thread)
            defer { unsafe lua_settop(stack.thread, top - 1) }
            guard unsafe lua_type(stack.thread, top - 1) == LUA_TSTRING, let name = stack.text(at: top - 1) else {
                continue
            }
            if unsafe lua_rawequal(stack.thread, top, value) != 0 {
                own = min(own ?? name, name)
            } else if depth > 0, unsafe lua_type(stack.thread, top) == LUA_TTABLE,
                unsafe lua_rawequal(stack.thread, top, table) == 0,
                let member = Self.key(of: value, inTableAt: top, on: stack, depth: depth - 1)
            {
                let path = "\(name).\(member)"
                inner = min(inner ?? path, path)
            }
        }
        return own ?? inner
    }
}
