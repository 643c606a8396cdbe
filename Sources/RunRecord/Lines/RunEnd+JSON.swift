public import JSON

extension RunEnd {
    /// The object of its line.
    public var json: JSONValue {
        var members: JSONObject = [
            "type": "run_ended", "duration": .integer(self.durationNanoseconds),
            "passed": .integer(self.counts.passed), "failed": .integer(self.counts.failed),
            "errors": .integer(self.counts.errors), "skipped": .integer(self.counts.skipped),
        ]
        if self.counts.flaky != 0 { members["flaky"] = .integer(self.counts.flaky) }
        if self.counts.expectedFailures != 0 {
            members["expected_failures"] = .integer(self.counts.expectedFailures)
        }
        members.set(flag: "interrupted", self.isInterrupted)
        members.set("time_limit", self.timeLimit) { .string($0) }
        if !self.robustness.isEmpty { members["robustness"] = .array(self.robustness.map(\.json)) }
        members.set("llm", self.usage) { $0.json }
        if !self.files.isEmpty { members["files"] = FileDigests.json(self.files) }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            counts: OutcomeCounts(
                passed: try members.integer("passed"), failed: try members.integer("failed"),
                errors: try members.integer("errors"), skipped: try members.integer("skipped"),
                flaky: try members.optionalInteger("flaky") ?? 0,
                expectedFailures: try members.optionalInteger("expected_failures") ?? 0),
            durationNanoseconds: try members.nanoseconds("duration"), isInterrupted: try members.flag("interrupted"),
            timeLimit: try members.optionalString("time_limit"),
            robustness: try members.list("robustness") { (rate) throws(RecordFormatError) in try MutatorRate(rate) },
            usage: try members.optional("llm", \.object).map { (object) throws(RecordFormatError) in
                try ModelUsage(EntryMembers(.object(object)))
            }, files: try members.optional("files", FileDigests.read) ?? [:])
    }
}
