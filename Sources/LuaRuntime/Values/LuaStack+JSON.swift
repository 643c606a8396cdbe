internal import CLua
internal import JSON
internal import LuaBridge

extension LuaStack {
    func push(_ value: JSONValue) {
        switch value {
        case .null: unsafe repartee_lua_push_null(self.thread)
        case .bool(let value): unsafe lua_pushboolean(self.thread, value ? 1 : 0)
        case .integer(let value): unsafe lua_pushinteger(self.thread, value)
        case .double(let value): unsafe lua_pushnumber(self.thread, value)
        case .numeral(let text):
            // Lua has no greater numbers: what it cannot hold is math.huge, as the same digits in a script are.
            unsafe lua_pushnumber(self.thread, Double(text) ?? .infinity)
        case .string(let text): self.push(text)
        case .array(let elements):
            guard unsafe lua_checkstack(self.thread, 8) != 0 else { return unsafe lua_pushnil(self.thread) }
            unsafe lua_createtable(self.thread, Int32(clamping: elements.count), 0)
            if elements.isEmpty { unsafe repartee_lua_mark_array(self.thread) }
            for (index, element) in elements.enumerated() {
                self.push(element)
                unsafe lua_rawseti(self.thread, -2, lua_Integer(index + 1))
            }
        case .object(let members):
            guard unsafe lua_checkstack(self.thread, 8) != 0 else { return unsafe lua_pushnil(self.thread) }
            unsafe lua_createtable(self.thread, 0, Int32(clamping: members.count))
            for (name, member) in members {
                self.push(name)
                self.push(member)
                unsafe lua_rawset(self.thread, -3)
            }
        }
    }

    /// Reads a value as JSON; what JSON cannot hold is asked of `embed`.
    func json(
        at index: Int32, embedding embed: JSONEmbedding? = nil, spellingInfinity: Bool = false
    ) throws(HostError) -> JSONValue {
        let limit = self.state.limits.jsonValues
        var reader = JSONTableReader(stack: self, embed: embed, spellsInfinity: spellingInfinity)
        let top = unsafe lua_gettop(self.thread)
        defer { unsafe lua_settop(self.thread, top) }
        let value: JSONValue
        do throws(JSONTableReader.Failure) {
            value = try reader.read(at: unsafe lua_absindex(self.thread, index))
        } catch {
            throw error.fault
        }
        let count = limit - reader.valuesLeft
        if count > 64 { _ = unsafe repartee_lua_spend(self.thread, Int64(count) * 8) }
        return value
    }
}
