/// Names seen lately, to recognize what comes twice.
struct RecentNames: Sendable {
    private let limit: Int
    private var names: Set<String> = []
    private var order: [String] = []
    private var oldest = 0

    /// Creates an empty memory for so many names.
    init(limit: Int) { self.limit = limit }

    /// Notes a name; returns whether it is new.
    mutating func insert(_ name: String) -> Bool {
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
}
