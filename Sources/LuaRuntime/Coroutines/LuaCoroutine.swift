/// A coroutine that the engine runs; what a script makes with `coroutine.create` is not one of these.
@safe public final class LuaCoroutine {
    /// What the coroutine does.
    public enum Status: Hashable, Sendable {
        /// It has not started.
        case ready
        /// It runs at the moment, or has called something that does.
        case running
        /// It waits in a host function.
        case suspended
        /// It has returned, failed, or was canceled.
        case ended
    }

    /// What the coroutine does.
    public internal(set) var status = Status.ready

    /// The environment whose instruction budget it uses up.
    public let environment: LuaEnvironment?

    /// The first fault raised in it that it cannot catch; what it ends with.
    var final: RaisedError?

    /// The thread, which goes back to the state's pool at the end.
    var thread: OpaquePointer?
    var anchor: Int32
    var argumentCount: Int32
    private let anchors: AnchorPool

    init(
        environment: LuaEnvironment?, thread: OpaquePointer, anchor: Int32, argumentCount: Int32, anchors: AnchorPool
    ) {
        self.environment = environment
        unsafe self.thread = thread
        self.anchor = anchor
        self.argumentCount = argumentCount
        self.anchors = anchors
    }

    /// The calls in progress while it waits, innermost first.
    public var calls: [LuaFrame] {
        guard unsafe self.anchors.state != nil, let thread = unsafe self.thread else { return [] }
        return unsafe LuaFrame.calls(on: thread)
    }

    deinit {
        // One that nobody ended goes with its thread, without running its `<close>` variables.
        if unsafe self.thread != nil { self.anchors.released.append(self.anchor) }
    }
}
