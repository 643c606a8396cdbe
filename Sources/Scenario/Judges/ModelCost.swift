import JSON

/// What the answers of a model cost: requests, tokens, and money by its prices.
struct ModelCost: Hashable, Sendable {
    var requests = 0

    /// The tokens that were read and written.
    private(set) var tokens = 0

    /// What they cost in money, in the currency of the prices; 0 without prices.
    private(set) var cost = 0.0

    /// Whether prices are declared.
    private var isPriced = false

    /// Defined here: no answer takes more tokens, and sums of so many still fit.
    private static let most: Int64 = 1_000_000_000_000

    /// A cost of nothing.
    init() {}

    /// Reads the member `usage` of a response of the OpenAI API; what is no number of tokens counts as none.
    init(of usage: JSONValue?, at prices: ModelPrices?) {
        func count(_ name: String) -> Int64 { min(max(0, usage?[name]?.integer ?? 0), Self.most) }
        let (read, written) = (count("prompt_tokens"), count("completion_tokens"))
        self.tokens = Int(max(count("total_tokens"), read + written))
        guard let prices else { return }
        // An endpoint may tell the sum alone, which is then taken for what was read.
        self.cost = prices.cost(ofReading: read + written > 0 ? read : Int64(self.tokens), writing: written)
        self.isPriced = true
    }

    /// Adds another one.
    mutating func add(_ other: ModelCost) {
        self.requests += other.requests
        self.tokens += other.tokens
        self.cost += other.cost
        self.isPriced = self.isPriced || other.isPriced
    }

    /// The cost in one line.
    var text: String {
        let requests = self.requests == 1 ? "1 request" : "\(self.requests) requests"
        return "\(requests), \(self.tokens) tokens" + (self.isPriced ? ", cost \(Self.text(self.cost))" : "")
    }

    /// Returns a cost to six digits behind the point, which is more than anybody pays.
    static func text(_ cost: Double) -> String { JSONValue.double((cost * 1e6).rounded() / 1e6).description }
}
