public import JSON

extension MutatorRate {
    /// The rate as an object of the record.
    public var json: JSONValue {
        var members: JSONObject = [
            "mutator": .string(self.mutator), "played": .integer(self.played), "passed": .integer(self.passed),
        ]
        members.set("rate", self.rate) { .double($0) }
        if self.errors != 0 { members["errors"] = .integer(self.errors) }
        if self.skipped != 0 { members["skipped"] = .integer(self.skipped) }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        let played = try members.integer("played")
        let passed = try members.passed(of: played)
        self.init(
            mutator: try members.string("mutator"), passed: passed,
            failed: played - passed, errors: try members.optionalInteger("errors") ?? 0,
            skipped: try members.optionalInteger("skipped") ?? 0)
    }
}
