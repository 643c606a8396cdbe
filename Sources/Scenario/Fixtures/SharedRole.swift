import JSON
import LuaRuntime
import Machines
import RunRecord

/// What an execution has to do with the parts that several scenarios share: it uses them, or is the execution of one.
struct SharedRole {
    /// What the execution of a shared part knows of it.
    private struct Part {
        var chain: [SharedPart.Key]
        var isFixture: Bool
    }

    /// What plays fixtures and hooks that several scenarios share.
    weak var parts: (any SharedParts)?

    /// For the execution of a shared part: called while it gets on, where its asker's thread plays it.
    @Boxed var onProgress: (() -> Void)?

    /// Nil for the execution of a scenario.
    @Boxed private var part: Part?

    /// For the execution of a shared part: what its functions are called in messages.
    var functionName: String { self.part?.isFixture == true ? "fixture" : "hook" }

    /// What `before_all` hooks returned.
    private(set) var values = JSONObject()

    /// For the execution of a shared part: it and those that wait for it, outermost first; empty for a scenario.
    var chain: [SharedPart.Key] { self.part?.chain ?? [] }

    /// Whether the execution is one of a scenario.
    var isScenario: Bool { self.part == nil }

    /// Makes the execution that of a shared part.
    ///
    /// - Parameter chain: The parts that wait for it.
    mutating func become(_ part: SharedPart, for chain: [SharedPart.Key]) {
        let isFixture = if case .fixture = part.kind { true } else { false }
        self.part = Part(chain: chain + [part.key], isFixture: isFixture)
    }

    /// Takes in what hooks have returned; names that come again win.
    mutating func take(_ value: JSONValue) { self.values = self.values.merging(value.object ?? [:]) }

    /// Gives the value of a part that several scenarios share, or says that it failed.
    ///
    /// - Parameter execution: That of this role, which asks.
    func value(
        of part: SharedPart, for execution: ScenarioExecution,
        completion: @escaping (Result<JSONValue, ScenarioFailure>) -> Void
    ) {
        guard let parts = self.parts else {
            return completion(
                .failure(
                    ScenarioFailure(
                        category: .error, kind: .fixture, message: "\(part.description) cannot be played here")))
        }
        guard !self.chain.contains(part.key) else {
            return completion(
                .failure(
                    ScenarioFailure(
                        category: .error, kind: .script,
                        message: "\(part.description) uses itself, by way of what it uses")))
        }
        let progress = { [unowned execution] in
            // The watchdog sees that it gets on, and so do those that wait for this execution.
            execution.worker.showProgress()
            execution.engine.state.beginTurnAnew()
            execution.shared.onProgress?()
        }
        parts.value(of: part, for: execution.definition, chain: self.chain, progress: progress) { value in
            completion(
                value.result.mapError { failure in
                    guard failure.kind != .skip else { return failure }
                    return ScenarioFailure(
                        category: .error, kind: .fixture,
                        message: "\(part.description) failed: \(failure.message)", position: failure.position,
                        sections: failure.sections)
                })
        }
    }
}
