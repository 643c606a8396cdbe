import JSON
import Machines
import Metrics
import RunRecord
import Scenario
import Transport

/// Hears one user in one iteration, and tells the recorder what it means.
final class UserRecorder: ExecutionObserver {
    /// What is known of one actor.
    private struct Heard {
        var timings = ChatTimings()
        var shown = ShownTexts()
    }

    private let recorder: LoadRecorder
    let user: VirtualUser
    /// Whether the user is where its room meets; nil without a room.
    private var attendance: UserAttendance?
    /// What is said in a conversation of the user's own.
    private var own = OwnDeliveries()
    private var isBrokenOff = false
    /// Whether the actor that was told to do something last talks to a server that others talk to as well: what is
    /// opened then leads there.
    private var turnsToOthers = false
    /// When the iteration began, in microseconds on the time line of the run.
    private let begin: Int64
    /// The actors by their places.
    private var actors: [Heard] = []
    private var recovery = StormRecovery()
    /// When the script ended, on the time line of the run; nil as long as it plays, and if it never did.
    @Packed private(set) var scriptEnd: Instant?

    /// - Parameters:
    ///   - room: Who of the user's room is there; nil without a room.
    ///   - begin: When the iteration begins, on the time line of the run.
    init(_ user: VirtualUser, room: RoomAttendance?, begin: Instant, recorder: LoadRecorder) {
        self.user = user
        self.attendance = room.map { UserAttendance(of: user.number, in: $0) }
        self.begin = begin.microseconds
        self.recorder = recorder
    }

    private var role: String? { self.user.role }

    /// Returns the instant on the time line of the run to one of the pool, which is what an observer is told.
    private func runTime(_ instant: PoolInstant) -> Instant { instant.onTimeLine(startingAt: self.recorder.origin) }

    /// The number of an actor in envelopes; of more actors than are accounted for the rest has none.
    private func number(ofPlace place: Int) -> UInt32? {
        guard place < AccountedActors.limit else { return nil }
        return UInt32(truncatingIfNeeded: self.user.number) << Ledger.actorBits | UInt32(place)
    }

    /// The user's own conversation, which it is where no other member of its room reaches the server.
    private var ownChannel: UInt32 { UInt32(truncatingIfNeeded: self.user.number) }

    /// The user's room, which is told from users by the highest bit.
    private var roomChannel: UInt32? { self.user.room.map { Ledger.roomBit | UInt32(truncatingIfNeeded: $0.number) } }

    private func channel(of actor: any ObservedActor) -> UInt32 {
        actor.hasOwnServer ? self.ownChannel : self.roomChannel ?? self.ownChannel
    }

    private func change<Result>(_ actor: any ObservedActor, _ body: (inout Heard) -> Result) -> Result {
        while self.actors.count <= actor.place { self.actors.append(Heard()) }
        return body(&self.actors[actor.place])
    }

    func commands(
        _ actor: any ObservedActor, _ command: inout Command, sending place: SentText?, at instant: PoolInstant
    ) -> (() -> Void)? {
        let now = self.runTime(instant)
        let text = place?.text(in: command)
        self.turnsToOthers = !actor.hasOwnServer
        self.change(actor) { $0.timings.commanded(at: now) }
        guard let place, let text else { return nil }
        self.recorder.record(.sent, 1, role: self.role, at: now)
        let marked = self.mark(actor, at: now)
        let number = marked?.envelope.sequence
        let isDeclared =
            actor.ledger?.declaresAcknowledgement ?? actor.acknowledgements?.commands.contains(command.name) == true
        // What parties of servers say is acknowledged by nobody.
        let isDue = isDeclared && actor.isClient
        // So that it is known to be nothing where all are acknowledged.
        if isDue { self.recorder.record(.unacknowledged, 0, role: self.role, at: now) }
        let isUsual = !isDue && actor.isClient && actor.ledger == nil && actor.acknowledgements?.isUsual == true
        if isUsual {
            self.recorder.remarks.sentUsual()
            self.change(actor) { $0.timings.isUsual = true }
        }
        let isKept = self.change(actor) { $0.timings.sends(text, number: number, isDue: isDue, at: now) }
        if let marked { place.replace(in: &command, with: marked.envelope.appended(to: text)) }
        return {
            self.change(actor) { $0.timings.takeBack(number: number, sentAt: now, wasKept: isKept) }
            if isUsual { self.recorder.remarks.sentUsual(-1) }
            if let marked { self.takeBack(marked.envelope, receivers: marked.receivers) }
        }
    }

