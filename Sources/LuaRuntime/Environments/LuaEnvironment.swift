internal import CLua

/// The globals of one scenario or virtual user: its own table and its own copies of all libraries.
public final class LuaEnvironment {
    /// Whatever the scheduler wants to find again in a host function.
    public var owner: AnyObject?

    /// Instructions left of ``LuaLimits/instructionsTotal``; the engine may grant more, for a teardown say.
    public var instructionsLeft: Int64

    let anchor: Int32
    let anchors: AnchorPool

    init(anchor: Int32, anchors: AnchorPool, instructionsLeft: Int64) {
        self.anchor = anchor
        self.anchors = anchors
        self.instructionsLeft = instructionsLeft
    }

    deinit {
        self.anchors.released.append(self.anchor)
    }

    /// A global of the environment; ignored and nil once the state is closed.
    public subscript(name: String) -> LuaValue {
        get {
            guard let stack = unsafe self.anchors.state?.mainStack else { return .nil }
            stack.pushAnchored(self.anchor)
            stack.push(name)
            _ = unsafe lua_rawget(stack.thread, -2)
            let value = stack.value(at: -1, environment: self)
            unsafe lua_settop(stack.thread, -3)
            return value
        }
        set {
            guard let stack = unsafe self.anchors.state?.mainStack else { return }
            stack.pushAnchored(self.anchor)
            stack.push(name)
            stack.push(newValue)
            unsafe lua_rawset(stack.thread, -3)
            unsafe lua_settop(stack.thread, -2)
        }
    }
}
