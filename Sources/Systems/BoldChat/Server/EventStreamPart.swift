import JSON
import Machines

/// The event streams of all chats: sockets, polls, heartbeats and what is sent over them.
///
/// | stream of a chat | input | → stream | actions |
/// |---|---|---|---|
/// | – | `chatBegan` | away | |
/// | any | `socketAsked` | unchanged | closes the socket before, if there is one |
/// | any | `socketOpened` | opened | accepts it; heartbeats begin with the first one |
/// | opened | `greeted` | listening | answers; sends what the client misses |
/// | opened, listening | `socketClosed`, `dropped` | away | the visitor counts as away |
/// | any | `polled`, nothing to tell | polling | holds the poll; answers the one before |
/// | any | `polled`, for the first time or with something to tell | between polls | answers at once |
/// | polling | an event, a signal, `pollDue` | between polls | answers with what has happened |
/// | polling | `pollAbandoned`, `dropped` | away, or between polls | the visitor counts as away |
/// | opened | a signal | opened | sends it |
/// | listening | an event, a signal, `heartbeatDue` | listening | sends it |
/// | opened, listening | `left`, `text` | unchanged | closes the socket; sends the text |
/// | any other | an event | unchanged | keeps it for a client that comes back |
/// | any | `restarted` | unchanged | forgets what the client has, and a `reset`; keeps the frames for it |
/// | any | `chatForgotten` | – | |
///
/// A client is greeted once; it then gets what happens, by its socket or by its polls.
struct EventStreamPart: Sendable {
    /// What happens to the streams; a text is the key of a chat.
    enum Input: Sendable {
        case chatBegan(String)
        case chatForgotten(String)
        case socketAsked(String)
        case socketOpened(ConnectionID, of: String)
        /// A client has said by which event it was the last one that it has.
        case greeted(ConnectionID, OSSCall)
        /// Everything up to an event has arrived.
        case acknowledged(ConnectionID, Int64)
        case socketClosed(ConnectionID)
        case heartbeatDue
        case polled(ExchangeID, of: String, after: Int64)
        case pollDue(ExchangeID)
        case pollAbandoned(ExchangeID)
        case event(String, JSONObject, of: String)
        /// Something about the stream itself, which is not kept for clients that come back.
        case signal(String, JSONObject, of: String)
        /// Something about the stream that stands for those that come back too.
        case standing(String, of: String)
        /// The log begins anew with these frames.
        case restarted([(String, JSONObject)], of: String)
        case heartbeatsSet(Bool, of: String)
        /// The connection breaks without a close frame.
        case dropped(String)
        /// The socket is closed in good order.
        case left(String)
        case text(String, of: String)
    }

    /// The stream of one chat.
    struct Stream: Sendable {
        /// What a client that comes back is told.
        var log = ChatEventLog()
        var socket: ConnectionID?
        /// A poll that waits for events, and the id that it named.
        var poll: (exchange: ExchangeID, after: Int64)?
        /// Whether the client has asked for its events.
        var isGreeted = false
        /// What the server has said of the stream that holds until the client acts on it, `reset` or `closed`: a client
        /// that comes back instead has not heard it and is told again (defined here). What is closed stays closed.
        var standingSignal: String?
        /// Whether heartbeats are sent; a script can stop them.
        var sendsHeartbeats = true

        /// The socket on which events go out as they happen; nil while the client has none, or has not asked for them.
        var listener: ConnectionID? { self.isGreeted ? self.socket : nil }
    }

    private let clientTimeout: Duration?
    private let heartbeatInterval: Duration
    /// The streams by the keys of their chats.
    private(set) var streams: [String: Stream] = [:]
    /// The chat of each open socket.
    private var sockets: [ConnectionID: String] = [:]
    /// The chat of each poll that is held.
    private var polls: [ExchangeID: String] = [:]
    private(set) var eventNumbers = Numbering.events

    /// For how long after the client time-out the account still waits; defined here.
    ///
    /// The visitor's client gives up after the same time and says so where it can. Whether it is heard would depend on
    /// which of two clocks was read first; so it always is.
    static let grace: Duration = .milliseconds(500)

    /// Says that the chat is closed for good; a client that begins anew is told again.
    private static let closedSignal = "closed"

    /// How long a poll is held; defined here.
    static let pollLimit: Duration = .seconds(25)

    /// Creates a part without streams.
    init(_ times: Account.Times) {
        self.clientTimeout = times.client
        self.heartbeatInterval = times.heartbeat
    }

    /// The chat of an open socket.
    func key(of connection: ConnectionID) -> String? { self.sockets[connection] }

