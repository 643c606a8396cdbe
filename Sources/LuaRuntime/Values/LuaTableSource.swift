internal import CLua
public import JSON

/// Something that becomes a table of named members when it is handed to a script.
///
/// It is written straight into the table, where ``LuaValue/table(_:)`` would need a list of the members first.
public protocol LuaTableSource {
    /// About how many members there are.
    var memberCount: Int { get }

    /// Writes the members.
    func write(into table: borrowing LuaTableWriter)
}

/// The table that a ``LuaTableSource`` is written into; it is valid only meanwhile.
@safe public struct LuaTableWriter: ~Copyable {
    private unowned(unsafe) let state: LuaState
    /// The table lies on top of its stack; the state outlives the writer, which only the state itself makes.
    private let thread: OpaquePointer

    init(state: LuaState, thread: OpaquePointer) {
        unsafe self.state = state
        unsafe self.thread = thread
    }

    /// Sets a member to a JSON value; null becomes `json.null`.
    public func set(_ name: String, to value: JSONValue) {
        unsafe self.state.push(name, on: self.thread)
        unsafe self.state.push(value, on: self.thread)
        unsafe lua_rawset(self.thread, -3)
    }

    /// Sets a member to any value.
    public func set(_ name: String, to value: LuaValue) {
        unsafe self.state.push(name, on: self.thread)
        unsafe self.state.push(value, on: self.thread)
        unsafe lua_rawset(self.thread, -3)
    }

    /// Sets a member to the value that another one has: the same table, where it is one.
    public func set(_ name: String, toMember other: String) {
        unsafe self.state.push(name, on: self.thread)
        unsafe self.state.push(other, on: self.thread)
        _ = unsafe lua_rawget(self.thread, -3)
        unsafe lua_rawset(self.thread, -3)
    }

    /// Lets the table refuse to be asked for a misspelt name.
    public func refuseMisspelt(_ members: MemberGuard) {
        unsafe members.push(on: self.thread, of: self.state)
        _ = unsafe lua_setmetatable(self.thread, -2)
    }
}
