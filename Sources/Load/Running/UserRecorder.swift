import JSON
import Machines
import Metrics
import RunRecord
import Scenario
import Transport

/// Hears one user, and tells the recorder what it means.
final class UserRecorder: ExecutionObserver {
    private let recorder: LoadRecorder
    let user: VirtualUser
    /// How many members the user's room has, in all shards; nil without a room.
    private let roomSize: Int?
    /// When the run began on the pool's time line.
    private let origin: Instant
    private var timings: [ChatTimings] = []
    /// When the storm was over that the user has not recovered from, on the time line of the run.
    private var stormEnd: Instant?
    /// When the script ended, on the time line of the run; nil as long as it plays, and if it never did.
    private(set) var scriptEnd: Instant?

    /// The actors of a user have numbers of their own: the user's, then four bits for the actor.
    private static let actorBits: UInt32 = 4

    init(_ user: VirtualUser, roomSize: Int?, origin: Instant, recorder: LoadRecorder) {
        self.user = user
        self.roomSize = roomSize
        self.origin = origin
        self.recorder = recorder
    }

    private var role: String? { self.user.role }

    private func number(of actor: ObservedActor) -> UInt32 {
        UInt32(truncatingIfNeeded: self.user.number) << Self.actorBits | UInt32(min(actor.place, 15))
    }

    /// A room, or the user's own conversation, which it is where no other member reaches the server; rooms are told from
    /// users by the highest bit.
    private func channel(of actor: ObservedActor) -> UInt32 {
        if let room = self.user.room, !actor.hasOwnServer {
            return 1 << 31 | UInt32(truncatingIfNeeded: room.number)
        }
        return UInt32(truncatingIfNeeded: self.user.number)
    }

    private func withTimings(of actor: ObservedActor, _ body: (inout ChatTimings) -> Void) {
        while self.timings.count <= min(actor.place, 15) { self.timings.append(ChatTimings()) }
        body(&self.timings[min(actor.place, 15)])
    }

    func commands(
        _ actor: ObservedActor, _ command: inout Command, sending place: SentText?, at instant: Instant
    ) -> (() -> Void)? {
        let now = instant.onTimeLine(startingAt: self.origin)
        let text = place?.text(in: command)
        self.withTimings(of: actor) { $0.commanded(sendsText: text != nil, at: now) }
        guard let place, let text else { return nil }
        self.recorder.record(.sent, 1, role: self.role, at: now)
        let takeBackTime = { self.withTimings(of: actor) { $0.takeBack(sentAt: now) } }
        guard self.recorder.usesLedger else { return takeBackTime }
        let receivers = self.receivers(of: actor)
        let envelope = self.recorder.send(
            from: self.number(of: actor), in: self.channel(of: actor), receivers: receivers, at: now)
        place.replace(in: &command, with: envelope.appended(to: text))
        return {
            takeBackTime()
            self.recorder.takeBack(envelope, receivers: receivers)
        }
    }

    /// How many others are to get what an actor says: the rest of the room, if it has a server in common; else the other
    /// side of the conversation, or the other clients where all are clients.
    private func receivers(of actor: ObservedActor) -> Int {
        if let roomSize = self.roomSize, !actor.hasOwnServer { return roomSize - 1 }
        guard actor.partyCount > 0 else { return actor.clientCount - 1 }
        return actor.isClient ? actor.partyCount : actor.clientCount
    }

    func observes(_ actor: ObservedActor, _ event: inout ChatEvent, at instant: Instant) {
        let now = instant.onTimeLine(startingAt: self.origin)
        var isOwn = event.kind == .messageSent
        var isNamed = false
        if let envelope = event.takeEnvelope(
            isPlain: actor.ledger != nil || actor.acknowledgements.contains(event.kind) || actor.namesTexts)
        {
            isOwn = envelope.sender == self.number(of: actor)
            isNamed = actor.namesTexts
            if !isOwn {
                self.recorder.receive(
                    envelope, by: self.number(of: actor), in: self.channel(of: actor), role: self.role, at: now)
            }
        }
        // Whoever answers a request may repeat it, and has answered then.
        if event.kind == .message, actor.ledger != nil { isOwn = false }
        let isText = event.kind == .message || isNamed || actor.ledger?.isText(event) == true
        let isAcknowledgement =
            actor.ledger?.acknowledges(event, isOwn: isOwn) ?? actor.acknowledgements.contains(event.kind)
        if isText, !isOwn { self.recorder.record(.received, 1, role: self.role, at: now) }
        if event.kind == .error { self.recorder.record(.errors, 1, role: self.role, at: now) }
        if isText && !isOwn || isAcknowledgement || event.kind == .response { self.recover(at: now) }
        if event.kind == .usage { self.recorder.record(AnswerUsage(event.fields), role: self.role, at: now) }
        for sample in AnswerTimings.samples(of: event) {
            switch sample {
            case .time(let metric, let duration): self.recorder.record(metric, duration, role: self.role, at: now)
            case .count(let metric, let count): self.recorder.record(metric, count, role: self.role, at: now)
            }
        }
        self.withTimings(of: actor) { timings in
            let note = { (metric: BuiltInMetric, duration: Duration) in
                self.recorder.record(metric, duration, role: self.role, at: now)
            }
            if isAcknowledgement { timings.observed(.messageSent, isOwn: true, at: now, note) }
            timings.observed(
                isText ? .message : event.kind, isOwn: isOwn, countsFromText: actor.startsItself, at: now, note)
        }
    }

