import HTTPTypes
import JSON
import Machines

/// The message carrier of the simulated server: channels, their logs, and the subscribe requests that wait.
///
/// A published message is encoded once and its answer shared by all who wait, so that a room of many members costs one
/// small step per member and message.
struct PubNubChannels: Sendable {
    /// One published message or message action.
    struct Entry: Sendable {
        let token: TimeToken
        /// 0 is a message, 3 a message action.
        let type: Int64
        let publisher: String
        let data: JSONValue
        let senderID: String
        /// What was published beside the message.
        let meta: JSONValue
        let isFiltered: Bool
        /// Set for a shadow-muted sender, who alone sees the message.
        let visibleOnlyTo: String?
        /// The item of a subscribe answer.
        let encoded: [UInt8]
        var reactions: [ChatMessage.Reaction] = []
        var isRemoved = false

        /// The reactions by their id, as both sources of history write them.
        func reactionsByID(tokenName: String) -> JSONValue {
            var byID: JSONObject = [:]
            for reaction in self.reactions {
                let said: JSONValue = [
                    "uuid": .string(reaction.profileID), tokenName: .string(reaction.actionTimeToken.text),
                ]
                byID[reaction.reactionID] = .array((byID[reaction.reactionID]?.array ?? []) + [said])
            }
            return .object(byID)
        }

        /// The message as the carrier's own history has it.
        ///
        /// - Parameter withMeta: Whether it has what was published beside it, too.
        func historyItem(withActions: Bool, withMeta: Bool) -> JSONObject {
            var item: JSONObject = [
                "message": self.data, "timetoken": .string(self.token.text), "uuid": .string(self.publisher),
                "message_type": 0,
            ]
            if withActions, !self.reactions.isEmpty {
                item["actions"] = [MessageAction.reactionType: self.reactionsByID(tokenName: "actionTimetoken")]
            }
            if withMeta { item["meta"] = self.meta }
            return item
        }
    }

    /// A subscribe request that waits for a message.
    struct Waiter: Sendable {
        let channels: [String]
        let profileID: String?
        let hidesFiltered: Bool
        let due: Instant
    }

    /// What was published on a channel, and who waits for more.
    struct Channel: Sendable {
        var log: [Entry] = []
        /// Who waits, in order of arrival; those who have gone are skipped and cleared away now and then.
        var waiting: [ExchangeID] = []
        var waitingCount = 0

        /// Whether nothing would be lost with it.
        var isEmpty: Bool { self.waitingCount == 0 && self.log.isEmpty }
    }

    /// A channel keeps at most this many entries; defined here.
    static let logLimit = 10_000
    /// An answer carries at most this many messages; the next request gets the rest (defined here).
    static let answerLimit = 100
    /// The largest published message in bytes (PubNub's documentation).
    static let messageLimit = 32_768

    private let epochTicks: Int64
    /// The channels that somebody waits on or has published on.
    private(set) var channels: [String: Channel] = [:]
    private(set) var waiters: [ExchangeID: Waiter] = [:]
    /// Who is due in which order, from the head on; those who have gone are skipped and cleared away now and then.
    private(set) var dueOrder: [(due: Instant, exchange: ExchangeID)] = []
    private var dueHead = 0
    private var lastTicks: Int64 = 0
    private let region: Int64 = 4
    private var sequence: Int64 = 0

    /// Creates a carrier without channels.
    init(epochMilliseconds: Int64) {
        self.epochTicks = TimeToken(epochMilliseconds: epochMilliseconds).ticks
    }

    /// The token of an instant: microseconds, so that a time stamp on the wire names a message exactly.
    func token(at now: Instant) -> TimeToken {
        TimeToken(ticks: self.epochTicks &+ now.nanoseconds / 1_000 * 10)
    }

    /// The token that was given out last.
    var lastToken: TimeToken { TimeToken(ticks: self.lastTicks) }

    /// Returns a token that no entry has or will have.
    mutating func reserveToken(at now: Instant) -> TimeToken { self.nextToken(at: now) }

    private mutating func nextToken(at now: Instant) -> TimeToken {
        self.lastTicks = max(self.lastTicks + 10, self.token(at: now).ticks)
        return TimeToken(ticks: self.lastTicks)
    }

    // MARK: Publishing

