import JSON

extension PassRate {
    var json: JSONValue {
        var members: JSONObject = [
            "at_least": .double(self.atLeast), "confidence": .double(self.confidence), "tries": .integer(self.tries),
            "passed": .integer(self.passed), "low": .double(self.low), "high": .double(self.high),
        ]
        members.set("verdict", self.verdict) { .string($0.rawValue) }
        members.set("last_failed", self.lastFailed) {
            ["attempt": .integer($0.number), "message": .string($0.message)]
        }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            atLeast: try members.required("at_least", \.double),
            confidence: try members.required("confidence", \.double), tries: try members.integer("tries"),
            passed: try members.integer("passed"), low: try members.required("low", \.double),
            high: try members.required("high", \.double),
            verdict: try members.optionalString("verdict").map { (word) throws(RecordFormatError) in
                guard let verdict = Verdict(rawValue: word) else {
                    throw RecordFormatError("\"\(word)\" is not a verdict that this version knows")
                }
                return verdict
            },
            lastFailed: try members.optional("last_failed", \.object).map { (object) throws(RecordFormatError) in
                let failed = try EntryMembers(.object(object))
                return FailedTry(number: try failed.integer("attempt"), message: try failed.string("message"))
            })
    }
}
