internal import CLua
internal import LuaBridge

extension LuaState {
    /// Returns how a script writes the name of a function, as far as it can be known: that of a host function, or of one
    /// that stands among the globals or in a table there, such as `string.upper`.
    public func name(of function: LuaReference) -> String? {
        if let name = function.hostName { return name }
        guard let main = unsafe self.main, unsafe lua_checkstack(main, 12) != 0 else { return nil }
        let top = unsafe lua_gettop(main)
        defer { unsafe lua_settop(main, top) }
        unsafe self.push(function, on: main)
        if let environment = function.environment {
            _ = unsafe lua_rawgeti(main, registryIndex, lua_Integer(environment.anchor))
            if let name = unsafe self.key(of: top + 1, inTableAt: top + 2, of: main, depth: 1) { return name }
            unsafe lua_settop(main, top + 1)
        }
        unsafe repartee_lua_push_shared(main)
        return unsafe self.key(of: top + 1, inTableAt: top + 2, of: main, depth: 1)
    }

    /// Returns the line at which a script defines a function; nil for one that is not its own.
    public func line(of function: LuaReference) -> Int? {
        guard let main = unsafe self.main, unsafe lua_checkstack(main, 4) != 0 else { return nil }
        unsafe self.push(function, on: main)
        let line = unsafe repartee_lua_line_of(main)
        return line > 0 ? Int(line) : nil
    }

    /// Returns the name under which a table, or one of the tables in it, holds a value; of several the first by their
    /// letters, for the order of a table is not the same in each run.
    private func key(of value: Int32, inTableAt table: Int32, of thread: OpaquePointer, depth: Int) -> String? {
        var own: String?
        var inner: String?
        unsafe lua_pushnil(thread)
        while unsafe repartee_lua_traverse(thread, table) != 0 {
            let top = unsafe lua_gettop(thread)
            defer { unsafe lua_settop(thread, top - 1) }
            guard unsafe lua_type(thread, top - 1) == LUA_TSTRING,
                let name = unsafe self.text(at: top - 1, of: thread)
            else { continue }
            if unsafe lua_rawequal(thread, top, value) != 0 {
                own = min(own ?? name, name)
            } else if depth > 0, unsafe lua_type(thread, top) == LUA_TTABLE,
                unsafe lua_rawequal(thread, top, table) == 0,
                let member = unsafe self.key(of: value, inTableAt: top, of: thread, depth: depth - 1)
            {
                let path = "\(name).\(member)"
                inner = min(inner ?? path, path)
            }
        }
        return own ?? inner
    }
}
