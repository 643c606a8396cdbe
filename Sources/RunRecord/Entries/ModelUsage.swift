import JSON

/// What the answers of language models took in a run: tokens, cost, and the time to the first token.
public struct ModelUsage: Hashable, Sendable {
    /// How many answers told how many tokens they took.
    public var answers: Int64 = 0

    /// How many tokens the models read.
    public var inputTokens: Int64 = 0

    /// How many tokens they wrote.
    public var outputTokens: Int64 = 0

    /// Of how many answers the cost is known.
    public var pricedAnswers: Int64 = 0

    /// What these cost, in billionths of the currency of the prices.
    public var costNanos: Int64 = 0

    /// How many answers came in pieces, so that there is a time to the first token.
    public var firstTokens: Int64 = 0

    /// The sum of the times to the first token, in nanoseconds.
    public var firstTokenNanoseconds: Int64 = 0

    /// The longest time to the first token, in nanoseconds.
    public var longestFirstTokenNanoseconds: Int64 = 0

    /// Creates the usage of a run without answers.
    public init() {}

    /// Whether no answer told anything.
    public var isEmpty: Bool { self.answers == 0 && self.pricedAnswers == 0 && self.firstTokens == 0 }

    /// What the cost is, in the currency of the prices; nil if none is known.
    public var cost: Double? { self.pricedAnswers == 0 ? nil : Double(self.costNanos) / 1e9 }

    /// Takes the next entry of a record; the answers of every attempt count, for all of them were paid.
    public mutating func record(_ entry: RunEntry) {
        guard case .happened(_, _, .observed(_, _, let kind, let fields, _)) = entry else { return }
        if kind == AnswerUsage.eventName { self.add(AnswerUsage(fields)) }
    }

    private mutating func add(_ usage: AnswerUsage) {
        if let time = usage.firstTokenNanoseconds {
            self.firstTokens += 1
            self.firstTokenNanoseconds = Self.sum(self.firstTokenNanoseconds, time)
            self.longestFirstTokenNanoseconds = max(self.longestFirstTokenNanoseconds, time)
        }
        if usage.inputTokens != nil || usage.outputTokens != nil {
            self.answers += 1
            self.inputTokens = Self.sum(self.inputTokens, usage.inputTokens ?? 0)
            self.outputTokens = Self.sum(self.outputTokens, usage.outputTokens ?? 0)
        }
        guard let cost = usage.costNanos else { return }
        self.pricedAnswers += 1
        self.costNanos = Self.sum(self.costNanos, cost)
    }

    /// What people read: `3 answers took 120 tokens in and 48 out, cost 0.0012, first token after 0.2 s (0.31 s at
    /// most)`.
    public var text: String {
        var parts: [String] = []
        if self.answers > 0 {
            let count = self.answers == 1 ? "1 answer" : "\(self.answers) answers"
            parts.append("\(count) took \(self.inputTokens) tokens in and \(self.outputTokens) out")
        }
        if let cost = self.cost {
            let share = self.pricedAnswers == self.answers ? "" : " (of \(self.pricedAnswers))"
            parts.append("cost \(JSONValue.double(cost))\(share)")
        }
        if self.firstTokens > 0 {
            func seconds(_ nanoseconds: Int64) -> String {
                "\(JSONValue.double((Double(nanoseconds) / 1e6).rounded() / 1e3)) s"
            }
            let mean = self.firstTokenNanoseconds / self.firstTokens
            parts.append(
                "first token after \(seconds(mean)) (\(seconds(self.longestFirstTokenNanoseconds)) at most)")
        }
        return parts.joined(separator: ", ")
    }

    /// Adds what another part of the run took.
    public mutating func add(_ other: ModelUsage) {
        self.answers = Self.sum(self.answers, other.answers)
        self.inputTokens = Self.sum(self.inputTokens, other.inputTokens)
        self.outputTokens = Self.sum(self.outputTokens, other.outputTokens)
        self.pricedAnswers = Self.sum(self.pricedAnswers, other.pricedAnswers)
        self.costNanos = Self.sum(self.costNanos, other.costNanos)
        self.firstTokens = Self.sum(self.firstTokens, other.firstTokens)
        self.firstTokenNanoseconds = Self.sum(self.firstTokenNanoseconds, other.firstTokenNanoseconds)
        self.longestFirstTokenNanoseconds = max(self.longestFirstTokenNanoseconds, other.longestFirstTokenNanoseconds)
    }

    /// Sums of what servers and files tell stay at the greatest number.
    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, isTooGreat) = left.addingReportingOverflow(right)
        return isTooGreat ? .max : sum
    }
}
