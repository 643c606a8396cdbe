import JSON
import Machines
import Metrics
import Scenario
import Transport

/// Hears one user, and tells the recorder what it means.
final class UserRecorder: PlayObserver {
    private let recorder: LoadRecorder
    private let user: VirtualUser
    private let role: String?
    /// How many members the user's room has, in all shards; nil without a room.
    private let roomSize: Int?
    /// When the run began on the stage's time line.
    private let origin: Instant
    private var timings: [ChatTimings] = []

    /// The actors of a user have numbers of their own: the user's, then four bits for the actor.
    private static let actorBits: UInt32 = 4

    init(_ user: VirtualUser, roomSize: Int?, origin: Instant, recorder: LoadRecorder) {
        self.user = user
        self.role = user.role
        self.roomSize = roomSize
        self.origin = origin
        self.recorder = recorder
    }

    private func number(of actor: ObservedActor) -> UInt32 {
        UInt32(truncatingIfNeeded: self.user.number) << Self.actorBits | UInt32(min(actor.place, 15))
    }

    /// A room, or the user's own conversation; rooms are told from users by the highest bit.
    private var channel: UInt32 {
        if let room = self.user.room { return 1 << 31 | UInt32(truncatingIfNeeded: room.number) }
        return UInt32(truncatingIfNeeded: self.user.number)
    }

    private func withTimings(of actor: ObservedActor, _ body: (inout ChatTimings) -> Void) {
        while self.timings.count <= min(actor.place, 15) { self.timings.append(ChatTimings()) }
        body(&self.timings[min(actor.place, 15)])
    }

    func commands(_ actor: ObservedActor, _ command: inout Command, sending argument: String?, at instant: Instant) {
        let now = instant.onTimeLine(startingAt: self.origin)
        let text = argument.flatMap { command.arguments[$0]?.string }
        self.withTimings(of: actor) { $0.commanded(sendsText: text != nil, at: now) }
        guard let argument, let text else { return }
        self.recorder.record(.sent, 1, role: self.role, at: now)
        guard self.recorder.usesLedger else { return }
        let envelope = self.recorder.send(
            from: self.number(of: actor), in: self.channel, receivers: self.receivers(of: actor), at: now)
        var arguments = command.arguments
        arguments[argument] = .string(envelope.appended(to: text))
        command = Command(command.name, arguments)
    }

    /// How many others are to get what an actor says: the rest of the room; else the other side of the conversation, or
    /// the other clients where all are clients.
    private func receivers(of actor: ObservedActor) -> Int {
        if let roomSize = self.roomSize { return roomSize - 1 }
        guard actor.partyCount > 0 else { return actor.clientCount - 1 }
        return actor.isClient ? actor.partyCount : actor.clientCount
    }

    func observes(_ actor: ObservedActor, _ event: inout ChatEvent, at instant: Instant) {
        let now = instant.onTimeLine(startingAt: self.origin)
        var isOwn = event.kind == .messageSent
        if event.kind == .message || event.kind == .messageSent || event.kind == .frame,
            let text = event.fields["text"]?.string, let found = Envelope.extract(from: text)
        {
            event.fields["text"] = .string(found.message)
            isOwn = found.envelope.sender == self.number(of: actor)
            if !isOwn {
                self.recorder.receive(
                    found.envelope, by: self.number(of: actor), in: self.channel, role: self.role, at: now)
            }
        }
        if event.kind == .message, !isOwn { self.recorder.record(.received, 1, role: self.role, at: now) }
        if event.kind == .error { self.recorder.record(.errors, 1, role: self.role, at: now) }
        for sample in AnswerTimings.samples(of: event) {
            switch sample {
            case .time(let metric, let duration): self.recorder.record(metric, duration, role: self.role, at: now)
            case .count(let metric, let count): self.recorder.record(metric, count, role: self.role, at: now)
            }
        }
        self.withTimings(of: actor) { timings in
            timings.observed(event.kind, isOwn: isOwn, at: now) { metric, duration in
                self.recorder.record(metric, duration, role: self.role, at: now)
            }
        }
    }

    func answered(_ request: AnsweredRequest, at now: Instant) {
        self.recorder.record(request, role: self.role, at: now.onTimeLine(startingAt: self.origin))
    }

    func measures(_ sample: ScriptSample, at now: Instant) {
        self.recorder.record(sample, at: now.onTimeLine(startingAt: self.origin))
    }

    func marks(_ label: String, at now: Instant) {
        self.recorder.mark(label, at: now.onTimeLine(startingAt: self.origin))
    }
}
