/// How far an execution has come, and what it does next.
///
/// A value: it runs nothing and knows neither scripts nor actors. Whoever plays carries out the action that each input
/// gives, and tells when that has ended; what has gone wrong by then comes with the input, as ``Standing``.
///
/// A scenario:
///
/// | phase | input | if | → phase | action |
/// |---|---|---|---|---|
/// | created | `notPlayed` | | ended | `finish` |
/// | created, shared hooks | `loaded`, `stepEnded` | hooks are left, nothing went wrong | shared hooks | `useSharedHooks` |
/// | created, shared hooks | `loaded`, `stepEnded` | something went wrong | deferred functions | as below |
/// | created, shared hooks | `loaded`, `stepEnded` | | before hooks | as below |
/// | before hooks | `stepEnded` | hooks are left, the execution is not broken | before hooks | `runBefore` |
/// | before hooks | `stepEnded` | all is well | body | `runBody` |
/// | before hooks | `stepEnded` | | after hooks | as below |
/// | body | `stepEnded` | | after hooks | as below |
/// | after hooks | `stepEnded` | hooks are left | after hooks | `runAfter` |
/// | after hooks | `stepEnded` | | deferred functions | as below |
/// | deferred functions | `stepEnded` | functions are left | deferred functions | `runDeferred` |
/// | deferred functions | `stepEnded` | | settling | `settle`, for a while if there is something to judge |
/// | settling | `stepEnded` | there is something to judge | joining | `join` |
/// | settling | `stepEnded` | | tear-down | `tearDown` |
/// | joining | `stepEnded` | | tear-down | `tearDown`, with a look at the leftovers if all is well |
/// | tear-down | `stepEnded` | | ended | `finish` |
/// | any but ended | `abandoned` | | ended | `finish` |
/// | any other | any other | | the same | `none` |
///
/// What several scenarios share has functions that make its value instead of a body, and waits before its after hooks:
///
/// | phase | input | if | → phase | action |
/// |---|---|---|---|---|
/// | created, value | `loaded`, `stepEnded` | functions are left, nothing went wrong | value | `makeValue` |
/// | created, value | `loaded`, `stepEnded` | | giving | `giveValue` |
/// | giving | `stepEnded` | its end was not requested, nothing went wrong | waiting | `none` |
/// | giving | `stepEnded` | | after hooks | as above |
/// | created | `endRequested` | | ended | `finish` |
/// | value, giving | `endRequested` | | the same, its end is requested | `none` |
/// | waiting | `endRequested` | | after hooks | as above |
///
/// A value that nobody needs any more is made to its end: a function that is broken off may have begun what only a
/// function can undo that it was yet to defer.
struct ExecutionLifeCycle {
    /// How many functions there are to run, known once the file is loaded.
    enum Outline: Hashable {
        case scenario(sharedHooks: Int, before: Int, after: Int)
        case sharedPart(functions: Int, after: Int)
    }

    /// How the execution stands when something ends in it.
    struct Standing: Hashable {
        /// Whether something has gone wrong.
        var hasProblems = false

        /// Whether the scenario wishes to be skipped.
        var isSkipped = false

        /// Whether something outside of the execution has ended it early.
        var isBroken = false

        /// Whether functions are left that were deferred.
        var hasDeferred = false

        /// Whether there are actors, whose conversations take time to end, rules of a conversation, or servers, which
        /// others than actors may call.
        var needsJudging = false

        /// Whether nothing speaks against the scenario.
        var isGood: Bool { !self.hasProblems && !self.isSkipped }
    }

    /// What has happened.
    enum Input: Hashable {
        /// The file is loaded and has declared what is to be played.
        case loaded(Outline)

        /// The scenario is skipped, or its file cannot be loaded.
        case notPlayed

        /// What the last action began has ended, well or not.
        case stepEnded

        /// Nobody needs what the execution has made for others any more.
        case endRequested

        /// The execution is given up, without hooks and tear-down.
        case abandoned
    }

    /// What to do next; all but ``none`` and ``finish`` are followed by `stepEnded`.
    enum Action: Hashable {
        case none

        /// Get what the hooks that run once have made: the ones with this place, from the file inwards.
        case useSharedHooks(Int)

        /// Run the hook before the scenario with this place, from the outermost.
        case runBefore(Int)
        case runBody

        /// Run the hook after the scenario with this place, from the innermost.
        case runAfter(Int)

        /// Run the function that was deferred last, and forget it.
        case runDeferred

        /// Nothing is left to run.
        ///
        /// - Parameter waiting: Whether time has to pass, so that what is under way arrives.
        case settle(waiting: Bool)

        /// Wait until no function of the script runs any more.
        case join

        /// End the conversations on their servers.
        ///
        /// - Parameter judging: Whether events that nothing expected count against the scenario.
        case tearDown(judging: Bool)

        /// Let go of everything and report how the execution went.
        case finish

        /// Run the function with this place that makes the value others wait for.
        case makeValue(Int)

        /// Give the value to those who wait for it, or what went wrong.
        case giveValue
    }

    /// Where an execution is; hooks and functions by the place of the next one.
    private enum Phase: Hashable {
        case created
        case sharedHooks(next: Int, of: Int)
        case before(next: Int)
        case body
        case after(next: Int)
        case deferred
        case settling
        case joining
        case tearingDown
        case value(next: Int, of: Int)
        case giving
        case waiting
        case ended(isJudged: Bool)
    }

    private var phase = Phase.created

    /// How many hooks there are around a scenario; a part that several share has only those after.
    private var hooks = (before: 0, after: 0)

