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

extension TryRate {
    /// Sets the members in an object of the record.
    fileprivate func write(to members: inout JSONObject) {
        members["tries"] = .integer(self.tries)
        members["passed"] = .integer(self.passed)
        members["low"] = .double(self.low)
        members["high"] = .double(self.high)
    }

    fileprivate init(_ members: EntryMembers) throws(RecordFormatError) {
        let tries = try members.integer("tries")
        self.init(
            tries: tries, passed: try members.passed(of: tries), low: try members.required("low", \.double),
            high: try members.required("high", \.double))
    }
}

extension BaselineRate {
    var json: JSONValue {
        var members: JSONObject = [:]
        self.rate.write(to: &members)
        members["difference_low"] = .double(self.differenceLow)
        members["difference_high"] = .double(self.differenceHigh)
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            try TryRate(members), differenceLow: try members.required("difference_low", \.double),
            differenceHigh: try members.required("difference_high", \.double))
    }
}

extension CheckRate {
    var json: JSONValue {
        var members: JSONObject = [:]
        members.set("file", self.file) { .string($0) }
        members["line"] = .integer(self.line)
        members["text"] = .string(self.text)
        self.rate.write(to: &members)
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            file: try members.optionalString("file"), line: try members.integer("line"),
            text: try members.string("text"), rate: try TryRate(members))
    }
}
