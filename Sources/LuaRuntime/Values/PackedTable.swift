internal import CLua
internal import Glibc
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

    private let packed: UnsafePointer<repartee_lua_packed>

    /// - Parameter packed: The object, which is to outlive this.
    init(_ packed: UnsafePointer<repartee_lua_packed>) {
        unsafe self.packed = packed
    }

    /// Finds the object; nil for any other value.
    init?(at index: Int32, of stack: LuaStack) {
        guard let packed = unsafe repartee_lua_to_packed(stack.thread, index) else { return nil }
        unsafe self.packed = UnsafePointer(packed)
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

    /// Finds a member by its name.
    func member(named name: UnsafeBufferPointer<UInt8>) -> repartee_lua_found {
        var found = unsafe repartee_lua_found()
        var reader = unsafe PackedJSONReader(self.bytes)
        for _ in 0..<(reader.beginObject() ?? 0) {
            guard let other = unsafe reader.readText() else { break }
            if other.count == name.count, unsafe memcmp(other.baseAddress!, name.baseAddress!, name.count) == 0 {
                unsafe Self.fill(&found, from: reader.readScalar())
                break
            }
            guard reader.skipValue() != nil else { break }
        }
        return unsafe found
    }

    private static func fill(_ found: inout repartee_lua_found, from scalar: PackedScalar?) {
        switch scalar {
        case .null?: unsafe found.kind = REPARTEE_LUA_NULL
        case .bool(let value)?:
            unsafe found.kind = REPARTEE_LUA_BOOLEAN
            unsafe found.value.integer = value ? 1 : 0
        case .integer(let value)?:
            unsafe found.kind = REPARTEE_LUA_INTEGER
            unsafe found.value.integer = value
        case .double(let value)?:
            unsafe found.kind = REPARTEE_LUA_NUMBER
            unsafe found.value.number = value
        case .text(let text)?:
            unsafe found.kind = REPARTEE_LUA_TEXT
            unsafe found.length = text.count
            unsafe found.value.text = UnsafeRawPointer(text.baseAddress!).assumingMemoryBound(to: CChar.self)
        case nil: unsafe found.kind = REPARTEE_LUA_PARTS
        }
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
        var reader = unsafe PackedJSONReader(bytes)
        guard unsafe PackedTable.suits(bytes, extent), let members = reader.beginObject() else { return false }
        var head = repartee_lua_packed(
            count: UInt32(bytes.count), values: UInt16(extent.values), depth: UInt8(extent.depth), reads: 0,
            members: members)
        unsafe repartee_lua_push_packed(self.thread, &head, bytes.baseAddress)
        return true
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

    /// Gives a table the members of the packed object that it stood for, which is on the stack meanwhile, and makes it
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
