import Testing
import Transport

/// The steps of a test: something is done, and then something comes true.
final class TestSteps {
    private struct Step {
        let act: () -> Void
        let isDone: () -> Bool
        let location: SourceLocation
    }

    private var steps: [Step] = []

    /// Adds a step.
    func add(location: SourceLocation, _ act: @escaping () -> Void, until isDone: @escaping () -> Bool) {
        self.steps.append(Step(act: act, isDone: isDone, location: location))
    }

    /// Forgets the steps, which hold what a test plays with.
    func removeAll() { self.steps = [] }

    /// Plays the steps in virtual time.
    func play(on scheduler: VirtualScheduler) {
        for step in self.steps {
            step.act()
            #expect(scheduler.run(until: step.isDone), sourceLocation: step.location)
        }
    }

    /// Plays the steps in real time; one that does not come true within seconds fails the test and is the last.
    func play(on scheduler: any Scheduler, finish: @escaping () -> Void) {
        self.play(from: 0, on: scheduler, finish: finish)
    }

    private func play(from index: Int, on scheduler: any Scheduler, finish: @escaping () -> Void) {
        guard index < self.steps.count else {
            finish()
            return
        }
        let step = self.steps[index]
        step.act()
        self.poll(step, on: scheduler, remaining: 5000) { isDone in
            #expect(isDone, "not within seconds", sourceLocation: step.location)
            if isDone { self.play(from: index + 1, on: scheduler, finish: finish) } else { finish() }
        }
    }

    private func poll(_ step: Step, on scheduler: any Scheduler, remaining: Int, _ done: @escaping (Bool) -> Void) {
        if step.isDone() || remaining == 0 {
            done(remaining > 0)
        } else {
            scheduler.schedule(after: .milliseconds(1)) {
                self.poll(step, on: scheduler, remaining: remaining - 1, done)
            }
        }
    }
}
