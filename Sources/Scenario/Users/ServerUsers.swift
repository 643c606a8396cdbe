import Machines

/// The scenarios that use a server which outlives them, such as the users of a load test, and what goes wrong at it.
///
/// Such a server plays in an execution of its own, which has no scenario and no verdict. What goes wrong in its
/// handlers is nobody's fault in particular: it ends the server, and everybody who uses it. What its callers break ends
/// nobody, for no scenario knows them; it is told when the last user has gone, once.
final class ServerUsers {
    /// The play of the server.
    let execution: ScenarioExecution

    private let title: String

    /// Where the scenario stands that has started the server, and the texts of its script; nil if none has.
    private let starter: (position: ScriptPosition, sources: ScriptSources?)?

    private var users: [ObjectIdentifier: ScenarioExecution] = [:]

    /// Why the server has ended, if something went wrong in it.
    private(set) var failure: ScenarioFailure?

    /// Whether somebody who used the server, or was to use it, has heard why it has ended.
    private var isHeard = false

    /// Told why the server ends, once all who use it have heard of it.
    var onEnd: (ScenarioFailure) -> Void = { _ in }

    /// Hears from now on what goes wrong in the play of a server.
    ///
    /// - Parameters:
    ///   - title: What the system of the server is called in messages.
    ///   - execution: The play.
    ///   - user: The scenario that has started the server, if one has.
    init(ofServerOf title: String, in execution: ScenarioExecution, startedBy user: ScenarioExecution?) {
        self.title = title
        self.execution = execution
        self.starter = user.map {
            (position: $0.definition.position, sources: $0.script?.texts(withModules: false))
        }
        execution.threads.onFailure = { [weak self] in self?.fail($0) }
    }

    /// Makes the play of a server that has no script of its own, for the scenario that starts it.
    static func play(ofServerOf system: ChatSystem, startedBy user: ScenarioExecution) -> ScenarioExecution {
        ScenarioExecution(
            ScenarioDefinition(
                file: user.definition.file, line: user.definition.line, titlePath: ["server of \(system.title)"],
                options: ScenarioOptions(), index: 0),
            attempt: SharedPart.attempt, settings: user.settings, worker: user.worker, network: user.network,
            engine: user.engine, emit: { _ in }, onEnd: { _ in })
    }

    /// Ends the server and everybody who uses it.
    func fail(_ failure: ScenarioFailure) {
        guard self.failure == nil else { return }
        let failure = ScenarioFailure(
            category: failure.category, kind: failure.kind,
            message: "the simulated server of \(self.title) ended: \(failure.placedMessage)",
            position: failure.position, sections: failure.sections)
        self.failure = failure
        // What went wrong is still on the stack.
        _ = self.execution.worker.schedule(after: .zero) {
            let users = self.users.values.sorted { $0.seed < $1.seed }
            self.users = [:]
            // Whose end is decided already hears nothing any more.
            if users.contains(where: { !$0.isJudged }) { self.isHeard = true }
            for user in users { user.threads.trip(failure) }
            self.onEnd(failure)
        }
    }

    /// Takes in a scenario that uses the server.
    ///
    /// - Throws: Why the server has ended, if it has.
    func admit(_ user: ScenarioExecution) throws(ScenarioFailure) {
        if let failure = self.failure {
            self.isHeard = true
            throw failure
        }
        self.users[ObjectIdentifier(user)] = user
    }

    /// Takes note that a scenario has ended, as long as its actors and what they have observed are still there.
    func release(_ user: ScenarioExecution) {
        guard self.users.removeValue(forKey: ObjectIdentifier(user)) != nil else { return }
        self.excuse(by: user)
    }

    /// Whether nobody uses the server.
    var isEmpty: Bool { self.users.isEmpty }

    /// Whether one of them is broken off, whose clients end in the middle of whatever they do.
    var haveBrokenOff: Bool { self.users.values.contains(where: \.isBrokenOff) }

    /// Forgets what callers have broken as a scenario expected.
    private func excuse(by user: ScenarioExecution) {
        self.execution.connections.excuseLapses(by: user)
        // Nobody knows for which of the scenarios a caller has come, nor whether one plays when it goes.
        guard user.cast.allowsAll(.disconnected), !self.execution.cast.allowsAll(.disconnected) else { return }
        self.execution.allow(EventMatcher(id: 0, kind: .disconnected, fields: []))
    }

    /// Finds what went wrong at the server of which no user has heard; to be asked for once, when the last one has
    /// gone.
    ///
    /// - Parameters:
    ///   - others: What is wrong besides what callers have broken, if the server has not ended.
    ///   - completion: Gets it, at once unless the rest of a message may still come.
    func findUnheardProblems(
        besides others: [ScenarioFailure] = [], _ completion: @escaping ([SharedProblem]) -> Void
    ) {
        guard self.failure == nil, !self.execution.isEnded else { return completion(self.unheardEnd) }
        for user in self.users.values { self.excuse(by: user) }
        LapseSearch.find(in: self.execution, each: true) { lapses in
            guard self.failure == nil else { return completion(self.unheardEnd) }
            completion((lapses + others).map(self.problem))
        }
    }

    private var unheardEnd: [SharedProblem] {
        self.isHeard ? [] : [self.failure].compactMap(\.self).map(self.problem)
    }

    private func problem(of failure: ScenarioFailure) -> SharedProblem {
        var failure = failure
        let count = failure.repetitions + 1
        failure.repetitions = 0
        // What has no place of its own has that of the scenario, as in a test.
        if failure.position == self.execution.definition.position { failure.position = self.starter?.position }
        return SharedProblem(
            failure.problem(in: self.execution.definition.file, line: nil, self.starter?.sources), count: count)
    }

    /// Ends the play.
    func close() {
        self.users = [:]
        guard !self.execution.isEnded else { return }
        self.execution.abandon(because: .stopped)
    }
}
