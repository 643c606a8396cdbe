import Machines
import RunRecord
import Secrets
import Transport

/// What simulated servers in Lua were sent that is none of the messages which their system declares, by clients of the
/// run and by others.
///
/// A client may break its protocol on purpose, to see what a server does. It hears of that: its connection is closed
/// with the reason, and a scenario that means it expects an event with that. A client that leaves in the middle of a
/// message hears nothing; a scenario that means it expects or allows the end.
struct MessageBreaches {
    private struct Breach {
        /// Who has sent it to which server, and what is wrong with it, in one line.
        let text: String

        /// The beginning of what was sent; empty if that is no text.
        let sent: String

        /// The reason with which the connection was closed.
        let reason: String

        /// Whether the client has left in the middle of the message, so that it did not hear that.
        let hasLeft: Bool

        /// When it was, on the time line of the worker.
        let at: Instant

        /// How many events actors had observed before.
        let eventCounts: [(actor: Actor, count: Int)]

        /// Whether the scenario has expected it that has the server for itself.
        func isExpected(in execution: ScenarioExecution) -> Bool {
            self.isExpected(in: execution, from: self.eventCounts)
        }

        /// Whether a scenario has expected it which shares the server with others.
        func isExpected(by user: ScenarioExecution) -> Bool {
            self.isExpected(in: user, from: user.eventCounts(before: self.at))
        }

        /// Whether a scenario has expected an event that says why the connection was closed, or lets connections end
        /// where the client has left.
        private func isExpected(in execution: ScenarioExecution, from counts: [(actor: Actor, count: Int)]) -> Bool {
            if self.hasLeft, execution.cast.allowsAll(.disconnected) { return true }
            return counts.contains { actor, count in
                actor.log.wasTaken(saying: self.reason, from: count)
                    || self.hasLeft && actor.log.wasExpected(actor.vocabulary.ends, from: count)
            }
        }
    }

    private struct Kept {
        var breaches: [Breach] = []

        /// How many there were besides.
        var uncheckedCount = 0

        /// The reasons with which connections were closed.
        var reasons: Set<String> = []
    }

    /// Nil as long as there is nothing, as for each user of a load test.
    @Boxed private var kept: Kept?

    private var breaches: [Breach] { self.kept?.breaches ?? [] }

    /// So many are told, none twice: a client may send the same again and again.
    private static let limit = 5

    /// So many are kept. Which of them the scenario expects is known at its end alone.
    private static let capacity = 100

    /// So many reasons are kept, and one more, which says that there were others.
    private static let reasonCapacity = 10_000

    /// Takes in what a client has sent.
    ///
    /// - Parameters:
    ///   - text: What it was, as far as it is a text.
    ///   - client: Which client it was, as the server knows it.
    ///   - server: What the server is called.
    ///   - hasLeft: Whether the client has left in the middle of the message.
    mutating func add(
        _ fault: MessageFault, in text: String, from client: String, at server: String, hasLeft: Bool,
        in execution: ScenarioExecution
    ) {
        var kept = self.kept ?? Kept()
        defer { self.kept = kept }
        if !hasLeft, kept.reasons.count <= Self.reasonCapacity { kept.reasons.insert(fault.closeReason) }
        if kept.breaches.count >= Self.capacity { kept.breaches.removeAll { $0.isExpected(in: execution) } }
        guard kept.breaches.count < Self.capacity else {
            kept.uncheckedCount += 1
            return
        }
        kept.breaches.append(
            Breach(
                text: Self.told(fault, from: client, at: server), sent: Cause.beginning(of: text),
                reason: fault.closeReason, hasLeft: hasLeft, at: execution.worker.now,
                eventCounts: execution.actors.map { (actor: $0, count: $0.log.count) }))
    }

    /// Takes in what another process tells at the end of the scenario that plays its server. All that its clients have
    /// observed may have come of that.
    mutating func add(_ lapses: DistantLapses, in execution: ScenarioExecution) {
        guard !lapses.breaches.isEmpty || lapses.uncheckedCount > 0 else { return }
        var kept = self.kept ?? Kept()
        kept.uncheckedCount += lapses.uncheckedCount
        kept.breaches += lapses.breaches.map { breach in
            Breach(
                text: breach.text, sent: Cause.beginning(of: breach.sent), reason: breach.reason,
                hasLeft: breach.hasLeft, at: execution.worker.now,
                eventCounts: execution.actors.map { (actor: $0, count: 0) })
        }
        self.kept = kept
    }

