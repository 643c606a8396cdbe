import JSON
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

/// The fixtures that a play has made so far, and who waits for whom.
struct FixtureBook {
    var states: [String: FixtureState] = [:]

    /// The fixture that another one waits for, by the name of the one that waits.
    var waits: [String: String] = [:]
    var waiterCount = 0

    /// Returns the names from a fixture that is asked for back to the one that asks, if they use each other.
    func cycle(from asking: String, to asked: String) -> [String]? {
        var names = [asking, asked]
        var next = asked
        while next != asking {
            guard let following = self.waits[next], names.count <= self.states.count + 2 else { return nil }
            names.append(following)
            next = following
        }
        return names
    }
}

extension ScenarioPlay {
    /// Gives the value of a fixture of the scenario; its body runs when it is first asked for.
    ///
    /// - Returns: How to stop waiting.
    /// - Throws: A mistake if fixtures use each other.
    func useFixture(
        _ fixture: FixtureDeclaration, completion: @escaping (Result<LuaValue, ScenarioFailure>) -> Void
    ) throws(LuaFault) -> () -> Void {
        let asking = self.current?.fixture
        if let asking, let names = self.fixtures.cycle(from: asking, to: fixture.name) {
            throw LuaFault("the fixtures " + names.joined(separator: " → ") + " use each other", kind: "usage")
        }
        switch self.fixtures.states[fixture.name] {
        case .ready(let value):
            completion(.success(value))
            return {}
        case .failed(let failure):
            completion(.failure(failure))
            return {}
        case .settingUp, nil: break
        }
        self.fixtures.waiterCount += 1
        let number = self.fixtures.waiterCount
        let waiter: (Result<LuaValue, ScenarioFailure>) -> Void = { [weak self] outcome in
            if let asking { self?.fixtures.waits[asking] = nil }
            completion(outcome)
        }
        if let asking { self.fixtures.waits[asking] = fixture.name }
        if case .settingUp(var waiting) = self.fixtures.states[fixture.name] {
            waiting[number] = waiter
            self.fixtures.states[fixture.name] = .settingUp(waiting: waiting)
        } else {
            self.fixtures.states[fixture.name] = .settingUp(waiting: [number: waiter])
            self.setUp(fixture)
        }
        return { [weak self] in
            if let asking { self?.fixtures.waits[asking] = nil }
            guard case .settingUp(var waiting) = self?.fixtures.states[fixture.name] else { return }
            waiting[number] = nil
            self?.fixtures.states[fixture.name] = .settingUp(waiting: waiting)
        }
    }

