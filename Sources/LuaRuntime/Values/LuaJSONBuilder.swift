internal import CLua
internal import JSON
internal import LuaBridge

/// Pushes what a JSON text stands for, without values of Swift in between; null becomes `json.null`.
///
/// Each value is left on top of the stack. Where reading breaks off, what has been pushed is the caller's to remove.
@safe struct LuaJSONBuilder: JSONBuilder {
    /// Room for the members that most objects of a chat have, so that the table need not grow while it is filled.
    private static let likelyMembers: Int32 = 4

    private let stack: LuaStack

    /// Whether reading ends where a member comes once more in its object.
    private let refusesRepetition: Bool

    /// Whether the members of the outermost object go into the table on top.
    private var fillsTable: Bool

    /// The member that came once more, where that ends reading.
    private(set) var repeatedName: String?

    private var thread: OpaquePointer { unsafe self.stack.thread }

    init(on stack: LuaStack, refusingRepetition refusesRepetition: Bool, fillingTable fillsTable: Bool = false) {
        self.stack = stack
        self.refusesRepetition = refusesRepetition
        self.fillsTable = fillsTable
    }

    func null() { unsafe repartee_lua_push_null(self.thread) }
    func bool(_ value: Bool) { unsafe lua_pushboolean(self.thread, value ? 1 : 0) }
    func integer(_ value: Int64) { unsafe lua_pushinteger(self.thread, value) }

    func number(_ text: UnsafeBufferPointer<UInt8>) {
        // Lua has no greater numbers: what it cannot hold is math.huge, as the same digits in a script are.
        let number = unsafe Double(String(decoding: text, as: UTF8.self)) ?? .infinity
        unsafe lua_pushnumber(self.thread, number)
    }

    func double(_ value: Double) { unsafe lua_pushnumber(self.thread, value) }

    func string(_ text: UnsafeBufferPointer<UInt8>) { unsafe self.stack.push(utf8: text) }

    func beginElements() -> Int64? {
        guard unsafe lua_checkstack(self.thread, 8) != 0 else { return nil }
        unsafe lua_createtable(self.thread, 0, 0)
        return 0
    }

    func append(_ value: Void, to elements: inout Int64) {
        elements += 1
        unsafe lua_rawseti(self.thread, -2, elements)
    }

    func end(_ elements: Int64) {
        if elements == 0 { unsafe repartee_lua_mark_array(self.thread) }
    }

    mutating func beginMembers() -> Void? {
        guard unsafe lua_checkstack(self.thread, 8) != 0 else { return nil }
        if self.fillsTable {
            self.fillsTable = false
            return ()
        }
        unsafe lua_createtable(self.thread, 0, Self.likelyMembers)
        return ()
    }

    func name(_ text: UnsafeBufferPointer<UInt8>) { unsafe self.string(text) }
    mutating func set(_ name: Void, to value: Void, in members: inout Void) -> Bool {
        if self.refusesRepetition, self.isRepeated() { return false }
        unsafe lua_rawset(self.thread, -3)
        return true
    }

    /// Whether the object has a member already of the name below the value on top.
    private mutating func isRepeated() -> Bool {
        unsafe lua_pushvalue(self.thread, -2)
        let isRepeated = unsafe lua_rawget(self.thread, -4) != LUA_TNIL
        unsafe lua_settop(self.thread, -2)
        if isRepeated { self.repeatedName = unsafe String(decoding: self.stack.bytes(at: -2), as: UTF8.self) }
        return isRepeated
    }

    func end(_ members: Void) {}
}

extension LuaStack {
    /// Pushes what a JSON text stands for, or nothing.
    ///
    /// - Parameter refusesRepetition: Whether no object may have two members of one name, of which else the last
    ///   counts.
    /// - Throws: ``JSONSyntaxError`` if it is no JSON, nests too deeply, or is refused.
    func pushJSON(
        _ text: UnsafeBufferPointer<UInt8>, refusingRepetition refusesRepetition: Bool
    ) throws(JSONSyntaxError) {
        if unsafe self.pushPacked(text) { return }
        let top = unsafe lua_gettop(self.thread)
        var builder = LuaJSONBuilder(on: self, refusingRepetition: refusesRepetition)
        do throws(JSONSyntaxError) { try unsafe JSONParser.read(text, into: &builder) } catch {
            unsafe lua_settop(self.thread, top)
            throw error
        }
    }
}
