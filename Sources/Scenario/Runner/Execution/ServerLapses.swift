import Machines
import RunRecord
import Secrets
import Transport

/// What servers have done wrong of which no event of a client need tell: bytes that no request asked for, frames that
/// are none, and messages that began and never became whole.
struct ServerLapses {
    /// Of what one server did to an actor against the protocol, the first; of what ended connections, the first of each
    /// kind. With each comes how many events its actor had observed before.
    private var violations: [(actor: Actor, violation: ServerViolation, at: Instant, eventCount: Int)] = []

    /// What had come of messages that were not whole when that was looked at last, by actor.
    private var begun: [(actor: Actor, messages: [UnfinishedMessage])] = []

    /// The first requests that were sent again since servers had ended their connections without an answer, in words.
    private var repetitions: [String] = []

    /// So many kinds are kept for an actor: a server may break off as often as a client connects again.
    private static let limit = 16

    /// Takes in what a server has done against the protocol.
    mutating func add(_ violation: ServerViolation, against actor: Actor, at instant: Instant) {
        let earlier = self.violations.filter { $0.actor === actor }
        guard earlier.count < Self.limit, !earlier.contains(where: { $0.violation.reason == violation.reason }) else {
            return
        }
        self.violations.append((actor, violation, instant, actor.log.count))
    }

    /// Takes in that a request of an actor was sent again. That fails nothing: a server may end a connection in the
    /// very moment in which a request is on its way.
    mutating func add(repetition text: String, of actor: Actor, at instant: Instant) {
        guard self.repetitions.count < Self.limit else { return }
        self.repetitions.append("\(instant.timelineText)  \(actor.name): \(text)")
    }

    /// Takes in what has come of messages that are not whole now.
    ///
    /// Where nothing is added to it until it is judged, it stands still; what still grows may only be on its way.
    mutating func noteBegun(of actors: [Actor]) {
        self.begun = actors.compactMap { actor in
            // Of a connection that ended before, the script has heard.
            let messages = actor.backend?.unfinished.filter { !$0.hasBrokenOff } ?? []
            return messages.isEmpty ? nil : (actor, messages)
        }
    }

    /// Whether messages were not whole when that was looked at last.
    var hasBegun: Bool { !self.begun.isEmpty }

    /// What another failure says of violations; nil if there were none.
    var section: ScenarioFailure.Section? {
        guard !self.violations.isEmpty else { return nil }
        return .init(
            heading: "violation",
            lines: self.violations.map { actor, violation, instant, _ in
                "\(instant.timelineText)  \(actor.name): \(violation.message)"
            })
    }

    /// What another failure says of requests that were sent again; nil if there were none.
    var repetition: ScenarioFailure.Section? {
        self.repetitions.isEmpty ? nil : .init(heading: "sent again", lines: self.repetitions)
    }

    /// The failures that violations are, though nothing else has gone wrong.
    ///
    /// None is one that ended a connection and that the scenario expected: an event with the reason of its end, or any
    /// that tells of it where the client's events cannot say why. To allow such an event is as good.
    func violations(in execution: ScenarioExecution) -> [ScenarioFailure] {
        self.violations.compactMap { actor, violation, _, eventCount in
            if let reason = violation.reason {
                let namesReasons = actor.backend?.namesReasons ?? true
                guard !actor.log.wasTaken(saying: reason, from: eventCount),
                    namesReasons || !Self.isExpectedEnd(of: actor, from: eventCount, in: execution)
                else { return nil }
                let remedies =
                    namesReasons
                    ? [
                        "where the server is to do that, expect the event of the connection's end, with its reason in "
                            + "a field (closure.reason of on.closed)"
                    ] : Self.remedies(of: actor, from: eventCount)
                return self.failure(
                    .violation, "\(actor.name): \(violation.message)", of: actor, in: execution,
                    [.init(heading: "remedy", lines: remedies)])
            }
            let sent = Cause.lines(execution.secrets.masked(String(decoding: violation.bytes, as: UTF8.self)))
            return self.failure(
                .violation, "\(actor.name): \(violation.message)", of: actor, in: execution,
                sent.isEmpty ? [] : [.init(heading: "sent", lines: sent)])
        }
    }

