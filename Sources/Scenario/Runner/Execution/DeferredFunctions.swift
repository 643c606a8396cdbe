import LuaRuntime

/// The functions of a script that run at the end, the last one first.
struct DeferredFunctions {
    /// So many may be deferred by those that run at the end already. One that defers itself would never be at its end,
    /// for each of them has a time limit of its own.
    static let limit: Int32 = 10_000

    private var waiting: [LuaReference] = []

    /// How many those have deferred that run at the end; nil until the first of them runs.
    private var lateCount: Int32?

    /// Whether none is left.
    var isEmpty: Bool { self.waiting.isEmpty }

    /// Takes in one that runs before all that are here.
    ///
    /// - Throws: A mistake if those that run at the end go on deferring.
    mutating func add(_ function: LuaReference) throws(HostError) {
        if let count = self.lateCount {
            guard count < Self.limit else {
                throw HostError.usage(
                    "t:defer: deferred functions have deferred \(Self.limit) others: look for one that defers itself, and let "
                        + "it loop")
            }
            self.lateCount = count + 1
        }
        self.waiting.append(function)
    }

    /// Takes out the one that runs next.
    mutating func next() -> LuaReference {
        self.lateCount = self.lateCount ?? 0
        return self.waiting.removeLast()
    }
}
