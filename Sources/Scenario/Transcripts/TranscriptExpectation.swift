import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets
import Transport

/// `expect_transcript`, of one actor and of all clients.
enum TranscriptExpectation {
    /// The options of `expect_transcript`.
    static let options = [
        ParameterDeclaration(
            "within", .duration, optional: true,
            "How long the rest of the conversation may take to come; 10s unless given.")
    ]

    /// `expect_transcript(name, options)`: about the conversation of all clients.
    static var function: HostFunction {
        HostFunction("expect_transcript", parameters: ["name", "options"], suspends: true) { (call) throws(HostError) in
            try Self.expect(&call, of: nil)
        }
    }

    /// Compares the conversation of an actor, or of all clients, with the stored one.
    static func expect(_ call: inout LuaCall, of actor: Actor?) throws(HostError) -> HostVerdict {
        let script = try call.script()
        let execution = try script.playing(call.name)
        let transcript = try call.string(1)
        let table = try call.object(2)
        let checked = try asFault { () throws(UsageError) in
            try ArgumentChecker(call: "expect_transcript", vault: script.settings.vault).record(
                table, Self.options)
        }
        execution.countAssertion()
        let limit =
            checked["within"]?.double.flatMap { Duration(scriptSeconds: $0) }
            ?? script.settings.project.expectationLimit
        let folder = TranscriptFolder(
            scriptFolder: script.file.folder, workingDirectory: script.settings.workingDirectory,
            projectRoot: script.settings.projectRoot, project: script.settings.project)
        let (name, stored) = try asFault { () throws(UsageError) in
            let name = try folder.name(of: transcript)
            script.files.lookedFor(folder.path(name))
            let stored = try folder.transcript(name)
            if stored?.asksForNothing == true {
                throw UsageError(
                    "\(name) fits every conversation: it has gaps and no line; delete it, and repartee test --update stores one"
                )
            }
            return (name, stored)
        }
        let position = call.scriptPosition
        let pending = PendingTranscript(
            name: name, stored: stored, actor: actor, execution: execution, drawn: script.drawnTexts,
            position: position, ownLine: script.ownLine(of: call, at: position), limit: limit)
        return try script.suspend(&call, "the transcript \(transcript)") { resume in
            pending.await(updatingIn: script.settings.files.updatesTranscripts ? folder : nil) { outcome in
                resume(outcome.map { .nil }.mapError { $0 })
            }
            return { pending.cancel() }
        }
    }
}

/// A stored transcript that waits for the conversation to become like it.
private final class PendingTranscript {
    /// How often the conversation is looked at.
    private static let interval = Duration.milliseconds(50)

    /// A transcript is stored when nothing has come for this long, and one that cannot fit any more fails: what is on
    /// its way is to stand in the difference.
    private static let quietTime = Duration.seconds(1)

    private let name: String
    private let use: TranscriptOwners.Use
    private let stored: StoredTranscript?
    private let actor: Actor?
    private unowned let execution: ScenarioExecution
    private let drawn: DrawnTexts?
    private let position: ScriptPosition?

    /// The line of the scenario's file that waits, itself or through other files.
    private let ownLine: Int?
    private let limit: Duration
    private var timer: ScheduledID?
    private let begin: Instant
    private var seenCount = -1
    private var quietSince: Instant

    /// Whether what is said later may still make the conversation fit; nil until somebody has looked.
    private var isOpen: Bool?

    init(
        name: String, stored: StoredTranscript?, actor: Actor?, execution: ScenarioExecution, drawn: DrawnTexts?,
        position: ScriptPosition?, ownLine: Int?, limit: Duration
    ) {
        self.name = name
        self.use = TranscriptOwners.Use(
            scenario: execution.definition.id, repetition: execution.repetition,
            number: execution.cast.countUse(ofTranscript: name))
        self.stored = stored
        self.actor = actor
        self.execution = execution
        self.drawn = drawn
        self.position = position
        self.ownLine = ownLine
        self.limit = limit
        self.begin = execution.now
        self.quietSince = execution.now
    }

    func cancel() {
        if let timer = self.timer { self.execution.worker.cancel(timer) }
        self.timer = nil
    }

    /// Looks at the conversation until it fits, or time is up.
    func await(updatingIn folder: TranscriptFolder?, completion: @escaping (Result<Void, HostError>) -> Void) {
        self.timer = nil
        let found = self.execution.cast.conversation(
            of: self.actor, against: self.stored, without: self.execution.secrets)
        if found.count != self.seenCount {
            self.seenCount = found.count
            self.quietSince = self.execution.now
            self.isOpen = nil
            if let stored = self.stored, !found.isEmpty, self.comparison(stored, found).isSame {
                if folder != nil { self.execution.settings.files.transcripts.keep(self.name, for: self.use) }
                self.settle(.satisfied(events: []))
                return completion(.success(()))
            }
        }
        let isQuiet = self.execution.now - self.quietSince >= min(Self.quietTime, self.limit)
        let isLate = self.execution.now - self.begin >= self.limit
        let isStored = folder != nil || self.stored == nil
        guard isStored ? isQuiet : isLate || (isQuiet && self.isHopeless(found)) else {
            self.timer = self.execution.worker.schedule(after: Self.interval) { [weak self] in
                self?.await(updatingIn: folder, completion: completion)
            }
            return
        }
        if found.isEmpty, folder != nil || self.stored?.hasEntries != true {
            return completion(.failure(HostError(self.emptiness)))
        }
        if let folder { return completion(self.update(in: folder, found)) }
        completion(.failure(HostError(self.failure(found, isEarly: !isLate))))
    }

