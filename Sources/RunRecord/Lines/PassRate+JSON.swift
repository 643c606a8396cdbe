import JSON

extension PassRate {
    var json: JSONValue {
        var members: JSONObject = [
            "at_least": .double(self.atLeast), "confidence": .double(self.confidence),
        ]
        self.rate.write(to: &members)
        members.set("verdict", self.verdict) { .string($0.rawValue) }
        members.set("last_failed", self.lastFailed) {
            ["attempt": .integer($0.number), "message": .string($0.message)]
        }
        if !self.checks.isEmpty { members["checks"] = .array(self.checks.map(\.json)) }
        members.set("baseline", self.baseline) { $0.json }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            try TryRate(members), atLeast: try members.required("at_least", \.double),
            confidence: try members.required("confidence", \.double),
            verdict: try members.optionalString("verdict").map { (word) throws(RecordFormatError) in
                guard let verdict = Verdict(rawValue: word) else {
                    throw RecordFormatError("\"\(word)\" is not a verdict that this version knows")
                }
                return verdict
            },
            lastFailed: try members.optional("last_failed", \.object).map { (object) throws(RecordFormatError) in
                let failed = try EntryMembers(.object(object))
                return FailedTry(number: try failed.integer("attempt"), message: try failed.string("message"))
            },
            checks: try members.list("checks") { (check) throws(RecordFormatError) in
                try CheckRate(check)
            },
            baseline: try members.optional("baseline", \.object).map { (object) throws(RecordFormatError) in
                try BaselineRate(EntryMembers(.object(object)))
            })
    }
}
