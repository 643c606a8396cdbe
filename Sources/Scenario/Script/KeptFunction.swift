import LuaRuntime
import Machines

/// A function of a script that matchers and machines refer to by its number.
struct KeptFunction {
    let reference: LuaReference

    /// What it has to return, where an option says so.
    @Boxed var result: FunctionResult?
}
