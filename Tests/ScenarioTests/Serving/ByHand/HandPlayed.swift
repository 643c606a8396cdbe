import BoldChat
import JSON
import Machines
import Testing
import Transport

@testable import Scenario

/// A conversation by hand in virtual time, for tests that play a person.
final class HandPlayed {
    let play: HandPlay
    private let worker = Worker()

    static func settings(seed: UInt64 = 1, variables: [String: String] = [:]) -> ExecutionSettings {
        ScriptRun.settings(seed: seed, variables: variables, systems: [BoldChatSystem.system])
    }

    init(_ system: String, options: JSONObject = [:], settings: ExecutionSettings = HandPlayed.settings()) throws {
        self.play = try HandPlay(
            system, options: options, settings: settings, worker: self.worker,
            network: MemoryNetwork(scheduler: self.worker))
    }

    deinit { self.play.close() }

    /// Lets time pass.
    func wait(_ duration: Duration) {
        var isOver = false
        _ = self.worker.schedule(after: duration) { isOver = true }
        _ = self.worker.runVirtually { isOver }
    }

    /// Lets somebody come; returns what is wrong.
    @discardableResult
    func join(_ name: String, _ kind: String? = nil, options: JSONObject = [:]) -> String? {
        var outcome: ConfigurationError??
        self.play.join(name, kind: kind, options: options) { outcome = .some($0) }
        _ = self.worker.runVirtually { outcome != nil }
        self.wait(.milliseconds(100))
        return outcome??.message
    }

    /// Lets somebody do something, and what follows happen; returns what is wrong.
    @discardableResult
    func perform(_ name: String, _ command: String, _ arguments: JSONObject = [:]) -> String? {
        var outcome: Result<JSONValue, ConfigurationError>?
        self.play.perform(name, command, arguments) { outcome = $0 }
        _ = self.worker.runVirtually { outcome != nil }
        self.wait(.milliseconds(100))
        if case .failure(let error) = outcome { return error.message }
        return outcome == nil ? "there is no outcome" : nil
    }

    /// What somebody observed.
    func observed(_ name: String) -> [String] {
        self.play.steps.compactMap { step in
            guard case .observed(name, let event, _) = step.content else { return nil }
            return event.kind.rawValue
        }
    }

    /// Plays what was saved, in a run with another seed.
    func replayed(
        _ change: (String) -> String = { $0 }, variables: [String: String] = [:]
    ) throws -> ScriptRun {
        try ScriptRun(change(self.play.scenario), settings: Self.settings(seed: 4711, variables: variables))
    }
}
