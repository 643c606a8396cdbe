/// What the scripts of a state may use before they are stopped with an error.
public struct LuaLimits: Hashable, Sendable {
    /// Bytes that the whole state may hold; nil for no limit.
    public var memoryBytes: Int?

    /// Lua instructions between two waits; nil for no limit.
    ///
    /// Counting makes plain bytecode about half as fast; for code that is trusted both instruction limits can be off.
    public var instructionsPerResume: Int64?

    /// Lua instructions over the life of an environment; nil for no limit.
    public var instructionsTotal: Int64?

    /// Lua instructions for the `<close>` variables of a coroutine that was canceled or has failed.
    public var instructionsForCleanup: Int64

    /// The longest string that `string.rep` may build, in bytes.
    public var stringBytes: Int

    /// How deeply tables may nest that are read as JSON.
    public var jsonDepth: Int

    /// How many values one table may hold in all that is read as JSON.
    public var jsonValues: Int

    /// How much memory is in use when the next collection begins, in percent of what the last one left.
    public var collectionThreshold: Int32

    /// How many bytes of garbage may be there in any case before the next collection begins.
    public var garbageBytes: Int

    /// Limits with which a test scenario is hardly ever stopped by mistake and a runaway one within about a second.
    public static let standard = LuaLimits()

    /// Limits for a state in which thousands of users play: more memory, and less of it garbage; but some megabytes of
    /// garbage in any case, for each collection walks through all that the users hold.
    public static let crowd = LuaLimits(
        memoryBytes: 2048 * 1_048_576, collectionThreshold: 300, garbageBytes: 32 * 1_048_576)

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - memoryBytes: Bytes that the whole state may hold.
    ///   - instructionsPerResume: Lua instructions between two waits.
    ///   - instructionsTotal: Lua instructions over the life of an environment.
    ///   - instructionsForCleanup: Lua instructions for `<close>` variables after a failure or cancellation.
    ///   - stringBytes: The longest string that `string.rep` may build.
    ///   - jsonDepth: How deeply tables may nest that are read as JSON; more than texts of JSON may, so that what a
    ///     peer sent fits into a table around it.
    ///   - jsonValues: How many values one table may hold that is read as JSON.
    ///   - collectionThreshold: How much memory is in use when the next collection begins, in percent of what the
    ///     last one left. Most of what one test has is the language itself, so it can wait.
    ///   - garbageBytes: How many bytes of garbage may be there in any case before the next collection begins.
    public init(
        memoryBytes: Int? = 64 * 1_048_576,
        instructionsPerResume: Int64? = 50_000_000,
        instructionsTotal: Int64? = 1_000_000_000,
        instructionsForCleanup: Int64 = 1_000_000,
        stringBytes: Int = 16 * 1_048_576,
        jsonDepth: Int = 160,
        jsonValues: Int = 1_000_000,
        collectionThreshold: Int32 = 400,
        garbageBytes: Int = 0
    ) {
        self.memoryBytes = memoryBytes
        self.instructionsPerResume = instructionsPerResume
        self.instructionsTotal = instructionsTotal
        self.instructionsForCleanup = instructionsForCleanup
        self.stringBytes = stringBytes
        self.jsonDepth = jsonDepth
        self.jsonValues = jsonValues
        self.collectionThreshold = collectionThreshold
        self.garbageBytes = garbageBytes
    }

    /// How often the counting hook fires, in instructions; 0 when nothing is counted.
    var hookInterval: Int32 {
        let budgets = [self.instructionsPerResume, self.instructionsTotal].compactMap { $0 }
        guard let smallest = budgets.min() else { return 0 }
        return Int32(max(1, min(1000, smallest / 10)))
    }
}
