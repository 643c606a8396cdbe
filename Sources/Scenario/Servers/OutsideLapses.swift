import Machines
import RunRecord
import Secrets
import Transport

/// What somebody outside of the run has done wrong at the simulated servers of a scenario of which no event tells: who
/// calls them, or whom they ask. Whom they ask may be a server of the run: what that answers is the answer of what it
/// stands for.
///
/// Clients of the run are not judged here, but for TLS that one has agreed on and never begins. They may break their
/// protocol on purpose, to see what a server does.
struct OutsideLapses {
    private struct Lapse {
        /// Which server it was done to and what it is, in one line.
        let text: String

        /// The beginning of what was sent; empty if that says no more.
        let bytes: [UInt8]

        /// How a WebSocket or a link has ended by it, as its server was told; nil if that was told nothing.
        let closure: WebSocketClosure?

        /// When it was, on the time line of the worker.
        let at: Instant

        /// How many events the parties of servers had observed before.
        let eventCounts: [(party: Actor, count: Int)]

        /// How often the same was done before, which was not kept.
        var repetitions = 0

        /// Whether the scenario has expected it that has the server for itself.
        func isExpected(in execution: ScenarioExecution) -> Bool {
            self.isExpected(in: execution, from: self.eventCounts)
        }

        /// Whether a scenario has expected it which shares the server with others.
        func isExpected(by user: ScenarioExecution) -> Bool {
            guard self.closure != nil else { return false }
            let counts = user.eventCounts(before: self.at).filter { !$0.actor.isClient }
            return self.isExpected(in: user, from: counts.map { (party: $0.actor, count: $0.count) })
        }

        /// Whether a scenario has expected it: it lets connections end, or has expected an event with the reason of
        /// the end, or any that tells of it where the party's events cannot say why.
        private func isExpected(in execution: ScenarioExecution, from counts: [(party: Actor, count: Int)]) -> Bool {
            guard let closure = self.closure else { return false }
            // Where nobody plays a party, no event tells of an end, and to allow it says so, as for clients.
            if execution.cast.allowsAll(.disconnected) { return true }
            return counts.contains { party, count in
                let tellsWhy = party.backend?.namesReasons ?? true
                return !closure.wasClean && party.log.wasTaken(saying: closure.reason, from: count)
                    || !tellsWhy && party.log.wasExpected(party.vocabulary.ends, from: count)
            }
        }
    }

    private struct Kept {
        var lapses: [Lapse] = []

        /// How many there were besides.
        var uncheckedCount = 0

        /// What had come of messages that were not whole when that was looked at last, by server.
        var begun: [(server: any ScenarioServer, messages: [UnfinishedMessage])] = []
    }

    /// Nil as long as there is nothing, as for each user of a load test.
    @Boxed private var kept: Kept?

    private var lapses: [Lapse] { self.kept?.lapses ?? [] }
    private var begun: [(server: any ScenarioServer, messages: [UnfinishedMessage])] { self.kept?.begun ?? [] }

    /// So many are told, none twice: a bot may do the same again and again.
    private static let limit = 5

    /// So many are kept. Which of them the scenario expects is known at its end alone, also of what is said twice.
    private static let capacity = 100

    /// Takes in what a caller has done against the protocol.
    mutating func add(_ violation: ClientViolation, at server: String, in execution: ScenarioExecution) {
        self.add("\(server): \(violation.message)", violation.bytes, violation.closure, in: execution)
    }

    /// Takes in what somebody has done against the protocol whom a server has asked.
    mutating func add(_ violation: ServerViolation, to server: String, in execution: ScenarioExecution) {
        self.add("\(server): \(violation.message)", violation.bytes, nil, in: execution)
    }

    private mutating func add(
        _ text: String, _ bytes: [UInt8], _ closure: WebSocketClosure?, in execution: ScenarioExecution
    ) {
        var kept = self.kept ?? Kept()
        defer { self.kept = kept }
        if kept.lapses.count >= Self.capacity { kept.lapses.removeAll { $0.isExpected(in: execution) } }
        let counts = execution.actors.filter { !$0.isClient }.map { (party: $0, count: $0.log.count) }
        var lapse = Lapse(text: text, bytes: bytes, closure: closure, at: execution.worker.now, eventCounts: counts)
        if kept.lapses.count < Self.capacity {
            kept.lapses.append(lapse)
        } else if let same = kept.lapses.lastIndex(where: { $0.text == text && $0.closure == closure }) {
            // What a scenario expects of the last of them it expects of those before it as well.
            lapse.repetitions = kept.lapses[same].repetitions + 1
            kept.lapses[same] = lapse
        } else {
            kept.uncheckedCount += 1
        }
    }

    /// Forgets what a scenario has expected that shares a server with others.
    mutating func excuse(by user: ScenarioExecution) {
        guard !self.lapses.isEmpty else { return }
        self.kept?.lapses.removeAll { $0.isExpected(by: user) }
    }

