/// The messages of a room in ascending order of their publish time; index 0 is the oldest.
///
/// Every operation on one message is logarithmic apart from moving array elements, so that long rooms stay cheap.
struct MessageList: Sendable {
    private struct Place: Hashable, Comparable, Sendable {
        let ticks: Int64
        let number: Int64

        static func < (left: Place, right: Place) -> Bool {
            (left.ticks, left.number) < (right.ticks, right.number)
        }
    }

    private struct Entry: Sendable {
        let place: Place
        var message: ChatMessage
    }

    private let limit: Int
    private var entries: [Entry] = []
    private var places: [String: Place] = [:]
    private var idsByTimeToken: [TimeToken: String] = [:]
    /// The ids of messages by the ids that their senders' clients gave them, under which scripts may still know them.
    private var idsByClientID: [String: String] = [:]
    private var counter: Int64 = 0

    /// Creates an empty list.
    ///
    /// - Parameter limit: How many messages it keeps; the oldest leave it.
    init(limit: Int) {
        self.limit = limit
    }

    /// The messages, oldest first.
    var messages: [ChatMessage] { self.entries.map(\.message) }

    var count: Int { self.entries.count }

    /// The message of that id, which is the server's or the one that the sender's client gave it.
    subscript(id: String) -> ChatMessage? {
        self.index(of: id).map { self.entries[$0].message }
    }

    /// The id of the message published at that token.
    func id(at timeToken: TimeToken) -> String? { self.idsByTimeToken[timeToken] }

    /// Adds a message at its place; one that is not published yet goes to the end.
    ///
    /// - Returns: False if a message of that id is there already.
    @discardableResult
    mutating func insert(_ message: ChatMessage) -> Bool {
        guard self.places[message.id] == nil else { return false }
        self.counter += 1
        let place = Place(ticks: message.times.publishedTicks ?? .max, number: self.counter)
        let index =
            self.entries.last.map { $0.place < place } ?? true ? self.entries.count : self.firstIndex(notBefore: place)
        self.entries.insert(Entry(place: place, message: message), at: index)
        self.places[message.id] = place
        if let token = message.times.token { self.idsByTimeToken[token] = message.id }
        if let clientID = message.clientID, clientID != message.id, self.idsByClientID[clientID] == nil {
            self.idsByClientID[clientID] = message.id
        }
        if self.entries.count > self.limit { self.removeOldest() }
        return true
    }

    /// Changes a message in place; its id and publish time must stay.
    mutating func update(_ id: String, _ change: (inout ChatMessage) -> Void) {
        guard let index = self.index(of: id) else { return }
        change(&self.entries[index].message)
    }

    /// Replaces a message by what the server made of it, at the place of its publish time.
    mutating func replace(_ id: String, by message: ChatMessage) {
        let former = self.index(of: id).map { self.entries[$0].place }
        self.remove(id)
        self.insert(message)
        guard let former, let place = self.places[message.id], former < place, place.ticks != .max else { return }
        // An echo knows a later time than the answer before it; what was given up between the two stays behind it.
        let passed = self.entries[self.firstIndex(notBefore: former)..<self.firstIndex(notBefore: place)]
        for given in passed.filter(\.message.isFailed) { self.move(given.message.id, to: place.ticks) }
    }

    /// Gives up waiting for the publish time of a message: from now on it stands after all that is published already.
    mutating func settle(_ id: String) {
        guard let index = self.index(of: id), self.entries[index].place.ticks == .max else { return }
        let published = self.entries.last { $0.place.ticks != .max }
        self.move(id, to: published?.place.ticks ?? 0)
    }

    /// Puts a message behind all others of a time.
    private mutating func move(_ id: String, to ticks: Int64) {
        guard let index = self.index(of: id) else { return }
        let message = self.entries.remove(at: index).message
        self.counter += 1
        let place = Place(ticks: ticks, number: self.counter)
        self.entries.insert(Entry(place: place, message: message), at: self.firstIndex(notBefore: place))
        self.places[message.id] = place
    }

    /// Takes a message out.
    mutating func remove(_ id: String) {
        guard let index = self.index(of: id) else { return }
        self.forget(self.entries.remove(at: index).message)
    }

    private mutating func forget(_ message: ChatMessage) {
        self.places[message.id] = nil
        if let token = message.times.token { self.idsByTimeToken[token] = nil }
        if let clientID = message.clientID, self.idsByClientID[clientID] == message.id {
            self.idsByClientID[clientID] = nil
        }
    }

    private mutating func removeOldest() {
        // A quarter at a time, so that a full list does not move its whole array for each new message.
        for entry in self.entries.prefix(max(1, self.limit / 4)) {
            self.forget(entry.message)
        }
        self.entries.removeFirst(max(1, self.limit / 4))
    }

    private func index(of id: String) -> Int? {
        guard let place = self.places[id] ?? self.idsByClientID[id].flatMap({ self.places[$0] }) else { return nil }
        return self.firstIndex(notBefore: place)
    }

    private func firstIndex(notBefore place: Place) -> Int {
        var low = 0
        var high = self.entries.count
        while low < high {
            let middle = (low + high) / 2
            if self.entries[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
