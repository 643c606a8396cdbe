import LuaRuntime

/// What an execution runs of its script, known once that is loaded.
struct ExecutionFunctions {
    /// The hooks that run once a run, from the file inwards, each in an execution of its own.
    var sharedHooks: [SharedPart] = []

    /// The hooks before the body, outermost first, or what makes the value of a shared part.
    var before: [LuaReference] = []

    /// The function of the scenario; a shared part has none.
    var body: LuaReference?

    /// The hooks after it, innermost first.
    var after: [LuaReference] = []

    /// How many there are, as far as the life cycle asks.
    var outline: ExecutionLifeCycle.Outline {
        self.body == nil
            ? .sharedPart(functions: self.before.count, after: self.after.count)
            : .scenario(sharedHooks: self.sharedHooks.count, before: self.before.count, after: self.after.count)
    }
}
