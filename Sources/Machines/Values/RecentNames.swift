/// Names seen lately, to recognize what comes twice; the oldest are forgotten.
public struct RecentNames: Sendable {
    private let limit: Int
    private var names: Set<String> = []
    private var order: [String] = []
    private var oldest = 0

    /// Creates an empty memory for so many names, at least one.
    public init(limit: Int) { self.limit = max(limit, 1) }

    /// Notes a name; returns whether it is new.
    public mutating func insert(_ name: String) -> Bool {
        guard self.names.insert(name).inserted else { return false }
        if self.order.count < self.limit {
            self.order.append(name)
        } else {
            self.names.remove(self.order[self.oldest])
            self.order[self.oldest] = name
            self.oldest = (self.oldest + 1) % self.limit
        }
        return true
    }

    /// Whether a name is remembered.
    public func contains(_ name: String) -> Bool { self.names.contains(name) }
}
