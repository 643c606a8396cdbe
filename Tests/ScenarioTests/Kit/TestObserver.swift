import Machines
import Transport

@testable import Scenario

/// Notes what it hears of virtual users.
final class TestObserver: ExecutionObserver {
    private(set) var lines: [String] = []

    func commands(
        _ actor: any ObservedActor, _ command: inout Command, sending text: SentText?, at now: PoolInstant
    ) -> (() -> Void)? {
        self.lines.append("\(actor.name) \(command.name)")
        return nil
    }

    func observes(_ actor: any ObservedActor, _ event: inout ChatEvent, at now: PoolInstant) {
        self.lines.append("\(actor.name) \(event.kind) \((now.onTimeLine(startingAt: .start) - .start).scriptText)")
    }

    func measured(_ measurement: ClientMeasurement, at now: PoolInstant) {}
    func measuredOfSharedServer(_ measurement: ClientMeasurement, at now: PoolInstant) {}
    func scriptEnded(at now: PoolInstant) {}
    func stepEnded(_ name: String, after duration: Duration, at now: PoolInstant) {
        self.lines.append("\(name) took \(duration.scriptText)")
    }
    func measures(_ sample: ScriptSample, at now: PoolInstant) -> String? {
        self.lines.append("\(sample.name)=\(sample.value)")
        return nil
    }
    func marks(_ label: String, at now: PoolInstant) { self.lines.append(label) }
}