    /// Those of a server of which another process is told.
    var distant: DistantLapses {
        let breaches = self.breaches.map {
            DistantLapses.Breach(text: $0.text, sent: $0.sent, reason: $0.reason, hasLeft: $0.hasLeft)
        }
        return DistantLapses(breaches: breaches, uncheckedCount: self.kept?.uncheckedCount ?? 0)
    }

    /// Whether a connection was closed with a reason. Once there were more of them than are kept, each may be one.
    private func have(reason: String) -> Bool {
        guard let reasons = self.kept?.reasons else { return false }
        return reasons.contains(reason) || reasons.count > Self.reasonCapacity
    }

    /// Forgets a breach of a client that has heard with this reason that its connection was closed: who plays that
    /// client is judged by it.
    ///
    /// - Returns: Whether a connection was closed with the reason.
    mutating func hand(on reason: String) -> Bool {
        guard self.have(reason: reason) else { return false }
        if let place = self.breaches.firstIndex(where: { !$0.hasLeft && $0.reason == reason }) {
            self.kept?.breaches.remove(at: place)
        } else if let count = self.kept?.uncheckedCount, count > 0 {
            self.kept?.uncheckedCount -= 1
        }
        return true
    }

    /// Forgets what a scenario has expected that shares a server with others.
    mutating func excuse(by user: ScenarioExecution) {
        guard !self.breaches.isEmpty else { return }
        self.kept?.breaches.removeAll { $0.isExpected(by: user) }
    }

    /// What a client has done, in one line.
    static func told(_ fault: MessageFault, from client: String, at server: String) -> String {
        "\(server): \(client) broke the protocol: \(fault.message)"
    }

    /// What another failure of an execution says of them, line by line.
    func lines(in execution: ScenarioExecution) -> [String] {
        let (told, more) = self.told { _ in true }
        return told.map { "\(execution.instant(of: $0.at).timelineText)  \($0.text)" }
            + (more > 0 ? ["and \(more) more"] : [])
    }

    /// Returns the first of each text, and not too many, and how many messages there are besides: those of other texts
    /// and those that were not kept, and with them those of which the same was told already. These alone are none to
    /// tell of.
    ///
    /// - Parameter each: Whether all are returned that were kept.
    private func told(
        each: Bool = false, where isTold: (Breach) -> Bool
    ) -> (told: some Collection<Breach>, more: Int) {
        let unchecked = self.kept?.uncheckedCount ?? 0
        var texts: Set<String> = []
        let meant = self.breaches.filter(isTold)
        let different = meant.filter { texts.insert($0.text).inserted || each }
        let told = different.prefix(each ? Self.capacity : Self.limit)
        let isAllTold = different.count == told.count && unchecked == 0
        return (told, isAllTold ? 0 : meant.count - told.count + unchecked)
    }

    /// The failures that they are, though nothing else has gone wrong.
    ///
    /// - Parameter each: Whether each is counted, and not those alone that read differently.
    func violations(in execution: ScenarioExecution, each: Bool = false) -> [ScenarioFailure] {
        let (told, more) = self.told(each: each) { !$0.isExpected(in: execution) }
        let violations = told.map { breach in
            let sent = Cause.lines(execution.secrets.masked(breach.sent))
            let remedy =
                breach.hasLeft
                ? "where the client is to do that, expect the event \"disconnected\" of a client or a party, or say "
                    + "t:allow \"disconnected\": it has left, so that it cannot be told"
                : "where the client is to do that, expect the event that tells it why its connection was closed: 1008 "
                    + breach.reason
            return ScenarioFailure(
                atServers: .violation, breach.text, in: execution,
                (sent.isEmpty ? [] : [.init(heading: "sent", lines: sent)])
                    + [.init(heading: "remedy", lines: [remedy])])
        }
        guard more > 0 else { return violations }
        let remedy =
            "no more than \(Self.capacity) that nothing has expected are looked at; where clients are to send so many, "
            + "expect the event that tells of each before the next ones come"
        var rest = ScenarioFailure(
            atServers: .violation,
            "\(more) more \(more == 1 ? "message" : "messages") of clients broke the protocol", in: execution,
            self.kept?.uncheckedCount == 0 ? [] : [.init(heading: "remedy", lines: [remedy])])
        if each { rest.repetitions = more - 1 }
        return violations + [rest]
    }
}
