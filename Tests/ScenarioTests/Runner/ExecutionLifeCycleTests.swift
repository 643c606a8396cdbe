import Machines
import Testing

@testable import Scenario

@Suite("The life cycle of a play")
struct ExecutionLifeCycleTests {
    private typealias Action = ExecutionLifeCycle.Action
    private typealias Input = ExecutionLifeCycle.Input
    private typealias Standing = ExecutionLifeCycle.Standing

    /// Walks a life cycle: each input with how the execution stands, and the actions that come of it.
    private struct Walk {
        var cycle = ExecutionLifeCycle()
        var actions: [Action] = []

        init(_ outline: ExecutionLifeCycle.Outline, _ standing: Standing = Standing()) {
            self.step(.loaded(outline), standing)
        }

        mutating func step(_ input: Input = .stepEnded, _ standing: Standing = Standing()) {
            self.actions.append(self.cycle.handle(input, standing))
        }

        /// Goes on until nothing is to be done any more.
        mutating func run(_ standing: Standing = Standing()) {
            while self.actions.last != .finish, self.actions.count < 100 { self.step(.stepEnded, standing) }
        }
    }

    private static let good = Standing()
    private static let failed = Standing(hasProblems: true)
    private static let skipped = Standing(isSkipped: true)
    private static let broken = Standing(hasProblems: true, isBroken: true)
    private static let peopled = Standing(needsJudging: true)
    private static let plain = ExecutionLifeCycle.Outline.scenario(sharedHooks: 0, before: 0, after: 0)

    /// A life cycle in a phase, by its name, reached by the shortest way.
    private static func cycle(in phase: String) -> ExecutionLifeCycle {
        var walk: Walk
        switch phase {
        case "created": return ExecutionLifeCycle()
        case "shared hooks": walk = Walk(.scenario(sharedHooks: 1, before: 0, after: 0))
        case "before hooks": walk = Walk(.scenario(sharedHooks: 0, before: 1, after: 0))
        case "body": walk = Walk(Self.plain)
        case "after hooks":
            walk = Walk(.scenario(sharedHooks: 0, before: 0, after: 1))
            walk.step()
        case "deferred functions":
            walk = Walk(Self.plain)
            walk.step(.stepEnded, Standing(hasDeferred: true))
        case "settling":
            walk = Walk(Self.plain)
            walk.step()
        case "joining":
            walk = Walk(Self.plain)
            walk.step()
            walk.step(.stepEnded, Self.peopled)
        case "tear-down":
            walk = Walk(Self.plain)
            walk.step()
            walk.step()
        case "value": walk = Walk(.sharedPart(functions: 1, after: 0))
        case "giving": walk = Walk(.sharedPart(functions: 0, after: 0))
        case "waiting":
            walk = Walk(.sharedPart(functions: 0, after: 0))
            walk.step()
        default:
            walk = Walk(Self.plain)
            walk.run()
        }
        return walk.cycle
    }

    private static let phases = [
        "created", "shared hooks", "before hooks", "body", "after hooks", "deferred functions", "settling", "joining",
        "tear-down", "value", "giving", "waiting", "ended",
    ]

    @Test("a phase is called what the table calls it", arguments: phases)
    func names(phase: String) {
        #expect(Self.cycle(in: phase).description == phase)
    }

