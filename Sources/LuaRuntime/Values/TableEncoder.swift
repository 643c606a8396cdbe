internal import CLua
internal import JSON
internal import LuaBridge

/// Writes tables as JSON without values of Swift in between; as text it has the same bytes as ``JSONTableReader`` and
/// ``JSONWriter`` together.
///
/// What is not plain — functions, texts that are no UTF-8, tables that contain themselves or much, or have
/// anything by their metatable — it gives up on, and the reader says what is wrong with it.
@safe struct TableEncoder<Sink: TableSink> {
    /// Tables that are larger or nest more deeply are left to the reader, which has bounds of its own. So many members
    /// fit into a kilobyte, up to which temporary memory is taken from the stack.
    private var limits: (members: Int, values: Int, depth: Int) { (40, 64, 16) }

    private let stack: LuaStack
    private var valuesLeft = 0

    /// What is written.
    private(set) var sink: Sink

    private var thread: OpaquePointer { unsafe self.stack.thread }

    init(_ sink: consuming Sink, of stack: LuaStack) {
        self.stack = stack
        self.sink = sink
    }

    /// Writes a value.
    ///
    /// - Returns: False if it is not plain; what is written is of no use then.
    mutating func write(at index: Int32) -> Bool {
        self.valuesLeft = self.limits.values
        let top = unsafe lua_gettop(self.thread)
        defer { unsafe lua_settop(self.thread, top) }
        return self.append(at: unsafe lua_absindex(self.thread, index), depth: 0)
    }

