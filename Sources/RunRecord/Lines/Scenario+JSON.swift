public import JSON

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

extension ScenarioChoice {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["line": .integer(self.line)]
        members.set("filter", self.filter) { .string($0) }
        members.set("number", self.number) { .integer($0) }
        return .object(members)
    }

    /// Reads the choice of a scenario, if there is one.
    fileprivate init?(in members: EntryMembers) throws(RecordFormatError) {
        guard let object = try members.optional("choice", \.object) else { return nil }
        let choice = try EntryMembers(.object(object))
        self.init(
            line: try choice.integer("line"), filter: try choice.optionalString("filter"),
            number: try choice.optionalInteger("number"))
    }
}

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

extension Problem {
    var json: JSONValue {
        var members: JSONObject = [
            "category": .string(self.category.rawValue), "type": .string(self.typeName),
            "message": .string(self.message),
        ]
        if self.detail != self.message { members["detail"] = .string(self.detail) }
        members.set("file", self.file) { .string($0) }
        members.set("line", self.line) { .integer($0) }
        members.set(flag: "soft", self.isSoft)
        members.set("limit", self.limit) { .string($0) }
        if !self.differences.isEmpty { members["differences"] = .array(self.differences.map(\.json)) }
        members.set("evidence", self.evidence) { $0.json }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            category: try members.word("category", of: Category.self), typeName: try members.string("type"),
            message: try members.string("message"), detail: try members.optionalString("detail"),
            file: try members.optionalString("file"), line: try members.optionalInteger("line"),
            isSoft: try members.flag("soft"), limit: try members.optionalString("limit"),
            differences: try members.list("differences") { (line) throws(RecordFormatError) in
                try ConversationDifference(line)
            },
            evidence: try members.optional("evidence", \.object).map { (object) throws(RecordFormatError) in
                try Evidence(EntryMembers(.object(object)))
            })
    }
}