    @Test("a scenario with everything runs its parts in their order")
    func everything() {
        var walk = Walk(.scenario(sharedHooks: 2, before: 2, after: 2))
        for _ in 0..<6 { walk.step() }
        walk.step(.stepEnded, Standing(hasDeferred: true, needsJudging: true))
        walk.step(.stepEnded, Standing(hasDeferred: true, needsJudging: true))
        walk.run(Self.peopled)
        #expect(
            walk.actions == [
                .useSharedHooks(0), .useSharedHooks(1), .runBefore(0), .runBefore(1), .runBody, .runAfter(0),
                .runAfter(1), .runDeferred, .runDeferred, .settle(waiting: true), .join, .tearDown(judging: true),
                .finish,
            ])
    }

    @Test("a scenario with neither hooks nor actors takes no time at its end")
    func plain() {
        var walk = Walk(Self.plain)
        walk.run()
        #expect(walk.actions == [.runBody, .settle(waiting: false), .tearDown(judging: false), .finish])
    }

    @Test("what a function defers while it runs is run before the play settles")
    func deferredWhileRunning() {
        var walk = Walk(Self.plain)
        walk.step(.stepEnded, Standing(hasDeferred: true))
        walk.step(.stepEnded, Standing(hasDeferred: true))
        walk.step()
        #expect(walk.actions == [.runBody, .runDeferred, .runDeferred, .settle(waiting: false)])
    }

    @Test("hooks of groups that go wrong keep the scenario and its own hooks from running")
    func sharedHooksFail() {
        var walk = Walk(.scenario(sharedHooks: 2, before: 1, after: 1))
        walk.run(Self.failed)
        #expect(
            walk.actions == [.useSharedHooks(0), .settle(waiting: false), .tearDown(judging: false), .finish])
    }

    @Test("a hook before the scenario that goes wrong keeps the body from running, and no other hook")
    func beforeHookFails() {
        var walk = Walk(.scenario(sharedHooks: 0, before: 2, after: 1))
        walk.run(Self.failed)
        #expect(walk.actions.prefix(4) == [.runBefore(0), .runBefore(1), .runAfter(0), .settle(waiting: false)])
    }

    @Test("a play that is broken off runs no other hook before the scenario, and those after it")
    func beforeHookBroken() {
        var walk = Walk(.scenario(sharedHooks: 0, before: 2, after: 2))
        walk.run(Self.broken)
        #expect(
            walk.actions.prefix(4) == [.runBefore(0), .runAfter(0), .runAfter(1), .settle(waiting: false)])
    }

    @Test("a scenario that is skipped by a hook runs the hooks after it and judges nothing")
    func skippedByHook() {
        var walk = Walk(.scenario(sharedHooks: 0, before: 1, after: 1))
        walk.run(Standing(isSkipped: true, needsJudging: true))
        #expect(
            walk.actions == [
                .runBefore(0), .runAfter(0), .settle(waiting: true), .join, .tearDown(judging: false), .finish,
            ])
    }

    @Test("leftovers are judged only where nothing else went wrong", arguments: [good, failed, skipped, broken])
    func judging(standing: ExecutionLifeCycle.Standing) {
        var standing = standing
        standing.needsJudging = true
        var cycle = Self.cycle(in: "joining")
        #expect(cycle.handle(.stepEnded, standing) == .tearDown(judging: standing == Self.peopled))
    }

    @Test("a scenario that is not played ends at once")
    func notPlayed() {
        var cycle = ExecutionLifeCycle()
        #expect(cycle.handle(.notPlayed, Self.skipped) == .finish)
        #expect(cycle.isEnded && !cycle.isJudged)
    }

    // MARK: Shared parts

    @Test("what several scenarios share makes its value, waits, and goes on with its hooks when it is told to")
    func sharedPart() {
        var walk = Walk(.sharedPart(functions: 2, after: 2))
        walk.step()
        walk.step()
        walk.step()
        #expect(walk.actions == [.makeValue(0), .makeValue(1), .giveValue, .none])
        walk.step(.endRequested)
        walk.step()
        walk.run(Self.peopled)
        #expect(
            walk.actions.dropFirst(4) == [
                .runAfter(0), .runAfter(1), .settle(waiting: true), .join, .tearDown(judging: true), .finish,
            ])
    }

    @Test("a function that goes wrong ends the making of a value, and what went wrong is given")
    func valueFails() {
        var walk = Walk(.sharedPart(functions: 2, after: 1))
        walk.step(.stepEnded, Self.failed)
        walk.step(.stepEnded, Self.failed)
        #expect(walk.actions == [.makeValue(0), .giveValue, .runAfter(0)])
    }

    @Test("a value that nobody needs any more is made to its end, and what its functions defer is run")
    func endedWhileMaking() {
        var walk = Walk(.sharedPart(functions: 2, after: 1))
        walk.step(.endRequested)
        walk.step(.endRequested)
        #expect(walk.actions == [.makeValue(0), .none, .none])
        walk.step(.stepEnded, Standing(hasDeferred: true))
        walk.step(.stepEnded, Standing(hasDeferred: true))
        walk.step(.stepEnded, Standing(hasDeferred: true))
        walk.step(.stepEnded, Standing(hasDeferred: true))
        walk.step()
        #expect(
            walk.actions.dropFirst(3) == [
                .makeValue(1), .giveValue, .runAfter(0), .runDeferred, .settle(waiting: false),
            ])
    }

    @Test("a value whose end is requested by who gets it is torn down once it is given")
    func endedWhileGiving() {
        var walk = Walk(.sharedPart(functions: 0, after: 1))
        walk.step(.endRequested)
        walk.step()
        #expect(walk.actions == [.giveValue, .none, .runAfter(0)])
    }

    @Test("a part that could not be loaded ends when it is told to")
    func endedBeforeLoading() {
        var cycle = ExecutionLifeCycle()
        #expect(cycle.handle(.endRequested, Self.failed) == .finish)
    }

    // MARK: From outside

    @Test("a play that is given up ends at once, wherever it is", arguments: phases)
    func abandoned(phase: String) {
        var cycle = Self.cycle(in: phase)
        #expect(cycle.handle(.abandoned, Self.broken) == (phase == "ended" ? .none : .finish))
        #expect(cycle.isEnded)
        // What was recorded until then counts; only at the tear-down it was decided how the execution went.
        #expect(cycle.isJudged == ["tear-down", "ended"].contains(phase))
    }

    @Test("it is decided how a play went once it tears down, and not before", arguments: phases)
    func judged(phase: String) {
        #expect(Self.cycle(in: phase).isJudged == ["tear-down", "ended"].contains(phase))
        #expect(Self.cycle(in: phase).isEnded == (phase == "ended"))
    }

    @Test("what is played can be declined until it has been played", arguments: phases)
    func played(phase: String) {
        let open = ["created", "shared hooks", "before hooks", "body", "value", "giving"]
        #expect(Self.cycle(in: phase).isPlayed == !open.contains(phase))
    }

    @Test("input that has no place in a phase changes nothing", arguments: phases)
    func ignored(phase: String) {
        let expected: [String: Set<Input>] = [
            "created": [.loaded(Self.plain), .notPlayed, .endRequested], "value": [.stepEnded],
            "giving": [.stepEnded], "waiting": [.endRequested], "ended": [],
        ]
        let inputs: [Input] = [.loaded(Self.plain), .notPlayed, .stepEnded, .endRequested]
        for input in inputs where !(expected[phase] ?? [.stepEnded]).contains(input) {
            var cycle = Self.cycle(in: phase)
            #expect(cycle.handle(input, Self.good) == .none)
            #expect(cycle.description == phase)
        }
    }

    @Test(
        "no sequence of inputs brings a play back from its end, and each comes to it",
        arguments: 1...5 as ClosedRange<UInt64>)
    func anySequence(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let inputs: [Input] = [
            .loaded(.scenario(sharedHooks: 1, before: 1, after: 1)), .loaded(.sharedPart(functions: 1, after: 1)),
            .notPlayed, .stepEnded, .endRequested, .abandoned,
        ]
        for _ in 0..<100 {
            var cycle = ExecutionLifeCycle()
            var finishes = 0
            for _ in 0..<60 {
                let standing = Standing(
                    hasProblems: .random(using: &random), isSkipped: .random(using: &random),
                    isBroken: .random(using: &random), hasDeferred: .random(using: &random),
                    needsJudging: .random(using: &random))
                let action = cycle.handle(inputs.randomElement(using: &random) ?? .stepEnded, standing)
                #expect(!cycle.isEnded || action == .finish || action == .none)
                if action == .finish { finishes += 1 }
            }
            _ = cycle.handle(.abandoned, Self.good)
            #expect(cycle.isEnded && finishes <= 1)
        }
    }
}
