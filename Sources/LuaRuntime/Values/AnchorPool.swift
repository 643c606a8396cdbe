internal import CLua

/// The registry slots of a state that references have let go but that are not free yet.
///
/// A reference may go away in the middle of anything, such as a collection; its slot is freed at a safe point.
final class AnchorPool {
    var released: [Int32] = []
    /// Nil once the state is closed, which its deinitializer does as well: safe without a count of references.
    ///
    /// A weak reference would make every retain of the state slow, which each call of a host function would feel.
    unowned(unsafe) var state: LuaState?

    /// Lets Lua free what was released; returns whether there was anything.
    func free(on thread: OpaquePointer) -> Bool {
        guard !self.released.isEmpty else { return false }
        let released = self.released
        self.released = []
        for anchor in released { unsafe luaL_unref(thread, registryIndex, anchor) }
        return true
    }
}