    /// Takes down that an actor says something.
    ///
    /// - Returns: The envelope of the text, and how many are to get it; nil if it is not accounted for.
    private func mark(_ actor: any ObservedActor, at now: Instant) -> (envelope: LedgerEnvelope, receivers: Int)? {
        guard self.recorder.usesLedger, let number = self.number(ofPlace: actor.place) else { return nil }
        let channel = self.channel(of: actor)
        let receivers: Int
        let envelope: LedgerEnvelope
        if !actor.hasOwnServer, let room = self.attendance?.room {
            // Whoever talks is there.
            self.attendance?.arrive(at: now)
            receivers = room.receivers(of: self.user.number, at: now.microseconds)
            envelope = self.recorder.send(from: number, in: channel, receivers: receivers, at: now)
            room.sent(envelope, receivers: receivers)
            self.excuse(room.takeExcused(), in: channel)
        } else {
            receivers = self.receivers(of: actor)
            if receivers == 0, actor.isClient, !actor.hasOwnServer { self.recorder.remarks.sentToNobody() }
            envelope = self.recorder.send(from: number, in: channel, receivers: receivers, at: now)
            self.recorder.excuse(self.own.sent(by: number, to: receivers), from: number, in: channel)
        }
        return (envelope, receivers)
    }

    /// Takes down that a text could not be sent.
    private func takeBack(_ envelope: LedgerEnvelope, receivers: Int) {
        var count = receivers
        if envelope.channel == self.ownChannel {
            count = self.own.takenBack(by: envelope.sender, to: receivers)
        } else {
            self.attendance?.room.takeBack(envelope)
        }
        self.recorder.excuse(count, from: envelope.sender, in: envelope.channel)
    }

    /// Takes down that deliveries need not come, by who sent them.
    private func excuse(_ counts: [UInt32: Int], in channel: UInt32?) {
        guard let channel else { return }
        for (sender, count) in counts { self.recorder.excuse(count, from: sender, in: channel) }
    }

    /// How many others are to get what an actor says in a conversation of the user's own: the other side, or the other
    /// clients where all are clients.
    private func receivers(of actor: any ObservedActor) -> Int {
        guard actor.partyCount > 0 else { return actor.clientCount - 1 }
        return actor.isClient ? actor.partyCount : actor.clientCount
    }