    /// Takes in what has come of messages that are not whole now; see ``ServerLapses/noteBegun(of:)``.
    mutating func noteBegun(at servers: ExecutionServers) {
        let unfinished = servers.unfinished
        guard self.kept != nil || !unfinished.isEmpty else { return }
        var kept = self.kept ?? Kept()
        kept.begun = unfinished
        self.kept = kept
    }

    /// Whether messages were not whole when that was looked at last.
    var hasBegun: Bool { !self.begun.isEmpty }

    /// What another failure of an execution says of them, line by line.
    func lines(in execution: ScenarioExecution) -> [String] {
        let (told, more) = self.told { _ in true }
        return told.map { "\(execution.instant(of: $0.at).timelineText)  \($0.text)" }
            + (more > 0 ? ["and \(more) more"] : [])
    }

    /// Returns the first of each text, and not too many, and how many are not among them: other texts, and those that
    /// were not kept.
    ///
    /// - Parameter each: Whether all are returned that were kept.
    private func told(
        each: Bool = false, where isTold: (Lapse) -> Bool
    ) -> (told: some Collection<Lapse>, more: Int) {
        var texts: Set<String> = []
        let different = self.lapses.filter { isTold($0) && (texts.insert($0.text).inserted || each) }
        let told = different.prefix(each ? Self.capacity : Self.limit)
        return (told, different.count - told.count + (self.kept?.uncheckedCount ?? 0))
    }

    /// The failures that they are, though nothing else has gone wrong.
    ///
    /// - Parameter each: Whether each is counted, and not those alone that read differently.
    func violations(in execution: ScenarioExecution, each: Bool = false) -> [ScenarioFailure] {
        let (told, more) = self.told(each: each) { !$0.isExpected(in: execution) }
        let violations = told.map { lapse in
            let sent = Cause.lines(execution.secrets.masked(String(decoding: lapse.bytes, as: UTF8.self)))
            let remedy: String? =
                lapse.closure.map {
                    $0.wasClean
                        ? "where it may do that, say t:allow \"disconnected\", or write a handler closed(desk, client, "
                            + "closure) of the server"
                        : "where it is to do that, expect the event of a party that tells of the end, or say "
                            + "t:allow \"disconnected\": closed(desk, client, closure) of a server in Lua emits an "
                            + "event with closure.reason"
                }
            var failure = ScenarioFailure(
                atServers: .violation, lapse.text, in: execution,
                (sent.isEmpty ? [] : [.init(heading: "sent", lines: sent)])
                    + (remedy.map { [.init(heading: "remedy", lines: [$0])] } ?? []))
            if each { failure.repetitions = lapse.repetitions }
            return failure
        }
        guard more > 0 else { return violations }
        let remedy =
            "no more than \(Self.capacity) that nothing has expected are looked at; where others are to do so much, expect "
            + "the event that tells of each before the next ones come"
        var rest = ScenarioFailure(
            atServers: .violation,
            "simulated servers met \(more) more \(more == 1 ? "breach" : "breaches") of the protocol",
            in: execution, self.kept?.uncheckedCount == 0 ? [] : [.init(heading: "remedy", lines: [remedy])])
        if each { rest.repetitions = more - 1 }
        return violations + [rest]
    }

    /// The failures that messages are which never became whole, and TLS that was agreed on and never begun.
    ///
    /// - Parameters:
    ///   - isDisturbed: Whether the network of the clients was, which others do not use.
    ///   - each: Whether each is told, and not the first of each server alone.
    func unfinished(
        in execution: ScenarioExecution, isDisturbed: Bool, each: Bool = false
    ) -> [ScenarioFailure] {
        self.begun.flatMap { server, messages in
            let still = server.unfinished
            return messages.filter(still.contains).prefix(each ? Self.capacity : 1).compactMap {
                Self.failure(of: $0, at: server, in: execution, isDisturbed: isDisturbed)
            }
        }
    }

    private static func failure(
        of message: UnfinishedMessage, at server: any ScenarioServer, in execution: ScenarioExecution,
        isDisturbed: Bool
    ) -> ScenarioFailure? {
        if message.kind == .encryption {
            guard !isDisturbed else { return nil }
            let remedy =
                "a client begins TLS once its server has agreed on it (link:start_tls), or ends the link; where it is "
                + "not to, wait until the server ends the link"
            return ScenarioFailure(
                atServers: .leftover,
                "the simulated server of \(server.system.title) has agreed on TLS, and \(message.text) never began it",
                in: execution, [.init(heading: "remedy", lines: [remedy])])
        }
        let remedy = "a client ends what it begins, or the connection; see how its messages are told apart"
        return ScenarioFailure(
            atServers: .leftover,
            "the simulated server of \(server.system.title) got a message that never became whole: \(message.text)",
            in: execution, [.init(heading: "remedy", lines: [remedy])])
    }
}