    /// Whether a chat's client has a socket or a poll.
    func isConnected(_ key: String) -> Bool {
        guard let stream = self.streams[key] else { return false }
        return stream.socket != nil || stream.poll != nil
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ chats: ChatRegistry) -> [ServerAction] {
        switch input {
        case .chatBegan(let key): self.streams[key] = Stream()
        case .chatForgotten(let key): self.streams[key] = nil
        case .socketAsked(let key):
            guard let old = self.streams[key]?.socket else { return [] }
            self.sockets[old] = nil
            return [.perform(.close(old, code: 1000, reason: "replaced"))]
        case .socketOpened(let connection, let key): return self.opened(connection, key)
        case .greeted(let connection, let call): return self.greeted(connection, call, chats)
        case .acknowledged(let connection, let id):
            if let key = self.sockets[connection] { self.streams[key]?.log.acknowledge(id) }
        case .socketClosed(let connection): return self.closed(connection, chats)
        case .heartbeatDue: return self.sendHeartbeats()
        case .polled(let exchange, let key, let after): return self.polled(exchange, key, after: after, chats)
        case .pollDue(let exchange): return self.answerPoll(exchange, chats)
        case .pollAbandoned(let exchange): return self.abandoned(exchange, chats)
        case .event(let method, let params, let key): return self.send(method, params, key, chats)
        case .signal(let method, let params, let key): return self.signal(method, params, key, chats)
        case .standing(let name, let key):
            // Whoever begins anew would not hear that the chat is closed.
            if self.streams[key]?.standingSignal != Self.closedSignal { self.streams[key]?.standingSignal = name }
            return self.signal(name, [:], key, chats)
        case .restarted(let frames, let key): self.restart(frames, key)
        case .heartbeatsSet(let areSent, let key): self.streams[key]?.sendsHeartbeats = areSent
        case .dropped(let key): return self.drop(key, chats)
        case .left(let key):
            guard let socket = self.streams[key]?.socket else { return [] }
            return [.perform(.close(socket, code: 1001, reason: "going away"))]
        case .text(let text, let key):
            guard let socket = self.streams[key]?.socket else { return [] }
            return [.perform(.transmit(socket, .text(text)))]
        }
        return []
    }

    private static func transmit(_ connection: ConnectionID, _ frame: JSONValue) -> ServerAction {
        .perform(.transmit(connection, .text(frame.description)))
    }

    /// A visitor who stays away for the client time-out has left the chat.
    private func visitorLeft(_ key: String, _ chats: ChatRegistry) -> [ServerAction] {
        guard chats[key]?.isLive == true, let timeout = self.clientTimeout else { return [] }
        return [.perform(.setTimer(.gone(key), timeout + Self.grace))]
    }

    // MARK: Sockets

    private mutating func opened(_ connection: ConnectionID, _ key: String) -> [ServerAction] {
        var actions: [ServerAction] = []
        if self.sockets.isEmpty { actions.append(.perform(.setTimer(.heartbeat, self.heartbeatInterval))) }
        self.sockets[connection] = key
        self.streams[key]?.socket = connection
        self.streams[key]?.isGreeted = false
        return actions + [.perform(.cancelTimer(.gone(key))), .perform(.accept(connection, subprotocol: nil))]
    }

    private mutating func greeted(
        _ connection: ConnectionID, _ call: OSSCall, _ chats: ChatRegistry
    ) -> [ServerAction] {
        guard let key = self.sockets[connection] else { return [] }
        let after = call.params.integer("LastMessageID") ?? 0
        self.streams[key]?.log.acknowledge(after)
        var actions = [Self.transmit(connection, OSSAnswer(id: call.id, result: ["Status": "success"]).raw)]
        for entry in self.streams[key]?.log.entries(after: after) ?? [] {
            actions.append(Self.transmit(connection, entry.frame))
        }
        self.streams[key]?.isGreeted = true
        return actions + self.arrived(key) + self.standing(key, chats)
    }

    private mutating func closed(_ connection: ConnectionID, _ chats: ChatRegistry) -> [ServerAction] {
        guard let key = self.sockets.removeValue(forKey: connection), self.streams[key]?.socket == connection else {
            return []
        }
        self.streams[key]?.socket = nil
        self.streams[key]?.isGreeted = false
        return self.visitorLeft(key, chats)
    }

    private mutating func sendHeartbeats() -> [ServerAction] {
        guard !self.sockets.isEmpty else { return [] }
        var actions: [ServerAction] = [.perform(.setTimer(.heartbeat, self.heartbeatInterval))]
        for (connection, key) in self.sockets.sorted(by: { $0.key.number < $1.key.number }) {
            guard self.streams[key]?.isGreeted == true, self.streams[key]?.sendsHeartbeats == true else { continue }
            let number = self.eventNumbers.next()
            self.streams[key]?.log.issued(number)
            actions.append(Self.transmit(connection, OSSCall(method: "heartbeat", id: .integer(number)).wire))
        }
        return actions
    }

    // MARK: Polls

