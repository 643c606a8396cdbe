internal import CLua
internal import LuaBridge

/// What a table may have from its metatable (`__index`, `__pairs`) where it is read as JSON, which takes only what the
/// table has itself: anything else would be lost without a word.
///
/// The metatables of the engine, which refuse misspelt names or give methods, count as nothing.
public enum InheritedMembers: Hashable, Sendable {
    /// Nothing: a table that is asked for, or of options, may have functions as well as values.
    case nothing
    /// Functions, as an object has the methods of its class; that class may name the one that it is made from.
    case methods
    /// Anything: what is lost is of no matter.
    case anything

    /// Whether a table has no more than that.
    func accepts(at index: Int32, of stack: LuaStack) -> Bool {
        switch self {
        case .anything: true
        case .methods: unsafe repartee_lua_inherited(stack.thread, index) != REPARTEE_LUA_INHERITS_VALUES
        case .nothing: unsafe repartee_lua_inherited(stack.thread, index) == REPARTEE_LUA_INHERITS_NOTHING
        }
    }

    /// Returns the complaint about a table that has more than that, with the first member by the alphabet.
    func complaint(at index: Int32, of stack: LuaStack) -> String {
        let event = unsafe repartee_lua_name_inherited(stack.thread, index, self == .nothing ? 1 : 0)
        defer { unsafe lua_settop(stack.thread, -2) }
        let name = unsafe lua_type(stack.thread, -1) == LUA_TSTRING ? stack.text(at: -1) : nil
        return "a table has \(name.map { "\"\($0)\"" } ?? "members") by its metatable "
            + "(\(unsafe event.map { unsafe String(cString: $0) } ?? "")), which would be dropped; write "
            + "\(name == nil ? "them" : "it") into the table itself"
    }
}
