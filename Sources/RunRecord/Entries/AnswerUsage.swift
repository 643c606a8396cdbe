public import JSON

/// What one answer of a language model took, as an event `usage` tells it.
///
/// A server may tell anything: a number of tokens counts if it is whole and from 0 to 10¹⁵, a cost if it is from 0 to
/// 10⁹, a time if it is at most 10⁹ seconds. What is not is left out, as if the server had not told it.
public struct AnswerUsage: Hashable, Sendable {
    /// The event that has its members as fields.
    public static let eventName = "usage"

    /// How many tokens the model read, if that is told.
    public let inputTokens: Int64?

    /// How many tokens it wrote, if that is told.
    public let outputTokens: Int64?

    /// What it cost, in billionths of the currency of the prices, if that is known.
    ///
    /// Whole billionths add up to the same in any order, so that a run that is repeated has the same record.
    public let costNanos: Int64?

    /// From the question to the first piece of its answer, in nanoseconds, if it came in pieces.
    public let firstTokenNanoseconds: Int64?

    /// Defined here: no model has read more tokens at once, and what is more is nonsense.
    private static let mostTokens: Int64 = 1_000_000_000_000_000

    /// Defined here: no answer costs more or takes longer, and in billionths it still fits.
    private static let greatest = 1e9

    /// Reads the fields of an event.
    public init(_ fields: JSONObject) {
        func tokens(_ name: String) -> Int64? {
            fields[name]?.integer.flatMap { 0...Self.mostTokens ~= $0 ? $0 : nil }
        }
        self.inputTokens = tokens("prompt_tokens")
        self.outputTokens = tokens("completion_tokens")
        func billionths(_ name: String) -> Int64? {
            fields[name]?.double.flatMap { 0...Self.greatest ~= $0 ? Int64(($0 * 1e9).rounded()) : nil }
        }
        self.costNanos = billionths("cost")
        self.firstTokenNanoseconds = billionths("time_to_first_token")
    }
}
