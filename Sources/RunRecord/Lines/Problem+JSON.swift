import JSON

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
