import JSON

extension ScenarioStart {
    /// Appends the object of its line.
    func append(to writer: inout JSONWriter) {
        writer.appendMembers { line in
            line.add("type", "scenario_started")
            line.add("scenario", self.index)
            line.add("at", self.atNanoseconds)
            line.add("id", self.id)
            line.add("file", self.file)
            line.add("line", self.line)
            line.add("title", self.titlePath)
            line.add("row", self.row)
            line.add("mutator", self.mutator)
            line.add("repetition", self.repetition)
            if !self.tags.isEmpty { line.add("tags", self.tags) }
            line.add("seed", String(self.seed))
            line.add("attempt", self.attempt)
            if self.isTry { line.add("try", true) }
            if self.hasOwnRetries { line.add("own_retries", true) }
            line.add("choice", value: self.choice?.json)
            line.add("asked_by", value: self.askedBy?.json)
        }
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            index: try members.integer("scenario"), file: try members.string("file"),
            line: try members.integer("line"), titlePath: try members.strings("title"),
            row: try members.optionalString("row"), mutator: try members.optionalString("mutator"),
            repetition: try members.optionalInteger("repetition"),
            tags: try members.strings("tags"), seed: try members.seed("seed"), attempt: try members.integer("attempt"),
            isTry: try members.flag("try"), hasOwnRetries: try members.flag("own_retries"),
            choice: try ScenarioChoice(in: members),
            askedBy: try members.optional("asked_by", \.object).map { (object) throws(RecordFormatError) in
                let asker = try EntryMembers(.object(object))
                return Asker(
                    file: try asker.string("file"), name: try asker.string("name"),
                    choice: try ScenarioChoice(in: asker))
            },
            atNanoseconds: try members.nanoseconds("at"))
    }
}

extension ScenarioStart.Asker {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["file": .string(self.file), "name": .string(self.name)]
        members.set("choice", self.choice) { $0.json }
        return .object(members)
    }
}