    /// Writes a table of a shape, without the members that are null.
    ///
    /// - Returns: How many members it has; nil if it is not plain or not of that shape, and what is written is of no
    ///   use then.
    mutating func write(at index: Int32, shaped shape: TableShape) -> UInt8? {
        self.valuesLeft = self.limits.values
        let top = unsafe lua_gettop(self.thread)
        defer { unsafe lua_settop(self.thread, top) }
        let index = unsafe lua_absindex(self.thread, index)
        guard unsafe lua_type(self.thread, index) == LUA_TTABLE, self.enter(index),
            unsafe lua_rawlen(self.thread, index) == 0
        else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: Member.self, capacity: self.limits.members) { members in
            guard let count = unsafe self.pushMembers(at: index, into: members),
                let kept = unsafe self.select(from: members, count, shape)
            else { return nil }
            return unsafe self.append(UnsafeBufferPointer(rebasing: members[..<kept])) ? UInt8(kept) : nil
        }
    }

    /// Writes the value at a place.
    ///
    /// - Returns: False if it is not plain.
    private mutating func append(at index: Int32, depth: Int) -> Bool {
        self.valuesLeft -= 1
        guard self.valuesLeft >= 0 else { return false }
        switch unsafe lua_type(self.thread, index) {
        case LUA_TNIL, LUA_TLIGHTUSERDATA: self.sink.appendNull()
        case LUA_TBOOLEAN:
            self.sink.append(bool: unsafe lua_toboolean(self.thread, index) != 0)
        case LUA_TNUMBER:
            guard unsafe lua_isinteger(self.thread, index) == 0 else {
                self.sink.append(integer: unsafe lua_tointegerx(self.thread, index, nil))
                return true
            }
            let number = unsafe lua_tonumberx(self.thread, index, nil)
            guard number.isFinite else { return false }
            self.sink.append(number: number)
        case LUA_TSTRING:
            let text = unsafe self.stack.bytes(at: index)
            guard unsafe Self.isText(text) else { return false }
            unsafe self.sink.append(text: text)
        case LUA_TTABLE: return self.appendTable(at: index, depth: depth)
        default: return false
        }
        return true
    }

    /// Whether bytes are a text, and not a long one, for that has a price.
    private static func isText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.count <= 4096 && (bytes.isASCII || String(validating: bytes, as: UTF8.self) != nil)
    }

    /// Whether a name is ASCII, so that names are put in order by their bytes.
    private static func isPlain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe name.count <= 4096 && name.isASCII
    }

    /// Makes sure that there is room for looking at a table, and that it has nothing by its metatable.
    private func enter(_ index: Int32) -> Bool {
        guard unsafe lua_checkstack(self.thread, 8) != 0 else { return false }
        self.stack.completeDocument(at: index)
        return InheritedMembers.nothing.accepts(at: index, of: self.stack)
    }

    private mutating func appendTable(at index: Int32, depth: Int) -> Bool {
        guard depth < self.limits.depth else { return false }
        if self.appendPacked(at: index, depth: depth) { return true }
        guard self.enter(index) else { return false }
        let count = unsafe Int(lua_rawlen(self.thread, index))
        return count > 0
            ? self.appendArray(at: index, count: count, depth: depth) : self.appendObject(at: index, depth: depth)
    }

    /// Writes a table as the packed object that it stands for.
    ///
    /// - Returns: False if it stands for none, or that has no room here; nothing is written then.
    private mutating func appendPacked(at index: Int32, depth: Int) -> Bool {
        guard unsafe lua_checkstack(self.thread, 8) != 0, let packed = PackedTable(at: index, of: self.stack),
            packed.extent.values - 1 <= self.valuesLeft, depth + packed.extent.depth <= self.limits.depth,
            unsafe self.sink.append(packed: packed.bytes)
        else { return false }
        self.valuesLeft -= packed.extent.values - 1
        return true
    }

    private mutating func appendArray(at index: Int32, count: Int, depth: Int) -> Bool {
        guard count <= self.valuesLeft, self.keyCount(at: index) == count else { return false }
        self.sink.beginArray(of: count)
        for position in 1...count {
            self.sink.beginElement(at: position - 1)
            _ = unsafe lua_rawgeti(self.thread, index, lua_Integer(position))
            guard self.append(at: unsafe lua_gettop(self.thread), depth: depth + 1) else { return false }
            unsafe lua_settop(self.thread, -2)
        }
        self.sink.endArray()
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
        return unsafe withUnsafeTemporaryAllocation(of: Member.self, capacity: self.limits.members) { members in
            guard let count = unsafe self.pushMembers(at: index, into: members) else { return false }
            guard unsafe count > 0 || repartee_lua_is_marked_array(self.thread, index) == 0 else {
                self.sink.beginArray(of: 0)
                self.sink.endArray()
                return true
            }
            return unsafe self.append(UnsafeBufferPointer(rebasing: members[..<count]), depth: depth + 1)
        }
    }

    /// Writes an object of members.
    ///
    /// - Parameter depth: That of their values.
    private mutating func append(_ members: UnsafeBufferPointer<Member>, depth: Int = 1) -> Bool {
        self.sink.beginObject(of: members.count)
        for place in members.indices {
            unsafe self.sink.append(name: members[place].name, at: place)
            guard unsafe self.append(at: members[place].value, depth: depth) else { return false }
        }
        self.sink.endObject()
        return true
    }

    /// Moves those members to the front that are not null, if all are what a shape wants.
    ///
    /// - Returns: How many these are; nil if the members are not of that shape.
    private func select(from members: UnsafeMutableBufferPointer<Member>, _ count: Int, _ shape: TableShape) -> Int? {
        var (place, kept) = (0, 0)
        // Both are in the order of their names, so that each is looked at once.
        for known in shape.members {
            let isThere = unsafe place < count && members[place].name.elementsEqual(known.name)
            defer { if isThere { place += 1 } }
            guard isThere, unsafe lua_type(self.thread, members[place].value) != LUA_TLIGHTUSERDATA else {
                guard known.isOptional else { return nil }
                continue
            }
            guard unsafe self.isValue(at: members[place].value, known.kind) else { return nil }
            unsafe members[kept] = members[place]
            kept += 1
        }
        return place == count ? kept : nil
    }

    /// Whether the value at a place is of a kind.
    private func isValue(at index: Int32, _ kind: TableShape.Kind) -> Bool {
        switch kind {
        case .text: unsafe lua_type(self.thread, index) == LUA_TSTRING
        case .integer: unsafe lua_isinteger(self.thread, index) != 0
        case .number: unsafe lua_type(self.thread, index) == LUA_TNUMBER
        case .boolean: unsafe lua_type(self.thread, index) == LUA_TBOOLEAN
        case .any: true
        }
    }

    /// Pushes the values of a table's members, and puts the members in order of their names.
    ///
    /// - Returns: How many there are; nil if one has no plain name, or there are too many.
    private func pushMembers(at index: Int32, into members: UnsafeMutableBufferPointer<Member>) -> Int? {
        var count = 0
        unsafe lua_pushnil(self.thread)
        while unsafe repartee_lua_traverse(self.thread, index) != 0 {
            guard unsafe lua_type(self.thread, -2) == LUA_TSTRING, count < self.limits.members else { return nil }
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