    /// Whether nothing that is said later can make a conversation fit.
    ///
    /// Other threads of the scenario may let what was observed pass, or expect it. And in real time what several
    /// clients observe is put in order once all of it is there.
    private func isHopeless(_ found: [TranscriptEntry]) -> Bool {
        guard let stored = self.stored, self.execution.threads.all.count(where: { !$0.standsBy }) == 1,
            self.execution.worker.isVirtual || self.actor != nil
                || self.execution.actors.count(where: \.isClient) == 1
        else { return false }
        let isOpen = self.isOpen ?? stored.mayBegin(with: found)
        self.isOpen = isOpen
        return !isOpen
    }

    /// Compares a conversation, in real time without the order that nothing gives it.
    private func comparison(_ stored: StoredTranscript, _ found: [TranscriptEntry]) -> TranscriptComparison {
        let comparison = TranscriptComparison(stored, found)
        guard !comparison.isSame, !self.execution.worker.isVirtual else { return comparison }
        return TranscriptComparison(stored, ObservationOrder.arranged(found, like: stored))
    }

    private func settle(_ result: ExpectationResult) {
        self.execution.cast.takeConversation(of: self.actor)
        self.execution.record(
            .expected(
                actor: self.actor?.name, line: self.ownLine, description: "transcript \(self.name)", result: result))
    }

    private func update(in folder: TranscriptFolder, _ found: [TranscriptEntry]) -> Result<Void, HostError> {
        var renewed: StoredTranscript
        if let stored = self.stored {
            renewed = self.comparison(stored, found).renewed
        } else {
            let lines = found.map { StoredTranscript.Line.entry($0.stored, text: $0.stored.line) }
            renewed = StoredTranscript(lines: StoredTranscript.header(self.execution.definition.title) + lines)
        }
        renewed = self.drawn?.masked(renewed, keeping: self.stored) ?? renewed
        do throws(UsageError) {
            try self.execution.settings.files.transcripts.store(self.name, for: self.use) { () throws(UsageError) in
                try folder.transcript(self.name).map { self.comparison($0, found).isSame } ?? false
            } _: { () throws(UsageError) in
                try folder.write(renewed.text, self.name)
                self.execution.settings.files.reads.noteWrite(of: folder.path(self.name))
            }
        } catch {
            return .failure(HostError(error))
        }
        self.settle(.satisfied(events: []))
        self.execution.record(.logged(level: .info, text: "the transcript \(self.name) was stored"))
        return .success(())
    }

    /// The mistake of comparing a conversation that there is not: whatever is missing in it would never be noticed.
    private var emptiness: UsageError {
        let speaker = self.execution.cast.said.first { !$0.actor.isClient }?.actor
        let silence: String
        if let actor = self.actor {
            silence = "\(actor.name) has said and observed nothing; let the actors talk first"
        } else if let party = speaker {
            silence =
                "no client has said or observed anything, and it compares the conversation of clients; that of a party is "
                + "\(party.name):expect_transcript(…)"
        } else {
            silence = "nobody has said or observed anything; let the actors talk first"
        }
        return UsageError("expect_transcript has nothing to compare: \(silence)")
    }

    /// - Parameter isEarly: Whether there is time left, in which nothing could make it fit.
    private func failure(_ found: [TranscriptEntry], isEarly: Bool) -> ScenarioFailure {
        self.settle(.failed)
        let whose = self.actor.map { "the conversation of \($0.name)" } ?? "the conversation"
        guard let stored = self.stored else {
            var failure = ScenarioFailure(
                category: .failure, kind: .transcript,
                message: "there is no transcript \(self.name) yet; repartee test --update stores \(whose) there",
                position: self.position,
                sections: [
                    .init(heading: "found", lines: found.prefix(80).map { "+ " + $0.stored.line })
                ])
            failure.differences = TranscriptComparison.differences(of: found)
            return failure
        }
        let comparison = self.comparison(stored, found)
        var sections = [ScenarioFailure.Section(heading: "transcript", lines: comparison.lines)]
        if isEarly {
            sections.append(
                .init(
                    heading: "limit",
                    lines: ["expect_transcript \(self.limit.scriptText), not waited out: no later line can make it fit"]
                )
            )
        }
        var failure = ScenarioFailure(
            category: .failure, kind: .transcript,
            message: "\(whose) is not what \(self.name) has stored", position: self.position, sections: sections)
        failure.differences = comparison.differences
        return failure
    }
}