    func observes(_ actor: any ObservedActor, _ event: inout ChatEvent, at instant: PoolInstant) {
        let now = self.runTime(instant)
        self.attend(actor, event.kind, at: now)
        let ledger = actor.ledger
        let isDeclared = actor.acknowledgements?.events.contains(event.kind) == true
        var isOwn = event.kind == .messageSent
        var isNamed = false
        // Whether it carries a text of somebody else.
        var isOthers = false
        var ownNumber: UInt32?
        if let envelope = event.takeEnvelope(
            isPlain: ledger != nil || isDeclared || actor.namesTexts)
        {
            isOwn = envelope.run == self.recorder.ledger.run && envelope.sender == self.number(ofPlace: actor.place)
            isNamed = actor.namesTexts
            isOthers = !isOwn
            if isOwn { ownNumber = envelope.sequence } else { self.receive(envelope, by: actor, at: now) }
        }
        // Whoever answers a request may repeat it, and has answered then.
        if event.kind == .message, ledger != nil { isOwn = false }
        let isText = event.kind == .message || isNamed || ledger?.isText(event) == true
        if isText, isOwn, let ownNumber { isOwn = !self.isQuoted(ownNumber, in: event, by: actor) }
        // Which text it is for is said by the text that it carries; only one without is for the oldest.
        let isAcknowledgement =
            event.kind == .messageSent && !isOthers
            || ledger?.acknowledges(event, isOwn: isOwn) ?? (isDeclared && !isOthers)
        if isText || event.kind == .response { self.recorder.remarks.heard() }
        if event.kind == .messageSent, !isOthers { self.recorder.remarks.acknowledged() }
        if isText, !isOwn { self.recorder.record(.received, 1, role: self.role, at: now) }
        if event.kind == .error { self.recorder.record(.errors, 1, role: self.role, at: now) }
        if isText && !isOwn || isAcknowledgement || event.kind == .response,
            let duration = self.recovery.heard(at: now)
        {
            self.recorder.record(.recovery, duration, role: self.role, at: now)
        }
        if event.kind == .usage { self.recorder.record(AnswerUsage(event.fields), role: self.role, at: now) }
        for sample in AnswerTimings.samples(of: event) {
            switch sample {
            case .time(let metric, let duration): self.recorder.record(metric, duration, role: self.role, at: now)
            case .count(let metric, let count): self.recorder.record(metric, count, role: self.role, at: now)
            }
        }
        // An answer of HTTP is for its own request, whatever earlier text it repeats.
        if ownNumber != nil, ChatEvent.kindsOfPlainHTTP.contains(event.kind) { ownNumber = nil }
        if let ownNumber, isOwn, isText || isAcknowledgement,
            self.change(actor, { $0.shown.isRepeated(event, number: ownNumber) }),
            let number = self.number(ofPlace: actor.place)
        {
            self.recorder.repeated(from: number, in: self.channel(of: actor))
        }
        self.change(actor) { heard in
            let note = { (metric: BuiltInMetric, duration: Duration) in
                self.recorder.record(metric, duration, role: self.role, at: now)
            }
            if isAcknowledgement { heard.timings.acknowledged(ownNumber, at: now, note) }
            heard.timings.observed(
                isText ? .message : event.kind, isOwn: isOwn, countsFromText: actor.startsItself, at: now, note)
        }
    }

    /// Whether a text with the envelope of one that the actor has sent is not that one, but an answer that quotes it.
    private func isQuoted(_ number: UInt32, in event: ChatEvent, by actor: any ObservedActor) -> Bool {
        guard let text = actor.ledger?.text(of: event) ?? event.text else { return false }
        return self.change(actor) { $0.timings.isQuoted(number, by: text) }
    }

    /// Takes down that a text of somebody else has come.
    private func receive(_ envelope: LedgerEnvelope, by actor: any ObservedActor, at now: Instant) {
        guard let number = self.number(ofPlace: actor.place) else { return }
        let channel = self.channel(of: actor)
        if let attendance = self.attendance, !actor.hasOwnServer, envelope.channel == channel,
            envelope.run == self.recorder.ledger.run, !attendance.isDue(envelope)
        {
            // The server shows what was said when the user was not there.
            return
        }
        let isNew = self.recorder.receive(
            envelope, by: number, in: channel, since: self.begin, role: self.role, at: now)
        if isNew, channel == self.ownChannel, envelope.intendedMicroseconds >= self.begin {
            self.recorder.excuse(self.own.came(from: envelope.sender), from: envelope.sender, in: channel)
        }
    }

    // MARK: The room

    /// Takes note of where an actor is that observes something.
    private func attend(_ actor: any ObservedActor, _ kind: EventKind, at now: Instant) {
        switch kind {
        case .disconnected, .reconnecting:
            self.change(actor) { $0.shown.forget() }
            guard !actor.hasOwnServer else { return }
            self.excuse(self.attendance?.lose(at: now, self.hasCome) ?? [:], in: self.roomChannel)
        case .error: break
        default:
            if kind == .connected || kind == .reconnected { self.change(actor) { $0.shown.forget() } }
            if !actor.hasOwnServer { self.attendance?.arrive(by: actor.place, at: now) }
        }
    }