    private mutating func polled(
        _ exchange: ExchangeID, _ key: String, after: Int64, _ chats: ChatRegistry
    ) -> [ServerAction] {
        guard let stream = self.streams[key] else { return [] }
        self.streams[key]?.log.acknowledge(after)
        var actions = stream.poll.map { self.answerPoll($0.exchange, chats) } ?? []
        actions += self.arrived(key)
        self.polls[exchange] = key
        self.streams[key]?.poll = (exchange, after)
        actions.append(.perform(.setTimer(.poll(exchange), Self.pollLimit)))
        // Being answered is being connected: the first poll of a chat is never held.
        if !stream.isGreeted || !stream.log.entries(after: after).isEmpty {
            self.streams[key]?.isGreeted = true
            actions += self.answerPoll(exchange, chats)
        }
        return actions + self.standing(key, chats)
    }

    /// Answers a poll with what has happened since the id it named.
    private mutating func answerPoll(_ exchange: ExchangeID, _ chats: ChatRegistry) -> [ServerAction] {
        guard let key = self.polls.removeValue(forKey: exchange), let stream = self.streams[key],
            let poll = stream.poll
        else { return [] }
        self.streams[key]?.poll = nil
        var events = stream.log.entries(after: poll.after).map(\.frame)
        if chats[key]?.ended == nil { events.append(OSSCall(method: "reconnect").wire) }
        // Between two polls a visitor counts as away.
        return [
            .perform(.cancelTimer(.poll(exchange))), .perform(.respond(exchange, Response(json: .array(events)))),
        ] + self.visitorLeft(key, chats)
    }

    private mutating func abandoned(_ exchange: ExchangeID, _ chats: ChatRegistry) -> [ServerAction] {
        guard let key = self.polls.removeValue(forKey: exchange) else { return [] }
        self.streams[key]?.poll = nil
        return [.perform(.cancelTimer(.poll(exchange)))] + self.visitorLeft(key, chats)
    }

    // MARK: Sending

    private mutating func send(
        _ method: String, _ params: JSONObject, _ key: String, _ chats: ChatRegistry
    ) -> [ServerAction] {
        let frame = self.keep(method, params, key)
        if let socket = self.streams[key]?.listener { return [Self.transmit(socket, frame)] }
        guard let poll = self.streams[key]?.poll else { return [] }
        return self.answerPoll(poll.exchange, chats)
    }

    /// Numbers an event and puts it into the log.
    private mutating func keep(_ method: String, _ params: JSONObject, _ key: String) -> JSONValue {
        let number = self.eventNumbers.next()
        let frame = OSSCall(method: method, params: params, id: .integer(number)).wire
        // No copy of the stream is held here, so that the log grows in place.
        self.streams[key]?.log.append(ChatEventLog.Entry(id: number, frame: frame))
        return frame
    }

    private mutating func signal(
        _ method: String, _ params: JSONObject, _ key: String, _ chats: ChatRegistry
    ) -> [ServerAction] {
        guard let stream = self.streams[key] else { return [] }
        let frame = OSSCall(method: method, params: params).wire
        if let socket = stream.socket { return [Self.transmit(socket, frame)] }
        guard let poll = stream.poll else { return [] }
        self.polls[poll.exchange] = nil
        self.streams[key]?.poll = nil
        let events = stream.log.entries(after: poll.after).map(\.frame) + [frame]
        return [
            .perform(.cancelTimer(.poll(poll.exchange))),
            .perform(.respond(poll.exchange, Response(json: .array(events)))),
        ] + self.visitorLeft(key, chats)
    }

    /// What the arrival of a client sets going.
    private func arrived(_ key: String) -> [ServerAction] {
        [.perform(.cancelTimer(.gone(key))), .visitorArrived(key)]
    }

    /// Says again of the stream what a client that comes back has not heard.
    private mutating func standing(_ key: String, _ chats: ChatRegistry) -> [ServerAction] {
        self.streams[key]?.standingSignal.map { self.signal($0, [:], key, chats) } ?? []
    }

    private mutating func restart(_ frames: [(String, JSONObject)], _ key: String) {
        self.streams[key]?.log.clear()
        if self.streams[key]?.standingSignal != Self.closedSignal { self.streams[key]?.standingSignal = nil }
        for (method, params) in frames { _ = self.keep(method, params, key) }
    }

    private mutating func drop(_ key: String, _ chats: ChatRegistry) -> [ServerAction] {
        guard let stream = self.streams[key] else { return [] }
        var actions: [ServerAction] = []
        if let socket = stream.socket {
            self.sockets[socket] = nil
            self.streams[key]?.socket = nil
            self.streams[key]?.isGreeted = false
            actions.append(.perform(.abort(socket)))
        }
        if let poll = stream.poll {
            self.polls[poll.exchange] = nil
            self.streams[key]?.poll = nil
            actions += [.perform(.cancelTimer(.poll(poll.exchange))), .perform(.drop(poll.exchange))]
        }
        return actions + self.visitorLeft(key, chats)
    }
}