    /// Adds an entry to a channel.
    ///
    /// The meta that the service publishes is defined here, after what the filter expressions of its clients ask for:
    /// the sender and the kind of filter.
    ///
    /// - Returns: The waiting requests it answers, in order of arrival; its token is ``lastToken`` then.
    mutating func publish(
        _ publication: Publication, key: String, at now: Instant
    ) -> (answers: [ExchangeID], response: Response) {
        let token = self.nextToken(at: now)
        let channel = publication.channel
        self.sequence += 1
        let meta: JSONValue = [
            "sender_id": .string(publication.senderID), "content_filter": .string(publication.filter),
        ]
        var item: JSONObject = [
            "a": "1", "f": 514, "i": .string(publication.publisher), "s": .integer(self.sequence),
            "p": ["t": .string(token.text), "r": .integer(self.region)], "k": .string(key), "c": .string(channel),
            "b": .string(channel),
            "u": meta,
        ]
        if publication.type != 0 { item["e"] = .integer(publication.type) }
        item["d"] = publication.data
        let entry = Entry(
            token: token, type: publication.type, publisher: publication.publisher, data: publication.data,
            senderID: publication.senderID, meta: meta, isFiltered: publication.filter.contains("filtered"),
            visibleOnlyTo: publication.visibleOnlyTo, encoded: JSONWriter.write(.object(item)),
            isRemoved: !publication.isStored)
        var place = self.channels.removeValue(forKey: channel) ?? Channel()
        place.log.append(entry)
        if place.log.count > Self.logLimit { place.log.removeFirst(Self.logLimit / 4) }
        var answers: [ExchangeID] = []
        var staying: [ExchangeID] = []
        for exchange in place.waiting {
            guard let waiter = self.waiters[exchange] else { continue }
            if Self.isVisible(entry, to: waiter) { answers.append(exchange) } else { staying.append(exchange) }
        }
        place.waiting = staying
        place.waitingCount = staying.count
        self.channels[channel] = place
        for exchange in answers { self.forget(exchange, except: channel) }
        return (answers, Self.response(token: token, region: self.region, items: [entry.encoded]))
    }

    private static func isVisible(_ entry: Entry, to waiter: Waiter) -> Bool {
        if let only = entry.visibleOnlyTo, only != waiter.profileID { return false }
        return !(entry.isFiltered && waiter.hidesFiltered && entry.senderID != waiter.profileID)
    }

    private static func response(token: TimeToken, region: Int64, items: [[UInt8]]) -> Response {
        var body = Array("{\"t\":{\"t\":\"\(token.text)\",\"r\":\(region)},\"m\":[".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(contentsOf: item)
        }
        body.append(contentsOf: "]}".utf8)
        var response = Response(
            HTTPResponse(status: .ok, headerFields: [.contentType: "text/javascript; charset=UTF-8"]))
        response.body = body
        return response
    }

    // MARK: Subscribing

    /// Takes a subscribe request.
    ///
    /// - Parameter token: That up to which the client has everything; zero asks for the current one.
    /// - Returns: The answer if there is one now; otherwise the request waits.
    mutating func subscribe(
        _ exchange: ExchangeID, _ waiter: Waiter, after token: TimeToken, at now: Instant
    ) -> Response? {
        let current = max(TimeToken(ticks: self.lastTicks), self.token(at: now))
        guard token > .zero else {
            self.lastTicks = max(self.lastTicks, current.ticks)
            return Self.response(token: current, region: self.region, items: [])
        }
        var news: [Entry] = []
        for channel in waiter.channels {
            guard let log = self.channels[channel]?.log, let last = log.last, last.token > token else { continue }
            // Counted are those that the client may see: the token of the answer skips what is not in it.
            news += log[Self.firstIndex(in: log, after: token)...].lazy.filter { Self.isVisible($0, to: waiter) }
                .prefix(Self.answerLimit)
        }
        guard news.isEmpty else {
            news.sort { $0.token < $1.token }
            let part = news.prefix(Self.answerLimit)
            return Self.response(
                token: part.last?.token ?? current, region: self.region, items: part.map(\.encoded))
        }
        self.waiters[exchange] = waiter
        self.dueOrder.append((waiter.due, exchange))
        // One who waits long keeps the head where it is, while others come and go behind it.
        if self.dueOrder.count > 64, self.dueOrder.count > 2 * self.waiters.count {
            self.dueOrder.removeAll { self.waiters[$0.exchange] == nil }
            self.dueHead = 0
        }
        for channel in waiter.channels { self.add(exchange, to: channel) }
        return nil
    }

