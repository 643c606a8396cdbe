import JSON

extension NearestEvent {
    var json: JSONValue {
        var members: JSONObject = [
            "event": .integer(self.number), "kind": .string(self.kind), "at": .string(self.at),
        ]
        if !self.remarks.isEmpty { members["remarks"] = .strings(self.remarks) }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            number: try members.integer("event"), kind: try members.string("kind"), at: try members.string("at"),
            remarks: try members.strings("remarks"))
    }
}
