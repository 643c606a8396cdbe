internal import HTTPTypes
public import JSON
public import Machines

/// The leader of a rendezvous as a machine: other shards open a WebSocket to it, and each message is one line.
///
/// It tells its own process what came of it as one event of the party `rendezvous`: `completed` with the line of the
/// start, or `error` with why there is none.
public struct RendezvousServer: ServerMachine {
    /// The party that hears what came of the rendezvous.
    public static let party = "rendezvous"

    private var leader: RendezvousLeader
    private let epoch: EpochTime
    private let token: String?
    private var connections: [ConnectionID] = []
    /// The connections that have said nothing yet, the oldest first, and until when they may wait.
    private var silent: [(connection: ConnectionID, deadline: Instant)] = []
    /// More connections than shards are of no use to anybody.
    private let limit: Int

    /// How long a connection may take to say which shard it is; shards say so at once.
    static let greetingLimit = Duration.seconds(10)

    /// The timer of the end of all waiting.
    static let deadlineTimer: TimerName = "deadline"

    /// The timer of the connection that has been silent longest.
    private static let greetingTimer: TimerName = "greeting"

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - leader: Who agrees with the shards.
    ///   - epoch: The wall clock's time at the start of the machine's own time line.
    ///   - shards: How many shards the run has.
    ///   - token: What a shard shows to be let in; nil lets in whoever comes.
    public init(_ leader: RendezvousLeader, epoch: EpochTime, shards: Int, token: String? = nil) {
        self.token = token
        self.leader = leader
        self.epoch = epoch
        self.limit = max(shards, 1) * 2 + 16
    }

    public var properties: JSONObject { ["missing": .integer(Int64(self.leader.missing.count))] }

    public mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
        let now = self.epoch + (step.now - .start)
        switch input {
        case .upgradeRequested(let connection, let request):
            if let refusal = self.refusal(of: request) {
                step.ask(.refuse(connection, Response(text: refusal, status: .forbidden)))
                return
            }
            guard self.connections.count < self.limit else {
                let text = "There are more connections than shards.\n"
                step.ask(.refuse(connection, Response(text: text, status: .serviceUnavailable)))
                return
            }
            self.connections.append(connection)
            step.ask(.accept(connection, subprotocol: nil))
            self.silent.append((connection, step.now + Self.greetingLimit))
            if self.silent.count == 1 { step.ask(.setTimer(Self.greetingTimer, Self.greetingLimit)) }
        case .requested(let exchange, _):
            let text = "Shards of a load test meet here, by WebSocket.\n"
            step.ask(.respond(exchange, Response(text: text, status: .upgradeRequired)))
        case .received(let connection, let message):
            self.silent.removeAll { $0.connection == connection }
            var line = ""
            if case .text(let text) = message { line = text }
            // The number of a connection is that of its peer; numbers beyond the range are no connections of ours.
            self.apply(self.leader.received(line, from: Int(clamping: connection.number), at: now), in: &step)
        case .closed(let connection, _):
            self.connections.removeAll { $0 == connection }
            self.silent.removeAll { $0.connection == connection }
            self.leader.closed(peer: Int(clamping: connection.number))
        case .timerFired(Self.greetingTimer): self.dropSilent(in: &step)
        case .timerFired: self.apply(self.leader.wait(until: now), in: &step)
        case .linkOpened, .requestAbandoned, .scriptReturned: break
        }
    }

    /// What a shard sends in its request to be let in.
    static func credentials(_ token: String) -> String { "Bearer \(token)" }

    /// Why a request is not one of a shard of this run.
    private func refusal(of request: Request) -> String? {
        // Only web pages name an origin; one that a browser has open must not take the place of a shard.
        guard request.head.headerFields[.origin] == nil else { return "Web pages do not meet here.\n" }
        guard let token = self.token, request.head.headerFields[.authorization] != Self.credentials(token) else {
            return nil
        }
        return "The token of the run is another one; it stands in --rendezvous, the same in all shards.\n"
    }

    /// Gives the places of those free who have come and say nothing.
    private mutating func dropSilent(in step: inout ServerStep) {
        while let first = self.silent.first, first.deadline <= step.now {
            self.silent.removeFirst()
            self.connections.removeAll { $0 == first.connection }
            step.ask(.abort(first.connection))
        }
        if let next = self.silent.first { step.ask(.setTimer(Self.greetingTimer, next.deadline - step.now)) }
    }

    /// What the process of the leader orders.
    public enum Order: String, CaseIterable, Sendable {
        /// Waits for the others from now on.
        case begin
        /// Gives up; who waits for this shard is told so.
        case interrupt

        /// The command that gives the order.
        var command: Command { Command(self.rawValue) }
    }

    public mutating func perform(
        _ command: Command, by party: String?, in step: inout ServerStep
    ) -> CommandOutcome {
        switch Order(rawValue: command.name) {
        case .begin:
            let now = self.epoch + (step.now - .start)
            self.apply(self.leader.begin(at: now), in: &step)
            if let wake = self.leader.wake { step.ask(.setTimer(Self.deadlineTimer, max(wake - now, .zero))) }
        case .interrupt: self.apply(self.leader.interrupt(), in: &step)
        case nil:
            let known = Order.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
            return .refused("the leader of a rendezvous has no command \"\(command.name)\"; it has \(known)")
        }
        return .done(.null)
    }

    private mutating func apply(_ actions: [RendezvousLeader.Action], in step: inout ServerStep) {
        for action in actions {
            switch action {
            case .announce(let line):
                // The start is for those whose line was heard; whoever else is connected may be there twice.
                var listeners = self.connections
                if case .start = line { listeners.removeAll { !self.leader.isReady(peer: Int(clamping: $0.number)) } }
                for connection in listeners {
                    step.ask(.transmit(connection, .text(line.text)))
                    step.ask(.close(connection, code: 1000, reason: ""))
                }
            case .refuse(let peer, let line):
                let connection = ConnectionID(UInt64(clamping: peer))
                step.ask(.transmit(connection, .text(line.text)))
                step.ask(.close(connection, code: 1008, reason: ""))
            case .agree(let time):
                step.ask(.cancelTimer(Self.deadlineTimer))
                step.ask(.emit(party: Self.party, Self.event(of: .agreed(time))))
            case .fail(let error):
                step.ask(.cancelTimer(Self.deadlineTimer))
                step.ask(.emit(party: Self.party, Self.event(of: .failed(error))))
            }
        }
    }

    /// What came of a rendezvous as the event that machines emit.
    static func event(of outcome: RendezvousMember.Outcome) -> ChatEvent {
        switch outcome {
        case .agreed(let time): ChatEvent(.completed, ["start": .integer(time.nanoseconds)])
        case .failed(let error): ChatEvent(.error, ["text": .string(error.message)])
        case .waiting: ChatEvent(.linkChanged)
        }
    }
}

extension RendezvousMember.Outcome {
    /// Reads the event by which a machine tells what came of a rendezvous.
    ///
    /// - Returns: Nil if it is another event.
    public init?(event: ChatEvent) {
        switch event.kind {
        case .completed:
            guard let start = event.fields["start"]?.integer else { return nil }
            self = .agreed(EpochTime(nanoseconds: start))
        case .error: self = .failed(StartError(message: event.fields["text"]?.string ?? "the rendezvous failed"))
        default: return nil
        }
    }
}
