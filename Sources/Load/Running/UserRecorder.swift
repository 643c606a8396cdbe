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
        /// Whether it is where the room of the user meets.
        var isInRoom = false
    }

    /// Whether the user is where its room meets.
    private enum Attendance {
        case away
        case there
        /// Its script has ended, and what is under way may still come.
        case leaving
        case gone
    }

    private let recorder: LoadRecorder
    let user: VirtualUser
    /// Who of the user's room is there; nil without a room.
    private let room: RoomAttendance?
    /// When the run began on the pool's time line.
    private let origin: Instant
    /// When the iteration began, in microseconds on the time line of the run.
    private let begin: Int64
    /// The actors by their places.
    private var actors: [Heard] = []
    /// How many deliveries are to come of what actors have said in a conversation of the user's own, by their numbers.
    private var underWay: [UInt32: Int] = [:]
    private var isBrokenOff = false
    private var attendance = Attendance.away
    /// Whether the actor that was told to do something last talks to a server that others talk to as well: what is
    /// opened then leads there.
    private var turnsToOthers = false
    /// When the storm was over that the user has not recovered from, on the time line of the run.
    private var stormEnd: Instant?
    /// When the script ended, on the time line of the run; nil as long as it plays, and if it never did.
    private(set) var scriptEnd: Instant?

    /// The actors of a user have numbers of their own: the user's, then eight bits for the actor.
    static let actorBits: UInt32 = 8

    /// - Parameters:
    ///   - room: Who of the user's room is there; nil without a room.
    ///   - origin: When the run began on the pool's time line.
    ///   - begin: When the iteration begins, on the time line of the run.
    init(_ user: VirtualUser, room: RoomAttendance?, origin: Instant, begin: Instant, recorder: LoadRecorder) {
        self.user = user
        self.room = room
        self.origin = origin
        self.begin = begin.nanoseconds / 1000
        self.recorder = recorder
    }

    private var role: String? { self.user.role }

    /// The number of an actor in envelopes; of more actors than are accounted for the rest has none.
    private func number(ofPlace place: Int) -> UInt32? {
        guard place < ObservedActor.accountedLimit else { return nil }
        return UInt32(truncatingIfNeeded: self.user.number) << Self.actorBits | UInt32(place)
    }

    /// Whether a number is that of one of the user's actors.
    private func isOfUser(_ number: UInt32) -> Bool {
        number >> Self.actorBits == UInt32(truncatingIfNeeded: self.user.number)
    }

    /// The user's own conversation, which it is where no other member of its room reaches the server.
    private var ownChannel: UInt32 { UInt32(truncatingIfNeeded: self.user.number) }

    /// The user's room, which is told from users by the highest bit.
    private var roomChannel: UInt32? { self.user.room.map { 1 << 31 | UInt32(truncatingIfNeeded: $0.number) } }

    private func channel(of actor: ObservedActor) -> UInt32 {
        actor.hasOwnServer ? self.ownChannel : self.roomChannel ?? self.ownChannel
    }

    private func change<Result>(_ actor: ObservedActor, _ body: (inout Heard) -> Result) -> Result {
        while self.actors.count <= actor.place { self.actors.append(Heard()) }
        return body(&self.actors[actor.place])
    }

    func commands(
        _ actor: ObservedActor, _ command: inout Command, sending place: SentText?, at instant: Instant
    ) -> (() -> Void)? {
        let now = instant.onTimeLine(startingAt: self.origin)
        let text = place?.text(in: command)
        self.turnsToOthers = !actor.hasOwnServer
        self.change(actor) { $0.timings.commanded(at: now) }
        guard let place, let text else { return nil }
        self.recorder.record(.sent, 1, role: self.role, at: now)
        let marked = self.mark(actor, at: now)
        let number = marked?.envelope.sequence
        let isKept = self.change(actor) { $0.timings.sends(text, number: number, at: now) }
        if let marked { place.replace(in: &command, with: marked.envelope.appended(to: text)) }
        return {
            self.change(actor) { $0.timings.takeBack(number: number, sentAt: now, wasKept: isKept) }
            // Of a user that is broken off, all that it said in its own conversation is excused already.
            guard let marked, !(self.isBrokenOff && marked.envelope.channel == self.ownChannel) else { return }
            self.recorder.takeBack(marked.envelope, receivers: marked.receivers)
            self.room?.takeBack(marked.envelope)
            self.underWay[marked.envelope.sender]? -= marked.receivers
        }
    }

    /// Takes down that an actor says something.
    ///
    /// - Returns: The envelope of the text, and how many are to get it; nil if it is not accounted for.
    private func mark(_ actor: ObservedActor, at now: Instant) -> (envelope: LedgerEnvelope, receivers: Int)? {
        guard self.recorder.usesLedger, let number = self.number(ofPlace: actor.place) else { return nil }
        let room = actor.hasOwnServer ? nil : self.room
        // Whoever talks is there.
        if room != nil { self.arrive(at: now) }
        let receivers =
            room?.receivers(of: self.user.number, at: now.nanoseconds / 1000) ?? self.receivers(of: actor)
        let channel = self.channel(of: actor)
        let envelope = self.recorder.send(from: number, in: channel, receivers: receivers, at: now)
        if let room {
            room.sent(envelope, receivers: receivers)
            self.excuse(room.takeExcused())
        } else {
            self.underWay[number, default: 0] += receivers
            if self.isBrokenOff { self.recorder.excuse(receivers, from: number, in: channel) }
        }
        return (envelope, receivers)
    }

    /// How many others are to get what an actor says in a conversation of the user's own: the other side, or the other
    /// clients where all are clients.
    private func receivers(of actor: ObservedActor) -> Int {
        guard actor.partyCount > 0 else { return actor.clientCount - 1 }
        return actor.isClient ? actor.partyCount : actor.clientCount
    }

    func observes(_ actor: ObservedActor, _ event: inout ChatEvent, at instant: Instant) {
        let now = instant.onTimeLine(startingAt: self.origin)
        self.attend(actor, event.kind, at: now)
        var isOwn = event.kind == .messageSent
        var isNamed = false
        var ownNumber: UInt32?
        if let envelope = event.takeEnvelope(
            isPlain: actor.ledger != nil || actor.acknowledgements.contains(event.kind) || actor.namesTexts)
        {
            isOwn = envelope.run == self.recorder.ledger.run && envelope.sender == self.number(ofPlace: actor.place)
            isNamed = actor.namesTexts
            if isOwn { ownNumber = envelope.sequence } else { self.receive(envelope, by: actor, at: now) }
        }
        // Whoever answers a request may repeat it, and has answered then.
        if event.kind == .message, actor.ledger != nil { isOwn = false }
        let isText = event.kind == .message || isNamed || actor.ledger?.isText(event) == true
        if isText, isOwn, let ownNumber { isOwn = !self.isQuoted(ownNumber, in: event, by: actor) }
        let isAcknowledgement =
            event.kind == .messageSent
            || actor.ledger?.acknowledges(event, isOwn: isOwn) ?? actor.acknowledgements.contains(event.kind)
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
        // An answer of HTTP is for its own request, whatever earlier text it repeats.
        if ChatEvent.kindsOfPlainHTTP.contains(event.kind) { ownNumber = nil }
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
    private func isQuoted(_ number: UInt32, in event: ChatEvent, by actor: ObservedActor) -> Bool {
        guard let text = actor.ledger?.text(of: event) ?? event.text else { return false }
        return self.change(actor) { $0.timings.isQuoted(number, by: text) }
    }

    /// Takes down that a text of somebody else has come.
    private func receive(_ envelope: LedgerEnvelope, by actor: ObservedActor, at now: Instant) {
        guard let number = self.number(ofPlace: actor.place) else { return }
        let channel = self.channel(of: actor)
        if let room = self.room, !actor.hasOwnServer, envelope.channel == channel,
            envelope.run == self.recorder.ledger.run,
            !room.isDue(at: self.user.number, sentAt: envelope.intendedMicroseconds)
        {
            // The server shows what was said when the user was not there.
            return
        }
        let isNew = self.recorder.receive(
            envelope, by: number, in: channel, since: self.begin, role: self.role, at: now)
        if isNew, channel == self.ownChannel, envelope.intendedMicroseconds >= self.begin {
            guard let count = self.underWay[envelope.sender], count > 0 else { return }
            self.underWay[envelope.sender] = count - 1
            if self.isBrokenOff { self.recorder.excuse(-1, from: envelope.sender, in: channel) }
        }
    }

    // MARK: The room

    /// Takes note of where an actor is that observes something.
    private func attend(_ actor: ObservedActor, _ kind: EventKind, at now: Instant) {
        switch kind {
        case .disconnected, .reconnecting:
            self.change(actor) { $0.shown.forget() }
            if !actor.hasOwnServer { self.lose(at: now) }
        case .error: break
        default:
            if kind == .connected || kind == .reconnected { self.change(actor) { $0.shown.forget() } }
            guard self.room != nil, !actor.hasOwnServer else { return }
            self.change(actor) { $0.isInRoom = true }
            self.arrive(at: now)
        }
    }

    private func arrive(at now: Instant) {
        guard let room = self.room, self.attendance == .away else { return }
        self.attendance = .there
        room.arrived(self.user.number, at: now.nanoseconds / 1000)
    }

    /// The way to the room is lost; it may be found again.
    private func lose(at now: Instant) {
        guard let room = self.room, self.attendance == .there else { return }
        self.attendance = .away
        room.left(self.user.number, at: now.nanoseconds / 1000)
        self.miss(isExcused: false)
    }

    /// Takes down what was under way to the user when it left its room.
    private func miss(isExcused: Bool) {
        guard let room = self.room, let channel = self.roomChannel else { return }
        let places = self.actors.indices.filter { self.actors[$0].isInRoom }
        let numbers = places.compactMap { self.number(ofPlace: $0) }
        let envelopes = room.underWay(to: self.user.number, except: self.isOfUser) { envelope in
            numbers.contains { self.recorder.ledger.hasCome(envelope, to: $0) }
        }
        if isExcused {
            for envelope in envelopes { self.recorder.excuse(1, from: envelope.sender, in: channel) }
        } else {
            room.miss(envelopes)
            self.excuse(room.takeExcused())
        }
    }

    private func excuse(_ counts: [UInt32: Int]) {
        guard let channel = self.roomChannel else { return }
        for (sender, count) in counts { self.recorder.excuse(count, from: sender, in: channel) }
    }

    /// The user has ended, and nothing comes to it any more.
    func ended() {
        if self.attendance == .leaving { self.miss(isExcused: false) }
        self.attendance = .gone
    }

    /// The user is broken off: what is under way to it, and in a conversation of its own, need not come.
    ///
    /// - Parameter now: When, on the time line of the run.
    func brokenOff(at now: Instant) {
        self.isBrokenOff = true
        for (sender, count) in self.underWay where count > 0 {
            self.recorder.excuse(count, from: sender, in: self.ownChannel)
        }
        if self.attendance == .there { self.room?.left(self.user.number, at: now.nanoseconds / 1000) }
        if self.attendance == .there || self.attendance == .leaving { self.miss(isExcused: true) }
        self.attendance = .gone
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
        case .upgraded(let duration):
            self.recorder.record(.upgrade, duration, role: self.role, at: now)
            // Another connection may show anew what has been shown.
            for place in self.actors.indices { self.actors[place].shown.forget() }
            if self.turnsToOthers { self.arrive(at: now) }
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
        let now = now.onTimeLine(startingAt: self.origin)
        self.scriptEnd = now
        if self.attendance == .there {
            self.room?.left(self.user.number, at: now.nanoseconds / 1000)
            self.attendance = .leaving
        } else if self.attendance == .away {
            self.attendance = .gone
        }
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
    fileprivate static let kindsOfPlainHTTP: Set<EventKind> = [.response, .token, .chunk, .streamStarted, .streamEnded]

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
