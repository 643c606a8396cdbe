public import JSON

extension ScenarioEnd {
    /// Appends the object of its line.
    public func append(to writer: inout JSONWriter) {
        writer.appendMembers { line in
            line.add("type", "scenario_ended")
            line.add("scenario", self.index)
            line.add("at", self.atNanoseconds)
            line.add("outcome", self.outcome.name)
            line.add("reason", self.outcome.reason)
            if !self.problems.isEmpty { line.add("problems", value: .array(self.problems.map(\.json))) }
            if self.isRetried { line.add("retried", true) }
            if self.isEmpty { line.add("empty", true) }
            line.add("passes", value: self.passes?.json)
        }
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        let name = try members.string("outcome")
        guard let outcome = Outcome(name: name, reason: try members.optionalString("reason")) else {
            throw RecordFormatError("\"\(name)\" is not an outcome that this version knows")
        }
        let problems = try members.list("problems") { (problem) throws(RecordFormatError) in try Problem(problem) }
        self.init(
            index: try members.integer("scenario"), atNanoseconds: try members.nanoseconds("at"), outcome: outcome,
            problems: problems, isRetried: try members.flag("retried"), isEmpty: try members.flag("empty"),
            passes: try members.optional("passes", \.object).map { (object) throws(RecordFormatError) in
                try PassRate(EntryMembers(.object(object)))
            })
    }
}
