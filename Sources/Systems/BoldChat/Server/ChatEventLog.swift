import JSON

/// The events of one chat in the order of their rising ids, for a client that comes back.
struct ChatEventLog: Sendable {
    /// One event.
    struct Entry: Hashable, Sendable {
        let id: Int64
        let frame: JSONValue
    }

    /// The events kept, ids rising.
    private(set) var entries: [Entry] = []

    /// Everything up to here has surely been received.
    private(set) var acknowledged: Int64 = 0

    /// Ids that were given without an entry (heartbeats), the last one.
    private var lastIssued: Int64 = 0

    /// Events kept; the oldest are dropped, defined here.
    static let limit = 20_000

    /// Adds an event.
    mutating func append(_ entry: Entry) {
        self.entries.append(entry)
        self.lastIssued = max(self.lastIssued, entry.id)
        if self.entries.count > Self.limit { self.entries.removeFirst(Self.limit / 10) }
    }

    /// Notes that an id was given to a frame that is not kept.
    mutating func issued(_ id: Int64) { self.lastIssued = max(self.lastIssued, id) }

    /// Takes in that the client has received everything up to an id.
    mutating func acknowledge(_ id: Int64) {
        guard self.isKnown(id) else { return }
        self.acknowledged = max(self.acknowledged, id)
    }

    private func isKnown(_ id: Int64) -> Bool { id >= 0 && id <= self.lastIssued }

    /// Returns what a client misses that names an id as its last.
    ///
    /// The vendor's client may name an id that this server never gave (one of its own calls); it then gets everything
    /// that is not surely received, and drops what it knows.
    func entries(after id: Int64) -> [Entry] {
        let start = self.isKnown(id) ? id : self.acknowledged
        return Array(self.entries.drop { $0.id <= start })
    }

    /// Forgets all events; for a chat that is started again.
    mutating func clear() { self.entries = [] }
}
