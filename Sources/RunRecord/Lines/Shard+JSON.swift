import JSON

extension Shard {
    var json: JSONValue {
        var members: JSONObject = ["index": .integer(self.index), "count": .integer(self.count)]
        members.set("planned", self.plannedScenarios) { .integer($0) }
        members.set("plan", self.plan, \.json)
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            index: try members.integer("index"), count: try members.integer("count"),
            plannedScenarios: try members.optionalInteger("planned"),
            // A plan that cannot be read is not taken for none: the shards of other scripts would be put together.
            plan: try members.optional("plan", ShardPlan.init))
    }
}
