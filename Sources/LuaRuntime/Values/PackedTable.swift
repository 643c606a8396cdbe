internal import CLua
internal import JSON
internal import LuaBridge

/// A table of a script that stands for a packed object, and gets its members when a script does more than ask for some
/// of them: most of what a peer sends is asked for one member or two, and then there is no table to fill and to
/// collect.
///
/// It is valid as long as the table keeps the object.
@safe struct PackedTable {
    /// An object of fewer values is sooner a table.
    static let fewestValues = 4
    /// Greater ones are tables at once: each look for a member goes through the object.
    static let mostValues = 64
    static let greatestDepth = 16
    /// So long may a text be, and what it is packed into: up to this, temporary memory is taken from the stack.
    static let mostBytes = 1024

    /// So many members are read where they lie; a script that asks for more will want all of them.
    private static let mostReads: UInt8 = 3

    private let packed: UnsafeMutablePointer<repartee_lua_packed>

    /// Finds the object; nil for any other value.
    init?(at index: Int32, of stack: LuaStack) {
        guard let packed = unsafe repartee_lua_to_packed(stack.thread, index) else { return nil }
        unsafe self.packed = packed
    }

    /// Whether a packed object is kept as it is.
    static func suits(_ bytes: UnsafeRawBufferPointer, _ extent: PackedExtent) -> Bool {
        extent.values >= Self.fewestValues && extent.values <= Self.mostValues && extent.depth <= Self.greatestDepth
            && bytes.count <= Self.mostBytes
    }

    /// The object.
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: self.packed + 1, count: Int(self.packed.pointee.count))
    }

    /// How much it holds.
    var extent: PackedExtent {
        unsafe PackedExtent(values: Int(self.packed.pointee.values), depth: Int(self.packed.pointee.depth))
    }

    /// Pushes a member.
    ///
    /// - Returns: Whether there is one; nil if the table is to get all its members first.
    func pushMember(named name: UnsafeBufferPointer<UInt8>, on stack: LuaStack) -> Bool? {
        guard unsafe self.packed.pointee.reads < Self.mostReads else { return nil }
        unsafe self.packed.pointee.reads += 1
        var reader = unsafe PackedJSONReader(self.bytes)
        for _ in 0..<(reader.beginObject() ?? 0) {
            guard let other = unsafe reader.readText() else { return nil }
            guard other.count == name.count, unsafe other.elementsEqual(name) else {
                guard reader.skipValue() != nil else { return nil }
                continue
            }
            // Each look at a member that is a table finds the same table.
            guard !reader.isAtParts else { return nil }
            var builder = LuaJSONBuilder(on: stack, refusingRepetition: false)
            return reader.readValue(&builder) == nil ? nil : true
        }
        return false
    }
}

extension LuaStack {
    /// Pushes the object that a JSON text stands for as a table that keeps it, if it suits.
    ///
    /// - Returns: Whether it did.
    func pushPacked(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= PackedTable.mostBytes, unsafe lua_checkstack(self.thread, 8) != 0 else { return false }
        return unsafe withUnsafeTemporaryAllocation(byteCount: PackedTable.mostBytes, alignment: 1) { output in
            guard let (count, extent) = unsafe PackedJSON.pack(text, into: output) else { return false }
            return unsafe self.push(packed: UnsafeRawBufferPointer(rebasing: output[..<count]), extent)
        }
    }

    /// Pushes a packed object as a table that keeps it, if it suits.
    ///
    /// - Returns: Whether it did.
    private func push(packed bytes: UnsafeRawBufferPointer, _ extent: PackedExtent) -> Bool {
        guard unsafe PackedTable.suits(bytes, extent) else { return false }
        var head = repartee_lua_packed(
            count: UInt32(bytes.count), values: UInt16(extent.values), depth: UInt8(extent.depth), reads: 0)
        unsafe repartee_lua_push_packed(self.thread, &head, bytes.baseAddress)
        return true
    }

    /// Pushes a member of a table, past metatables. Of one that stands for a packed object that is read where it lies, or
    /// the table gets its members.
    ///
    /// - Returns: Whether there is one; nothing is pushed otherwise.
    func pushMember(named name: Int32, ofTable table: Int32) -> Bool {
        if unsafe lua_type(self.thread, name) == LUA_TSTRING, let packed = PackedTable(at: table, of: self) {
            if let isThere = unsafe packed.pushMember(named: self.bytes(at: name), on: self) { return isThere }
            self.completeDocument(at: table)
        }
        unsafe lua_pushvalue(self.thread, name)
        guard unsafe lua_rawget(self.thread, table) == LUA_TNIL else { return true }
        unsafe lua_settop(self.thread, -2)
        return false
    }

    /// Sets the members of a packed object in the table on top; only some of them where the stack has no room for all.
    func setMembers(of packed: PackedJSON) {
        let top = unsafe lua_gettop(self.thread)
        unsafe packed.withBytes { bytes in
            var reader = unsafe PackedJSONReader(bytes)
            for _ in 0..<(reader.beginObject() ?? 0) {
                guard let name = unsafe reader.readText() else { return }
                unsafe self.push(utf8: name)
                guard self.push(from: &reader) else { return }
                unsafe lua_rawset(self.thread, -3)
            }
        }
        unsafe lua_settop(self.thread, top)
    }

    /// Pushes a packed value; nil where the stack has no room for it.
    ///
    /// - Parameter start: Where it begins.
    func push(_ packed: PackedJSON, from start: Int) {
        let top = unsafe lua_gettop(self.thread)
        let isDone = unsafe packed.withBytes { bytes in
            var reader = unsafe PackedJSONReader(bytes, from: start)
            return self.push(from: &reader)
        }
        guard !isDone else { return }
        unsafe lua_settop(self.thread, top)
        unsafe lua_pushnil(self.thread)
    }

    /// Pushes the next value, an object as a table that keeps it if it suits.
    ///
    /// - Returns: Whether there was one, and room for it; what has been pushed is the caller's to remove.
    private func push(from reader: inout PackedJSONReader) -> Bool {
        guard unsafe lua_checkstack(self.thread, 8) != 0 else { return false }
        var ahead = reader
        if let object = unsafe ahead.skipObject(), unsafe self.push(packed: object.bytes, object.extent) {
            reader = ahead
            return true
        }
        var builder = LuaJSONBuilder(on: self, refusingRepetition: false)
        return reader.readValue(&builder) != nil
    }

    /// Gives a table the members of the packed object that it stood for, which lies on the stack meanwhile, and makes it
    /// a table as any other.
    func unpack(_ packed: PackedTable, into table: Int32) {
        unsafe lua_pushvalue(self.thread, table)
        let top = unsafe lua_gettop(self.thread)
        var reader = unsafe PackedJSONReader(packed.bytes)
        var builder = LuaJSONBuilder(on: self, refusingRepetition: false, fillingTable: true)
        _ = reader.readValue(&builder)
        unsafe lua_settop(self.thread, top)
        unsafe lua_pushnil(self.thread)
        _ = unsafe lua_setmetatable(self.thread, top)
        unsafe lua_settop(self.thread, top - 1)
    }
}
