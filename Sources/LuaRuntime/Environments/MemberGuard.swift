internal import CLua
internal import LuaBridge

/// The names that tables of one kind may have, under which none is asked for a misspelt one: in Lua that would be nil,
/// and pass for what is absent.
public final class MemberGuard {
    private let owner: String
    private let names: [String]
    private let isClosed: Bool
    private var metatable: LuaReference?

    /// Creates a guard for the tables of one state.
    ///
    /// - Parameters:
    ///   - owner: What the tables are, as people are told.
    ///   - names: Those that may be there, also where they are not.
    ///   - isClosed: Whether there can be no others, so that also a name that resembles none of them is a mistake.
    public init(of owner: String, names: [String], isClosed: Bool = false) {
        self.owner = owner
        self.names = names
        self.isClosed = isClosed
    }

    /// Pushes the metatable, which is made when it is first asked for.
    func push(on stack: LuaStack) {
        if let metatable = self.metatable { return stack.push(metatable) }
        _ = unsafe lua_checkstack(stack.thread, 8)
        unsafe lua_createtable(stack.thread, 0, Int32(clamping: self.names.count))
        for name in self.names {
            stack.push(name)
            unsafe lua_pushboolean(stack.thread, 1)
            unsafe lua_rawset(stack.thread, -3)
        }
        stack.push(self.owner)
        unsafe lua_pushboolean(stack.thread, self.isClosed ? 1 : 0)
        unsafe repartee_lua_make_member_guard(stack.thread)
        self.metatable = stack.reference(at: -1, environment: nil)
    }
}
