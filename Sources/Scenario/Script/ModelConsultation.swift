import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// How a script asks models: what they make of a text, and what a persona says next.
///
/// In virtual time the play stands still meanwhile, so no time limit of the scenario runs; in real time it goes on.
struct ModelConsultation {
    private let script: Script

    /// Why no model is asked, where there is none to ask.
    static let unavailable = "models are asked by repartee test, and not here"

    /// - Parameter script: Who asks.
    init(by script: Script) {
        self.script = script
    }

    // MARK: Texts

    /// Asks models about texts, one after the other, until one of them does not meet its criterion.
    ///
    /// - Parameters:
    ///   - name: The function that asks.
    ///   - completion: Called once, from the worker, never at once: nothing if all are met, or else the failure.
    /// - Throws: A mistake if models are not asked here, or one is not declared.
    private func ask(
        _ texts: [AskedText], for name: String, at position: ScriptPosition?,
        completion: @escaping (ScenarioFailure?) -> Void
    ) throws(HostError) {
        guard let models = self.script.settings.files.models else {
            throw HostError.usage("\(name): \(Self.unavailable)")
        }
        var questions: [(ModelCriterion, ModelQuestion, ModelEndpoint)] = []
        for asked in texts {
            let endpoint = try asFault { () throws(UsageError) in try models.endpoint(of: asked.criterion) }
            // No model learns a secret, and no cassette keeps one.
            let question = asked.criterion.question(about: self.script.secrets.masked(asked.text))
            questions.append((asked.criterion, question, endpoint))
        }
        self.ask(questions[...], models, for: name, at: position, completion: completion)
    }

    private func ask(
        _ questions: ArraySlice<(ModelCriterion, ModelQuestion, ModelEndpoint)>, _ models: ModelClient,
        for name: String, at position: ScriptPosition?, completion: @escaping (ScenarioFailure?) -> Void
    ) {
        guard let (criterion, question, endpoint) = questions.first, let execution = self.script.execution else {
            return completion(nil)
        }
        execution.worker.outside {
            models.ask(question, of: endpoint, completion: $0)
        } completion: { result in
            switch result {
            case .failure(let failure): completion(Self.failure(failure, name, position))
            case .success(let answer):
                let finding = criterion.finding(in: answer)
                execution.record(.logged(level: .info, text: finding.text))
                if finding.isMet {
                    return self.ask(
                        questions.dropFirst(), models, for: name, at: position, completion: completion)
                }
                completion(Self.failure(finding, question, name, position))
            }
        }
    }

    private static func failure(
        _ finding: ModelCriterion.Finding, _ question: ModelQuestion, _ name: String, _ position: ScriptPosition?
    ) -> ScenarioFailure {
        let text =
            switch question {
            case .judged(_, let text), .means(_, let text): text
            case .turn: ""
            }
        var sections = [ScenarioFailure.Section(heading: "text", lines: Cause.lines(text))]
        if !finding.votes.isEmpty { sections.append(.init(heading: "votes", lines: finding.votes)) }
        return ScenarioFailure(
            category: .failure, kind: .expectation, message: "\(name): \(finding.text)", position: position,
            sections: sections)
    }

    /// The error of a model that did not answer as it should.
    private static func failure(
        _ failure: ModelFailure, _ name: String, _ position: ScriptPosition?
    ) -> ScenarioFailure {
        ScenarioFailure(
            category: .error, kind: failure.kind, message: "\(name): \(failure.message)", position: position)
    }

    /// Lets the calling thread wait until models have been asked.
    ///
    /// - Parameter result: What the script gets if all criteria are met.
    func wait(
        _ call: inout LuaCall, for texts: [AskedText], then result: LuaValue
    ) throws(HostError) -> HostVerdict {
        try call.requireSuspendable()
        let (name, position) = (call.name, call.scriptPosition)
        return try self.script.suspend(&call, "a model's answer") { resume throws(HostError) in
            try self.ask(texts, for: name, at: position) { failure in
                resume(failure.map { .failure(HostError($0)) } ?? .success(result))
            }
            return {}
        }
    }

    /// Lets a thread wait on until models have been asked, after it has waited for an event.
    func wait(
        _ thread: ScriptThread, for texts: [AskedText], asking name: String, at position: ScriptPosition?,
        then result: LuaValue
    ) {
        guard let execution = self.script.execution else { return }
        let wait = PendingWait({ "a model's answer" }, position: position)
        wait.suspend(thread, of: execution)
        do throws(HostError) {
            try self.ask(texts, for: name, at: position) { failure in
                wait.end(failure.map { .failure(HostError($0)) } ?? .success(result))
            }
        } catch { wait.end(.failure(error)) }
    }

    // MARK: Personas

    /// Asks a model what somebody says next.
    ///
    /// - Parameters:
    ///   - name: The model, as `repartee.lua` names it.
    ///   - exchanges: What was said so far.
    ///   - completion: Called once, from the worker, never at once.
    /// - Throws: A mistake if models are not asked here, or this one is not declared.
    func ask(
        _ persona: Persona, by name: String, after exchanges: [Persona.Exchange], at position: ScriptPosition?,
        completion: @escaping (Result<LuaValue, HostError>) -> Void
    ) throws(HostError) {
        guard let execution = self.script.execution, let models = self.script.settings.files.models else {
            throw HostError.usage("t:persona: \(Self.unavailable)")
        }
        let endpoint = try asFault { () throws(UsageError) in try models.endpoint(ofPersonasBy: name) }
        // No model learns a secret, and no cassette keeps one.
        let secrets = self.script.secrets
        let question = ModelQuestion.turn(persona.masked(by: secrets), after: exchanges.map { $0.masked(by: secrets) })
        execution.worker.outside {
            models.ask(question, of: endpoint, completion: $0)
        } completion: { result in
            switch result {
            case .success(.turn(let turn)):
                execution.record(.logged(level: .info, text: turn.text(by: name)))
                completion(.success(.json(turn.json)))
            case .success: preconditionFailure("the key of a question holds its kind")
            case .failure(let failure):
                completion(.failure(HostError(Self.failure(failure, "t:persona", position))))
            }
        }
    }
}

extension Persona {
    /// Returns the person without what must not be seen.
    fileprivate func masked(by secrets: SecretMasker) -> Persona {
        Persona([
            "goal": .string(secrets.masked(self.goal)), "facts": secrets.masked(.object(self.facts)),
            "style": .string(secrets.masked(self.style)), "seed": .integer(self.seed),
        ])
    }
}

extension Persona.Exchange {
    /// Returns what was said without what must not be seen.
    fileprivate func masked(by secrets: SecretMasker) -> Persona.Exchange {
        Persona.Exchange(said: secrets.masked(self.said), heard: secrets.masked(self.heard))
    }
}

extension Persona.Turn {
    /// What the log of a play has of it.
    fileprivate func text(by name: String) -> String {
        let status =
            switch self.status {
            case .goingOn: "goes on"
            case .reached: "has reached the goal"
            case .gaveUp: "gives up"
            }
        return "\(name) \(status): \(self.reason)"
    }
}
