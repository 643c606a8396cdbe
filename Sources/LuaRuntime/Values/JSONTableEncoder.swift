internal import CLua
internal import JSON
internal import LuaBridge

/// Writes tables as JSON text without values of Swift in between, with the same bytes as ``JSONTableReader`` and
/// ``JSONWriter`` together.
///
/// What is not plain — functions, texts that are no UTF-8, tables that contain themselves or much, or have
/// anything by their metatable — it gives up on, and the reader says what is wrong with it.
@safe struct JSONTableEncoder {
    /// Tables that are larger or nest more deeply are left to the reader, which has bounds of its own. So many members
    /// fit into a kilobyte, up to which temporary memory is taken from the stack.
    private static let limits = (members: 40, values: 64, depth: 16)

    private let stack: LuaStack
    private var writer = JSONWriter(reservingCapacity: 128)
    private var valuesLeft = Self.limits.values

    private var thread: OpaquePointer { unsafe self.stack.thread }

    /// Returns the text of a value, or nil if it is not plain.
    static func encode(at index: Int32, of stack: LuaStack) -> [UInt8]? {
        var encoder = JSONTableEncoder(stack: stack)
        let top = unsafe lua_gettop(stack.thread)
        defer { unsafe lua_settop(stack.thread, top) }
        return encoder.append(at: unsafe lua_absindex(stack.thread, index), depth: 0) ? encoder.writer.bytes : nil
    }

    private init(stack: LuaStack) {
        self.stack = stack
    }

    /// Writes the value at a place.
    ///
    /// - Returns: False if it is not plain.
    private mutating func append(at index: Int32, depth: Int) -> Bool {
        self.valuesLeft -= 1
        guard self.valuesLeft >= 0 else { return false }
        switch unsafe lua_type(self.thread, index) {
        case LUA_TNIL, LUA_TLIGHTUSERDATA: self.writer.append(literal: "null")
        case LUA_TBOOLEAN:
            self.writer.append(literal: unsafe lua_toboolean(self.thread, index) != 0 ? "true" : "false")
        case LUA_TNUMBER:
            guard unsafe lua_isinteger(self.thread, index) == 0 else {
                self.writer.append(integer: unsafe lua_tointegerx(self.thread, index, nil))
                return true
            }
            let number = unsafe lua_tonumberx(self.thread, index, nil)
            guard number.isFinite else { return false }
            self.writer.append(number: number)
        case LUA_TSTRING:
            let text = unsafe self.stack.bytes(at: index)
            guard unsafe Self.isPlain(text) else { return false }
            unsafe self.writer.append(text: text)
        case LUA_TTABLE: return self.appendTable(at: index, depth: depth)
        default: return false
        }
        return true
    }

    /// Whether a text is ASCII, so that it is UTF-8 and is put in order by its bytes; and not long, for that has a
    /// price.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe text.count <= 4096 && text.isASCII
    }

    private mutating func appendTable(at index: Int32, depth: Int) -> Bool {
        guard depth < Self.limits.depth, unsafe lua_checkstack(self.thread, 8) != 0 else { return false }
        self.stack.completeDocument(at: index)
        guard InheritedMembers.nothing.accepts(at: index, of: self.stack) else { return false }
        let count = unsafe Int(lua_rawlen(self.thread, index))
        return count > 0
            ? self.appendArray(at: index, count: count, depth: depth) : self.appendObject(at: index, depth: depth)
    }

    private mutating func appendArray(at index: Int32, count: Int, depth: Int) -> Bool {
        guard count <= self.valuesLeft, self.keyCount(at: index) == count else { return false }
        self.writer.append(literal: "[")
        for position in 1...count {
            if position > 1 { self.writer.append(literal: ",") }
            _ = unsafe lua_rawgeti(self.thread, index, lua_Integer(position))
            guard self.append(at: unsafe lua_gettop(self.thread), depth: depth + 1) else { return false }
            unsafe lua_settop(self.thread, -2)
        }
        self.writer.append(literal: "]")
        return true
    }

    /// How many keys a table has, all of which are integers; nil if one is not.
    private func keyCount(at index: Int32) -> Int? {
        var count = 0
        unsafe lua_pushnil(self.thread)
        while unsafe repartee_lua_traverse(self.thread, index) != 0 {
            unsafe lua_settop(self.thread, -2)
            count += 1
            guard unsafe lua_isinteger(self.thread, -1) != 0 else { return nil }
        }
        return count
    }

    /// A member of a table: its name, whose text is there as long as the table is, and where its value lies on the
    /// stack.
    private typealias Member = (name: UnsafeBufferPointer<UInt8>, value: Int32)

    private mutating func appendObject(at index: Int32, depth: Int) -> Bool {
        let top = unsafe lua_gettop(self.thread)
        defer { unsafe lua_settop(self.thread, top) }
        return unsafe withUnsafeTemporaryAllocation(of: Member.self, capacity: Self.limits.members) { members in
            guard let count = unsafe self.pushMembers(at: index, into: members) else { return false }
            guard count > 0 else {
                let isArray = unsafe repartee_lua_is_marked_array(self.thread, index) != 0
                self.writer.append(literal: isArray ? "[]" : "{}")
                return true
            }
            for place in 0..<count {
                self.writer.append(literal: place == 0 ? "{" : ",")
                unsafe self.writer.append(text: members[place].name)
                self.writer.append(literal: ":")
                guard unsafe self.append(at: members[place].value, depth: depth + 1) else { return false }
            }
            self.writer.append(literal: "}")
            return true
        }
    }

    /// Pushes the values of a table's members, and puts the members in order of their names.
    ///
    /// - Returns: How many there are; nil if one has no plain name, or there are too many.
    private func pushMembers(at index: Int32, into members: UnsafeMutableBufferPointer<Member>) -> Int? {
        var count = 0
        unsafe lua_pushnil(self.thread)
        while unsafe repartee_lua_traverse(self.thread, index) != 0 {
            guard unsafe lua_type(self.thread, -2) == LUA_TSTRING, count < Self.limits.members else { return nil }
            // Not for all at once: the stack of a thread that has grown stays so for a while.
            if count % 8 == 0, unsafe lua_checkstack(self.thread, 16) == 0 { return nil }
            let name = unsafe self.stack.bytes(at: -2)
            guard unsafe Self.isPlain(name) else { return nil }
            var place = count
            while place > 0, unsafe name.lexicographicallyPrecedes(members[place - 1].name) {
                unsafe members[place] = members[place - 1]
                place -= 1
            }
            // The value stays below the key, by which the traversal goes on.
            unsafe lua_rotate(self.thread, -2, 1)
            unsafe members[place] = (name, lua_gettop(self.thread) - 1)
            count += 1
        }
        return count
    }
}
