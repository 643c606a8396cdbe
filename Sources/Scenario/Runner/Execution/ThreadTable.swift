import LuaRuntime

/// The threads of an execution that have not ended, found by their numbers; adding and removing one costs the same
/// however many there are.
struct ThreadTable {
    /// The first of those that were there; most users have no other, and a dictionary would take more than the rest of
    /// what an idle one keeps about its thread.
    private var first: ScriptThread?
    private var others: [Int: ScriptThread] = [:]

    /// Whether there are none but handlers that stand by.
    var isAtRest: Bool { self.first?.standsBy ?? true && self.others.values.allSatisfy(\.standsBy) }

    /// All of them, in the order in which they were started.
    var ordered: [ScriptThread] { self.all.sorted { $0.number < $1.number } }

    /// All of them, in any order.
    var all: [ScriptThread] { (self.first.map { [$0] } ?? []) + self.others.values }

    /// The thread with a number, if it has not ended.
    subscript(number: Int) -> ScriptThread? {
        if let first = self.first, first.number == number { first } else { self.others[number] }
    }

    /// Adds a thread.
    mutating func add(_ thread: ScriptThread) {
        if self.first == nil, self.others.isEmpty { self.first = thread } else { self.others[thread.number] = thread }
    }

    /// Forgets a thread.
    mutating func remove(_ thread: ScriptThread) {
        if self.first === thread { self.first = nil } else { self.others[thread.number] = nil }
    }

    /// The first thread that waits and that somebody takes care of.
    var firstWaiting: ScriptThread? {
        self.all.filter { $0.wait != nil && $0.isAwaited }.min { $0.number < $1.number }
    }

    /// Names a spawned thread for those who wait for it, with those that it waits for itself.
    func description(of number: Int) -> String {
        let chain = Array(self.chain(from: number).prefix(Self.mostDescribed))
        var parts = chain.map { "join of the function spawned" + ($0.origin.map { " at line \($0.line)" } ?? "") }
        if parts.isEmpty { parts.append("join of the function spawned") }
        if let wait = chain.last?.wait { parts.append(wait.joinedThread == nil ? wait.purpose : "others") }
        return parts.joined(separator: ", which waits for ")
    }

    /// Whether a thread waits for the end of another one, or is that one, as far as can be seen.
    func waits(_ number: Int, forEndOf other: ScriptThread) -> Bool {
        self.chain(from: number).contains { $0 === other }
    }

    /// A thread, the one that it joins, the one that that one joins, and so on: not all, for scripts spawn any number.
    private func chain(from number: Int) -> some Sequence<ScriptThread> {
        sequence(first: number) { self[$0]?.wait?.joinedThread }.lazy.prefix(Self.longestChain).compactMap { self[$0] }
    }

    private static let longestChain = 1000
    private static let mostDescribed = 4

    /// Where a scenario is while a handler runs: the calls in progress of the first thread that is no handler, from the
    /// innermost line of a file on.
    ///
    /// - Parameter file: The file of the scenario.
    func place(in file: String) -> [ScriptCallStack.Call] {
        let body = self.all.filter { !$0.isCall }.min { $0.number < $1.number }
        let frames = body?.coroutine.calls ?? []
        return frames.map(ScriptCallStack.Call.init).drop { $0.position.file != file }.map(\.self)
    }
}