    /// Whether a text of the room need not be waited for at some of the user's actors: it is the user's own, or it, or
    /// a later one of its sender, has come.
    private func hasCome(_ envelope: LedgerEnvelope, to places: [Int]) -> Bool {
        envelope.sender >> Ledger.actorBits == UInt32(truncatingIfNeeded: self.user.number)
            || places.contains { place in
                self.number(ofPlace: place).map { self.recorder.ledger.hasCome(envelope, to: $0) } ?? false
            }
    }

    /// How many texts have not been acknowledged although that is declared.
    private var unacknowledgedCount: Int { self.actors.reduce(0) { $0 + $1.timings.unacknowledgedCount } }

    var awaitsAcknowledgement: Bool { self.unacknowledgedCount > 0 }

    /// The user has ended, and nothing comes to it any more.
    ///
    /// - Parameter now: When, on the time line of the run.
    func ended(at now: Instant) {
        self.excuse(self.attendance?.ended(self.hasCome) ?? [:], in: self.roomChannel)
        guard !self.isBrokenOff else { return }
        self.recorder.unacknowledged(
            self.unacknowledgedCount, ofUser: self.user.number, role: self.role, at: now)
        for actor in self.actors where actor.timings.isUsual {
            self.recorder.remarks.missed(actor.timings.missingCount(at: now))
        }
    }

    /// The user is broken off: what is under way to it, and in a conversation of its own, need not come, and its texts
    /// need not be acknowledged.
    ///
    /// - Parameter now: When, on the time line of the run.
    func brokenOff(at now: Instant) {
        self.isBrokenOff = true
        self.excuse(self.own.brokenOff(), in: self.ownChannel)
        self.excuse(self.attendance?.brokenOff(at: now, self.hasCome) ?? [:], in: self.roomChannel)
    }

    /// A storm that hit the user is over.
    ///
    /// - Parameter now: When, on the time line of the run.
    func stormPassed(at now: Instant) {
        self.recovery.stormPassed(at: now)
    }

    /// The user plays no more: whoever was hit and heard nothing again has not recovered.
    ///
    /// - Parameter now: When, on the time line of the run.
    func stopped(at now: Instant) {
        if self.recovery.stopped() { self.recorder.record(.unrecovered, 1, role: self.role, at: now) }
    }

    func measured(_ measurement: ClientMeasurement, at instant: PoolInstant) {
        let now = self.runTime(instant)
        self.recorder.record(measurement, role: self.role, at: now)
        guard case .upgraded = measurement else { return }
        // Another connection may show anew what has been shown.
        for place in self.actors.indices { self.actors[place].shown.forget() }
        if self.turnsToOthers { self.attendance?.arrive(at: now) }
    }

    func measuredOfSharedServer(_ measurement: ClientMeasurement, at instant: PoolInstant) {
        self.recorder.record(measurement, role: nil, at: self.runTime(instant))
    }

    func stepEnded(_ name: String, after duration: Duration, at instant: PoolInstant) {
        self.recorder.record(.step, named: name, duration, role: self.role, at: self.runTime(instant))
    }

    func measures(_ sample: ScriptSample, at instant: PoolInstant) -> String? {
        if let refusal = BuiltInMetric.refusal(of: sample.name) { return refusal }
        return self.recorder.record(sample, at: self.runTime(instant))
    }

    func scriptEnded(at instant: PoolInstant) {
        let now = self.runTime(instant)
        self.scriptEnd = now
        self.attendance?.scriptEnded(at: now)
    }

    func marks(_ label: String, at instant: PoolInstant) {
        self.recorder.mark(label, at: self.runTime(instant))
    }
}
