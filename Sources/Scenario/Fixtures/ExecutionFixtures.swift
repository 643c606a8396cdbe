import LuaRuntime
import Machines
import RunRecord

/// A fixture of a scenario, from its first use on.
enum FixtureState {
    /// Its body runs; these wait for it, by number.
    case settingUp(waiting: [Int: (Result<LuaValue, ScenarioFailure>) -> Void])
    case ready(LuaValue)
    case failed(ScenarioFailure)
}

/// Makes the fixtures of an execution, each when it is first asked for.
final class ExecutionFixtures {
    private unowned let execution: ScenarioExecution
    private var book = FixtureBook()

    init(of execution: ScenarioExecution) {
        self.execution = execution
    }

    /// Lets go of what the fixtures have made.
    func removeAll() {
        self.book = FixtureBook()
    }

    /// Gives the value of a fixture of the scenario; its body runs when it is first asked for.
    ///
    /// - Returns: How to stop waiting.
    /// - Throws: A mistake if fixtures use each other.
    func use(
        _ fixture: FixtureDeclaration, completion: @escaping (Result<LuaValue, ScenarioFailure>) -> Void
    ) throws(HostError) -> () -> Void {
        let asking = self.execution.threads.current?.fixture
        if let asking, let names = self.book.cycle(from: asking, to: fixture.name) {
            throw HostError.usage("the fixtures " + names.joined(separator: " → ") + " use each other")
        }
        switch self.book.states[fixture.name] {
        case .ready(let value):
            completion(.success(value))
            return {}
        case .failed(let failure):
            completion(.failure(failure))
            return {}
        case .settingUp, nil: break
        }
        self.book.waiterCount += 1
        let number = self.book.waiterCount
        let waiter: (Result<LuaValue, ScenarioFailure>) -> Void = { [weak self] outcome in
            if let asking { self?.book.waits[asking] = nil }
            completion(outcome)
        }
        if let asking { self.book.waits[asking] = fixture.name }
        if case .settingUp(var waiting) = self.book.states[fixture.name] {
            waiting[number] = waiter
            self.book.states[fixture.name] = .settingUp(waiting: waiting)
        } else {
            self.book.states[fixture.name] = .settingUp(waiting: [number: waiter])
            self.setUp(fixture)
        }
        return { [weak self] in
            if let asking { self?.book.waits[asking] = nil }
            guard case .settingUp(var waiting) = self?.book.states[fixture.name] else { return }
            waiting[number] = nil
            self?.book.states[fixture.name] = .settingUp(waiting: waiting)
        }
    }

    private func setUp(_ fixture: FixtureDeclaration) {
        guard let script = self.execution.script else { return }
        let thread: ScriptThread
        do { thread = try self.execution.threads.spawn(fixture.body, [script.context]) } catch {
            return self.settle(fixture, .failure(error))
        }
        thread.fixture = fixture.name
        let limit = fixture.limit ?? self.execution.settings.project.hookLimit
        let timer = self.execution.worker.schedule(after: limit) { [weak self] in
            self?.execution.threads.cancel(
                thread,
                because: ScenarioFailure(
                    category: .failure, kind: .timeout,
                    message: "the time limit of the fixture \(fixture.name), \(limit.scriptText), passed",
                    position: thread.wait?.position ?? fixture.position,
                    sections: [
                        .init(heading: "pending", lines: [thread.wait?.purpose ?? "nothing; the script was busy"]),
                        .init(
                            heading: "limit",
                            lines: [
                                "fixture \(limit.scriptText); fixture(name, { timeout = \"1m\" }, …) or limits.hook in repartee.lua raises it"
                            ]),
                    ], limit: "fixture"))
        }
        thread.whenEnded { [weak self] outcome in
            self?.execution.worker.cancel(timer)
            self?.settle(fixture, outcome)
        }
    }

    private func settle(_ fixture: FixtureDeclaration, _ outcome: Result<LuaValue, ScenarioFailure>) {
        guard case .settingUp(let waiting) = self.book.states[fixture.name] else { return }
        switch outcome {
        case .success(let value): self.book.states[fixture.name] = .ready(value)
        case .failure(let failure):
            self.book.states[fixture.name] = .failed(failure)
            // Nobody is left to hear of it, so the scenario does.
            if waiting.isEmpty, failure.kind != .canceled { self.execution.note(failure) }
        }
        for (_, waiter) in waiting.sorted(by: { $0.key < $1.key }) { waiter(outcome) }
    }
}
