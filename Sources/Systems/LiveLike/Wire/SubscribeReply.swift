import JSON

/// One answer of the subscribe loop (PubNub REST documentation, v2 subscribe).
struct SubscribeReply: Sendable {
    /// A client takes no answer of more messages than this.
    static let messageLimit = 2_000

    /// One carried message.
    struct Item: Hashable, Sendable {
        /// Nil if it names none.
        let channel: String?
        /// 0 is a message, which is also one that says no type, 3 a message action; nil if it is no whole number.
        let type: Int64?
        let publisher: String?
        let timeToken: TimeToken?
        let data: JSONValue
        /// The whole item as it came.
        let raw: JSONValue

        /// Reads an item as far as it can be read; who takes it says what is wrong.
        init(_ raw: JSONValue) {
            self.channel = raw["c"]?.string.flatMap { $0.isEmpty ? nil : $0 }
            self.type = raw["e"].map(\.integer) ?? 0
            self.publisher = raw["i"]?.string
            self.timeToken = raw["p"]?["t"].flatMap(SubscribeReply.token)
            self.data = raw["d"] ?? .null
            self.raw = raw
        }
    }

    let timeToken: TimeToken
    let region: Int64
    let items: [Item]

    /// Reads an answer.
    ///
    /// - Returns: Nil if the body is no such answer.
    init?(_ body: [UInt8]) {
        guard let value = try? JSONReader.read(body), let token = value["t"]?["t"].flatMap(Self.token),
            let items = value["m"]?.array, items.count <= Self.messageLimit
        else { return nil }
        self.timeToken = token
        self.region = value["t"]?["r"]?.integer ?? 0
        self.items = items.map(Item.init)
    }

    /// Reads a time token written as text or as a number.
    static func token(_ value: JSONValue) -> TimeToken? {
        if let text = value.string { return TimeToken(text) }
        guard let ticks = value.integer, ticks >= 0 else { return nil }
        return TimeToken(ticks: ticks)
    }
}
