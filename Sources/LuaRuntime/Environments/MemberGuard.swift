internal import CLua
internal import LuaBridge

/// The names that tables of one kind may have, under which none is asked for a misspelt one: in Lua that would be nil,
/// and pass for what is absent.
public final class MemberGuard {
    private let owner: String
    private let names: [String]
    private var metatable: LuaReference?

    /// Creates a guard for the tables of one state.
    ///
    /// - Parameters:
    ///   - owner: What the tables are, as people are told.
    ///   - names: Those that may be there, also where they are not.
    public init(of owner: String, names: [String]) {
        self.owner = owner
        self.names = names
    }

    /// Pushes the metatable, which is made when it is first asked for.
    func push(on thread: OpaquePointer, of state: LuaState) {
        if let metatable = self.metatable { return unsafe state.push(metatable, on: thread) }
        _ = unsafe lua_checkstack(thread, 8)
        unsafe lua_createtable(thread, 0, Int32(clamping: self.names.count))
        for name in self.names {
            unsafe state.push(name, on: thread)
            unsafe lua_pushboolean(thread, 1)
            unsafe lua_rawset(thread, -3)
        }
        unsafe state.push(self.owner, on: thread)
        unsafe repartee_lua_make_member_guard(thread)
        unsafe lua_pushvalue(thread, -1)
        self.metatable = LuaReference(
            anchor: unsafe state.anchorTop(of: thread), kind: .table, environment: nil, anchors: state.anchors)
    }
}
