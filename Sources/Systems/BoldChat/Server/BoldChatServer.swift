import HTTPTypes
import JSON
import Machines

/// A simulated BoldChat account: the visitor API, the event stream, and a desk whose agents scripts play.
///
/// What visitors see follows the vendor's documents; the desk has no published protocol and is defined here.
struct BoldChatServer: ServerMachine {
    /// Its timers.
    enum Timer: MachineTimer {
        /// Heartbeats are due.
        case heartbeat
        /// The queue moves.
        case queue
        /// The visitor of a chat has been away too long.
        case gone(String)
        /// A poll has been held long enough.
        case poll(ExchangeID)
        /// A delayed answer is due.
        case delay(UInt64)

        var description: String {
            switch self {
            case .heartbeat: "heartbeat"
            case .queue: "queue"
            case .gone(let key): "gone.\(key)"
            case .poll(let exchange): "poll.\(exchange.number)"
            case .delay(let number): "delay.\(number)"
            }
        }
    }

    /// What the account is set up with.
    var account: Account
    /// Where clients reach the server.
    let origin: WebAddress
    private let epoch: Int64
    /// The chats by their keys.
    var chats: [String: ChatRecord] = [:]
    /// Chat keys in the order in which the chats began to wait.
    var waiting: [String] = []
    /// The agents by their names.
    var agents: [String: Agent] = [:]
    /// The names of the agents in the order in which they signed in.
    var roster: [String] = []
    /// The mails that would have been sent, oldest first.
    var mails: [Mail] = []
    /// The chat of each open socket.
    var sockets: [ConnectionID: String] = [:]
    /// The chat of each poll that is held.
    var polls: [ExchangeID: String] = [:]
    /// The misbehavior that a script has ordered.
    var faults = Faults()
    /// Whether the timer of the queue runs.
    var isQueueMoving = false
    /// Whether WebSockets are refused, as a proxy on the way would.
    var blocksSockets = false
    private var order: [String] = []
    private var lastEventID: Int64 = 1_000_000
    private var lastMessageID: Int64 = 5_000_000

    /// Chats kept; when there are more, the oldest that are over are forgotten, and none is created if none is over.
    static let chatLimit = 20_000
    /// How long a poll is held; defined here.
    static let pollLimit: Duration = .seconds(25)

    /// Creates a server.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        self.account = try Account(configuration.options)
        guard let origin = WebAddress(webSocket: configuration.origin) else {
            throw ConfigurationError("'\(configuration.origin)' is not an origin; write it as \"http://host:port\"")
        }
        self.origin = origin
        self.epoch = configuration.epochMilliseconds
        for name in (configuration.options["agents"]?.array ?? []).compactMap(\.string) { self.signIn(name) }
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .requested(let exchange, let request): self.requested(exchange, request, in: &step)
        case .upgradeRequested(let connection, let request): self.upgradeRequested(connection, request, in: &step)
        case .requestAbandoned(let exchange):
            self.faults.forgetPoll(exchange)
            guard let key = self.polls.removeValue(forKey: exchange) else { return }
            self.chats[key]?.poll = nil
            step.ask(.cancelTimer(.poll(exchange)))
            self.visitorLeft(key, in: &step)
        case .received(let connection, let message): self.received(connection, message, in: &step)
        case .closed(let connection, _):
            guard let key = self.sockets.removeValue(forKey: connection) else { return }
            guard self.chats[key]?.socket == connection else { return }
            self.chats[key]?.socket = nil
            self.chats[key]?.isGreeted = false
            self.visitorLeft(key, in: &step)
        case .timerFired(let timer): self.timerFired(timer, in: &step)
        case .linkOpened, .scriptReturned: break
        }
    }

    private mutating func timerFired(_ timer: Timer, in step: inout Step) {
        switch timer {
        case .heartbeat: self.sendHeartbeats(in: &step)
        case .queue: self.queueMoved(in: &step)
        case .gone(let key): if self.chats[key]?.isLive == true { self.end(key, .disconnect, in: &step) }
        case .poll(let exchange): self.answerPoll(exchange, in: &step)
        case .delay(let number): self.sendDelayed(number, in: &step)
        }
    }

    /// A visitor who stays away for the client time-out has left the chat.
    private func visitorLeft(_ key: String, in step: inout Step) {
        guard self.chats[key]?.isLive == true else { return }
        step.ask(.setTimer(.gone(key), self.account.clientTimeout))
    }

    // MARK: Chats

    /// The present wall-clock time, as it stands on the wire.
    func time(at now: Instant) -> String {
        Timestamp.text(epochMilliseconds: self.milliseconds(at: now))
    }

    /// The present wall-clock time in milliseconds since 1970 UTC.
    func milliseconds(at now: Instant) -> Int64 {
        self.epoch &+ now.nanoseconds / 1_000_000
    }

    /// Keeps a new chat.
    ///
    /// - Returns: False if there are too many.
    mutating func keep(_ chat: ChatRecord) -> Bool {
        if self.order.count >= Self.chatLimit {
            let over = self.order.firstIndex { [.ended, .unavailable, .closed].contains(self.chats[$0]?.state) }
            guard let over else { return false }
            self.chats[self.order.remove(at: over)] = nil
        }
        self.chats[chat.key] = chat
        self.order.append(chat.key)
        return true
    }

    /// The newest chat of a visitor.
    func newestChat(of visitorID: String) -> ChatRecord? {
        self.order.reversed().lazy.compactMap { self.chats[$0] }.first { $0.visitorID == visitorID }
    }

    /// The newest chat in which messages can be exchanged.
    var newestLiveChat: ChatRecord? {
        self.order.reversed().lazy.compactMap { self.chats[$0] }.first(where: \.isLive)
    }

    /// The id of the next event.
    mutating func nextEventID() -> Int64 {
        self.lastEventID += 1
        return self.lastEventID
    }

    /// The id of the next message.
    mutating func nextMessageID() -> Int64 {
        self.lastMessageID += 1
        return self.lastMessageID
    }

    // MARK: What scripts read

    var properties: JSONObject {
        [
            "access_key": .string(self.accessKeyText),
            "agents": .array(self.roster.map { .string($0) }),
            "waiting": .array(self.waiting.compactMap { self.chats[$0]?.properties }),
            "chats": .array(self.order.suffix(Self.shownChats).compactMap { self.chats[$0]?.properties }),
            "mails": .array(self.mails.map(\.properties)),
        ]
    }

    /// Clients need the key of the account and nothing else.
    var target: JSONObject? { ["access_key": .string(self.accessKeyText)] }

    private static let shownChats = 100

    private var accessKeyText: String {
        self.account.key.serverSet.map { "\(self.account.key.credential):\($0)" } ?? self.account.key.credential
    }
}
