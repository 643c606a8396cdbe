internal import HTTPTypes
public import JSON
public import Machines

/// The member of a rendezvous as a machine: it tries to reach the shard that leads until its time is over, and tells
/// its process what came of it by the events of ``RendezvousServer``.
///
/// Shards start in any order, so a leader that is not there yet, or goes away before its word, is tried again.
public struct RendezvousClient: ClientMachine {
    /// How long the machine waits before it tries again.
    private static let pause = Duration.milliseconds(500)

    /// The timer of the next try.
    private static let retryTimer: TimerName = "again"

    private let member: RendezvousMember
    private let authority: String
    private let epoch: EpochTime
    private let token: String?
    private var attempts: UInt64 = 0
    private var lastFailure: String?
    private var isOver = false

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - member: What it has to say, and until when it waits.
    ///   - authority: Host and port of the shard that leads.
    ///   - epoch: The wall clock's time at the start of the machine's own time line.
    ///   - token: What that one wants to be shown, if anything.
    public init(_ member: RendezvousMember, authority: String, epoch: EpochTime, token: String? = nil) {
        self.token = token
        self.member = member
        self.authority = authority
        self.epoch = epoch
    }

    public var identity: JSONObject { [:] }
    public var properties: JSONObject { [:] }

    public mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        guard !self.isOver else { return }
        let now = self.epoch + (step.now - .start)
        switch input {
        case .opened(let connection, _): step.ask(.transmit(connection, .text(self.member.greeting.text)))
        case .received(let connection, let message):
            var line = ""
            if case .text(let text) = message { line = text }
            self.tell(self.member.received(line, at: now), in: &step)
            step.ask(.close(connection, code: 1000, reason: ""))
        case .openFailed(_, let failure):
            self.lastFailure = failure.message
            step.ask(.setTimer(Self.retryTimer, Self.pause))
        case .closed:
            self.lastFailure = "\(self.authority) closed the connection"
            step.ask(.setTimer(Self.retryTimer, Self.pause))
        case .timerFired(Self.retryTimer): self.open(in: &step)
        case .timerFired: self.giveUp(at: now, in: &step)
        default: break
        }
    }

    /// The command by which it goes to the meeting, its only one.
    static let meeting = "meet"

    public mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        guard command.name == Self.meeting else {
            return .refused(
                "a member of a rendezvous has no command \"\(command.name)\"; it has \"\(Self.meeting)\"")
        }
        let now = self.epoch + (step.now - .start)
        step.ask(.setTimer(RendezvousServer.deadlineTimer, max(self.member.deadline - now, .zero)))
        self.open(in: &step)
        return .done(.null)
    }

    public mutating func tearDown(in step: inout ClientStep) {
        self.isOver = true
        if self.attempts > 0 { step.ask(.abort(ConnectionID(self.attempts))) }
    }

    private mutating func open(in step: inout ClientStep) {
        self.attempts += 1
        var head = HTTPRequest(method: .get, scheme: "ws", authority: self.authority, path: "/rendezvous")
        head.headerFields[.authorization] = self.token.map(RendezvousServer.credentials)
        step.ask(.open(ConnectionID(self.attempts), head, subprotocols: []))
    }

    private mutating func giveUp(at now: EpochTime, in step: inout ClientStep) {
        var outcome = self.member.wait(until: max(now, self.member.deadline))
        if case .failed(var error) = outcome, let failure = self.lastFailure {
            error.message += " (last: \(failure))"
            outcome = .failed(error)
        }
        step.ask(.abort(ConnectionID(self.attempts)))
        self.tell(outcome, in: &step)
    }

    private mutating func tell(_ outcome: RendezvousMember.Outcome, in step: inout ClientStep) {
        self.isOver = true
        step.ask(.cancelTimer(RendezvousServer.deadlineTimer))
        step.ask(.cancelTimer(Self.retryTimer))
        step.ask(.emit(RendezvousServer.event(of: outcome)))
    }
}