    /// A storm that hit the user is over.
    ///
    /// - Parameter instant: When, on the time line of the run.
    func stormPassed(at instant: Instant) {
        self.stormEnd = instant
    }

    /// The user plays no more: whoever was hit and heard nothing again has not recovered.
    func stopped(at now: Instant) {
        guard self.stormEnd != nil else { return }
        self.stormEnd = nil
        self.recorder.record(.unrecovered, 1, role: self.role, at: now)
    }

    private func recover(at now: Instant) {
        guard let stormEnd = self.stormEnd else { return }
        self.stormEnd = nil
        self.recorder.record(.recovery, now - stormEnd, role: self.role, at: now)
    }

    func measured(_ measurement: ClientMeasurement, at now: Instant) {
        let now = now.onTimeLine(startingAt: self.origin)
        switch measurement {
        case .answered(let request): self.recorder.record(request, role: self.role, at: now)
        case .opened(let times): self.recorder.record(times, role: self.role, at: now)
        case .upgraded(let duration): self.recorder.record(.upgrade, duration, role: self.role, at: now)
        case .compressed(let volume):
            self.recorder.record(.compressedWire, volume.wire, role: self.role, at: now)
            self.recorder.record(.compressedText, volume.text, role: self.role, at: now)
        case .reused: self.recorder.record(.reused, 1, role: self.role, at: now)
        }
    }

    func measures(_ sample: ScriptSample, at now: Instant) -> String? {
        if let refusal = BuiltInMetric.refusal(of: sample.name) { return refusal }
        return self.recorder.record(sample, at: now.onTimeLine(startingAt: self.origin))
    }

    func scriptEnded(at now: Instant) {
        self.scriptEnd = now.onTimeLine(startingAt: self.origin)
    }

    func marks(_ label: String, at now: Instant) {
        self.recorder.mark(label, at: now.onTimeLine(startingAt: self.origin))
    }
}

extension ChatEvent {
    /// Takes the envelope of a text out of the event, wherever it shows, and returns it; nil if there is none.
    ///
    /// - Parameter isPlain: Whether the text may stand in a request or an answer of any form.
    fileprivate mutating func takeEnvelope(isPlain: Bool) -> LedgerEnvelope? {
        let isMessage = self.kind == .message || self.kind == .messageSent || self.kind == .frame
        guard isMessage || isPlain else {
            if !Self.kindsOfPlainHTTP.contains(self.kind) { self.removeEnvelopes() }
            return nil
        }
        var envelope: LedgerEnvelope?
        if let text = self.text, let found = LedgerEnvelope.extract(from: text) {
            self.fields["text"] = .string(found.message)
            if self.fields["size"] == .integer(Int64(text.utf8.count)) {
                self.fields["size"] = .integer(Int64(found.message.utf8.count))
            }
            envelope = found.envelope
        }
        if isPlain, let found = self.fields["body"]?.string.flatMap(LedgerEnvelope.extract) {
            self.fields["body"] = .string(found.message)
            envelope = envelope ?? found.envelope
        }
        guard envelope != nil else { return nil }
        self.removeEnvelopes()
        if isPlain, let raw = self.raw { self.raw = Self.withoutEnvelopes(raw) }
        return envelope
    }

    /// Answers of plain HTTP can be long, and show no text of others unless the option `ledger` says so.
    private static let kindsOfPlainHTTP: Set<EventKind> = [.response, .token, .chunk, .streamStarted, .streamEnded]

    /// Takes envelopes out of all fields: a label may repeat the text, and a history has earlier ones.
    private mutating func removeEnvelopes() {
        // What consists of a text alone has been looked at.
        guard self.document == nil else { return }
        for (name, value) in self.fields where Self.hasEnvelope(value) {
            self.fields[name] = Self.withoutEnvelopes(value)
        }
    }

    private static func hasEnvelope(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): LedgerEnvelope.extract(from: text) != nil
        case .array(let elements): elements.contains(where: Self.hasEnvelope)
        case .object(let members): members.contains { Self.hasEnvelope($0.1) }
        default: false
        }
    }

    private static func withoutEnvelopes(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): LedgerEnvelope.extract(from: text).map { .string($0.message) } ?? value
        case .array(let elements): .array(elements.map(Self.withoutEnvelopes))
        case .object(let members): .object(JSONObject(members.map { ($0.0, Self.withoutEnvelopes($0.1)) }))
        default: value
        }
    }
}
