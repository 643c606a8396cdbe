import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

/// A client that sets its one timer again whenever it fires.
private struct TopClient: ClientMachine {
    enum Action: Sendable {
        case spin(Duration)
    }

    enum Keys: MachineKeys {
        enum Timer: MachineTimer {
            case spin

            var description: String { "spin" }
        }

        typealias Exchange = Never
        typealias Connection = Never
    }

    static let commands = CommandSet<Action>([
        CommandDeclaration(
            "spin", Parameter.duration("pause", "Between two turns."), summary: "Begins to turn.", as: { .spin($0) })
    ])

    static let system = ChatSystem(
        name: "top", title: "Tops",
        client: ClientDeclaration(name: "top", methods: Self.commands.methods, options: []) { _ in
            KeyedClientAdapter(TopClient())
        }, events: [], noise: [])

    private var pause = Duration.zero
    var identity: JSONObject { [:] }
    var properties: JSONObject { [:] }

    mutating func handle(_ input: Input, in step: inout Step) {
        if case .timerFired = input { step.ask(.setTimer(.spin, self.pause)) }
    }

    mutating func perform(_ action: Action, in step: inout Step) -> CommandOutcome {
        switch action {
        case .spin(let pause):
            self.pause = pause
            step.ask(.setTimer(.spin, pause))
        }
        return .done(.null)
    }

    mutating func tearDown(in step: inout Step) { step.ask(.cancelTimer(.spin)) }
}

@Suite("Machines that go round while time stands still")
struct TimerLivelockTests {
    private static func play(_ pause: String) throws -> MiniRun.Played {
        try MiniRun.play(
            """
            local top = require "top"
            scenario("a top", { timeout = "1m" }, function(t)
                t:actor(top):spin(\(pause))
                wait "20s"
            end)
            """, MiniRun.settings(systems: [TopClient.system]))
    }

    @Test("a timer that hardly lets time pass ends its scenario with an error that names it", arguments: ["0", "1e-9"])
    func runaway(pause: String) throws {
        let played = try Self.play(pause)
        #expect(played.end.outcome == .error && played.types == ["runaway"])
        #expect(played.messages.first?.hasPrefix("the timer spin of top fired 100000 times within a second") == true)
        #expect(played.end.problems.first?.line == 4)
        // What comes after it is not held up by the machine either.
        #expect(played.duration < .seconds(2))
    }

    @Test("one that fires every millisecond is as good as any other")
    func busy() throws {
        let played = try Self.play("0.001")
        #expect(played.end.outcome == .passed && played.duration >= .seconds(20))
    }

    @Test("timers are counted one by one, and anew in each second")
    func windows() {
        var guarding = TimerLivelockGuard()
        for second in 0..<2 {
            let isExceeded = (0..<TimerLivelockGuard.limit).contains { turn in
                let now = Instant.start + .seconds(second) + .nanoseconds(turn)
                // Neither of two timers fires too often, though both together do.
                let first = guarding.isExceeded(by: "first", at: now)
                return guarding.isExceeded(by: "second", at: now) || first
            }
            #expect(!isExceeded, "second \(second)")
        }
        let third = guarding.isExceeded(by: "third", at: .start + .seconds(1))
        let first = guarding.isExceeded(by: "first", at: .start + .seconds(1))
        #expect(!third && first)
    }
}
