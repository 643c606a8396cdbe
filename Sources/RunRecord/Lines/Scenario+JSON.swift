public import JSON

extension ScenarioStart {
    var json: JSONValue {
        var members: JSONObject = [
            "type": "scenario_started", "scenario": .integer(self.index), "at": .integer(self.atNanoseconds),
            "id": .string(self.id), "file": .string(self.file), "line": .integer(self.line),
            "title": .strings(self.titlePath),
        ]
        members.set("row", self.row) { .string($0) }
        members.set("mutator", self.mutator) { .string($0) }
        members.set("repetition", self.repetition) { .integer($0) }
        if !self.tags.isEmpty { members["tags"] = .strings(self.tags) }
        members["seed"] = .string("\(self.seed)")
        members["attempt"] = .integer(self.attempt)
        members.set(flag: "try", self.isTry)
        members.set(flag: "own_retries", self.hasOwnRetries)
        members.set("choice", self.choice) { $0.json }
        members.set("asked_by", self.askedBy) { asker in
            var members: JSONObject = ["file": .string(asker.file), "name": .string(asker.name)]
            members.set("choice", asker.choice) { $0.json }
            return .object(members)
        }
        return .object(members)
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
    /// The object of its line.
    public var json: JSONValue {
        var members: JSONObject = [
            "type": "scenario_ended", "scenario": .integer(self.index), "at": .integer(self.atNanoseconds),
            "outcome": .string(self.outcome.name),
        ]
        members.set("reason", self.outcome.reason) { .string($0) }
        if !self.problems.isEmpty { members["problems"] = .array(self.problems.map(\.json)) }
        members.set(flag: "retried", self.isRetried)
        members.set(flag: "empty", self.isEmpty)
        members.set("passes", self.passes) { $0.json }
        return .object(members)
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
