internal import CLua
public import JSON
internal import LuaBridge

/// The table that a ``LuaTableSource`` is written into; it is valid only meanwhile.
@safe public struct LuaTableWriter: ~Copyable {
    /// The table lies on top.
    private let stack: LuaStack

    init(stack: LuaStack) {
        self.stack = stack
    }

    /// Sets a member to a text.
    public func set(_ name: StaticString, to text: String) {
        self.stack.push(name: name)
        self.stack.push(text)
        self.setMember()
    }

    /// Sets a member to a word.
    public func set(_ name: StaticString, to word: StaticString) {
        self.stack.push(name: name)
        self.stack.push(name: word)
        self.setMember()
    }

    /// Sets a member to an integer.
    public func set(_ name: StaticString, to number: Int64) {
        self.stack.push(name: name)
        unsafe lua_pushinteger(self.stack.thread, number)
        self.setMember()
    }

    /// Sets a member to a number.
    public func set(_ name: StaticString, to number: Double) {
        self.stack.push(name: name)
        unsafe lua_pushnumber(self.stack.thread, number)
        self.setMember()
    }

    /// Sets the members `text`, and `json` and `raw`: the value that the text stands for as JSON, or the text as `raw`
    /// alone where it is no JSON. The latter two are there when a script asks for them, and cost nothing otherwise.
    ///
    /// The table must also get a guard of its members, by which that is found out: ``refuseMisspelt(_:)``.
    public func set(document text: String) {
        self.stack.push(name: "text")
        self.stack.push(text)
        unsafe repartee_lua_set_document(self.stack.thread)
    }

    /// Sets all members that a packed object has.
    public func set(membersOf packed: PackedJSON) { self.stack.setMembers(of: packed) }

    /// Sets a member to a packed value.
    ///
    /// - Parameter start: Where the value begins.
    public func set(_ name: StaticString, to packed: PackedJSON, from start: Int) {
        self.stack.push(name: name)
        self.stack.push(packed, from: start)
        self.setMember()
    }

    /// Sets a member to a JSON value; null becomes `json.null`.
    public func set(_ name: String, to value: JSONValue) {
        self.stack.push(name)
        self.stack.push(value)
        self.setMember()
    }

    /// Sets a member to any value.
    public func set(_ name: String, to value: LuaValue) {
        self.stack.push(name)
        self.stack.push(value)
        self.setMember()
    }

    /// Sets a member to the value that another one has: the same table, where it is one.
    public func set(_ name: StaticString, toMember other: String) {
        self.stack.push(name: name)
        self.stack.push(other)
        _ = unsafe lua_rawget(self.stack.thread, -3)
        self.setMember()
    }

    /// Sets a member to what lies on top, its name below.
    private func setMember() { unsafe lua_rawset(self.stack.thread, -3) }

    /// Lets the table refuse to be asked for a misspelt name.
    public func refuseMisspelt(_ members: MemberGuard) {
        members.push(on: self.stack)
        _ = unsafe lua_setmetatable(self.stack.thread, -2)
    }

    /// Lets the table find its members, whose names are in lower case, by any spelling.
    public func ignoreCase() { self.stack.ignoreCase(at: -1) }
}
