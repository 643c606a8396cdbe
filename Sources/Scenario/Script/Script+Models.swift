import LuaRuntime
import Machines
import RunRecord
import Secrets

extension Script {
    /// Why no model is asked, where there is none to ask.
    static let noModels = "models are asked by repartee test, and not here"

    /// Asks models about texts, one after the other, until one of them does not meet its criterion.
    ///
    /// In virtual time the play stands still meanwhile, so no time limit of the scenario runs; in real time it goes on.
    ///
    /// - Parameters:
    ///   - name: The function that asks.
    ///   - completion: Called once, from the worker, never at once: nothing if all are met, or else the failure.
    /// - Throws: A mistake if models are not asked here, or one is not declared.
    func ask(
        _ texts: [AskedText], for name: String, at position: ScriptPosition?,
        completion: @escaping (ScenarioFailure?) -> Void
    ) throws(HostError) {
        guard let models = self.settings.files.models else {
            throw HostError.usage("\(name): \(Self.noModels)")
        }
        var questions: [(ModelCriterion, ModelQuestion, ModelEndpoint)] = []
        for asked in texts {
            let endpoint = try asFault { () throws(UsageError) in try models.endpoint(of: asked.criterion) }
            // No model learns a secret, and no cassette keeps one.
            let question = asked.criterion.question(about: self.secrets.masked(asked.text))
            questions.append((asked.criterion, question, endpoint))
        }
        self.ask(questions[...], models, for: name, at: position, completion: completion)
    }

    private func ask(
        _ questions: ArraySlice<(ModelCriterion, ModelQuestion, ModelEndpoint)>, _ models: ModelClient,
        for name: String,
        at position: ScriptPosition?, completion: @escaping (ScenarioFailure?) -> Void
    ) {
        guard let (criterion, question, endpoint) = questions.first, let execution = self.execution else {
            return completion(nil)
        }
        execution.worker.outside {
            models.ask(question, of: endpoint, completion: $0)
        } completion: { result in
            switch result {
            case .failure(let failure):
                completion(
                    ScenarioFailure(
                        category: .error, kind: failure.kind, message: "\(name): \(failure.message)",
                        position: position))
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
        _ finding: ModelCriterion.Finding, _ question: ModelQuestion, _ name: String,
        _ position: ScriptPosition?
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

    /// Lets the calling thread wait until models have been asked.
    ///
    /// - Parameter result: What the script gets if all criteria are met.
    func awaitModels(
        _ call: inout LuaCall, _ texts: [AskedText], then result: LuaValue
    ) throws(HostError) -> HostVerdict {
        try call.requireSuspendable()
        let (name, position) = (call.name, call.scriptPosition)
        return try self.suspend(&call, "a model's answer") { resume throws(HostError) in
            try self.ask(texts, for: name, at: position) { failure in
                resume(failure.map { .failure(HostError($0)) } ?? .success(result))
            }
            return {}
        }
    }

    /// Lets a thread wait on until models have been asked, after it has waited for an event.
    func awaitModels(
        _ thread: ScriptThread, _ texts: [AskedText], for name: String, at position: ScriptPosition?,
        then result: LuaValue
    ) {
        guard let execution = self.execution else { return }
        let wait = PendingWait({ "a model's answer" }, position: position)
        wait.suspend(thread, of: execution)
        do throws(HostError) {
            try self.ask(texts, for: name, at: position) { failure in
                wait.end(failure.map { .failure(HostError($0)) } ?? .success(result))
            }
        } catch { wait.end(.failure(error)) }
    }
}
