public import JSON

extension ModelUsage {
    /// The usage as an object of the record; the cost is in the currency of the prices, times are nanoseconds.
    public var json: JSONValue {
        var members: JSONObject = [
            "answers": .integer(self.answers), "input_tokens": .integer(self.inputTokens),
            "output_tokens": .integer(self.outputTokens),
        ]
        if let cost = self.cost {
            members["cost"] = .double(cost)
            members["priced"] = .integer(self.pricedAnswers)
        }
        if self.firstTokens > 0 {
            members["time_to_first_token"] = [
                "count": .integer(self.firstTokens), "sum": .integer(self.firstTokenNanoseconds),
                "max": .integer(self.longestFirstTokenNanoseconds),
            ]
        }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        func count(_ value: JSONValue) -> Int64? { value.integer.flatMap { $0 < 0 ? nil : $0 } }
        self.init()
        self.answers = try members.required("answers", count)
        self.inputTokens = try members.required("input_tokens", count)
        self.outputTokens = try members.required("output_tokens", count)
        self.pricedAnswers = try members.optional("priced", count) ?? 0
        self.costNanos =
            try members.optional("cost") { value in
                value.double.flatMap { Int64(exactly: ($0 * 1e9).rounded()) }.flatMap { $0 < 0 ? nil : $0 }
            } ?? 0
        guard let object = try members.optional("time_to_first_token", \.object) else { return }
        let times = try EntryMembers(.object(object))
        self.firstTokens = try times.required("count", count)
        self.firstTokenNanoseconds = try times.required("sum", count)
        self.longestFirstTokenNanoseconds = try times.required("max", count)
    }
}
