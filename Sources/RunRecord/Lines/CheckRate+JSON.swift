import JSON

extension CheckRate {
    var json: JSONValue {
        var members: JSONObject = [:]
        members.set("file", self.file) { .string($0) }
        members["line"] = .integer(self.line)
        members["text"] = .string(self.text)
        self.rate.write(to: &members)
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            file: try members.optionalString("file"), line: try members.integer("line"),
            text: try members.string("text"), rate: try TryRate(members))
    }
}