    private func setUp(_ fixture: FixtureDeclaration) {
        guard let script = self.script else { return }
        let thread: ScriptThread
        do { thread = try self.spawn(fixture.body, [script.context]) } catch {
            return self.settle(fixture, .failure(error))
        }
        thread.fixture = fixture.name
        let limit = fixture.limit ?? self.settings.project.hookLimit
        let timer = self.worker.schedule(after: limit) { [weak self] in
            self?.cancel(
                thread,
                because: ScenarioFailure(
                    category: .failure, typeName: "timeout",
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
            self?.worker.cancel(timer)
            self?.settle(fixture, outcome)
        }
    }

    private func settle(_ fixture: FixtureDeclaration, _ outcome: Result<LuaValue, ScenarioFailure>) {
        guard case .settingUp(let waiting) = self.fixtures.states[fixture.name] else { return }
        switch outcome {
        case .success(let value): self.fixtures.states[fixture.name] = .ready(value)
        case .failure(let failure):
            self.fixtures.states[fixture.name] = .failed(failure)
            // Nobody is left to hear of it, so the scenario does.
            if waiting.isEmpty, failure.typeName != ScenarioFailure.canceledType { self.note(failure) }
        }
        for (_, waiter) in waiting.sorted(by: { $0.key < $1.key }) { waiter(outcome) }
    }

    /// Tells the watchdog that what the play does at the moment gets on, and those that wait for the play.
    func showProgress() {
        self.worker.showProgress()
        self.engine.state.beginTurnAnew()
        self.onProgress()
    }

    /// Gives the value of something that several scenarios share.
    func use(_ part: SharedPart, completion: @escaping (Result<JSONValue, ScenarioFailure>) -> Void) {
        guard let parts = self.sharedParts else {
            return completion(
                .failure(
                    ScenarioFailure(
                        category: .error, typeName: "fixture", message: "\(part.description) cannot be played here")))
        }
        guard !self.chain.contains(part.key) else {
            return completion(
                .failure(
                    ScenarioFailure(
                        category: .error, typeName: "script",
                        message: "\(part.description) uses itself, by way of what it uses")))
        }
        let progress = { [unowned self] in self.showProgress() }
        parts.value(of: part, for: self.definition, chain: self.chain, progress: progress) { value in
            completion(
                value.result.mapError { failure in
                    ScenarioFailure(
                        category: .error, typeName: "fixture",
                        message: "\(part.description) failed: \(failure.message)", position: failure.position,
                        sections: failure.sections)
                })
        }
    }
}

// MARK: - Plays of shared parts

extension ScenarioPlay {
    /// Plays a shared part up to its value.
    ///
    /// - Parameters:
    ///   - chain: The parts that wait for it.
    ///   - completion: Gets the value; the play then waits for ``endSharedPart()``.
    func start(_ part: SharedPart, chain: [SharedPart.Key], completion: @escaping (SharedValue) -> Void) {
        self.chain = chain + [part.key]
        self.reportStart()
        do throws(ScenarioFailure) {
            let script = try Script(
                part.file, selecting: nil, settings: self.settings, seed: self.seed, engine: self.engine)
            self.adopt(script)
            guard let functions = script.declarations.functions(of: part.kind) else {
                throw ScenarioFailure(
                    category: .error, typeName: "script",
                    message: "the file did not declare \(part.description) again")
            }
            self.afterAll = functions.after
            self.play(functions.before[...], limit: functions.limit, value: [:]) { [weak self] result in
                guard let self else { return }
                completion(SharedValue(result: result))
                if case .failure = result { self.endSharedPart() }
            }
        } catch {
            self.note(error)
            completion(SharedValue(result: .failure(error)))
            self.endSharedPart()
        }
    }

    /// Runs the functions of a part; the tables that several hooks return become one.
    private func play(
        _ functions: ArraySlice<LuaReference>, limit: Duration?, value: JSONValue,
        completion: @escaping (Result<JSONValue, ScenarioFailure>) -> Void
    ) {
        if let problem = self.firstProblem { return completion(.failure(problem)) }
        guard let function = functions.first, let script = self.script else { return completion(.success(value)) }
        let name = self.definition.titlePath.last?.hasPrefix("fixture ") == true ? "fixture" : "hook"
        self.runPart(
            function, of: script, named: name, limit: limit ?? self.settings.project.hookLimit
        ) { [weak self] returned in
            guard let self else { return }
            var merged = value
            do throws(LuaFault) {
                let own = try returned.json()
                if functions.count == 1, value.object?.isEmpty == true {
                    merged = own
                } else if let members = own.object {
                    merged = .object((value.object ?? [:]).merging(members))
                }
            } catch {
                self.note(
                    ScenarioFailure(
                        category: .error, typeName: "script",
                        message: "\(self.definition.title) returns what cannot be copied to other scenarios: "
                            + "\(error.message); return plain data, and let each scenario make its own actors",
                        position: ScriptPosition(file: self.definition.file, line: self.definition.line)))
            }
            self.play(functions.dropFirst(), limit: limit, value: merged, completion: completion)
        }
    }

    /// Runs what the part does at its end and tears its conversations down.
    func endSharedPart() {
        guard !self.isEnding else { return }
        self.isEnding = true
        guard let script = self.script else { return self.finish() }
        self.run(self.afterAll[...], of: script, unlessBroken: false) { self.runDeferred() }
    }
}
