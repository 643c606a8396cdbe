import DequeModule

/// What comes to a driver while it performs effects.
struct StepBacklog<Input, Effect> {
    var isPerforming = false
    var effects: [Effect] = []
    var inputs = Deque<Input>()

    /// Whether nothing waits.
    var isEmpty: Bool { self.effects.isEmpty && self.inputs.isEmpty }

    /// Forgets what waits.
    mutating func removeAll() {
        self.effects = []
        self.inputs.removeAll()
    }
}
