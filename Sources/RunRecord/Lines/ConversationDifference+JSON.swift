import JSON

extension ConversationDifference {
    var json: JSONValue {
        var members: JSONObject = ["kind": .string(self.kind.rawValue)]
        if self.count != 1 { members["count"] = .integer(self.count) }
        if !self.actor.isEmpty { members["actor"] = .string(self.actor) }
        members.set(flag: "done", self.isDone)
        if !self.name.isEmpty { members["name"] = .string(self.name) }
        if !self.fields.isEmpty { members["fields"] = .array(self.fields.map(\.json)) }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            try members.word("kind", of: Kind.self), count: try members.optionalInteger("count") ?? 1,
            actor: try members.optionalString("actor") ?? "", isDone: try members.flag("done"),
            name: try members.optionalString("name") ?? "",
            fields: try members.list("fields") { (field) throws(RecordFormatError) in try Field(field) })
    }
}

extension ConversationDifference.Field {
    var json: JSONValue {
        var members: JSONObject = ["name": .string(self.name)]
        members.set("stored", self.stored) { .string($0) }
        members.set("found", self.found) { .string($0) }
        members.set(flag: "fits", self.fits)
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            name: try members.string("name"), stored: try members.optionalString("stored"),
            found: try members.optionalString("found"), fits: try members.flag("fits"))
    }
}
