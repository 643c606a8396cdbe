import LuaRuntime

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

    /// Names a spawned thread for those who wait for it.
    func description(of number: Int) -> String {
        let thread = self.byNumber[number]
        let wait = thread?.wait.map { ", which waits for \($0.purpose)" } ?? ""
        return "join of the function spawned" + (thread?.origin.map { " at line \($0.line)" } ?? "") + wait
    }

    /// Where a scenario is while a handler runs: the calls in progress of the first thread that is no handler, from the
    /// innermost line of a file on.
    ///
    /// - Parameters:
    ///   - file: The file of the scenario.
    ///   - state: What the threads run in.
    func place(in file: String, of state: LuaState) -> [ScriptCallStack.Call] {
        let body = self.byNumber.values.filter { !$0.isCall }.min { $0.number < $1.number }
        let frames = body.map { $0.coroutine.calls(in: state) } ?? []
        return frames.map(ScriptCallStack.Call.init).drop { $0.position.file != file }.map(\.self)
    }
}
