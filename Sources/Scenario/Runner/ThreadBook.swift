/// The threads of a play that have not ended, found by their numbers; adding and removing one costs the same however
/// many there are.
struct ThreadBook {
    private var byNumber: [Int: ScriptThread] = [:]

    /// Whether there are none but handlers that stand by.
    var isAtRest: Bool { self.byNumber.values.allSatisfy(\.standsBy) }

    /// How many there are.
    var count: Int { self.byNumber.count }

    /// All of them, in the order in which they were started.
    var ordered: [ScriptThread] { self.byNumber.values.sorted { $0.number < $1.number } }

    /// The thread with a number, if it has not ended.
    subscript(number: Int) -> ScriptThread? { self.byNumber[number] }

    /// Adds a thread.
    mutating func add(_ thread: ScriptThread) { self.byNumber[thread.number] = thread }

    /// Forgets a thread.
    mutating func remove(_ thread: ScriptThread) { self.byNumber[thread.number] = nil }

    /// The first thread that waits and that somebody takes care of.
    var firstWaiting: ScriptThread? {
        self.byNumber.values.filter { $0.wait != nil && $0.isAwaited }.min { $0.number < $1.number }
    }
}
