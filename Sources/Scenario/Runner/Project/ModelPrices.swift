import JSON
import Machines
import RunRecord

/// What a model costs, as `repartee.lua` declares it with a target, a judge, a persona or the embeddings.
struct ModelPrices: Hashable, Sendable {
    /// The price of a million tokens that it reads.
    let input: Double

    /// The price of a million tokens that it writes.
    let output: Double

    /// The members of `prices`.
    static let parameters = [
        ParameterDeclaration("input", .number, "What a million tokens cost that the model reads."),
        ParameterDeclaration("output", .number, "What a million tokens cost that it writes."),
    ]

    /// Defined here: a price above this is a mistake, and its costs would be none.
    private static let greatestPrice = 1e6

    /// Reads the members, checked already.
    ///
    /// - Parameter place: What messages call them, such as `targets.lab.prices`.
    /// - Throws: ``UsageError`` that names the place and the member.
    init(_ members: JSONObject, of place: String) throws(UsageError) {
        func price(_ name: String) throws(UsageError) -> Double {
            let value = members[name]?.double ?? 0
            guard 0...Self.greatestPrice ~= value else {
                throw UsageError(
                    "\(place).\(name) is what a million tokens cost, from 0 to 1000000, not "
                        + (members[name] ?? .null).description)
            }
            return value
        }
        self.input = try price("input")
        self.output = try price("output")
    }

    /// Returns an event with its cost, if it is one of the usage of an answer that tells the tokens but no cost.
    func priced(_ event: ChatEvent) -> ChatEvent {
        guard event.kind == .usage, event.fields["cost"] == nil else { return event }
        let usage = AnswerUsage(event.fields)
        guard let read = usage.inputTokens, let written = usage.outputTokens else { return event }
        var event = event
        event.fields["cost"] = .double(self.cost(ofReading: read, writing: written))
        return event
    }

    /// Returns what an answer costs, in the currency of the prices.
    func cost(ofReading read: Int64, writing written: Int64) -> Double {
        (Double(read) * self.input + Double(written) * self.output) / 1e6
    }
}