    private mutating func add(_ exchange: ExchangeID, to channel: String) {
        var place = self.channels.removeValue(forKey: channel) ?? Channel()
        place.waiting.append(exchange)
        place.waitingCount += 1
        // Those who have gone are cleared away when they are the majority, so that each costs a constant.
        if place.waiting.count > 64, place.waiting.count > 2 * place.waitingCount {
            place.waiting.removeAll { self.waiters[$0] == nil }
            place.waitingCount = place.waiting.count
        }
        self.channels[channel] = place
    }

    private mutating func forget(_ exchange: ExchangeID, except answered: String? = nil) {
        guard let waiter = self.waiters.removeValue(forKey: exchange) else { return }
        for channel in waiter.channels where channel != answered {
            self.channels[channel]?.waitingCount -= 1
            if self.channels[channel]?.isEmpty == true { self.channels[channel] = nil }
        }
    }

    /// Forgets a request whose client has gone.
    mutating func abandon(_ exchange: ExchangeID) { self.forget(exchange) }

    /// Forgets all waiting requests.
    ///
    /// - Returns: Them, in order of arrival.
    mutating func takeAllWaiters() -> [ExchangeID] {
        let all = self.waiters.keys.sorted { $0.number < $1.number }
        for exchange in all { self.forget(exchange) }
        return all
    }

    /// The requests that have waited long enough, and the empty answer for them.
    mutating func takeDue(at now: Instant) -> (answers: [ExchangeID], response: Response) {
        var answers: [ExchangeID] = []
        while self.dueHead < self.dueOrder.count, self.dueOrder[self.dueHead].due <= now {
            let exchange = self.dueOrder[self.dueHead].exchange
            if self.waiters[exchange] != nil { answers.append(exchange) }
            self.forget(exchange)
            self.dueHead += 1
        }
        self.trimDueOrder()
        let token = max(TimeToken(ticks: self.lastTicks), self.token(at: now))
        return (answers, Self.response(token: token, region: self.region, items: []))
    }

    /// When the request that has waited longest must be answered.
    var nextDue: Instant? {
        mutating get {
            while self.dueHead < self.dueOrder.count, self.waiters[self.dueOrder[self.dueHead].exchange] == nil {
                self.dueHead += 1
            }
            self.trimDueOrder()
            return self.dueHead < self.dueOrder.count ? self.dueOrder[self.dueHead].due : nil
        }
    }

    private mutating func trimDueOrder() {
        guard self.dueHead > 1024, self.dueHead * 2 > self.dueOrder.count else { return }
        self.dueOrder.removeFirst(self.dueHead)
        self.dueHead = 0
    }

    // MARK: The log

    private static func firstIndex(in log: [Entry], after token: TimeToken) -> Int {
        var low = 0
        var high = log.count
        while low < high {
            let middle = (low + high) / 2
            if log[middle].token <= token { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The messages of a channel, oldest first, that are older than one token and newer than another.
    ///
    /// - Parameters:
    ///   - before: Exclusive upper end, or nil for none.
    ///   - after: Exclusive lower end.
    ///   - limit: The newest that many are returned.
    ///   - profile: Who asks; shadow-muted messages are shown to their sender alone.
    func messages(
        on channel: String, before: TimeToken?, after: TimeToken, limit: Int, for profile: String?,
        where isWanted: (Entry) -> Bool = { _ in true }
    ) -> [Entry] {
        guard let log = self.channels[channel]?.log else { return [] }
        var found: [Entry] = []
        for entry in log.reversed() {
            if let before, entry.token >= before { continue }
            guard entry.token > after, found.count < limit else { break }
            guard entry.type == 0, !entry.isRemoved, entry.visibleOnlyTo == nil || entry.visibleOnlyTo == profile,
                isWanted(entry)
            else { continue }
            found.append(entry)
        }
        return found.reversed()
    }

    /// The message at exactly that token.
    func entry(on channel: String, at token: TimeToken) -> Entry? {
        guard let log = self.channels[channel]?.log else { return nil }
        let index = Self.firstIndex(in: log, after: TimeToken(ticks: max(0, token.ticks - 1)))
        return log.indices.contains(index) && log[index].token == token ? log[index] : nil
    }

    /// Changes the message at exactly that token.
    mutating func update(on channel: String, at token: TimeToken, _ change: (inout Entry) -> Void) {
        guard var place = self.channels.removeValue(forKey: channel) else { return }
        let index = Self.firstIndex(in: place.log, after: TimeToken(ticks: max(0, token.ticks - 1)))
        if place.log.indices.contains(index), place.log[index].token == token { change(&place.log[index]) }
        self.channels[channel] = place
    }

    /// How many requests wait.
    var waitingCount: Int { self.waiters.count }
}
