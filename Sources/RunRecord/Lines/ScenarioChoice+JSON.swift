import JSON

extension ScenarioChoice {
    var json: JSONValue {
        var members: JSONObject = ["line": .integer(self.line)]
        members.set("filter", self.filter) { .string($0) }
        members.set("number", self.number) { .integer($0) }
        return .object(members)
    }

    /// Reads the choice of a scenario, if there is one.
    init?(in members: EntryMembers) throws(RecordFormatError) {
        guard let object = try members.optional("choice", \.object) else { return nil }
        let choice = try EntryMembers(.object(object))
        self.init(
            line: try choice.integer("line"), filter: try choice.optionalString("filter"),
            number: try choice.optionalInteger("number"))
    }
}
