import JSON

/// One answer of the subscribe loop (PubNub REST documentation, v2 subscribe).
struct SubscribeReply: Sendable {
    /// A client takes at most this many messages of one answer; the rest is dropped.
    static let messageLimit = 2_000

    /// One carried message.
    struct Item: Hashable, Sendable {
        let channel: String
        /// Absent or 0 is a message, 3 a message action.
        let type: Int64
        let publisher: String?
        let timeToken: TimeToken?
        let data: JSONValue
        /// The whole item as it came.
        let raw: JSONValue
    }

    let timeToken: TimeToken
    let region: Int64
    let items: [Item]

    /// Reads an answer.
    ///
    /// - Returns: Nil if the body is no such answer; items that cannot be read are left out.
    init?(_ body: [UInt8]) {
        guard let value = try? JSONReader.read(body), let token = value["t"]?["t"].flatMap(Self.token) else {
            return nil
        }
        self.timeToken = token
        self.region = value["t"]?["r"]?.integer ?? 0
        self.items = (value["m"]?.array ?? []).prefix(Self.messageLimit).compactMap { raw in
            guard let channel = raw["c"]?.string, let data = raw["d"] else { return nil }
            return Item(
                channel: channel, type: raw["e"]?.integer ?? 0, publisher: raw["i"]?.string,
                timeToken: raw["p"]?["t"].flatMap(Self.token), data: data, raw: raw)
        }
    }

    /// Reads a time token written as text or as a number.
    static func token(_ value: JSONValue) -> TimeToken? {
        if let text = value.string { return TimeToken(text) }
        guard let ticks = value.integer, ticks >= 0 else { return nil }
        return TimeToken(ticks: ticks)
    }
}
