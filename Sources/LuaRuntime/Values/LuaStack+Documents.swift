internal import CLua
internal import JSON
internal import LuaBridge

extension LuaStack {
    /// Gives a table that keeps a document the members `json` and `raw`; see ``LuaTableWriter/set(document:)``. Members
    /// that the script has set itself stay as they are.
    func completeDocument(at index: Int32) {
        let table = unsafe lua_absindex(self.thread, index)
        guard unsafe lua_checkstack(self.thread, 8) != 0,
            unsafe repartee_lua_take_document(self.thread, table) != 0
        else { return }
        let document = unsafe lua_gettop(self.thread)
        defer { unsafe lua_settop(self.thread, document - 1) }
        let text = unsafe self.bytes(at: document)
        _ = unsafe repartee_lua_spend(self.thread, Int64(text.count))
        do throws(JSONSyntaxError) {
            try unsafe self.pushJSON(text)
            self.setAbsent("json", at: table)
        } catch {
            unsafe lua_pushvalue(self.thread, document)
        }
        // Null is what the wire form of an event is where nothing arrived.
        guard unsafe repartee_lua_is_null(self.thread, -1) == 0 else { return }
        self.setAbsent("raw", at: table)
    }

    /// Sets a member of a table to the value on top, which stays there, unless the table has the member.
    private func setAbsent(_ name: String, at table: Int32) {
        self.push(name)
        unsafe lua_pushvalue(self.thread, -1)
        guard unsafe lua_rawget(self.thread, table) == LUA_TNIL else { return unsafe lua_settop(self.thread, -3) }
        unsafe lua_settop(self.thread, -2)
        unsafe lua_pushvalue(self.thread, -2)
        unsafe lua_rawset(self.thread, table)
    }
}
