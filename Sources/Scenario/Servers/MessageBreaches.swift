import Machines
import RunRecord
import Secrets
import Transport

/// What simulated servers in Lua were sent that is none of the messages which their system declares, by clients of the
/// run and by others.
///
/// A client may break its protocol on purpose, to see what a server does. It hears of that: its connection is closed
/// with the reason, and a scenario that means it expects an event with that.
struct MessageBreaches {
    private struct Breach {
        /// Who has sent it to which server, and what is wrong with it, in one line.
        let text: String

        /// The beginning of what was sent; empty if that is no text.
        let sent: String

        /// The reason with which the connection was closed.
        let reason: String
        let at: Instant

        /// How many events actors had observed before.
        let eventCounts: [(actor: Actor, count: Int)]

        /// Whether the scenario has expected an event that says why the connection was closed.
        var isExpected: Bool {
            self.eventCounts.contains { actor, count in actor.log.wasTaken(saying: self.reason, from: count) }
        }
    }

    private struct Kept {
        var breaches: [Breach] = []

        /// The reasons that there were so far.
        var reasons: Set<String> = []
    }

    /// Nil as long as there is nothing, as for each user of a load test.
    @Boxed private var kept: Kept?

    private var breaches: [Breach] { self.kept?.breaches ?? [] }

    /// So many are told, none twice: a client may send the same again and again.
    private static let limit = 5

    /// So many are kept. Which of them the scenario expects is known at its end alone.
    private static let capacity = 100

    /// Takes in what a client has sent.
    ///
    /// - Parameters:
    ///   - text: What it was, as far as it is a text.
    ///   - client: Which client it was, as the server knows it.
    ///   - server: What the server is called.
    mutating func add(
        _ fault: MessageFault, in text: String, from client: String, at server: String, in execution: ScenarioExecution
    ) {
        var kept = self.kept ?? Kept()
        if kept.reasons.count < Self.capacity { kept.reasons.insert(fault.closeReason) }
        defer { self.kept = kept }
        if kept.breaches.count >= Self.capacity { kept.breaches.removeAll { $0.isExpected } }
        guard kept.breaches.count < Self.capacity else { return }
        kept.breaches.append(
            Breach(
                text: Self.told(fault, from: client, at: server), sent: Cause.beginning(of: text),
                reason: fault.closeReason, at: execution.now,
                eventCounts: execution.actors.map { (actor: $0, count: $0.log.count) }))
    }

    /// Whether a connection was closed with a reason.
    func have(reason: String) -> Bool { self.kept?.reasons.contains(reason) ?? false }

    /// What a client has done, in one line.
    static func told(_ fault: MessageFault, from client: String, at server: String) -> String {
        "\(server): \(client) broke the protocol: \(fault.message)"
    }

    /// What another failure says of them, line by line.
    var lines: [String] { Self.told(self.breaches).map { "\(($0.at - .start).timelineText)  \($0.text)" } }

    /// Returns the first of each text, and not too many.
    private static func told(_ breaches: [Breach]) -> some Sequence<Breach> {
        var texts: Set<String> = []
        return breaches.filter { texts.insert($0.text).inserted }.prefix(Self.limit)
    }

    /// The failures that they are, though nothing else has gone wrong.
    func violations(in execution: ScenarioExecution) -> [ScenarioFailure] {
        Self.told(self.breaches.filter { !$0.isExpected }).map { breach in
            let sent = Cause.lines(execution.secrets.masked(breach.sent))
            let remedy =
                "where the client is to do that, expect the event that tells it why its connection was closed: 1008 "
                + breach.reason
            return ScenarioFailure(
                category: .failure, typeName: "protocol", message: breach.text,
                position: ScriptPosition(file: execution.definition.file, line: execution.definition.line),
                sections: (sent.isEmpty ? [] : [.init(heading: "sent", lines: sent)])
                    + [.init(heading: "remedy", lines: [remedy])]
                    + [execution.connections.outsideCalls.section].compactMap { $0 })
        }
    }
}
