import HTTPTypes
import Machines

/// The leader of a rendezvous over connections: other shards open a WebSocket to it, and each message is one line.
///
/// | connection    | input                                     | becomes | what happens                  |
/// |---------------|-------------------------------------------|---------|-------------------------------|
/// | none          | a web page asks, or who has not the token | none    | refused with 403              |
/// | none          | anybody else asks, with all places taken  | none    | refused with 503              |
/// | none          | anybody else asks                         | silent  | accepted                      |
/// | silent, heard | a message                                 | heard   | the leader takes it as a line |
/// | silent        | the time to say something is over         | none    | dropped                       |
/// | silent, heard | it closes                                 | none    | the leader takes note of it   |
///
/// What the ``RendezvousLeader`` decides, because of a line, an order of its process or the time:
///
/// | the leader           | what happens                                                                  |
/// |----------------------|-------------------------------------------------------------------------------|
/// | announces the start  | the shards that are ready are sent the line, and are closed with 1000         |
/// | announces a failure  | all connections are sent the line, and are closed with 1000                   |
/// | refuses a connection | it is sent the line, and is closed with 1008                                  |
/// | agrees, fails        | its process is told                                                           |
struct RendezvousServer: Sendable {
    /// What happens to it.
    enum Input: Hashable, Sendable {
        /// The others are waited for from now on.
        case begun
        /// The process of the leader gives up; who waits for this shard is told so.
        case interrupted
        /// Somebody asks for a WebSocket.
        case asked(ConnectionID, HTTPRequest)
        /// A message arrived.
        case received(ConnectionID, WebSocketMessage)
        /// A WebSocket ended.
        case closed(ConnectionID)
        /// It is as late as ``RendezvousServer/wake`` said.
        case waited
    }

    /// What it wants done.
    enum Effect: Hashable, Sendable {
        /// Accept a WebSocket.
        case accept(ConnectionID)
        /// Refuse a WebSocket.
        case refuse(ConnectionID, Response)
        /// Send a line.
        case transmit(ConnectionID, RendezvousLine)
        /// Start the closing handshake.
        case close(ConnectionID, code: UInt16)
        /// Drop a connection.
        case abort(ConnectionID)
        /// Tell the own process what came of it.
        case tell(RendezvousMember.Outcome)
    }

    private var leader: RendezvousLeader
    private let token: String?
    private var connections: [ConnectionID] = []
    /// The connections that have said nothing yet, the oldest first, and until when they may wait.
    private var silent: [(connection: ConnectionID, deadline: EpochTime)] = []
    /// More connections than shards are of no use to anybody.
    private let limit: Int

    /// How long a connection may take to say which shard it is; shards say so at once.
    static let greetingLimit = Duration.seconds(10)

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - leader: Who agrees with the shards.
    ///   - shards: How many shards the run has.
    ///   - token: What a shard shows to be let in; nil lets in whoever comes.
    init(_ leader: RendezvousLeader, shards: Int, token: String? = nil) {
        self.token = token
        self.leader = leader
        self.limit = max(shards, 1) * 2 + 16
    }

    /// When it wants to hear that it has waited; nil while it waits for nothing.
    var wake: EpochTime? {
        [self.leader.wake, self.silent.first?.deadline].compactMap(\.self).min()
    }

    /// Takes in what happens.
    mutating func handle(_ input: Input, at now: EpochTime) -> [Effect] {
        // The leader decides first, for what it wants done depends on which shards are ready by then.
        let actions: [RendezvousLeader.Action]
        switch input {
        case .begun: actions = self.leader.begin(at: now)
        case .interrupted: actions = self.leader.interrupt()
        case .asked(let connection, let request): return [self.answer(request, of: connection, at: now)]
        case .received(let connection, let message):
            self.silent.removeAll { $0.connection == connection }
            var line = ""
            if case .text(let text) = message { line = text }
            // The number of a connection is that of its peer; numbers beyond the range are no connections of ours.
            actions = self.leader.received(line, from: Int(clamping: connection.number), at: now)
        case .closed(let connection):
            self.connections.removeAll { $0 == connection }
            self.silent.removeAll { $0.connection == connection }
            self.leader.closed(peer: Int(clamping: connection.number))
            return []
        case .waited:
            actions = self.leader.wait(until: now)
            return self.dropSilent(at: now) + self.effects(of: actions)
        }
        return self.effects(of: actions)
    }

    /// What a shard sends in its request to be let in.
    static func credentials(_ token: String) -> String { "Bearer \(token)" }

    /// Lets somebody in or not.
    private mutating func answer(_ request: HTTPRequest, of connection: ConnectionID, at now: EpochTime) -> Effect {
        if let refusal = self.refusal(of: request) {
            return .refuse(connection, Response(text: refusal, status: .forbidden))
        }
        guard self.connections.count < self.limit else {
            let text = "There are more connections than shards.\n"
            return .refuse(connection, Response(text: text, status: .serviceUnavailable))
        }
        self.connections.append(connection)
        self.silent.append((connection, now + Self.greetingLimit))
        return .accept(connection)
    }

    /// Why a request is not one of a shard of this run.
    private func refusal(of request: HTTPRequest) -> String? {
        // Only web pages name an origin; one that a browser has open must not take the place of a shard.
        guard request.headerFields[.origin] == nil else { return "Web pages do not meet here.\n" }
        guard let token = self.token, request.headerFields[.authorization] != Self.credentials(token) else {
            return nil
        }
        return "The token of the run is another one; it stands in --rendezvous, the same in all shards.\n"
    }

    /// Gives the places of those free who have come and say nothing.
    private mutating func dropSilent(at now: EpochTime) -> [Effect] {
        let dropped = self.silent.prefix { $0.deadline <= now }.map(\.connection)
        self.silent.removeFirst(dropped.count)
        self.connections.removeAll { dropped.contains($0) }
        return dropped.map { .abort($0) }
    }

    /// What is to be done for what the leader wants.
    private func effects(of actions: [RendezvousLeader.Action]) -> [Effect] {
        actions.flatMap { action -> [Effect] in
            switch action {
            case .announce(let line):
                // The start is for those whose line was heard; whoever else is connected may be there twice.
                var listeners = self.connections
                if case .start = line { listeners.removeAll { !self.leader.isReady(peer: Int(clamping: $0.number)) } }
                return listeners.flatMap { [.transmit($0, line), .close($0, code: 1000)] }
            case .refuse(let peer, let line):
                let connection = ConnectionID(UInt64(clamping: peer))
                return [.transmit(connection, line), .close(connection, code: 1008)]
            case .agree(let time): return [.tell(.agreed(time))]
            case .fail(let error): return [.tell(.failed(error))]
            }
        }
    }
}
