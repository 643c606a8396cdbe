/// What a host function answers to the script that called it; errors are thrown as ``HostError``.
public enum HostVerdict: Hashable, Sendable {
    /// Return what was pushed on the ``LuaCall``, in that order.
    case returns

    /// Suspend the coroutine; what it returns or raises is given to ``LuaState/resume(_:with:)`` later.
    case suspends
}