    /// Whether nobody needs the value any more that is being made.
    private var isEndRequested = false

    /// Creates the life cycle of an execution that has not begun.
    init() {}

    /// Whether everything is torn down.
    var isEnded: Bool { if case .ended = self.phase { true } else { false } }

    /// Whether it is decided how the execution went; what happens after that is not recorded.
    var isJudged: Bool {
        switch self.phase {
        case .tearingDown, .ended(isJudged: true): true
        default: false
        }
    }

    /// Whether the function of the scenario runs, not one around it.
    var isInBody: Bool { self.phase == .body }

    /// Whether a hook before or after the scenario, or a deferred function runs.
    var isInHook: Bool {
        switch self.phase {
        case .before, .after, .deferred: true
        default: false
        }
    }

    /// Whether what is played has been played, be it well or not, or given to those who share it; hooks and functions
    /// after it cannot decline it any more.
    var isPlayed: Bool {
        switch self.phase {
        case .created, .sharedHooks, .before, .body, .value, .giving: false
        case .after, .deferred, .settling, .joining, .tearingDown, .waiting, .ended: true
        }
    }

    /// Whether conversations end on their servers, where handlers of a system may still say something.
    var isTearingDown: Bool { self.phase == .tearingDown }

    /// Takes in what has happened.
    ///
    /// - Returns: What to do next.
    mutating func handle(_ input: Input, _ standing: Standing) -> Action {
        switch (self.phase, input) {
        case (.ended, _): return .none
        case (_, .abandoned), (.created, .notPlayed), (.created, .endRequested): return self.finish()
        case (.created, .loaded(.scenario(let sharedHooks, let before, let after))):
            self.hooks = (before, after)
            return self.goOn(withSharedHooks: 0, of: sharedHooks, standing)
        case (.created, .loaded(.sharedPart(let functions, let after))):
            self.hooks = (0, after)
            return self.goOn(withValue: 0, of: functions, standing)
        case (.value, .endRequested), (.giving, .endRequested):
            self.isEndRequested = true
            return .none
        case (.giving, .stepEnded) where standing.isGood && !self.isEndRequested:
            self.phase = .waiting
            return .none
        case (.giving, .stepEnded), (.waiting, .endRequested): return self.goOn(withAfter: 0, standing)
        case (.sharedHooks(let next, let count), .stepEnded):
            return self.goOn(withSharedHooks: next, of: count, standing)
        case (.before(let next), .stepEnded): return self.goOn(withBefore: next, standing)
        case (.body, .stepEnded): return self.goOn(withAfter: 0, standing)
        case (.after(let next), .stepEnded): return self.goOn(withAfter: next, standing)
        case (.deferred, .stepEnded): return self.goOn(withDeferred: standing)
        case (.settling, .stepEnded):
            guard standing.needsJudging else { return self.tearDown(judging: false) }
            self.phase = .joining
            return .join
        case (.joining, .stepEnded): return self.tearDown(judging: standing.isGood)
        case (.tearingDown, .stepEnded): return self.finish()
        case (.value(let next, let count), .stepEnded): return self.goOn(withValue: next, of: count, standing)
        default: return .none
        }
    }

    private mutating func goOn(withSharedHooks next: Int, of count: Int, _ standing: Standing) -> Action {
        // Nothing has run yet that after hooks could undo.
        guard standing.isGood else { return self.goOn(withDeferred: standing) }
        guard next < count else { return self.goOn(withBefore: 0, standing) }
        self.phase = .sharedHooks(next: next + 1, of: count)
        return .useSharedHooks(next)
    }

    private mutating func goOn(withBefore next: Int, _ standing: Standing) -> Action {
        if next < self.hooks.before, !standing.isBroken {
            self.phase = .before(next: next + 1)
            return .runBefore(next)
        }
        guard standing.isGood else { return self.goOn(withAfter: 0, standing) }
        self.phase = .body
        return .runBody
    }

    private mutating func goOn(withAfter next: Int, _ standing: Standing) -> Action {
        guard next < self.hooks.after else { return self.goOn(withDeferred: standing) }
        self.phase = .after(next: next + 1)
        return .runAfter(next)
    }

    private mutating func goOn(withDeferred standing: Standing) -> Action {
        if standing.hasDeferred {
            self.phase = .deferred
            return .runDeferred
        }
        self.phase = .settling
        return .settle(waiting: standing.needsJudging)
    }

    private mutating func goOn(withValue next: Int, of count: Int, _ standing: Standing) -> Action {
        guard next < count, standing.isGood else {
            self.phase = .giving
            return .giveValue
        }
        self.phase = .value(next: next + 1, of: count)
        return .makeValue(next)
    }

    private mutating func tearDown(judging: Bool) -> Action {
        self.phase = .tearingDown
        return .tearDown(judging: judging)
    }

    private mutating func finish() -> Action {
        self.phase = .ended(isJudged: self.phase == .tearingDown)
        return .finish
    }
}

extension ExecutionLifeCycle: CustomStringConvertible {
    /// The name of the phase.
    var description: String {
        switch self.phase {
        case .created: "created"
        case .sharedHooks: "shared hooks"
        case .before: "before hooks"
        case .body: "body"
        case .after: "after hooks"
        case .deferred: "deferred functions"
        case .settling: "settling"
        case .joining: "joining"
        case .tearingDown: "tear-down"
        case .value: "value"
        case .giving: "giving"
        case .waiting: "waiting"
        case .ended: "ended"
        }
    }
}
