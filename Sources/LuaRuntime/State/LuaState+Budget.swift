internal import CLua
internal import LuaBridge

extension LuaState {
    /// Runs something that enters scripts, with the budget of an environment unless one is being used up already.
    func withBudget<Value>(of environment: LuaEnvironment?, _ body: () -> Value) -> Value {
        let isOutermost = self.depth == 0
        self.depth += 1
        if isOutermost {
            self.currentEnvironment = environment
            unsafe self.host.pointee.killed = 0
            unsafe repartee_lua_begin_turn(self.host)
            unsafe self.host.pointee.step_left = self.limits.instructionsPerResume ?? .max
            unsafe self.host.pointee.total_left = environment?.instructionsLeft ?? .max
        }
        let value = body()
        self.depth -= 1
        if isOutermost {
            if self.limits.instructionsTotal != nil {
                environment?.instructionsLeft = unsafe self.host.pointee.total_left
            }
            unsafe self.host.pointee.killed = 0
            // What the engine does between scripts has nothing to do with what the last one used up.
            unsafe self.host.pointee.step_left = .max
            unsafe self.host.pointee.total_left = .max
            unsafe repartee_lua_end_turn(self.host)
            unsafe repartee_lua_tune_collection(self.host)
            self.currentEnvironment = nil
            self.settle()
        }
        return value
    }

    /// Has a watchdog count anew how long the script runs, because what a host function does for it takes long and gets
    /// on.
    public func beginTurnAnew() {
        if self.depth > 0 { unsafe repartee_lua_begin_turn(self.host) }
    }

    /// Runs `<close>` variables with the small budget of a cleanup.
    func withCleanupBudget(_ body: () -> Void) {
        let saved = unsafe self.host.pointee
        unsafe self.host.pointee.killed = 0
        // A turn of its own, for what was stopped must not stop this at once.
        unsafe repartee_lua_begin_turn(self.host)
        // Bounded even where nothing else is counted: nobody waits for what a canceled script still does.
        unsafe self.host.pointee.hook_interval = max(1, saved.hook_interval == 0 ? 1000 : saved.hook_interval)
        unsafe self.host.pointee.step_left = self.limits.instructionsForCleanup
        unsafe self.host.pointee.total_left = self.limits.instructionsForCleanup
        self.depth += 1
        body()
        self.depth -= 1
        unsafe self.host.pointee.hook_interval = saved.hook_interval
        unsafe self.host.pointee.killed = saved.killed
        unsafe self.host.pointee.step_left = saved.step_left
        unsafe self.host.pointee.total_left = saved.total_left
        if self.depth == 0 { unsafe repartee_lua_end_turn(self.host) }
    }
}