    /// Whether a scenario has said that a connection may end whose client cannot say why it did. Some ends a client
    /// keeps to itself, as one does that connects again without a word: then to allow `disconnected` says so.
    private static func isExpectedEnd(
        of actor: Actor, from eventCount: Int, in execution: ScenarioExecution
    ) -> Bool {
        execution.cast.allowsAll(.disconnected) || actor.log.wasExpected(actor.vocabulary.ends, from: eventCount)
    }

    /// What to do about a break of a connection whose client cannot say why it has ended.
    private static func remedies(of actor: Actor, from eventCount: Int) -> [String] {
        let absences = actor.backend?.absences ?? [:]
        let showsEnds = actor.vocabulary.ends.contains { absences[$0] == nil }
        var remedies = [
            "where the server is to do that, "
                + (showsEnds
                    ? "expect the event of the connection's end, or allow it"
                    : "say t:allow \"disconnected\": \(actor.name) observes no event when its connection ends")
        ]
        if showsEnds, actor.log.wasExpected([.error], from: eventCount) {
            remedies.append("an error may have any cause: where nothing else tells of the end, allow \"disconnected\"")
        }
        return remedies
    }

    /// The failures that messages are which never became whole: an event of theirs would have been left over. So is
    /// TLS that a client has begun and the server not gone on with: what the client says waits for it. So is a
    /// WebSocket or a link that was to be opened, and that the server has not answered.
    ///
    /// - Parameter later: Whether time has passed since the scenario ended. Then what is opening counts, which takes
    ///   its time, and so do messages in whose middle the connection has ended meanwhile: of the end of one no client
    ///   hears any more once its events are judged.
    func unfinished(in execution: ScenarioExecution, later: Bool = false) -> [ScenarioFailure] {
        self.begun.compactMap { actor, messages in
            let still = actor.backend?.unfinished ?? []
            let message = messages.first { message in
                guard later || message.kind != .opening else { return false }
                return still.contains {
                    $0 == message || later && $0.hasBrokenOff && $0.connection == message.connection
                }
            }
            guard let message else { return nil }
            switch message.kind {
            case .encryption:
                return self.failure(
                    .leftover, "\(actor.name) got no answer to \(message.text)", of: actor, in: execution,
                    [.init(heading: "remedy", lines: [Self.encryptionRemedy])])
            case .opening:
                // Who lets such an end pass need not wait for it.
                guard !execution.cast.allowsAll(.error), !execution.cast.allowsAll(.disconnected) else { return nil }
                return self.failure(
                    .leftover, "\(actor.name) got no answer to \(message.text)", of: actor, in: execution,
                    [.init(heading: "remedy", lines: [Self.openingRemedy])])
            case .message: break
            }
            var remedy = ["a server ends what it begins, or the connection; see how its messages are told apart"]
            if message.isLine {
                remedy.append(
                    message.connection == nil
                        ? "what has no line end is read by answer:pieces()"
                        : "a prompt that has no line end comes at once to on.bytes with me:open { frames = \"bytes\" }")
            }
            return self.failure(
                .leftover, "\(actor.name) got a message that never became whole: \(message.text)", of: actor,
                in: execution, [.init(heading: "remedy", lines: remedy)])
        }
    }

    private static let encryptionRemedy =
        "a server that agrees on TLS goes on with it; where it is not to, expect the event of the link's end (on.closed)"

    private static let openingRemedy =
        "expect what tells that it is open, or that it could not be opened; where a server is to be silent, say "
        + "t:allow \"error\""

    private func failure(
        _ kind: ProblemKind, _ message: String, of actor: Actor, in execution: ScenarioExecution,
        _ sections: [ScenarioFailure.Section]
    ) -> ScenarioFailure {
        let definition = execution.definition
        let timeline = EventTimeline(of: actor, without: execution.secrets)
        return ScenarioFailure(
            category: .failure, kind: kind, message: message,
            position: definition.position,
            sections: sections + [timeline.section(now: execution.now)], actor: actor.name)
    }
}
